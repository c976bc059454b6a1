import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { archiveFormatsWith } from '../../../src/formats/index.ts';
import { simulatedService } from '../../../src/service/simulated/simulatedService.ts';
import {
  type FaultName,
  type FaultyServer,
  type Plan,
  startFaultyServer,
} from '../../support/faulty-server.ts';
import { fixtureService, NOW, thinOut } from '../../support/fixture-service.ts';
import { naming } from '../../support/naming.ts';
import { vane } from '../../support/run.ts';
import { until } from '../../support/until.ts';

/** Three chunks of the fixture's station, the last one ending a few hours before NOW. */
const PERIOD = '--start 2023-11-13 --stop 2024-01-15T11:00';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-export-'));
});
afterEach(() => rm(folder, { recursive: true }));

const open: FaultyServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** A service with a row every so many hours, which makes tests of several months faster. */
const rowEvery = (hours: number) =>
  thinOut((time) => time.slice(14, 16) === '00' && Number(time.slice(11, 13)) % hours === 0);
const hourly = rowEvery(1);
const sparse = rowEvery(6);

async function serve(
  plan: readonly FaultName[] | Plan = [],
  service = hourly,
): Promise<FaultyServer> {
  const server = await startFaultyServer(plan, service);
  open.push(server);
  return server;
}

interface Options {
  readonly stdin?: string;
  readonly isCached?: boolean;
  readonly stderrTerminal?: { columns: number };
}

/** Runs `vane archive` against a server; @ stands for the folder of the test. */
function archive(server: FaultyServer, line: string, { isCached = false, ...io }: Options = {}) {
  const words = line.split(' ').map((word) => word.replace(/^@/, `${folder}/`));
  const env = isCached ? { VANE_CACHE_DIR: join(folder, 'cache') } : {};
  return vane(['archive', ...words, '--base-url', server.baseUrl], { env, ...io });
}

const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');

/** The day that the chunk of a request starts on. */
const startOf = (path: string): string => /start=([\d-]+)/.exec(path)?.[1] ?? '';

