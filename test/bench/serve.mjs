// Prints how the cache server compares with a bare node:http server that sends a fixed buffer of
// the same size, both measured in this run, in turns: `npm run bench:serve`.
// `-- --json` prints JSON, `-- --quick` takes shorter rounds. Exit code 1 when a bound is missed.

import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: flags } = parseArgs({
  options: { json: { type: 'boolean' }, quick: { type: 'boolean' } },
});

const MIN_RATIO = 0.55;
const MAX_P99_RATIO = 3;
const LOAD = { connections: 50, pipelining: 1 };
const ROUNDS = flags.quick ? 3 : 7;
const SECONDS = flags.quick ? 1 : 2;

const CASES = [
  { name: 'one station', path: '/v1/live/110', encoding: '' },
  { name: 'all stations, gzip', path: '/v1/live/all', encoding: 'gzip' },
  {
    name: '31 days of CSV',
    path: '/v1/archive/110?start=2024-01-01&stop=2024-02-01&format=csv',
    encoding: '',
  },
];

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const folder = mkdtempSync(join(tmpdir(), 'vane-bench-'));
const children = new Set();

process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));

const failures = new WeakMap();

/** A promise that rejects when the child process ends. */
const failure = (child) => failures.get(child);

function own(child) {
  children.add(child);
  const failed = once(child, 'exit').then(([code, signal]) => {
    children.delete(child);
    throw new Error(`${child.spawnargs.slice(1).join(' ')} ended with ${code ?? signal}`);
  });
  failed.catch(() => {});
  failures.set(child, failed);
  return child;
}

async function stop(child) {
  if (!children.has(child)) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

/** Starts a server that prints its address. */
async function start(...args) {
  const child = own(
    spawn(process.execPath, args, {
      env: { ...process.env, VANE_CACHE_DIR: join(folder, 'cache') },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  const [address] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    failure(child),
  ]);
  return { child, baseUrl: address };
}

const startVane = (...args) => start(here('../../bin/vane.js'), 'serve', '--port', '0', ...args);

/** Processor time of a process, ms: on Linux in steps of 10 ms, elsewhere NaN. */
function processorMs({ pid }) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}

async function loadOnce(load, { child, baseUrl }, { path, encoding }, seconds) {
  const headers = encoding ? { 'accept-encoding': encoding } : {};
  const before = processorMs(child);
  const begun = performance.now();
  load.send({ url: baseUrl + path, headers, ...LOAD, seconds });
  const [result] = await Promise.race([once(load, 'message'), failure(load)]);
  const tookMs = processorMs(child) - before;
  const ranMs = performance.now() - begun;
  return { ...result, busy: tookMs / ranMs, processorUs: (tookMs * 1000) / result.requests };
}

/** Measures the bare server and vane in turns, so that other work of the machine slows both. */
async function measure(one, vane, load) {
  const bare = await start(here('bare.mjs'), vane.baseUrl + one.path, one.encoding);
  try {
    const rounds = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const pair = {
        bare: await loadOnce(load, bare, one, SECONDS),
        vane: await loadOnce(load, vane, one, SECONDS),
      };
      // Leave out the first round, which warms the servers up.
      if (round > 0) rounds.push(pair);
    }
    return summarize(one, await sizeOf(bare), rounds);
  } finally {
    await stop(bare.child);
  }
}

async function sizeOf({ baseUrl }) {
  const { headers } = await fetch(baseUrl, { method: 'HEAD' });
  return Number(headers.get('content-length'));
}

