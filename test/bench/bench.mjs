// Prints one table of ratios, each of two things measured in this run, in turns: `npm run bench`.
// `-- --json [file]` prints JSON instead, or writes it to a file beside the table; `--quick` takes
// fewer rounds; `--only start,export,growth,convert,stats,plot,size` takes some of the groups. Exit code
// 1 when a bound is missed.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, cpus, platform, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { textPlugin } from '../../.build/text.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const NODE = process.execPath;
const VANE = here('../../bin/vane.js');
const { version } = JSON.parse(readFileSync(here('../../package.json'), 'utf8'));
const flags = readFlags(process.argv.slice(2));
const folder = mkdtempSync(join(tmpdir(), 'vane-bench-'));
const children = new Set();

function place(name) {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  return path;
}

/** An environment without the user's settings of vane and curl, and with folders of its own. */
const ENV = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(VANE_|XDG_|NODE_OPTIONS|NODE_COMPILE_CACHE|.*_proxy$)/i.test(name),
    ),
  ),
  ...{ VANE_CONFIG: '/dev/null', VANE_CACHE_DIR: join(folder, 'cache') },
  // Node 20 reads this file at each start, for 90 ms, which hides the start of vane itself.
  NODE_EXTRA_CA_CERTS: '',
  ...{ HOME: place('home'), TMPDIR: place('tmp'), CURL_HOME: folder, NO_COLOR: '1' },
};

process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));

function readFlags(args) {
  // Take the file of `--json` out: parseArgs has no options with an optional value.
  const place = args.indexOf('--json');
  const next = args[place + 1];
  const hasFile = place !== -1 && next !== undefined && !next.startsWith('--');
  const jsonFile = hasFile ? args.splice(place + 1, 1)[0] : undefined;
  const { values } = parseArgs({
    args,
    options: {
      json: { type: 'boolean' },
      quick: { type: 'boolean' },
      only: { type: 'string', default: 'start,export,growth,convert,stats,plot,size' },
    },
  });
  return { ...values, jsonFile, only: values.only.split(',') };
}

// ---- the table

const rows = [];
const omitted = [];
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const atMost = (limit) => ({ text: `≤ ${limit}`, holds: (ratio) => ratio <= limit });
const within = (low, high) => ({
  text: `${low} to ${high}`,
  holds: (ratio) => ratio >= low && ratio <= high,
});
const atLeast = (limit) => ({ text: `≥ ${limit}`, holds: (ratio) => ratio >= limit });

function report(group, what, ratio, bound, rounds, detail) {
  const isMissed = bound !== undefined && !bound.holds(ratio);
  rows.push({ group, what, ratio, bound: bound?.text, isMissed, rounds, detail });
}

/** The median over all rounds of the ratio of two values, measured one after the other. */
const ratioOf = (over, under) => median(over.map((value, round) => value / under[round]));

/** Reports the ratio of two sorts of run by their time, CPU time or memory (`measure`). */
function compare(group, what, over, under, bound, { measure = 'ms', note = '' } = {}) {
  const [a, b] = [over, under].map((runs) => runs.map((run) => run[measure]));
  const write = { ms: seconds, cpuMs: seconds, peakMb: (mb) => `${mb.toFixed(0)} MB` }[measure];
  const cpu = measure === 'cpuMs' ? ' of CPU' : '';
  const detail = `${write(median(a))} / ${write(median(b))}${cpu}${note && `; ${note}`}`;
  report(group, what, ratioOf(a, b), bound, a.length, detail);
}