describe('the requests and the cache of vane archive', () => {
  it('vane archive --concurrency 1 requests no other chunk while one is retried', async () => {
    const isFirst = (path: string) => path.includes('start=2023-11-14T');
    const server = await serve((path, n) => (isFirst(path) && n < 2 ? 'status503' : 'none'));
    await archive(server, '110 --start 2023-11-14 --stop 2024-01-10 -f csv --concurrency 1');
    expect(server.requests.map(isFirst)).toEqual([true, true, true, false]);
  });

  it.each([1, 2, 4].map((most) => [most, most]))(
    'vane archive --concurrency %i sends at most %i requests in parallel',
    async (concurrency) => {
      const server = await serve();
      await archive(server, `110 --start 2023-01 --stop 2024 -f csv --concurrency ${concurrency}`);
      expect(server.requests).toHaveLength(12);
      expect(server.maxUnderWay()).toBeLessThanOrEqual(concurrency);
      if (concurrency > 1) expect(server.maxUnderWay()).toBeGreaterThan(1);
    },
  );

  it('vane archive sends no more requests after the first failure', async () => {
    const server = await serve((path) => (startOf(path) === '2023-03-04' ? 'status403' : 'none'));
    const { code } = await archive(server, '110 --start 2023 --stop 2024 -f csv');
    expect(code).toBe(4);
    expect(server.requests.length).toBeLessThan(12);
  });

  it('a second vane archive reads chunks that ended over a day ago from the cache, and writes the same', async () => {
    const server = await serve();
    const line = `110 ${PERIOD} -f csv`;
    const first = await archive(server, line, { isCached: true });
    expect(server.requests).toHaveLength(3);
    // The last chunk ended less than a day ago, so it is not cached.
    const second = await archive(server, line, { isCached: true });
    expect(server.requests.slice(3).map(startOf)).toEqual(['2024-01-14']);
    expect(second.out).toBe(first.out);
  });

  it('vane archive writes the same in every format from the cache as from the service', async () => {
    const server = await serve([], sparse);
    const old = '110 --start 2023-12-01 --stop 2024-01-05';
    for (const format of ['csv', 'txt', 'json', 'ndjson', 'table']) {
      const requested = await archive(server, `${old} -f ${format}`);
      await archive(server, `${old} -f ${format}`, { isCached: true });
      const kept = await archive(server, `${old} -f ${format} --knots`, { isCached: true });
      const converted = await archive(server, `${old} -f ${format} --knots`);
      expect(kept.out).toBe(converted.out);
      expect((await archive(server, `${old} -f ${format}`, { isCached: true })).out).toBe(
        requested.out,
      );
    }
  });

  it('vane archive that fails keeps its finished chunks in the cache, and says so on stderr', async () => {
    const server = await serve((path, attempt) =>
      startOf(path) === '2023-12-15' && attempt < 4 ? 'status500' : 'none',
    );
    const line = `110 --start 2023-11-14 --stop 2024-01-10 -f csv -o @wind.csv --concurrency 1`;
    await writeFile(join(folder, 'wind.csv'), 'old');
    const failed = await archive(server, line, { isCached: true });
    expect(failed.code).toBe(5);
    expect(failed.err).toMatch(/^1 of 2 chunks.*\nvane: .*station 110 .*2023-12-15/);
    expect(await read('wind.csv')).toBe('old');
    const before = server.requests.length;
    const resumed = await archive(server, line, { isCached: true });
    expect(resumed.code).toBe(0);
    expect(server.requests.slice(before).map(startOf)).toEqual(['2023-12-15']);
    const whole = await archive(server, line.replace('wind.csv', 'whole.csv'));
    expect(whole.code).toBe(0);
    expect(await read('wind.csv')).toBe(await read('whole.csv'));
  });

  it('vane archive -o leaves the old file where another program has taken the name of the temporary file', async () => {
    await writeFile(join(folder, 'wind.csv'), 'old');
    const temporary = () => readdirSync(folder).find((name) => name.endsWith('.tmp'));
    const server = await serve([], {
      ...hourly,
      async archive(id, period, call) {
        if (period.start > Date.UTC(2023, 11, 20)) {
          await until(() => temporary() !== undefined);
          const name = join(folder, temporary() ?? '');
          await rm(name);
          await writeFile(name, 'of another program');
        }
        return hourly.archive(id, period, call);
      },
    });
    const { code, err } = await archive(
      server,
      '110 --start 2023-12-01 --stop 2024-01-10 -o @wind.csv',
    );
    expect(await read('wind.csv')).toBe('old');
    expect([code, err]).toEqual([1, expect.stringMatching(/\.vane-\S+\.tmp, .*wind\.csv/)]);
  });

  it('vane archive --refresh replaces an old response in the cache, and vane cache clear removes the new one', async () => {
    const server = await serve();
    const env = { VANE_CACHE_DIR: join(folder, 'cache') };
    for (let round = 0; round < 3; round++) {
      const period = ['--start', '2024-01-01', '--stop', '2024-01-02'];
      const args = ['archive', '110', ...period, '--refresh', '--base-url', server.baseUrl];
      await vane(args, { env, now: NOW + round });
    }
    const contents = async () => {
      const entries = await readdir(join(folder, 'cache', 'answers', 'responses-v1'), {
        recursive: true,
        withFileTypes: true,
      });
      return entries.filter((entry) => entry.isFile()).length;
    };
    expect(await contents()).toBe(1);
    await vane(['cache', 'clear'], { env });
    expect(await contents()).toBe(0);
  });

  it('vane archive caches a chunk that was requested in halves after a 413 as one entry', async () => {
    const server = await serve((path) => {
      const [, start = '', stop = ''] = /start=(.*)&stop=(.*)&/.exec(path) ?? [];
      return Date.parse(stop) - Date.parse(start) > 20 * 86_400_000 ? 'status413' : 'none';
    });
    const line = '110 --start 2023-11-20 --stop 2023-12-20 -f csv';
    const first = await archive(server, line, { isCached: true });
    expect([first.code, server.requests.length]).toEqual([0, 3]);
    const second = await archive(server, line, { isCached: true });
    expect([second.out === first.out, server.requests.length]).toEqual([true, 3]);
  });

  it('vane archive --start 60d that fails says which absolute --start continues the export', async () => {
    const server = await serve((path) => (startOf(path) > '2023-12-10' ? 'status500' : 'none'));
    const { err } = await archive(server, '110 --start 60d -f csv --concurrency 1', {
      isCached: true,
    });
    expect(err).toMatch(/^1 of 2 chunks.*--start 2023-11-16T12:00:00\.000Z /);
  });

  it('vane archive --start 54d --stop DATE that fails says that the same command continues the export', async () => {
    const server = await serve((path) => (startOf(path) > '2023-12-10' ? 'status500' : 'none'));
    const line = '110 --start 54d --stop 2024-01-10 -f csv --concurrency 1';
    const { err } = await archive(server, line, { isCached: true });
    expect(err).toMatch(/^1 of 2 chunks.*same command/);
    expect(err).not.toContain('--start');
  });

  it('vane archive --refresh that fails says that the same command requests every chunk again, and without --refresh only those that are not cached', async () => {
    let isDown = true;
    const server = await serve((path) =>
      isDown && startOf(path) > '2023-12-10' ? 'status400' : 'none',
    );
    const line = '110 --start 2023-11-17 --stop 2024-01-10 -f csv --concurrency 1';
    const { err } = await archive(server, `${line} --refresh`, { isCached: true });
    expect(err).toMatch(/^1 of 2 chunks.*--refresh.*every chunk.*without it/);
    isDown = false;
    const requestsOf = async (again: string) => {
      const before = server.requests.length;
      await archive(server, again, { isCached: true });
      return server.requests.length - before;
    };
    expect(await requestsOf(line)).toBe(1);
    expect(await requestsOf(`${line} --refresh`)).toBe(2);
  });

  it('vane archive says in the zone of --tz which period it wrote, or for which period it found no data', async () => {
    const server = await serve();
    const line = '--start 2023-12-01 --stop 2023-12-02 --tz Europe/Paris -f csv';
    const span = ['2023-12-01 ', '2023-12-02', 'Europe/Paris'];
    const { err } = await archive(server, `110 ${line}`);
    expect(err).toMatch(naming('24 readings', 'station 110', ...span));
    const empty = await archive(server, `110 ${line.replaceAll('2023', '2021')}`);
    expect(empty.err).toMatch(
      naming('No data', 'station 110', ...span.map((time) => time.replace('2023', '2021'))),
    );
  });

  it('vane archive that fails does not mention the cache if only the list of stations was cached', async () => {
    const server = await serve((path) => (path.includes('/archive/') ? 'status400' : 'none'));
    const line = '--near 43.4,4.9 --limit 1 --start 2023-12-01 --stop 2023-12-02 -f ndjson';
    const { code, err } = await archive(server, line, { isCached: true });
    expect([code, err]).toEqual([4, expect.stringMatching(/^vane: .*rejected .*station 7 /)]);
  });

  it('vane archive --no-cache makes no cache, and --refresh fills the cache without reading it', async () => {
    const server = await serve();
    const line = '110 --start 2023-12-01 --stop 2023-12-02 -f csv';
    await archive(server, `${line} --no-cache`, { isCached: true });
    expect(existsSync(join(folder, 'cache'))).toBe(false);
    await archive(server, `${line} --refresh`, { isCached: true });
    await archive(server, `${line} --refresh`, { isCached: true });
    expect(server.requests).toHaveLength(3);
    await archive(server, line, { isCached: true });
    expect(server.requests).toHaveLength(3);
  });

  it('vane archive goes on without a cache where a file is in place of the cache folder', async () => {
    const server = await serve();
    await writeFile(join(folder, 'cache'), 'in the way');
    const { code, err } = await archive(server, '110 --start 2023-12-01 --stop 2023-12-02 -f csv', {
      isCached: true,
    });
    expect(code).toBe(0);
    expect(err).toMatch(naming(join(folder, 'cache'), '24 readings'));
  });
});

