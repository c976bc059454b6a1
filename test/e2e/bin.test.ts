import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { execa, execaNode } from 'execa';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../src/cli.ts';
import { parseDate } from '../../src/domain/dates.ts';
import { type RunningServer, startServer } from '../../src/server/server.ts';
import { simulatedService } from '../../src/service/simulated/simulatedService.ts';
import { diskCacheIn } from '../support/disk-cache.ts';
import { fakeIo } from '../support/fake-io.ts';
import { type FaultName, startFaultyServer } from '../support/faulty-server.ts';
import { NOW } from '../support/fixture-service.ts';
import { naming } from '../support/naming.ts';
import { type Outcome, runHere } from '../support/question.ts';
import { until } from '../support/until.ts';

const FAST_CLOCK = new URL('../support/fast-clock.mjs', import.meta.url).href;
const BIN = fileURLToPath(new URL('../../bin/vane.js', import.meta.url));

/** The simulated network: a server for all tests takes less time than one for each `--demo`. */
let network: RunningServer;
beforeAll(async () => {
  const service = simulatedService(Date.now);
  network = await startServer({ service, host: '127.0.0.1', port: 0, now: Date.now });
});
afterAll(() => network.close());

let folder: string;
let cacheFolder: string;
beforeEach(async () => {
  cacheFolder = await mkdtemp(join(tmpdir(), 'vane-cache-'));
  folder = await mkdtemp(join(tmpdir(), 'vane-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
  await rm(cacheFolder, { recursive: true });
});

/** Variables of a run, with which every request fails. */
const variables = (env: Record<string, string>) => ({
  VANE_BASE_URL: 'http://127.0.0.1:9',
  VANE_CACHE_DIR: cacheFolder,
  ...env,
});

/** Runs the built command in a folder of its own. */
const vane = (line: string, env: Record<string, string> = {}) =>
  execaNode(BIN, line.split(/ +/), {
    cwd: folder,
    reject: false,
    stripFinalNewline: false,
    env: variables(env),
  });

/** Runs vane in this process. */
const vaneHere = (line: string, env: Record<string, string> = {}) =>
  runHere(line, { env: variables(env), now: Date.now() });

describe('the first command of README.md', () => {
  it('the first command of README.md exports a year of the simulated network as csv', async () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const [, line = ''] = /^npm ci && npx vane (.*)$/m.exec(readme) ?? [];
    expect(line).toBe('--demo archive 110 --start 2024 --stop 2025 -o station-110.csv');
    const { exitCode, stdout } = await vane(line);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    const text = await readFile(join(folder, 'station-110.csv'), 'utf8');
    const lines = text.trimEnd().split('\n');
    const [license, attribution, names, units, ...rows] = lines;
    expect(license).toMatch(/^"License","https:.*"$/);
    expect(attribution).toMatch(/^"Attribution",".*imulated.*"$/);
    expect(names).toBe(
      '"time","latitude","longitude","wind_speed_min","wind_speed_avg","wind_speed_max","wind_heading","pressure"',
    );
    expect(units).toBe('"utc","degrees","degrees","km/h","km/h","km/h","degrees","(deprecated)"');
    expect(lines.filter((line) => !line.startsWith('"20'))).toHaveLength(4);
    expect(rows.length).toBeGreaterThan(100_000);
    const times = rows.map((row) => row.slice(1, 25));
    expect(times.every((time, i) => i === 0 || time > (times[i - 1] as string))).toBe(true);
    expect(parseDate(times[0] as string)).toBeGreaterThanOrEqual(Date.UTC(2024, 0));
    expect(parseDate(times.at(-1) as string)).toBeLessThan(Date.UTC(2025, 0));
    expect(await readdir(folder)).toEqual(['station-110.csv']);
  });
});

describe('a reader that closes the pipe:', () => {
  it.each(['live all -f ndjson', 'archive 110 --start 2024-01 --stop 2024-03 -f csv'])(
    'vane %s | head -1 ends without an error when head closes the pipe',
    async (line) => {
      const { exitCode, stdout, stderr } = await execa({
        shell: '/bin/bash',
        cwd: folder,
        stripFinalNewline: false,
        env: variables({ VANE_BASE_URL: network.baseUrl }),
      })`set -o pipefail; ${process.execPath} ${BIN} -q ${line.split(' ')} | head -1`;
      expect(stdout.split('\n')).toHaveLength(2);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    },
  );
});

describe('exit codes of vane:', () => {
  it.each([
    ['--version', 0, vaneHere],
    ['help', 0, vaneHere],
    ['cache', 2, vaneHere],
    ['live 110 --knot', 2, vane],
    ['--demo live 999999', 3, vaneHere],
    ['live 110 --retries 0', 5, vane],
  ])('vane %s ends with %i and without a stack trace', async (line, code, run) => {
    const { exitCode, stderr } = await run(line);
    expect(exitCode).toBe(code);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('vane exits with 1 and a message if a promise never settles', async () => {
    // The check of the output waits for readlink, which never returns here.
    const preload =
      "--import data:text/javascript,import%20m%20from'node:module';" +
      "import%20f%20from'node:fs/promises';" +
      'f.readlink=()=>new%20Promise(()=>{});m.syncBuiltinESMExports()';
    const { exitCode, stdout, stderr } = await vane('live 110 -o wind.csv', {
      NODE_OPTIONS: preload,
    });
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(naming('vane: ', 'unexpectedly', 'bug', 'report')),
    });
  });

  /** Writes an export over an old file, where the fault comes after a valid first chunk. */
  async function exportWith(fault: FaultName, run: (line: string) => Promise<Outcome>) {
    const server = await startFaultyServer(['none', fault]);
    const file = join(folder, 'wind.csv');
    await writeFile(file, 'old');
    const timeouts: Partial<Record<FaultName, string>> = { silence: '300ms', stall: '1s' };
    const timeout = timeouts[fault] === undefined ? '' : `--timeout ${timeouts[fault]}`;
    const outcome = await run(
      `archive 110 --start 2023-11-20 --stop 2024-01-10 -o ${file} --retries 0 ${timeout} --base-url ${server.baseUrl}`,
    );
    await server.close();
    expect(await readdir(folder)).toEqual(['wind.csv']);
    expect(await readFile(file, 'utf8')).toBe('old');
    expect(outcome.stderr).toMatch(/^(\d+ of \d+ chunks .*\n)?vane: [^\n]+\n$/);
    return outcome;
  }

  it.each([['silence', 5, /no response within 0\.3 s/]] satisfies [FaultName, number, RegExp][])(
    'an export whose second chunk has the fault %s ends with %i, and keeps the old file',
    async (fault, code, cause) => {
      const { exitCode, stdout, stderr } = await exportWith(fault, vane);
      expect(stderr).toMatch(cause);
      expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: '' });
    },
  );

  it.each([
    ['html', 4, /is an HTML page/],
    ['cutJson', 4, /incomplete or broken JSON/],
    ['arrayForObject', 4, /an array, not an object/],
    ['stringForNumber', 4, /the string "12", not a number/],
    ['brotli', 4, /compressed with br/],
    ['status500', 5, /it responded with 500/],
    ['status429', 5, /it responded with 429/],
    ['redirect', 4, /a redirect to/],
    ['stall', 5, /the response stalled for 1 s/],
    ['cutBody', 5, /the connection was lost/],
  ] satisfies [FaultName, number, RegExp][])(
    'an export whose second chunk has the fault %s returns the exit code %i, and keeps the old file',
    async (fault, code, cause) => {
      const { exitCode, stdout, stderr } = await exportWith(fault, vaneHere);
      expect(stderr).toMatch(cause);
      expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: '' });
    },
  );

  it('vane live exits with 0 after it retried a response with 500 and one with 429 and Retry-After', async () => {
    const server = await startFaultyServer(['status500', 'status429']);
    const { exitCode, stderr } = await vane(`live 110 -v --base-url ${server.baseUrl}`, {
      NODE_OPTIONS: `--import=${FAST_CLOCK}`,
      FAST_CLOCK_SPEED: '100',
      FAST_CLOCK_START: String(NOW),
    });
    await server.close();
    expect(exitCode).toBe(0);
    expect(stderr).toContain('again in 1 s\n');
    expect(server.requests).toHaveLength(3);
  });
});

