import { mkdtemp, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execaNode } from 'execa';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FaultyServer, type Plan, startFaultyServer } from '../support/faulty-server.ts';
import { NOW, thinOut } from '../support/fixture-service.ts';
import { runHere } from '../support/question.ts';
import { until } from '../support/until.ts';

const BIN = fileURLToPath(new URL('../../bin/vane.js', import.meta.url));
const FAST_CLOCK = new URL('../support/fast-clock.mjs', import.meta.url).href;
const LOCK = '.wind.csv.vane-lock';

const hourly = thinOut((time) => time.slice(14, 16) === '00');

let folder: string;
let server: FaultyServer;
let plan: Plan = () => 'none';
beforeAll(async () => {
  server = await startFaultyServer((...requested) => plan(...requested), hourly);
});
afterAll(() => server.close());
beforeEach(async () => {
  plan = () => 'none';
  folder = await mkdtemp(join(tmpdir(), 'vane-append-'));
  return () => rm(folder, { recursive: true });
});

const line = () =>
  `archive 110 --start 2023-11-20 --stop 2024-01-10 -o ${join(folder, 'wind.csv')} --append --no-cache --base-url ${server.baseUrl}`;
const env = () => ({ VANE_CACHE_DIR: join(folder, '..', 'no-cache') });

/** Runs the built program. */
const append = (...flags: string[]) =>
  execaNode(BIN, [...line().split(' '), ...flags], {
    reject: false,
    // Waits of 0.1 s for a lock take 5 ms.
    env: {
      NODE_OPTIONS: `--import=${FAST_CLOCK}`,
      FAST_CLOCK_SPEED: '20',
      FAST_CLOCK_START: String(NOW),
      ...env(),
    },
  });

/** Writes the file by one run, in this process, and deletes it. @returns its content */
async function contentOfOneRun(): Promise<string> {
  expect((await runHere(line(), { env: env(), now: NOW })).exitCode).toBe(0);
  const whole = await content();
  await rm(join(folder, 'wind.csv'));
  return whole;
}

const content = () => readFile(join(folder, 'wind.csv'), 'utf8');

describe('vane archive --append', () => {
  it('vane archive --append --report counts only the readings that the run added', async () => {
    const report = join(folder, 'report.json');
    const run = async (stop: string) => {
      const shorter = line().replace('2024-01-10', stop);
      await runHere(`${shorter} --report ${report}`, { env: env(), now: NOW });
      const { rows, stations } = JSON.parse(await readFile(report, 'utf8'));
      return { rows, readings: stations[0].readings, first: stations[0].first };
    };
    await run('2023-11-25');
    expect(await run('2023-11-26')).toEqual({
      rows: 24,
      readings: 24,
      first: expect.stringContaining('2023-11-25T00:00'),
    });
    expect(await run('2023-11-26')).toEqual({ rows: 0, readings: 0, first: null });
  });

  it('three runs of vane archive --append at once write the same file as one run', async () => {
    const whole = await contentOfOneRun();
    const runs = await Promise.all([append(), append(), append()]);
    expect(runs.map(({ exitCode, stderr }) => exitCode || stderr)).toEqual(
      runs.map(() => expect.stringContaining(' added.')),
    );
    expect(await content()).toBe(whole);
    expect(await readdir(folder)).toEqual(['wind.csv']);
  }, 60_000);

  it('vane archive --append waits until the lock of a killed run is old, then completes the file', async () => {
    const whole = await contentOfOneRun();
    const killed = append('--concurrency', '1');
    const arrivals = server.requests.length;
    plan = (_path, _attempt, arrival) => {
      if (arrival === arrivals + 1) killed.kill('SIGKILL');
      return 'none';
    };
    expect((await killed).signal).toBe('SIGKILL');
    plan = () => 'none';
    const next = append();
    next.stderr?.setEncoding('utf8');
    let said = '';
    for await (const text of next.stderr as AsyncIterable<string>) {
      said += text;
      if (!said.includes('Another vane process')) continue;
      const path = join(folder, LOCK);
      const found = await stat(path).catch(() => undefined);
      const old = (found?.mtimeMs ?? 0) / 1000 - 100;
      // The next run may take the lock away at this moment.
      if (found) await utimes(path, old, old).catch(() => undefined);
    }
    expect((await next).exitCode).toBe(0);
    expect(await content()).toBe(whole);
    expect(await readdir(folder)).toEqual(['wind.csv']);
  }, 60_000);

  it('vane archive --append ends at a signal while it waits for a lock, and leaves the lock to its owner', async () => {
    plan = () => 'silence';
    const holder = append();
    const lock = () => readFile(join(folder, LOCK), 'utf8').catch(() => '');
    await until(async () => (await lock()) !== '');
    const ofHolder = await lock();
    const second = append();
    second.stderr?.on(
      'data',
      (text) => String(text).includes('Another vane') && second.kill('SIGTERM'),
    );
    expect((await second).signal).toBe('SIGTERM');
    expect(await lock()).toBe(ofHolder);
    holder.kill('SIGTERM');
    expect((await holder).signal).toBe('SIGTERM');
    expect(await readdir(folder)).toEqual([]);
  }, 60_000);
});