describe('vane cache', () => {
  it('vane cache list shows the cached responses, and vane cache clear removes them', async () => {
    const server = await serve();
    await archive(server, '110 --start 2023-11-14 --stop 2024-01-10 -f csv', {
      isCached: true,
    });
    const env = { VANE_CACHE_DIR: join(folder, 'cache') };
    expect((await vane(['cache', 'path'], { env })).out).toBe(`${folder}/cache\n`);
    const list = await vane(['cache', 'list'], { env });
    expect(list.out).toMatch(
      /^used +size +response\n(2024-01-15T12:00:00\.000Z .* archive http.* 110 .*\n){2}$/,
    );
    expect(list.err).toMatch(/^2 responses \(.* kB\) in /);
    const trimmed = await vane(['cache', 'clear', '--max-size', '1GiB'], { env });
    expect(trimmed.err).toMatch(/^Removed 0 responses \(0 B\); 2 responses/);
    await vane(['live', 'all', '--base-url', server.baseUrl], { env });
    const kept = await vane(['cache', 'clear', '--max-size', '1GiB'], { env });
    expect(kept.err).toMatch(/^Removed 0 responses \(0 B\); 3 responses/);
    const small = await vane(['cache', 'clear', '--max-size', '1B'], { env });
    expect(small.err).toMatch(/^Removed 3 responses \(.*\); 0 responses/);
    await archive(server, '110 --start 2023-11-14 --stop 2024-01-10 -f csv', { isCached: true });
    const cleared = await vane(['cache', 'clear'], { env });
    expect(cleared.err).toMatch(/^Removed 2 responses \(.*\); 0 responses \(0 B\) left\.\n$/);
    expect((await vane(['cache', 'list'], { env })).out).toBe('');
  });

  it('vane cache does not keep a response that is larger than VANE_CACHE_MAX_SIZE', async () => {
    const server = await serve();
    const env = { VANE_CACHE_DIR: join(folder, 'cache'), VANE_CACHE_MAX_SIZE: '1kB' };
    await vane(
      [
        'archive',
        '110',
        '--start',
        '2023-11-14',
        '--stop',
        '2024-01-10',
        '-f',
        'csv',
        '--base-url',
        server.baseUrl,
      ],
      { env },
    );
    expect((await vane(['cache', 'list'], { env })).err).toMatch(/^0 responses/);
  });
});