it('vane --timeout archive reads “archive” as a wrong time, not as the command', async () => {
  const { exitCode, stderr } = await vaneHere('--timeout archive live 110');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringMatching(naming('--timeout', '“archive”')),
  });
});

describe('signals to vane:', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s during an export leaves no file and ends vane by that signal',
    async (signal) => {
      const server = await startFaultyServer(['none', 'silence']);
      const child = vane(
        `archive 110 --start 2023-11-20 --stop 2024-01-10 -o wind.csv -v --base-url ${server.baseUrl}`,
      );
      // Wait for the first chunk in the cache; the second request is never answered.
      const cache = diskCacheIn(join(cacheFolder, 'answers'));
      while ((await cache.list()).length === 0) await sleep(10);
      child.kill(signal);
      const { signal: endedBy, stdout, stderr } = await child;
      await server.close();
      expect(stderr).toMatch(/1 of 2 chunks .*\nvane: .*\n$/);
      expect({ endedBy, stdout }).toEqual({ endedBy: signal, stdout: '' });
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it('Ctrl-C during an export ends the loop of the shell around it', async () => {
    const server = await startFaultyServer(() => 'silence');
    const line = `archive 110 --start 2024-01 --stop 2024-02 --base-url ${server.baseUrl}`;
    const loop = `for i in 1 2; do "${process.execPath}" "${BIN}" ${line}; echo "$i $?"; done`;
    const shell = execa('bash', ['-c', loop], { reject: false, detached: true });
    await until(() => server.requests.length > 0);
    // As a terminal does: to the whole job.
    process.kill(-(shell.pid as number), 'SIGINT');
    const { stdout, signal } = await shell;
    await server.close();
    expect({ stdout, signal, requests: server.requests.length }).toEqual({
      ...{ stdout: '', signal: 'SIGINT', requests: 1 },
    });
  });
});

