import { statSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as nap } from 'node:timers/promises';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../../../src/cli.ts';
import type { StationService } from '../../../../src/service/service.ts';
import { fakeIo } from '../../../support/fake-io.ts';
import { startFaultyServer } from '../../../support/faulty-server.ts';
import { fixtureService, thinOut } from '../../../support/fixture-service.ts';
import { naming } from '../../../support/naming.ts';
import { until } from '../../../support/until.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-append-'));
  path = join(folder, 'wind.csv');
});
afterEach(() => rm(folder, { recursive: true }));

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serve(service: StationService): Promise<string> {
  const server = await startFaultyServer([], service);
  closing.push(server.close);
  return server.baseUrl;
}

/** Runs `vane archive --append` on the one file, with naps instead of waits. */
async function append(baseUrl: string, stop: string, ...flags: string[]) {
  const sleep = async (_: number, signal?: AbortSignal) => {
    await nap(2, undefined, { signal }).catch(() => signal?.throwIfAborted());
  };
  const io = { ...fakeIo(), sleep, random: Math.random };
  const period = ['--start', '2023-11-20', '--stop', stop];
  const args = ['archive', '--no-cache', '110', ...period, '-o', path, '--append', ...flags];
  const code = await run([...args, '--base-url', baseUrl], io);
  return { code, err: io.err(), out: io.out() };
}

const hourly = thinOut((time) => time.slice(14, 16) === '00');
const content = () => readFile(path, 'utf8');

describe('archive --append', () => {
  it('three runs of archive --append at once on one file write the same as one run, and a run that waits says so', async () => {
    const baseUrl = await serve(hourly);
    expect((await append(baseUrl, '2024-01-10')).code).toBe(0);
    const whole = await content();
    for (let round = 0; round < 5; round++) {
      await rm(path);
      const stops = ['2024-01-10', '2023-12-24', '2024-01-10'];
      const outcomes = await Promise.all(stops.map((stop) => append(baseUrl, stop)));
      expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0]);
      expect(await content()).toBe(whole);
      expect(outcomes.some(({ err }) => /^Another vane process/m.test(err))).toBe(true);
      expect(await readdir(folder)).toEqual(['wind.csv']);
    }
  });

  /** The second time around, the service has readings that it did not have before. */
  async function appendLate(late: readonly string[], ...flags: string[]) {
    let isLate = false;
    const changing: StationService = {
      ...fixtureService,
      archive: (id, period, call) =>
        isLate
          ? fixtureService.archive(id, period, call)
          : thinOut((time) => !late.includes(time)).archive(id, period, call),
    };
    const baseUrl = await serve(changing);
    await append(baseUrl, '2023-11-20T03:00');
    const before = await content();
    isLate = true;
    const outcome = await append(baseUrl, '2023-11-20T04:00', ...flags);
    return { ...outcome, before };
  }

  it('archive --append drops readings from before the last row of the file, and counts them on stderr and in the report', async () => {
    const report = join(folder, 'report.json');
    const late = ['2023-11-20T02:30:00.000Z', '2023-11-20T02:35:00.000Z'];
    const { code, err, before } = await appendLate(late, '--report', report);
    expect(code).toBe(0);
    expect(err).toMatch(/^12 readings .*station 110\b/m);
    expect(err).toMatch(/^2 readings .*\bnot appended\b/m);
    expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject({ late: 2 });
    expect((await content()).startsWith(before)).toBe(true);
    expect((await content()).split('\n')).toHaveLength(before.split('\n').length + 12);
  });

  it('archive --append says “1 reading” on stderr when it drops a single reading from before the last row of the file', async () => {
    const { err } = await appendLate(['2023-11-20T02:30:00.000Z']);
    expect(err).toMatch(/^1 reading .*\bnot appended\b/m);
  });

  it('archive --append does not mention late readings on stderr where there are none', async () => {
    const report = join(folder, 'report.json');
    const { err } = await appendLate([], '--report', report);
    expect(err).toMatch(/^12 readings .*station 110 .*\n$/);
    expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject({ late: 0 });
  });
});

it('archive --append removes the lock of a run that was killed a minute ago, and locks nothing with --dry-run', async () => {
  const baseUrl = await serve(hourly);
  await append(baseUrl, '2023-12-01');
  const lock = join(folder, '.wind.csv.vane-lock');
  await writeFile(lock, 'killed');
  expect((await append(baseUrl, '2023-12-02', '--dry-run')).code).toBe(0);
  const old = (await stat(lock)).mtimeMs / 1000 - 100;
  await utimes(lock, old, old);
  const { code, err } = await append(baseUrl, '2023-12-02');
  expect([code, err]).toEqual([0, expect.stringMatching(/^24 readings .*station 110 .*\n$/)]);
  expect(await readdir(folder)).toEqual(['wind.csv']);
});

it.each([
  ['sed -i replaces', ['sed', '-i', 's/null/null/']],
  ['rm removes', ['rm']],
])(
  'archive --append fails where %s the file while it runs, and the next run completes the file',
  async (_, [program = '', ...args]) => {
    let size = Number.POSITIVE_INFINITY;
    const baseUrl = await serve({
      ...hourly,
      async archive(id, period, call) {
        // The last of two chunks comes after the first is in the file.
        if (period.start > Date.UTC(2023, 11, 20) && size < Number.POSITIVE_INFINITY) {
          await until(() => statSync(path).size > size);
          size = Number.POSITIVE_INFINITY;
          await execa(program, [...args, path]);
        }
        return hourly.archive(id, period, call);
      },
    });
    await append(baseUrl, '2023-12-01');
    ({ size } = await stat(path));
    const failed = await append(baseUrl, '2024-01-10');
    expect(failed.code).toBe(1);
    expect(failed.err).toMatch(naming('Another program', path));
    expect((await append(baseUrl, '2024-01-10')).code).toBe(0);
    const days = (await content()).match(/^"20[\d-]+/gm);
    expect(new Set(days).size).toBe(51);
    expect(days).toHaveLength(51 * 24);
  },
);