function summarize({ name, path }, bytes, rounds) {
  const middle = (peer, figure) => median(rounds.map((round) => round[peer][figure]));
  const ratioOf = (figure) => median(rounds.map(({ bare, vane }) => vane[figure] / bare[figure]));
  const sum = (figure) =>
    rounds.reduce((total, { bare, vane }) => total + bare[figure] + vane[figure], 0);
  const peer = (which) => ({
    perSecond: middle(which, 'perSecond'),
    p99Ms: middle(which, 'p99Ms'),
    busy: middle(which, 'busy'),
    processorUs: middle(which, 'processorUs'),
  });
  const ratio = ratioOf('perSecond');
  const p99Ratio = ratioOf('p99Ms');
  const [non2xx, errors] = [sum('non2xx'), sum('errors')];
  return {
    name,
    path,
    bytes,
    bare: peer('bare'),
    vane: peer('vane'),
    ratio,
    p99Ratio,
    non2xx,
    errors,
    isWithin: ratio >= MIN_RATIO && p99Ratio <= MAX_P99_RATIO && non2xx + errors === 0,
    rounds,
  };
}

function printTable(results) {
  const percent = (share) => (Number.isNaN(share) ? '' : `${Math.round(share * 100)} %`);
  const micros = (us) => (Number.isNaN(us) ? '' : us.toFixed(0));
  const columns = [
    ['case', ({ name }) => name],
    ['bytes', ({ bytes }) => bytes],
    ['bare req/s', ({ bare }) => Math.round(bare.perSecond)],
    ['vane req/s', ({ vane }) => Math.round(vane.perSecond)],
    [`ratio (≥ ${MIN_RATIO})`, ({ ratio }) => ratio.toFixed(2)],
    ['bare p99', ({ bare }) => `${bare.p99Ms.toFixed(1)} ms`],
    ['vane p99', ({ vane }) => `${vane.p99Ms.toFixed(1)} ms`],
    [`p99 ratio (≤ ${MAX_P99_RATIO})`, ({ p99Ratio }) => p99Ratio.toFixed(2)],
    // Processor time per request compares the servers even where the load generator is the slowest.
    ['bare µs', ({ bare }) => micros(bare.processorUs)],
    ['vane µs', ({ vane }) => micros(vane.processorUs)],
    ['bare busy', ({ bare }) => percent(bare.busy)],
    ['vane busy', ({ vane }) => percent(vane.busy)],
    ['non-2xx', ({ non2xx }) => non2xx],
    ['errors', ({ errors }) => errors],
    ['', ({ isWithin }) => (isWithin ? '' : 'MISSED')],
  ];
  const lines = [
    columns.map(([head]) => head),
    ...results.map((result) => columns.map(([, cell]) => String(cell(result)))),
  ];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at].length)));
  for (const line of lines) {
    const cells = line.map((text, at) =>
      at === 0 ? text.padEnd(widths[at]) : text.padStart(widths[at]),
    );
    console.log(cells.join('  ').trimEnd());
  }
}

const load = own(fork(here('load.mjs')));
const { version: VERSION } = JSON.parse(readFileSync(here('../../package.json'), 'utf8'));
const upstream = await startVane('--demo');
const vane = await startVane('--upstream', upstream.baseUrl);
const results = [];
for (const one of CASES) results.push(await measure(one, vane, load));
await Promise.all([...children].map(stop));

const { version: autocannon } = JSON.parse(
  readFileSync(here('../../node_modules/autocannon/package.json'), 'utf8'),
);
const machine = {
  cores: cpus().length,
  model: cpus()[0].model,
  ...{ node: process.version, vane: VERSION, autocannon },
  date: new Date().toISOString(),
  ...{ ...LOAD, rounds: ROUNDS, seconds: SECONDS },
};
if (flags.json) console.log(JSON.stringify({ machine, cases: results }, null, 2));
else {
  printTable(results);
  console.log(
    `${machine.cores} × ${machine.model}, Node ${machine.node}, vane ${VERSION}, autocannon ${autocannon}, ${machine.date}; ` +
      `${LOAD.connections} connections, medians of ${ROUNDS} rounds of ${SECONDS} s each, in turns`,
  );
}
if (results.some(({ isWithin }) => !isWithin)) process.exitCode = 1;
