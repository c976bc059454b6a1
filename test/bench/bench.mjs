// Prints ratios, each of two things measured in this run: `npm run bench`.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { simulatedService } from '../../dist/service/simulated.js';
import { VERSION } from '../../dist/version.js';
import { decodeArchive, encodeArchive } from '../../dist/wire/archive.js';
import { csvLayout } from '../../dist/wire/csv.js';
import { encodeText } from '../../dist/wire/layout.js';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'vane-bench-'));
const rows = [];

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const report = (what, ratio, bound, detail) => rows.push({ what, ratio, bound, detail });

async function startService(delayMs) {
  const child = spawn(process.execPath, [here('service.mjs'), String(delayMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  const baseUrl = String(line).trim();
  const count = async () => Number(await (await fetch(`${baseUrl}/count`)).text());
  return { baseUrl, count, stop: () => child.kill() };
}

/** Exports station 110 and says what it took. */
async function exportYears(years, baseUrl, { cache, concurrency = 4, name = 'wind.csv' }) {
  const file = join(folder, name);
  const usageFile = join(folder, 'usage.json');
  const begun = performance.now();
  const args = [`archive`, '110', '--start', String(2025 - years), '--stop', '2025', '-o', file];
  const child = spawn(
    process.execPath,
    [
      ...['--import', here('usage.mjs'), here('../../bin/vane.js'), ...args, '--base-url', baseUrl],
      ...['--quiet', '--concurrency', String(concurrency), ...(cache ? [] : ['--no-cache'])],
    ],
    {
      env: { ...process.env, VANE_CACHE_DIR: cache ?? '', BENCH_USAGE: usageFile },
      stdio: 'inherit',
    },
  );
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`vane ended with ${code}`);
  const ms = performance.now() - begun;
  return { ms, ...JSON.parse(readFileSync(usageFile, 'utf8')), bytes: statSync(file).size };
}

/** The times of two functions, taken in turns. */
function pair(a, b, times) {
  const timed = (f) => {
    const begun = performance.now();
    f();
    return performance.now() - begun;
  };
  const taken = Array.from({ length: times }, () => [timed(a), timed(b)]);
  return [median(taken.map(([x]) => x)), median(taken.map(([, y]) => y))];
}

async function benchConversion() {
  const period = { start: Date.UTC(2024, 0, 1), stop: Date.UTC(2024, 1, 1) };
  const answer = await simulatedService(Date.now).archive(110, period);
  const json = encodeArchive(answer);
  const convert = () => encodeText(csvLayout, decodeArchive(json, 110));
  const [parseMs, convertMs] = pair(() => JSON.parse(json), convert, 51);
  report(
    'an answer turned into CSV / JSON.parse of it',
    convertMs / parseMs,
    '≤ 3',
    `${answer.rows.count} rows, ${json.length} bytes; ${convertMs.toFixed(1)} ms / ${parseMs.toFixed(1)} ms`,
  );
}

async function benchExport() {
  const slow = await startService(100);
  try {
    // The service makes its answers once, outside of the measurement.
    await exportYears(10, slow.baseUrl, { concurrency: 16 });
    const runs = { sequential: [], first: [], second: [] };
    let asked = 0;
    for (let round = 0; round < 3; round++) {
      const cache = join(folder, `cache-${round}`);
      runs.sequential.push(await exportYears(10, slow.baseUrl, { concurrency: 1 }));
      runs.first.push(await exportYears(10, slow.baseUrl, { cache }));
      const before = await slow.count();
      runs.second.push(await exportYears(10, slow.baseUrl, { cache, name: 'again.csv' }));
      asked += (await slow.count()) - before;
    }
    const middle = (list) => list.toSorted((a, b) => a.ms - b.ms)[1];
    const [sequential, first, second] = Object.values(runs).map(middle);
    const year = await exportYears(1, slow.baseUrl, { cache: join(folder, 'cache-of-a-year') });
    const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
    report(
      'ten years in sequence / four at once, 100 ms an answer',
      sequential.ms / first.ms,
      '≥ 3',
      `${(first.bytes / 1e6).toFixed(0)} MB of CSV; ${seconds(sequential.ms)} / ${seconds(first.ms)}`,
    );
    report(
      'the same again from the cache / the first time',
      second.ms / first.ms,
      '< 0.2',
      `${asked} requests; ${seconds(second.ms)} / ${seconds(first.ms)}`,
    );
    report(
      'peak memory of ten years / of one',
      first.peakMb / year.peakMb,
      '≤ 1.25',
      `${first.peakMb.toFixed(0)} MB / ${year.peakMb.toFixed(0)} MB; at most 200 MB`,
    );
  } finally {
    slow.stop();
  }
}

try {
  await benchConversion();
  await benchExport();
  const [{ model }] = cpus();
  console.log(`vane ${VERSION}, Node ${process.version}, ${cpus().length} × ${model}`);
  for (const { what, ratio, bound, detail } of rows) {
    console.log(`${what.padEnd(55)} ${ratio.toFixed(2).padStart(6)}  (${bound})  ${detail}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
