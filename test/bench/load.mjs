// The load, as a process of its own: takes one job a message, and sends its result.
import { performance } from 'node:perf_hooks';
import autocannon from 'autocannon';

/** The beginning of a round is connections being opened, and is left out. */
const RAMP_MS = 200;

/** Bodies would be turned into text and put together, which takes longer than a server does to send them. */
function dropBodies({ pipelinedRequests }) {
  pipelinedRequests.addBody = () => {};
}

/** Counted here, as autocannon counts by the second and takes latencies in whole milliseconds. */
async function run({ url, headers, connections, pipelining, seconds }) {
  const latenciesMs = [];
  let first;
  let last;
  let total = 0;
  const begun = performance.now();
  const load = autocannon({
    ...{ url, headers, connections, pipelining },
    ...{ duration: seconds, sampleInt: 100, setupClient: dropBodies },
  });
  load.on('response', (_client, _status, _bytes, ms) => {
    total++;
    const now = performance.now();
    if (now - begun < RAMP_MS) return;
    first ??= now;
    last = now;
    latenciesMs.push(ms);
  });
  const { non2xx, errors, timeouts, resets, mismatches } = await load;
  const sorted = Float64Array.from(latenciesMs).sort();
  return {
    perSecond: ((sorted.length - 1) / (last - first)) * 1000,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)],
    requests: total,
    non2xx,
    // autocannon counts time-outs among the errors.
    errors: Math.max(errors, timeouts) + resets + mismatches,
  };
}

process.on('message', async (job) => process.send(await run(job)));
process.on('disconnect', () => process.exit());
