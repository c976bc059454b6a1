// The load generator, as a process of its own: each message to it is a job, and its response is a
// message with the result.
import { performance } from 'node:perf_hooks';
import autocannon from 'autocannon';

/** The first part of a round is not measured, since connections are opened in it. */
const RAMP_MS = 200;

/**
 * Keeps autocannon from joining the bodies as text, which would take longer than a server takes to
 * send them.
 */
function dropBodies({ pipelinedRequests }) {
  pipelinedRequests.addBody = () => {};
}

/**
 * Runs one job. Requests are counted here, since autocannon counts by the second and takes
 * latencies in whole milliseconds.
 */
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