describe('the stations and files of vane archive', () => {
  const failing: Plan = (path) => (startOf(path) === '2023-12-15' ? 'status500' : 'none');
  const line = '110 --start 2023-11-14 --stop 2024-01-10 -f csv -o @wind.csv';

  it('vane archive --keep-going writes the chunks that did not fail, and lists the missing ranges', async () => {
    const server = await serve(failing);
    const { code, err } = await archive(server, `${line} --keep-going --report @report.json`);
    expect(code).toBe(6);
    expect(err).toMatch(
      /\nMissing: .*110 .*2023-12-15T00:00:00\.000Z .*2024-01-10T00:00:00\.000Z.* 500 .*\b4 times/,
    );
    expect(err).toMatch(/\nvane: .*\bmissing\b.*same command again/);
    expect((await read('wind.csv')).split('\n')).toHaveLength(4 + 30 * 24 + 1);
    expect(JSON.parse(await read('report.json'))).toMatchObject({
      rows: 30 * 24,
      files: [`${folder}/wind.csv`],
      missing: [
        {
          station: 110,
          start: '2023-12-15T00:00:00.000Z',
          stop: '2024-01-10T00:00:00.000Z',
          exit_code: 5,
        },
      ],
      repairs: { outside: 0, disordered: 0, repeated: 0, conflicting: 0 },
      chunks: 2,
      requests: 6,
      retries: 3,
      cache_hits: 0,
    });
  });

  it('vane archive --keep-going exits with 0 and a report if nothing failed', async () => {
    const server = await serve(['none', 'repeatedRows', 'shuffledRows']);
    const { code, err } = await archive(server, `${line} --keep-going --report @report.json`);
    expect(code).toBe(0);
    expect(err).toMatch(/\d+ out of order .*\d+ .*twice/);
    expect(JSON.parse(await read('report.json')).missing).toEqual([]);
  });

  it('vane archive --keep-going with --every and --fill writes empty steps where a chunk is missing', async () => {
    const server = await serve(failing);
    const flags = '--every 1d --fill --keep-going -f csv --header none';
    const { code, out } = await archive(
      server,
      `110 --start 2023-11-14 --stop 2024-01-10 ${flags} --columns time,avg,readings,coverage`,
    );
    expect(code).toBe(6);
    const rows = out.trimEnd().split('\n');
    expect(rows).toHaveLength(57);
    const emptyAt = (days: string) => `"${days}T00:00:00.000Z",,0,0`;
    expect([rows[0], rows[31], rows.at(-1)]).toEqual(
      ['2023-11-14', '2023-12-15', '2024-01-09'].map(emptyAt),
    );
    expect(rows[1]).toMatch(/^"2023-11-15T00:00:00\.000Z",[\d.]+,24,1$/);
  });

  it('vane archive --report says for each station how complete its readings are', async () => {
    const hours = (time: string) => !/2023-12-05T(?:0[3-9]|10)/.test(time);
    const server = await serve(failing, thinOut(hours));
    const flags = '--keep-going --knots -o @wind.csv --header names --report @report.json';
    await archive(server, `110 603 --start 2023-11-14 --stop 2024-01-10 ${flags}`);
    const report = JSON.parse(await read('report.json'));
    expect(report).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      period: { start: '2023-11-14T00:00:00.000Z', stop: '2024-01-10T00:00:00.000Z' },
      every: null,
      units: { time: 'utc', wind_speed_avg: 'kn', wind_heading: 'degrees' },
    });
    const missing_chunks = [
      { start: '2023-12-15T00:00:00.000Z', stop: '2024-01-10T00:00:00.000Z' },
    ];
    expect(report.stations).toEqual([
      {
        station: 110,
        name: 'Dune du Pilat',
        readings: 30 * 288 - 8 * 12,
        first: '2023-11-15T00:00:00.000Z',
        last: '2023-12-14T23:55:00.000Z',
        step_s: 300,
        coverage: expect.closeTo((30 - 8 / 24 + 300 / 86_400) / 57, 4),
        gaps_over_6h: [
          { start: '2023-11-14T00:00:00.000Z', stop: '2023-11-15T00:00:00.000Z', hours: 24 },
          {
            start: '2023-12-05T02:55:00.000Z',
            stop: '2023-12-05T11:00:00.000Z',
            hours: expect.closeTo(8 + 5 / 60, 9),
          },
          {
            start: '2023-12-14T23:55:00.000Z',
            stop: '2024-01-10T00:00:00.000Z',
            hours: expect.closeTo(26 * 24 + 5 / 60, 9),
          },
        ],
        gaps_over_6h_left_out: 0,
        missing_chunks,
      },
      {
        ...{ station: 603, name: 'Taveuni', readings: 0, first: null, last: null, step_s: null },
        ...{ coverage: 0, missing_chunks, gaps_over_6h_left_out: 0 },
        gaps_over_6h: [{ ...report.period, hours: 57 * 24 }],
      },
    ]);
  });

  it('vane archive --report leaves station names null where the list of stations cannot be fetched', async () => {
    const server = await serve((path) => (path.includes('/live/') ? 'status403' : 'none'));
    const line = '110 --start 2024-01-02 --stop 2024-01-03 -o @wind.csv --report @report.json';
    const { code, err } = await archive(server, line);
    expect(code).toBe(0);
    expect(err).toMatch(/^The report .*names of the stations.* rejected /);
    expect(JSON.parse(await read('report.json')).stations).toMatchObject([
      { station: 110, name: null, readings: 24, coverage: 1 },
    ]);
  });

  it('vane archive --keep-going counts the stations whose data came, not those that failed', async () => {
    const server = await serve([]);
    const line = '110 999 --start 2023-11 --stop 2023-12 -f csv --header names --keep-going';
    const { code, err } = await archive(server, line);
    expect(err).toMatch(/^[\d,]+ readings of station 110 from /);
    expect(code).toBe(6);
  });

  it('vane archive --keep-going exits with the code of the failure, not with 6, if every chunk failed', async () => {
    const server = await serve(() => 'status500');
    const all = await archive(server, `${line} --keep-going`);
    expect(all.code).toBe(5);
    const ofUnknown = '999 --start 2023-11 --stop 2024 -f csv --keep-going';
    const unknown = await archive(server, ofUnknown);
    expect([unknown.code, unknown.out]).toEqual([5, '']);
    const sound = await serve();
    expect((await archive(sound, ofUnknown)).code).toBe(3);
    expect(await readdir(folder)).toEqual([]);
  });

  it('vane archive --keep-going with {name} in the file name exits with 6 for an unknown station, and exports the known one', async () => {
    const server = await serve();
    const line = '110 999 --start 2024-01-15 --stop 2024-01-15T11 -o @{name}.csv';
    expect((await archive(server, line)).code).toBe(3);
    expect((await archive(server, `${line} --keep-going`)).code).toBe(6);
    expect(await readdir(folder)).toEqual(['Dune du Pilat.csv']);
  });

  it('vane archive --report refuses the file that --output names', async () => {
    const server = await serve();
    const { code, err } = await archive(server, '110 --start 1h -o @a.json --report @a.json');
    expect([code, err]).toEqual([2, expect.stringMatching(/--report .*--output/)]);
  });

  it('vane archive --keep-going exports the known stations around an unknown one, and names the unknown one', async () => {
    const server = await serve();
    const { code, err } = await archive(
      server,
      '603 999 110 --start 2024-01-15 --stop 2024-01-15T11 -o @{station}.csv --keep-going',
    );
    expect(code).toBe(6);
    expect(err).toMatch(/\nMissing: station 999 /);
    expect(await readdir(folder)).toEqual(['110.csv', '603.csv']);
  });

  const hour = '--start 2024-01-15T10 --stop 2024-01-15T10:10';
  const names = '"station","time","latitude","longitude"';

  it('vane archive writes the rows of several stations in one stream with a column for the station', async () => {
    const server = await serve([], fixtureService);
    const csv = await archive(server, `603 110 ${hour} -f csv --header names`);
    expect(csv.out.split('\n').map((line) => line.slice(0, 40))).toEqual([
      `${names},`,
      '603,"2024-01-15T10:00:00.000Z",,,,,,,',
      '603,"2024-01-15T10:04:03.000Z",-16.85,17',
      '110,"2024-01-15T10:00:00.000Z",44.589,-1',
      '110,"2024-01-15T10:05:00.000Z",44.589,-1',
      '',
    ]);
    const ndjson = await archive(server, `603 110 ${hour} -f ndjson`);
    expect(
      ndjson.out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).station),
    ).toEqual([603, 603, 110, 110]);
    const table = await archive(server, `603 110 ${hour} -f table`);
    expect(table.out).toMatch(/^station {2}time UTC .*\n {4}603 {2}2024-01-15 10:00:00/);
    expect(csv.err).toMatch(/^4 readings of 2 stations from /);
  });

  it('vane archive reads the station ids from stdin where its argument is -', async () => {
    const server = await serve([], fixtureService);
    const { out, code } = await archive(server, `- ${hour} -f ndjson`, {
      stdin: '110\nPP603\n\n',
    });
    expect([code, out.split('\n').length]).toEqual([0, 5]);
    expect((await archive(server, `- ${hour} -f ndjson`, { stdin: ' ' })).code).toBe(2);
    expect((await archive(server, `- ${hour} -f ndjson`, { stdin: '110 x' })).code).toBe(2);
  });

  it('vane archive -f influx writes several stations in one stream, as the series that vane watch writes', async () => {
    const server = await serve([], fixtureService);
    const { code, out } = await archive(server, `603 110 ${hour} -f influx --knots`);
    const dune = 'wind,station=110,name=Dune\\ du\\ Pilat latitude=44.589,longitude=-1.2136';
    // The first row of 603 has no value, so it is no point.
    expect(out.split('\n')).toEqual([
      `${dune},wind_speed_min_kn=0,wind_speed_avg_kn=1.21,wind_speed_max_kn=2.97,wind_heading=180 1705312800000000000`,
      `${dune},wind_speed_min_kn=0.54,wind_speed_avg_kn=1.75,wind_speed_max_kn=3.51,wind_heading=202.5 1705313100000000000`,
      'wind,station=603,name=Taveuni latitude=-16.85,longitude=179.97,wind_speed_avg_kn=1.89,wind_heading=292.5 1705313043000000000',
      '',
    ]);
    expect(code).toBe(0);
  });

  it.each([
    ['-o @a.lp --append', ['--append', ...archiveFormatsWith('rows'), 'influx']],
    ['-o @a.lp --columns avg', ['influx', 'time', '--columns']],
    ['-o @a.lp --header none', ['--header', 'csv', 'txt', 'influx']],
    ['--columns station', ['--columns station', 'time']],
    ['--columns gust,wind_speed_max', ['--columns', 'wind_speed_max', 'twice']],
  ])('vane archive 110 %s exits with 2, and the error names %j', async (flags, names) => {
    const server = await serve([], fixtureService);
    expect(await archive(server, `110 ${hour} ${flags}`)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(naming(...names)),
    });
  });

  it('vane archive -o {station}.lp.gz writes a compressed file of influx for each station', async () => {
    const server = await serve([], fixtureService);
    const { code } = await archive(server, `110 603 ${hour} -o @{station}.lp.gz`);
    expect([code, await readdir(folder)]).toEqual([0, ['110.lp.gz', '603.lp.gz']]);
  });

  it('vane archive with --near and --radius exports the stations within the circle', async () => {
    const server = await serve([], fixtureService);
    const { out } = await archive(server, `--near 44.6,-1.2 --radius 50 ${hour} -f ndjson`);
    expect(
      new Set(
        out
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line).station),
      ),
    ).toEqual(new Set([110]));
    const { code, err } = await archive(server, `--name nowhere ${hour} -f ndjson`);
    expect([code, err]).toEqual([0, expect.stringMatching(/^No station/)]);
    expect((await archive(server, `110 999 --state on ${hour} -f ndjson`)).err).toMatch(
      /Station 999\b/,
    );
  });

  it('vane archive -o with placeholders writes a file for each station, and makes missing folders', async () => {
    const server = await serve([], fixtureService);
    const { code, err } = await archive(
      server,
      `110 7 ${hour} -o @by/{name}/{station}-{start}.csv`,
    );
    expect(code).toBe(0);
    expect(err).toMatch(/in 2 files\.\n$/);
    const files = await readdir(join(folder, 'by'), { recursive: true, withFileTypes: true });
    const paths = files
      .filter((f) => f.isFile())
      .map((f) => join(f.parentPath, f.name).slice(folder.length));
    expect(paths.sort()[1] ?? paths[0]).toMatch(/^\/by\/.*\/(110|7)-2024-01-15T10.*Z\.csv$/);
    expect(paths.every((path) => !path.includes('\u001b') && path.split('/').length === 4)).toBe(
      true,
    );
  });

  it('vane archive --split month starts a file with each month, and writes no file for a month without rows', async () => {
    const server = await serve();
    const line =
      '110 --start 2023-10-01 --stop 2024-01-10 --split month -o @{station}/{year}-{month}.csv --header none';
    expect((await archive(server, line)).code).toBe(0);
    expect((await readdir(join(folder, '110'))).sort()).toEqual([
      '2023-11.csv',
      '2023-12.csv',
      '2024-01.csv',
    ]);
    const parts = await Promise.all(
      ['2023-11', '2023-12', '2024-01'].map((part) => read(`110/${part}.csv`)),
    );
    const whole = await archive(
      server,
      '110 --start 2023-10-01 --stop 2024-01-10 -f csv --header none',
    );
    expect(parts.join('')).toBe(whole.out);
    expect(parts[1]).toMatch(/^"2023-12-01T00:00/);
  });
});