describe('a pipe that is full', () => {
  it('SIGTERM ends an export whose reader has stopped reading from a full pipe', async () => {
    const child = vane('archive 110 --start 2024-01 --stop 2024-03 -f csv', {
      VANE_BASE_URL: network.baseUrl,
    });
    child.stdout.pause();
    await once(child.stdout, 'readable');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
    child.stdout.destroy();
    await child;
  });
});

const FULL = expect.stringMatching(naming('vane: ', 'stdout', 'disk is full'));

describe.skipIf(!existsSync('/dev/full'))('stdout on a full disk (needs /dev/full)', () => {
  it.each(['-q archive 110 --start 2024-01 --stop 2024-02 -f csv', '--version'])(
    'stdout on a full disk is reported by vane %s as a full disk, not as a bug of vane (needs /dev/full)',
    async (line) => {
      const { exitCode, stderr } = await execa({
        shell: '/bin/bash',
        reject: false,
        stripFinalNewline: false,
        env: variables({ VANE_BASE_URL: network.baseUrl }),
      })`${process.execPath} ${BIN} ${line.split(' ')} > /dev/full`;
      expect({ exitCode, stderr }).toEqual({
        exitCode: 1,
        stderr: FULL,
      });
    },
  );
});

describe('stdout on a full disk', () => {
  it.each([
    '-q archive 110 --start 2024-01 --stop 2024-02 --dry-run',
    ...['completion bash', 'live --help', 'config list', 'config path', 'cache path'],
  ])(
    'stdout on a full disk is reported by the command %s as a full disk, not as a bug of vane',
    async (line) => {
      const stdout = new Writable({
        write: (_piece, _encoding, done) => done(Object.assign(new Error(), { code: 'ENOSPC' })),
      });
      const io = {
        ...fakeIo({ env: variables({ VANE_CONFIG: '/dev/null' }) }),
        stdout: stdout.on('error', () => {}),
      };
      const exitCode = await run(line.split(' '), io);
      expect({ exitCode, stderr: io.err() }).toEqual({ exitCode: 1, stderr: FULL });
    },
  );
});

describe('vane behind a proxy', () => {
  it('vane behind a proxy that never responds gives up, and names the variable of the proxy', async () => {
    const proxy = createServer(() => {}).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    const { exitCode, stderr } = await vane(
      'live 110 --base-url http://wind.invalid --retries 0 --timeout 300ms',
      { HTTP_PROXY: `http://127.0.0.1:${port}` },
    );
    proxy.close();
    expect(stderr).toMatch(naming('http://wind.invalid', 'HTTP_PROXY', '0.3 s'));
    expect(exitCode).toBe(5);
  });

  it('vane behind a proxy for https addresses that refuses connections names the variable of the proxy', async () => {
    const { exitCode, stderr } = await vaneHere(
      'live 110 --base-url https://wind.invalid --retries 0',
      { HTTPS_PROXY: 'http://127.0.0.1:9' },
    );
    expect(stderr).toMatch(naming('https://wind.invalid', 'HTTPS_PROXY', 'refused'));
    expect(exitCode).toBe(5);
  });

  it('vane exits with 2 where HTTP_PROXY is no address', async () => {
    const { exitCode, stderr } = await vaneHere('live 110 --base-url http://wind.invalid', {
      HTTP_PROXY: '::bad::',
    });
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/^vane: HTTP_PROXY\b/)]);
  });
});

it('vane --demo does not use the proxy of HTTP_PROXY', async () => {
  const { exitCode } = await vaneHere('--demo live 110', {
    HTTP_PROXY: 'http://127.0.0.1:9',
    http_proxy: 'http://127.0.0.1:9',
  });
  expect(exitCode).toBe(0);
});