const seconds = (ms) => (ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(2)} s`);

function omit(what, why) {
  omitted.push(`${what}: ${why}`);
}

const has = (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

// ---- measured processes

/** Runs a program to its end. */
async function run(program, args, { env = {}, input } = {}) {
  const begun = performance.now();
  const child = spawn(program, args, {
    env: { ...ENV, ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'inherit'],
  });
  children.add(child);
  child.stdin?.end(input);
  let text = '';
  child.stdout.on('data', (piece) => {
    text += piece;
  });
  const [code] = await once(child, 'close');
  children.delete(child);
  if (code !== 0) throw new Error(`${child.spawnargs.join(' ')} ended with ${code}`);
  return { ms: performance.now() - begun, text };
}

/** Runs Node with a module that records its CPU time and memory. */
async function runCounted(args, env = {}) {
  const usageFile = join(folder, 'usage.json');
  const counted = ['--import', here('usage.mjs'), ...args];
  const taken = await run(NODE, counted, { env: { ...env, BENCH_USAGE: usageFile } });
  return { ...taken, ...JSON.parse(readFileSync(usageFile, 'utf8')) };
}

/** Runs every task once in each round. @returns the results of each task, by its name */
async function takeTurns(rounds, tasks) {
  const taken = Object.fromEntries(Object.keys(tasks).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, task] of Object.entries(tasks)) taken[name].push(await task(round));
  }
  return taken;
}

// ---- comparisons

const STATION = 110;
/**
 * A condition that every station meets, so that `vane live` writes the same with and without it.
 */
const EVERY_STATION = 'avg in 15..25kn and dir in SW..NW or state = off or state != off';
const STOP_YEAR = 2025;
const CONCURRENCY = 4;

/**
 * Bundles the modules of vane that the benchmark or its service imports, since the build has no
 * modules to import.
 */
async function bundleParts() {
  const outfile = here('../../node_modules/.cache/vane-bench/parts.mjs');
  const files = [
    ...['domain/period', 'server/server', 'service/simulated/simulatedService'],
    ...['wire/archive', 'wire/requests', 'wire/csvAndTxt'],
  ];
  await build({
    stdin: {
      contents: files.map((file) => `export * from './${file}.ts';`).join('\n'),
      resolveDir: here('../../src'),
    },
    ...{ outfile, bundle: true, format: 'esm', platform: 'node', packages: 'external' },
    target: 'node20.19',
    plugins: [textPlugin],
  });
  return outfile;
}

async function startService(partsFile) {
  const child = spawn(NODE, [here('service.mjs'), partsFile], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  const [line] = await once(child.stdout, 'data');
  const url = String(line).trim();
  const count = async () => Number(await (await fetch(`${url}/count`)).text());
  return { url, waiting: `${url}/100`, count };
}

/**
 * Exports some years to a file by vane, in km/h and UTC, without a cache unless `cache` names one.
 */
async function exportYears(years, baseUrl, options = {}) {
  const { cache, concurrency = CONCURRENCY, name = 'wind.csv', more = [] } = options;
  const file = join(folder, name);
  const begin = String(STOP_YEAR - years);
  const period = ['--start', begin, '--stop', String(STOP_YEAR)];
  const args = ['archive', String(STATION), ...period, '-o', file, '--base-url', baseUrl];
  const how = ['--quiet', '--concurrency', String(concurrency), ...(cache ? [] : ['--no-cache'])];
  const taken = await runCounted([VANE, ...args, ...how, ...more], { VANE_CACHE_DIR: cache ?? '' });
  return { ...taken, bytes: statSync(file).size };
}

function windowsOf(years) {
  const { planChunks, archivePath } = parts;
  const period = { start: Date.UTC(STOP_YEAR - years, 0), stop: Date.UTC(STOP_YEAR, 0) };
  return (format) => [...planChunks(period)].map((at) => archivePath(STATION, at, format));
}

/** Fetches the windows of an export by a loop of curl. */
function curlYears(windows, baseUrl) {
  const target = join(folder, 'curl');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  const lines = windows('csv').map((path, i) => `${target}/${i}.csv ${baseUrl}${path}\n`);
  return run('sh', [here('curl.sh'), String(CONCURRENCY)], { input: lines.join('') });
}

/** Fetches the windows of an export by one curl, which keeps its connections open. */
function parallelCurlYears(windows, baseUrl) {
  const config = join(folder, 'curl.config');
  const pairs = windows('csv').map(
    (path, i) => `url = "${baseUrl}${path}"\noutput = "${folder}/curl/${i}.csv"\n`,
  );
  writeFileSync(config, pairs.join(''));
  const parallel = [
    '--no-progress-meter',
    '--parallel',
    '--parallel-immediate',
    '--parallel-max',
    String(CONCURRENCY),
  ];
  return run('curl', ['--silent', '--fail', ...parallel, '--config', config]);
}

function pythonYears(years, baseUrl) {
  const place = [String(STATION), String(STOP_YEAR - years), String(STOP_YEAR)];
  return run(python(), [here('months.py'), baseUrl, ...place, join(folder, 'python.csv')]);
}

let pythonPath;
/** The path of Python itself: python3 in the PATH may be a script that looks for Python. */
function python() {
  pythonPath ??= spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], {
    encoding: 'utf8',
  }).stdout.trim();
  return pythonPath;
}

/** Number of rows in the files of the curl loop, without the four head lines of each file. */
function rowsOfCurl() {
  const names = readdirSync(join(folder, 'curl'));
  return names.reduce((sum, name) => sum + linesIn(join(folder, 'curl', name)) - 4, 0);
}

function linesIn(file) {
  let lines = 0;
  for (const byte of readFileSync(file)) if (byte === 10) lines++;
  return lines;
}

// ---- the groups

async function benchStart(service) {
  const rounds = flags.quick ? 7 : 21;
  const response = `${service.url}/v1/live/${STATION}`;
  const script = `curl -s '${response}' | jq -r '.data | [.id, .meta.name, .measurements.date, .measurements.wind_heading, .measurements.wind_speed_avg, .measurements.wind_speed_max] | @tsv'`;
  const hasPipe = has('curl') && has('jq');
  const tasks = {
    node: () => run(NODE, ['-e', '0']),
    version: () => run(NODE, [VANE, '--version']),
    help: () => run(NODE, [VANE, '--help']),
    live: () =>
      run(NODE, [VANE, 'live', String(STATION), '--base-url', service.url, '-q', '--no-cache']),
    kept: () => run(NODE, [VANE, 'live', String(STATION), '--base-url', service.url, '-q']),
    all: () => run(NODE, [VANE, 'live', 'all', '--base-url', service.url, '-q', '--no-cache']),
    where: () =>
      run(NODE, [
        ...[VANE, 'live', 'all', '--where', EVERY_STATION],
        ...['--base-url', service.url, '-q', '--no-cache'],
      ]),
    first: (round) =>
      run(NODE, [VANE, 'live', String(STATION), '--base-url', service.url, '-q', '--no-cache'], {
        env: { HOME: place(`first/${round}`) },
      }),
    ...(hasPipe && { pipe: () => run('sh', ['-c', script]) }),
  };
  await takeTurns(2, tasks);
  const before = await service.count();
  rmSync(join(folder, 'first'), { recursive: true });
  const {
    node,
    version: v,
    help,
    live,
    kept,
    all,
    where,
    first,
    pipe,
  } = await takeTurns(rounds, tasks);
  const asked = (await service.count()) - before;
  if (asked < rounds * (hasPipe ? 3 : 2)) throw new Error(`${asked} requests for live`);
  compare('start', 'vane --version / node -e 0', v, node, atMost(1.8));
  compare('start', 'vane --help / node -e 0', help, node, atMost(2.6));
  const note = 'a request each time';
  compare('start', 'vane live 110 / node -e 0', live, node, atMost(4.5), { note });
  compare('start', 'vane live 110, again within 60 s / node -e 0', kept, node, atMost(4.5));
  compare('start', 'vane live all --where … / vane live all', where, all, atMost(1.05), { note });
  compare('start', 'vane live 110, the first time / node -e 0', first, node, undefined, {
    note: 'Node has kept no code yet (from 22.8 on)',
  });
  if (pipe) compare('start', 'vane live 110 / curl | jq', live, pipe, undefined, { note });
  else omit('vane live 110 / curl | jq', 'curl or jq is not on this machine');
}

async function benchExport(service) {
  const rounds = flags.quick ? 3 : 9;
  const { url, waiting } = service;
  const windows = windowsOf(10);
  const windowsOfYear = windowsOf(1);
  const hasCurl = has('curl');
  const hasPython = has('python3');
  const note = 'no cache';

  // Let the service make its responses now, and keep them in files for JSON.parse.
  const first = await exportYears(10, url);
  const responses = join(folder, 'responses');
  mkdirSync(responses);
  let bytes = 0;
  for (const [i, path] of windows('json').entries()) {
    const body = Buffer.from(await (await fetch(url + path)).arrayBuffer());
    bytes += body.length;
    writeFileSync(join(responses, `${i}.json`), body);
  }
  const exported = linesIn(join(folder, 'wind.csv')) - 4;
  const check = (who, theirs) => {
    if (theirs !== exported) throw new Error(`${who} has ${theirs} rows, vane ${exported}`);
  };
  if (hasCurl) {
    await curlYears(windows, url);
    check('curl', rowsOfCurl());
  } else omit('the curl loop', 'curl is not on this machine');
  if (hasPython) check('Python', Number((await pythonYears(10, url)).text));
  else omit('the Python script', 'python3 is not on this machine');

  const parse = () => runCounted([here('parse.mjs'), responses]);
  check('JSON.parse', Number((await parse()).text));
  const atOnce = await takeTurns(rounds, {
    vane: () => exportYears(10, url),
    parse,
    ...(hasCurl && {
      curl: () => curlYears(windows, url),
      parallel: () => parallelCurlYears(windows, url),
    }),
    year: () => exportYears(1, url),
    ...(hasCurl && { curlYear: () => curlYears(windowsOfYear, url) }),
  });
  const size = `${exported} rows, ${(bytes / 1e6).toFixed(0)} MB of JSON, ${(first.bytes / 1e6).toFixed(0)} MB of CSV`;
  compare('export', 'ten years / start and JSON.parse, CPU', atOnce.vane, atOnce.parse, atMost(2), {
    measure: 'cpuMs',
    note: size,
  });
  if (hasCurl) {
    compare('export', 'curl loop / vane, ten years, no wait', atOnce.curl, atOnce.vane, undefined, {
      note: 'xargs -P 4',
    });
    compare(
      'export',
      'one curl --parallel / vane, the same',
      atOnce.parallel,
      atOnce.vane,
      undefined,
      {
        note: '--parallel-max 4, checks and joins nothing',
      },
    );
    compare('export', 'curl loop / vane, a year, no wait', atOnce.curlYear, atOnce.year);
  }

  const waited = await takeTurns(rounds, {
    vane: () => exportYears(10, waiting),
    ...(hasCurl && { curl: () => curlYears(windows, waiting) }),
    year: () => exportYears(1, waiting),
    ...(hasCurl && { curlYear: () => curlYears(windowsOfYear, waiting) }),
    ...(hasPython && {
      python: () => pythonYears(10, waiting),
      pythonYear: () => pythonYears(1, waiting),
    }),
  });
  if (hasCurl) {
    const { curl, curlYear, vane, year } = waited;
    const how = { note: `xargs -P 4; ${note}` };
    compare('export', 'curl loop / vane, ten years, 100 ms', curl, vane, atLeast(1), how);
    compare('export', 'curl loop / vane, a year, 100 ms', curlYear, year, undefined, how);
  }
  if (hasPython) {
    const { python, pythonYear, vane, year } = waited;
    compare('export', 'Python / vane, ten years, 100 ms', python, vane, atLeast(5), { note });
    compare('export', 'Python / vane, a year, 100 ms', pythonYear, year, undefined, { note });
  }

  // Export three years only, so that the export in sequence does not take too long.
  const { sequential, four } = await takeTurns(rounds, {
    sequential: () => exportYears(3, waiting, { concurrency: 1 }),
    four: () => exportYears(3, waiting),
  });
  compare(
    'export',
    'in sequence / four at once, three years, 100 ms',
    sequential,
    four,
    atLeast(3),
    {
      note,
    },
  );

  const before = await service.count();
  const kept = await takeTurns(rounds, {
    first: (round) => exportYears(10, waiting, { cache: join(folder, `cache-${round}`) }),
    again: (round) => exportYears(10, waiting, { cache: join(folder, `cache-${round}`) }),
  });
  const asked = (await service.count()) - before - rounds * windows('json').length;
  compare(
    'export',
    'again from the cache / the first time, 100 ms',
    kept.again,
    kept.first,
    atMost(0.2),
    {
      note: `ten years; ${asked} requests`,
    },
  );
}

async function benchGrowth(service) {
  const rounds = flags.quick ? 3 : 9;
  const PERIODS = [1, 2, 5, 10];
  await exportYears(10, service.url);
  const tasks = PERIODS.map((years) => [`y${years}`, () => exportYears(years, service.url)]);
  const taken = await takeTurns(rounds, Object.fromEntries(tasks));
  const of = (years) => taken[`y${years}`];
  for (const years of [2, 5, 10]) {
    compare('growth', `time of ${years} years / of one`, of(years), of(1));
  }
  const times = PERIODS.map((years) => median(of(years).map(({ ms }) => ms)));
  report(
    'growth',
    'time of a period / straight line through all, furthest off',
    furthestOff(PERIODS, times),
    within(0.9, 1.1),
    rounds,
    `1, 2, 5, 10 years: ${times.map(seconds).join(', ')}; no cache, no wait`,
  );
  for (const years of [2, 5, 10]) {
    const bound = years === 10 ? atMost(1.7) : undefined;
    const how = { measure: 'peakMb' };
    compare('growth', `peak memory of ${years} years / of one`, of(years), of(1), bound, how);
  }
}

/** The ratio to a straight line (least squares of relative distances) that is furthest from 1. */
function furthestOff(xs, ys) {
  const sum = (f) => xs.reduce((total, x, i) => total + f(x, ys[i]) / ys[i] ** 2, 0);
  const [n, x, xx, y, xy] = [() => 1, (a) => a, (a) => a * a, (_, b) => b, (a, b) => a * b].map(
    sum,
  );
  const slope = (n * xy - x * y) / (n * xx - x * x);
  const start = (y - slope * x) / n;
  const ratios = xs.map((at, i) => ys[i] / (start + slope * at));
  return ratios.toSorted((a, b) => Math.abs(b - 1) - Math.abs(a - 1))[0];
}

async function benchConvert(service) {
  const { csvLayout, decodeArchive, encodeArchive, encodeText, simulatedService } = parts;
  const simulated = simulatedService(Date.now);
  const period = { start: Date.UTC(2024, 0, 1), stop: Date.UTC(2024, 1, 1) };
  const response = await simulated.archive(STATION, period);
  const json = encodeArchive(response);
  const body = Buffer.from(json);
  const timed = (task) => async () => {
    const begun = performance.now();
    await task();
    return { ms: performance.now() - begun };
  };
  const taken = await takeTurns(flags.quick ? 21 : 51, {
    parse: timed(() => JSON.parse(json)),
    convert: timed(() => encodeText(csvLayout, decodeArchive(body, STATION))),
    simulate: timed(() => simulated.archive(STATION, period)),
  });
  const { count } = response.rows;
  const each = (runs) => `${((median(runs.map(({ ms }) => ms)) / count) * 1e6).toFixed(0)} ns`;
  const ratio = (runs) => ratioOf(...[runs, taken.parse].map((list) => list.map(({ ms }) => ms)));
  const detail = (runs) => `${each(runs)} / ${each(taken.parse)} a row; ${count} rows`;
  const add = (what, runs, bound) =>
    report('convert', what, ratio(runs), bound, runs.length, detail(runs));
  add('a response turned into CSV / JSON.parse of it', taken.convert, atMost(3));
  add('rows simulated / JSON.parse of them', taken.simulate);

  const rounds = flags.quick ? 3 : 9;
  await exportYears(3, service.url);
  const formats = await takeTurns(rounds, {
    csv: () => exportYears(3, service.url),
    knots: () => exportYears(3, service.url, { name: 'knots.csv', more: ['--knots'] }),
    zone: () => exportYears(3, service.url, { name: 'zone.csv', more: ['--tz', 'Europe/Paris'] }),
    ndjson: () => exportYears(3, service.url, { name: 'wind.ndjson' }),
    parquet: () => exportYears(3, service.url, { name: 'wind.parquet' }),
  });
  const { csv, ...others } = formats;
  const NAMES = { knots: 'csv in knots', zone: 'csv in a time zone' };
  const BOUNDS = { parquet: atMost(3) };
  for (const [name, runs] of Object.entries(others)) {
    const what = `${NAMES[name] ?? name} / csv as it came, three years, CPU`;
    compare('convert', what, runs, csv, BOUNDS[name], { measure: 'cpuMs' });
  }
}

async function benchStats(service) {
  const rounds = flags.quick ? 3 : 9;
  const cache = place('stats-cache');
  const exportTo = (name) => () => exportYears(10, service.url, { cache, name });
  const period = ['--start', String(STOP_YEAR - 10), '--stop', String(STOP_YEAR)];
  const summarize = (...args) =>
    runCounted(
      [
        VANE,
        'stats',
        String(STATION),
        ...args,
        '-f',
        'ndjson',
        '--quiet',
        '--base-url',
        service.url,
      ],
      { VANE_CACHE_DIR: cache },
    );
  const month = ['all', '--start', `${STOP_YEAR - 1}-05`, '--stop', `${STOP_YEAR - 1}-06`];
  /** Asks for a month of the whole network, out of the cache. */
  const ofNetwork = (command, name, ...args) =>
    runCounted(
      [
        ...[VANE, command, ...month, ...args, '-o', join(folder, name)],
        ...['--quiet', '--base-url', service.url],
      ],
      { VANE_CACHE_DIR: cache },
    );
  // A csv with this header has empty cells for missing values.
  const names = { cache, name: 'names.csv', more: ['--header', 'names'] };
  const byMonth = (name) => () => summarize('--from', join(folder, name), '--by', 'month');
  const pandas = () => run(python(), [here('statistics.py'), join(folder, 'names.csv')]);

  await exportTo('wind.csv')();
  const { csv, ndjson, parquet, stats, knots } = await takeTurns(rounds, {
    csv: exportTo('wind.csv'),
    ndjson: exportTo('wind.ndjson'),
    parquet: exportTo('wind.parquet'),
    stats: () => summarize(...period),
    knots: () => summarize(...period, '--knots'),
  });
  const cpu = { measure: 'cpuMs', note: 'ten years out of the cache' };
  // Statistics count each speed in a Map, which costs more than passing a row on as text.
  compare('stats', 'stats / csv, CPU', stats, csv, atMost(3), cpu);
  compare('stats', 'stats in knots / ndjson, CPU', knots, ndjson, atMost(1.5), cpu);
  compare('stats', 'parquet / csv, CPU', parquet, csv, undefined, cpu);
  const memory = { ...cpu, measure: 'peakMb' };
  compare('stats', 'peak memory of stats / of csv', stats, csv, atMost(1.7), memory);

  const networkCsv = () => ofNetwork('archive', 'network.csv', '--header', 'names');
  await networkCsv();
  const { check, exported } = await takeTurns(flags.quick ? 1 : 3, {
    check: () => ofNetwork('check', 'check.csv'),
    exported: networkCsv,
  });
  compare('stats', 'check of a network / csv of it', check, exported, atMost(2), {
    note: 'a month out of the cache',
  });

  await exportYears(10, service.url, names);
  const tasks = { vane: byMonth('names.csv'), columns: byMonth('wind.parquet') };
  const hasPandas = spawnSync(python(), ['-c', 'import pandas, pyarrow']).status === 0;
  if (hasPandas) checkMeans((await pandas()).text, (await byMonth('names.csv')()).text);
  else omit('stats of a file beside pandas', 'pandas or pyarrow is not on this machine');
  const files = await takeTurns(rounds, { ...tasks, ...(hasPandas && { pandas }) });
  const note = 'statistics of ten years by month';
  if (hasPandas) {
    compare('stats', 'pandas on pyarrow / vane, csv', files.pandas, files.vane, atLeast(1), {
      note: `both read the file and compute the ${note}`,
    });
  }
  compare('stats', 'stats of parquet / of csv', files.columns, files.vane, atMost(1), { note });
}

/** Checks that vane has the same means as pandas. */
function checkMeans(ofPandas, ofVane) {
  const groups = ofVane
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  Object.entries(JSON.parse(ofPandas)).forEach(([month, mean], i) => {
    const group = groups[i];
    if (group.month !== month || Math.abs(group.mean / mean - 1) > 1e-9) {
      throw new Error(`pandas has the mean ${mean} for ${month}, vane ${group.mean}`);
    }
  });
}

/**
 * Measures `vane plot`. The bounds of the group `start` show whether other commands load nothing
 * for pictures.
 */
async function benchPlot(service) {
  const rounds = flags.quick ? 3 : 9;
  const cache = place('plot-cache');
  await exportYears(1, service.url, { cache });
  const ask = (command, start, ...args) =>
    runCounted(
      [
        ...[VANE, command, String(STATION), '--start', start, '--stop', String(STOP_YEAR)],
        ...[...args, '--quiet', '--base-url', service.url],
      ],
      { VANE_CACHE_DIR: cache },
    );
  const year = String(STOP_YEAR - 1);
  const size = ['--width', '1200', '--height', '600'];
  const tasks = {
    stats: () => ask('stats', year, '-f', 'ndjson'),
    svg: () => ask('plot', year, '-f', 'svg'),
    png: () => ask('plot', `${year}-12-31`, '-f', 'png', ...size),
    node: () => run(NODE, ['-e', '0']),
  };
  await takeTurns(1, tasks);
  const { stats, svg, png, node } = await takeTurns(rounds, tasks);
  compare('plot', 'a year as SVG / stats of it, CPU', svg, stats, atMost(1.6), {
    measure: 'cpuMs',
    note: 'out of the cache',
  });
  const bytes = Buffer.byteLength(svg[0].text);
  const detail = `${(bytes / 1e3).toFixed(0)} kB`;
  report('plot', 'a year as SVG / 300 kB', bytes / 300e3, atMost(1), rounds, detail);
  const ms = median(png.map((taken) => taken.ms));
  const cpu = seconds(median(png.map(({ cpuMs }) => cpuMs)));
  const taken = `${seconds(ms)}, ${cpu} of CPU; a day out of the cache`;
  report('plot', 'a PNG of 1,200 × 600 / 2.2 s', ms / 2200, atMost(1), rounds, taken);
  compare('plot', 'the same / node -e 0', png, node);
}

/** Measures the packed package, and its installation with all packages that it depends on. */
async function benchSize() {
  const prefix = place('prefix');
  const npm = (...args) => run('npm', [...args, '--silent'], { env: process.env });
  const pack = ['pack', here('../..'), '--ignore-scripts', '--pack-destination', prefix, '--json'];
  const [{ filename, size, unpackedSize }] = JSON.parse((await npm(...pack)).text);
  const detail = `${megabytes(unpackedSize)}, packed ${megabytes(size)}`;
  report('size', 'unpacked package / 3 MB', unpackedSize / 3e6, atMost(1), 1, detail);
  try {
    await npm('install', '--global', '--prefix', prefix, join(prefix, filename));
  } catch {
    omit('the installation', 'npm cannot install the package here');
    return;
  }
  const [lib] = ['lib', 'node_modules'].map((name) => join(prefix, name)).filter(existsSync);
  const installed = readdirSync(lib, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  const whole = `${megabytes(installed)} with all dependencies`;
  report('size', 'installation / unpacked package', installed / unpackedSize, undefined, 1, whole);
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

const GROUPS = {
  start: benchStart,
  export: benchExport,
  growth: benchGrowth,
  convert: benchConvert,
  stats: benchStats,
  plot: benchPlot,
  size: benchSize,
};

// ---- output

function describeMachine() {
  const [{ model }] = cpus();
  const firstLine = (program, args = ['--version']) =>
    has(program) ? spawnSync(program, args, { encoding: 'utf8' }).stdout.split('\n')[0] : 'none';
  return {
    date: new Date().toISOString(),
    command: `node test/bench/bench.mjs ${process.argv.slice(2).join(' ')}`.trim(),
    vane: version,
    node: process.version,
    machine: `${availableParallelism()} × ${model}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, ${platform()} ${release()}`,
    programs: [
      firstLine('curl').split(' (')[0],
      firstLine('jq'),
      has('python3') ? firstLine(python()) : 'none',
    ],
  };
}

function print(about) {
  console.log(`vane ${about.vane}, Node ${about.node}, ${about.programs.join(', ')}`);
  console.log(`${about.machine}, ${about.date}, ${about.command}`);
  console.log('');
  const widest = Math.max(...rows.map(({ what }) => what.length));
  const bounds = Math.max(...rows.map(({ bound = '' }) => bound.length));
  for (const { what, ratio, bound = '', isMissed, rounds, detail } of rows) {
    const value = ratio.toFixed(2).padStart(6);
    const missed = isMissed ? 'MISSED ' : '';
    console.log(
      `${what.padEnd(widest)} ${value}  ${bound.padEnd(bounds)}  ${missed}${detail} (${rounds} rounds)`,
    );
  }
  for (const line of omitted) console.log(`left out: ${line}`);
}

const unknown = flags.only.filter((name) => !Object.hasOwn(GROUPS, name));
if (unknown.length > 0) {
  console.error(`--only takes ${Object.keys(GROUPS).join(', ')}, not ${unknown.join(', ')}.`);
  process.exit(2);
}
if (!existsSync(VANE)) throw new Error(`there is no ${VANE}`);
const partsFile = await bundleParts();
const parts = await import(partsFile);
const service = await startService(partsFile);
for (const name of Object.keys(GROUPS)) {
  if (flags.only.includes(name)) await GROUPS[name](service);
}
const about = describeMachine();
const json = `${JSON.stringify({ ...about, rows, omitted }, null, 2)}\n`;
if (flags.jsonFile) writeFileSync(flags.jsonFile, json);
if (flags.json && !flags.jsonFile) process.stdout.write(json);
else print(about);
process.exit(rows.some(({ isMissed }) => isMissed) ? 1 : 0);