describe('archive --append', () => {
  const until = (stop: string) => `110 --start 2023-12-01 --stop ${stop} -o @wind.csv --append`;

  it('archive --append in several runs writes the same as one export', async () => {
    const server = await serve();
    const added: (string | undefined)[] = [];
    for (const stop of ['2023-12-05', '2023-12-05', '2024-01-04T03:04', '2024-01-10']) {
      const { code, err } = await archive(server, until(stop), { isCached: true });
      expect(code).toBe(0);
      added.push(/^([\d,]+) readings of station 110 added\.\n$/.exec(err)?.[1]);
    }
    const whole = await archive(server, '110 --start 2023-12-01 --stop 2024-01-10 -f csv');
    expect(await read('wind.csv')).toBe(whole.out);
    expect(added).toEqual(['96', '0', '724', '140']);
    // Each run requested at most one hour that its file already had.
    expect(server.requests.map(startOf)).toContain('2024-01-04');
  });

  it('archive --append keeps the complete rows of a run that failed, and continues after them', async () => {
    const server = await serve((path, attempt) =>
      startOf(path) === '2024-01-01' && attempt < 4 ? 'status500' : 'none',
    );
    const failed = await archive(server, `${until('2024-01-10')} --concurrency 1`);
    expect(failed.code).toBe(5);
    expect((await read('wind.csv')).split('\n')).toHaveLength(4 + 31 * 24 + 1);
    expect((await archive(server, until('2024-01-10'))).code).toBe(0);
    const whole = await archive(server, '110 --start 2023-12-01 --stop 2024-01-10 -f csv');
    expect(await read('wind.csv')).toBe(whole.out);
  });

  it('archive --append --keep-going leaves no gap in the file after a chunk was missing', async () => {
    const server = await serve((path, attempt) =>
      path.includes('start=2023-12-01T') && attempt < 4 ? 'status500' : 'none',
    );
    const line = `${until('2024-01-10')} --keep-going --concurrency 1`;
    await archive(server, '110 --start 2023-11-30 --stop 2023-12-01 -o @wind.csv');
    const failing = await serve((path) =>
      path.includes('2023-12-31') && path.includes('stop=2024-01') ? 'none' : 'status500',
    );
    expect((await archive(failing, line)).code).toBe(5);
    expect((await archive(server, line)).code).not.toBe(1);
    expect((await archive(server, line)).code).toBe(0);
    const whole = await archive(server, '110 --start 2023-11-30 --stop 2024-01-10 -f csv');
    expect(await read('wind.csv')).toBe(whole.out);
  });

  it('archive --append continues the newest file of a split export', async () => {
    const server = await serve();
    const line = (stop: string) =>
      `110 --start 2023-11-20 --stop ${stop} --split month -o @{year}-{month}.ndjson --append`;
    await archive(server, line('2023-12-10'));
    server.requests.length = 0;
    expect((await archive(server, line('2024-01-10'))).code).toBe(0);
    expect(server.requests.map(startOf)).toEqual(['2023-12-09', '2024-01-01']);
    const whole = await archive(server, '110 --start 2023-11-20 --stop 2024-01-10 -f ndjson');
    const parts = await Promise.all(
      ['2023-11', '2023-12', '2024-01'].map((p) => read(`${p}.ndjson`)),
    );
    expect(parts.join('')).toBe(whole.out);
  });

  it('archive --append leaves no gap between the files of a split export', async () => {
    let isFailing = true;
    const server = await serve((path) =>
      isFailing && startOf(path) === '2023-12-01' ? 'status500' : 'none',
    );
    const line =
      '110 --start 2023-11-20 --stop 2024-01-10 --split month -o @{year}-{month}.csv --header none --append --keep-going';
    const failed = await archive(server, `${line} --report @report.json`);
    expect(failed.code).toBe(6);
    expect(JSON.parse(await read('report.json'))).toMatchObject({
      rows: 11 * 24,
      missing: [{ start: '2023-12-01T00:00:00.000Z', stop: '2024-01-10T00:00:00.000Z' }],
    });
    isFailing = false;
    expect((await archive(server, line)).code).toBe(0);
    const whole = await archive(
      server,
      '110 --start 2023-11-20 --stop 2024-01-10 -f csv --header none',
    );
    const parts = await Promise.all(['2023-11', '2023-12', '2024-01'].map((p) => read(`${p}.csv`)));
    expect(parts.join('')).toBe(whole.out);
  });

  it('archive --append refuses a file in other units, a format that cannot grow, and columns without time', async () => {
    const server = await serve();
    await archive(server, until('2023-12-05'));
    const other = await archive(server, `${until('2023-12-10')} --knots`);
    expect([other.code, other.err]).toEqual([2, expect.stringMatching(/^vane: .*km\/h.*\n$/)]);
    for (const [flags, sentence] of [
      ['-f csv', /--output/],
      ['-o @a.json', /\bjson\b/],
      ['-o @a.csv.gz', /compressed/],
      ['-o @a.csv --columns latitude', /\btime\b/],
    ] as const) {
      const refused = await archive(server, `110 --start 2023-12-01 --append ${flags}`);
      expect([refused.code, refused.err]).toEqual([2, expect.stringMatching(sentence)]);
    }
  });
});

describe('the plan and the progress of vane archive', () => {
  it('vane archive --dry-run shows the plan of the export and sends no request', async () => {
    const server = await serve();
    await archive(server, '110 --start 2023-11-14 --stop 2023-12-15 -f csv', {
      isCached: true,
    });
    server.requests.length = 0;
    const { code, out, err } = await archive(
      server,
      '110 --start 2023-11-14 --stop 2024-01-10 --dry-run',
      { isCached: true },
    );
    expect(code).toBe(0);
    expect(out.replaceAll(server.baseUrl, '')).toBe(
      [
        'station  from                      to                        cached  address',
        '110      2023-11-14T00:00:00.000Z  2023-12-15T00:00:00.000Z  yes     /v1/archive/110?start=2023-11-14T00:00:00.000Z&stop=2023-12-15T00:00:00.000Z&format=json',
        '110      2023-12-15T00:00:00.000Z  2024-01-10T00:00:00.000Z  no      /v1/archive/110?start=2023-12-15T00:00:00.000Z&stop=2024-01-10T00:00:00.000Z&format=json',
        '',
      ].join('\n'),
    );
    expect(err).toMatch(/^2 chunks, 1 .*cached.*\b1\b/);
    expect(server.requests).toEqual([]);
  });

  it('vane archive --dry-run of a selection requests the list of stations once, and estimates requests, bytes and time', async () => {
    const server = await serve();
    const line = (flags: string) => `--start 2023-11-14 --stop 2024-01-10 --dry-run ${flags}`;
    await archive(server, '110 --start 2023-11-14 --stop 2023-12-15 -f csv', { isCached: true });
    server.requests.length = 0;
    const all = await archive(server, `all ${line('-o @{station}.csv')}`, { isCached: true });
    expect(all.code).toBe(0);
    expect(server.requests).toEqual(['/v1/live/all']);
    expect(all.out.replaceAll(/ {2,}/g, ' ').split('\n')).toEqual([
      'stations 6',
      'from 2023-11-14T00:00:00.000Z',
      'to 2024-01-10T00:00:00.000Z',
      'files up to 6',
      'chunks 12',
      'cached 1',
      'requests 11',
      // 57 days of six stations without the 31 that are cached
      'bytes up to 7.84 MB',
      expect.stringMatching(/^time about \d+ s$/),
      '',
    ]);
    expect(all.err).toMatch(/^One request.*list of stations.* \d+\.\d s\.\nSize.*list of stations/);
    const again = await archive(server, line('--name dune'), { isCached: true });
    expect(again.out).toMatch(/^stations +1\n/);
    expect(again.err).toMatch(/^Size.*\b4 requests.*\b1 s\b/);
    expect(server.requests).toHaveLength(1);
    const many = Array.from({ length: 11 }, (_, index) => index + 1).join(' ');
    const estimate = await archive(server, `${many} ${line('-f ndjson')}`, { isCached: true });
    expect(estimate.out).toMatch(/^stations +11\n/);
    expect(estimate.err).toMatch(/^Size.*\b1 s\b/);
    expect(server.requests).toHaveLength(1);
    const named = await archive(server, `110 ${line('-o @{name}.csv')}`);
    expect(named.out).toMatch(/\n110 .*\/Dune du Pilat\.csv /);
    expect(named.err).toMatch(/^One request.*\n2 chunks, 0 .*cached/);
  });

  it('vane archive shows its progress on a line of the terminal that is removed at the end', async () => {
    const server = await serve();
    const { err } = await archive(server, '110 --start 2023-10 --stop 2024 -f csv', {
      stderrTerminal: { columns: 60 },
    });
    const lines = err.split('\r\u001b[K');
    expect(lines[1]).toMatch(/^1\/3 chunks, 0 rows, 0 rows\/s, \d+ s left$/);
    expect(lines.at(-1)).toMatch(/^[\d,]+ readings of station 110 /);
  });

  it('vane archive shows no progress without a terminal, with -q or with -v', async () => {
    const server = await serve();
    expect((await archive(server, '110 --start 2023-10 --stop 2024 -f csv')).err).not.toContain(
      '\r',
    );
    const quiet = await archive(server, '110 --start 2023-10 --stop 2024 -f csv -q', {
      stderrTerminal: { columns: 60 },
    });
    expect(quiet.err).toBe('');
  });
});

describe('an export from a faulty service', () => {
  const HARMLESS: FaultName[] = ['none', 'gzip', 'repeatedRows', 'shuffledRows', 'foreignRows'];
  const PASSING: FaultName[] = [
    'status500',
    'status502',
    'status503',
    'status503Soon',
    'status429',
    'reset',
    'cutBody',
    'cutJson',
    'wrongGzip',
  ];
  const LASTING: [FaultName, number][] = [
    ['html', 4],
    ['emptyBody', 4],
    ['arrayForObject', 4],
    ['arrayForData', 4],
    ['stringForNumber', 4],
    ['redirect', 4],
    ['status400', 4],
    ['status403', 4],
    ['status404', 3],
    ['status413', 4],
  ];

  const line = '110 --start 2023-12-01 --stop 2024-01-10 -f csv -o @wind.csv --retries 2';
  let server: FaultyServer;
  let plan: Plan = () => 'none';
  let right: string;
  beforeAll(async () => {
    server = await startFaultyServer((...requested) => plan(...requested), sparse);
    right = (await archive(server, '110 --start 2023-12-01 --stop 2024-01-10 -f csv')).out;
  });
  afterAll(() => server.close());
  beforeEach(() => void server.requests.splice(0));

  it.each([...HARMLESS, ...PASSING])(
    'an export from a faulty service has exactly the right rows after one response with the fault “%s”',
    async (fault) => {
      plan = (_path, _attempt, arrival) => (arrival === 0 ? fault : 'none');
      expect((await archive(server, line)).code).toBe(0);
      expect(await read('wind.csv')).toBe(right);
    },
  );

  it.each(['status400', 'status403', 'status404', 'status413', 'html'] as const)(
    'an export does not repeat a request that failed by the fault “%s”',
    async (fault) => {
      plan = (path) => (path.includes('start=2023-12-01T') ? fault : 'none');
      await archive(server, `${line} --concurrency 1`);
      const [first] = server.requests;
      expect(server.requests.filter((path) => path === first)).toHaveLength(1);
    },
  );

  it('an export from a service with any mixture of faults has exactly the right rows, or fails and leaves no file', async () => {
    const fault = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...HARMLESS) },
      { weight: 3, arbitrary: fc.constantFrom(...PASSING) },
      { weight: 1, arbitrary: fc.constantFrom(...LASTING.map(([name]) => name)) },
    );
    // For each of the two chunks, the faults of its attempts in turn.
    const plans = fc.tuple(fc.array(fault, { maxLength: 4 }), fc.array(fault, { maxLength: 4 }));
    await fc.assert(
      fc.asyncProperty(plans, fc.integer({ min: 1, max: 4 }), async (faults, concurrency) => {
        const [first, second] = faults;
        plan = (path, attempt) =>
          (path.includes('start=2023-12-01T') ? first : second)[attempt] ?? 'none';
        server.requests.length = 0;
        await rm(join(folder, 'wind.csv'), { force: true });
        const { code, err } = await archive(server, `${line} --concurrency ${concurrency}`);
        const possible = faults.map(outcomesOf);
        if (code === 0) {
          expect(possible.every((outcomes) => outcomes.has(0))).toBe(true);
          expect(await read('wind.csv')).toBe(right);
        } else {
          expect(possible.some((outcomes) => outcomes.has(code))).toBe(true);
          expect(err).toMatch(/^vane: .*\n$/);
          expect(await readdir(folder)).toEqual([]);
        }
      }),
      { numRuns: 30, seed: 7 },
    );
  });

  it.each([
    ...LASTING,
    ...PASSING.map((fault): [FaultName, number] => [fault, fault === 'cutJson' ? 4 : 5]),
  ])(
    'an export from a service whose responses all have the fault “%s” exits with %i and leaves no file',
    async (fault, code) => {
      plan = () => fault;
      const outcome = await archive(server, line);
      expect(outcome.code).toBe(code);
      expect(outcome.err).toMatch(/^vane: .*\n$/);
      expect(await readdir(folder)).toEqual([]);
    },
  );

  /** A reset of a reused connection is no attempt, since a server may close idle ones. */
  function outcomesOf(faults: readonly FaultName[]): ReadonlySet<number> {
    const place = faults.indexOf('reset');
    if (place === -1) return new Set([outcomeOf(faults)]);
    const [before, after] = [faults.slice(0, place), faults.slice(place + 1)];
    const others = [...before, ...after];
    return new Set([outcomeOf(faults), ...outcomesOf(others)]);
  }

  /** Exit code after the faults of a chunk; after a 413 its halves get the same faults. */
  function outcomeOf(faults: readonly FaultName[]): number {
    for (const fault of [...faults, 'none' as const].slice(0, 3)) {
      if (HARMLESS.includes(fault)) return 0;
      const lasting = LASTING.find(([name]) => name === fault);
      if (lasting) return lasting[1];
    }
    const last = faults[2];
    return last === 'cutJson' ? 4 : 5;
  }
});

describe('vane archive of the simulated network', () => {
  it('vane archive of the simulated network writes as many rows to a file for each station and year as to one stream', async () => {
    const server = await serve(
      [],
      simulatedService(() => NOW),
    );
    await mkdir(join(folder, 'all'));
    const line = '356 1178 154 1115 319 1890 --start 2023-12-30 --stop 2024-01-03';
    const whole = await archive(server, `${line} -f csv --header names`);
    expect(whole.code).toBe(0);
    await archive(server, `${line} -o @all/{station}-{year}.csv --split year --header none`);
    const files = (await readdir(join(folder, 'all'))).sort();
    expect(files).toContain('356-2023.csv');
    expect(files.some((name) => name.startsWith('1890'))).toBe(false);
    const rows = (await Promise.all(files.map((name) => read(`all/${name}`)))).join('');
    expect(rows.split('\n')).toHaveLength(whole.out.split('\n').length - 1);
  });
});
