import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { formatNames, ROW_FORMATS } from '../../src/formats/index.ts';
import { type RunningServer, startServer } from '../../src/server/server.ts';
import { simulatedService } from '../../src/service/simulated/simulatedService.ts';
import type { ArchiveRow } from '../../src/wire/archive.ts';
import { type FaultyServer, startFaultyServer } from '../support/faulty-server.ts';
import { networkWith } from '../support/fixture-service.ts';
import { naming } from '../support/naming.ts';
import { expectAnswer, type Question, runHere, runInShell, titled } from '../support/question.ts';
import { until } from '../support/until.ts';

const BIN = fileURLToPath(new URL('../../bin/vane.js', import.meta.url));
const ENDLESS = fileURLToPath(new URL('../support/endless.mjs', import.meta.url));
const DAY = '--start 2024-05-01 --stop 2024-05-02';

/** Readings of a day, every five minutes. */
const dayOf = (
  read: (
    index: number,
  ) => readonly [
    min: number | null,
    avg: number | null,
    max: number | null,
    heading: number | null,
  ],
): ArchiveRow[] =>
  Array.from({ length: 288 }, (_, index) => {
    const time = new Date(Date.UTC(2024, 4, 1) + index * 300_000).toISOString();
    return [time, 44.5, -1.2, ...read(index), null];
  });

const STEADY = dayOf(() => [10, 20, 30, 270]);

const ROWS: Readonly<Record<number, readonly ArchiveRow[]>> = {
  7: dayOf(() => [0, 0, 0, 315]),
  19: [['2024-05-01T12:00:00.000Z', null, null, 5, 12, 18, 90, null]],
  110: STEADY,
  603: dayOf(() => [null, null, null, null]),
  1333: dayOf((index) => [1, index % 24, 2 * (index % 24), null]),
};

/** A file as `vane archive --header names` writes it. */
const CSV = [
  'time,latitude,longitude,wind_speed_min,wind_speed_avg,wind_speed_max,wind_heading,pressure',
  ...STEADY.map((reading) => reading.map((value) => value ?? 'null').join(',')),
  '',
].join('\n');

let folder: string;
let server: FaultyServer;
let network: RunningServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-stats-'));
  const plan = (path: string) => (path.includes('start=2030-') ? 'status400' : 'none');
  server = await startFaultyServer(plan, networkWith(ROWS));
  const service = simulatedService(Date.now);
  network = await startServer({ service, host: '127.0.0.1', port: 0, now: Date.now });
});
afterAll(async () => {
  await network.close();
  await server.close();
  await rm(folder, { recursive: true });
});

type Variables = Readonly<Record<string, string>>;

const variables = (more: Variables): Variables => ({
  VANE_BASE_URL: server.baseUrl,
  VANE_CACHE_DIR: join(folder, 'cache'),
  LC_ALL: 'C.UTF-8',
  ...more,
});

/** Runs `vane stats` in this process. */
const stats = (line: string, env: Variables = {}) =>
  runHere(`stats ${line}`, { env: variables(env), now: Date.now() });

/** Runs `vane stats` in this process for the simulated network. */
const demoStats = (line: string, env: Variables) =>
  runHere(`stats ${line}`, {
    env: variables({ VANE_BASE_URL: network.baseUrl, ...env }),
    now: Date.now(),
  });

/** Runs a line of a shell, where `vane` is the built program. */
const shell = (line: string, env: Variables = {}) => runInShell(line, folder, variables(env));

/** The rows of `vane stats -f ndjson`. */
async function rowsOf(line: string) {
  const { stdout, stderr, exitCode } = await stats(`${line} -f ndjson -q`);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  return stdout
    .trimEnd()
    .split('\n')
    .map((row) => JSON.parse(row));
}

describe('the card of vane stats', () => {
  const CREDIT =
    'Data: (c) contributors of the "Fixture" wind network <https://example.org>. License: https://example.org/data-licensing\n';
  const NO_DATA = ['station 41', '2024-05-01 ', '2024-05-02'];
  const cards: readonly [string, number, RegExp, string | RegExp][] = [
    [
      'calm in every reading',
      7,
      /\nmean +0\.0 km\/h\b.*\n(?:.*\n)*calm +100 %.*\n(?:.*\n)*direction +– /,
      CREDIT,
    ],
    [
      'one reading',
      19,
      /\nreadings +1 .*\ncoverage +0 %, 2 gaps.*\nlongest gap +12 h.*\n.*\nmean +12\.0 km\/h/,
      naming('station 19', '0 %', CREDIT),
    ],
    [
      'no reading',
      41,
      /\nreadings +0\ncoverage +0 %, 1 gap\nlongest gap +1 d\n/,
      naming(...NO_DATA, CREDIT),
    ],
    [
      'no speed',
      603,
      /\nreadings +288, every 5 min\nno average +288\ncoverage +0 %, 1 gap\nlongest gap +1 d\n/,
      naming('station 603', '0 %', '288 readings', 'no mean', CREDIT),
    ],
    ['no heading', 1333, /\nmean +11\.5 km\/h.*\n(?:.*\n)*direction +–/, CREDIT],
  ];

  it.each(cards)(
    'the card of vane stats shows no NaN, Infinity, undefined or null for a station with %s',
    async (_, station, card, stderr) => {
      const outcome = await stats(`${station} ${DAY}`);
      expectAnswer(outcome, { status: 0, stdout: card, stderr });
      expect(outcome.stdout).not.toMatch(/NaN|Infinity|undefined|null/);
      const rows = await rowsOf(`${station} ${DAY}`);
      expect(rows).toMatchObject([{ station }]);
    },
  );

  it('the card of vane stats fits 40 columns where COLUMNS is 40', async () => {
    const { stdout } = await stats(`110 ${DAY}`, { COLUMNS: '40' });
    expect(stdout).toMatch(/^(?:.{0,40}\n)+$/);
    expect(stdout).toMatch(/\nmean +20\.0 km\/h\n/);
  });

  it('the card of vane stats is ASCII in a locale without UTF-8', async () => {
    const { stdout } = await stats(`110 ${DAY}`, { LC_ALL: 'C' });
    expect(stdout).toMatch(/^[ -~\n]+$/);
    expect(stdout).toMatch(/W 270 deg \+\/- 0 deg/);
  });
});

describe('the table of vane stats', () => {
  it('the table of vane stats names the zone of hours in the head, so that a table of hours fits 40 columns', async () => {
    const hours = `110 ${DAY} --by hour --tz`;
    const paris = await stats(`${hours} Europe/Paris`, { COLUMNS: '40' });
    expect(paris.stdout).toMatch(/\n\nhour Europe\/Paris +mean km\/h +coverage\n(?:.{0,40}\n)+$/);
    expect(paris.stdout).toContain('\n2024-05-01 01:00 ');
    const far = await stats(`${hours} America/Argentina/Buenos_Aires`, { COLUMNS: '40' });
    expect(far.stdout).toMatch(/\n\nhour America\/Argen… +mean km\/h +coverage\n(?:.{0,40}\n)+$/);
  });

  it.each([
    ['110 603', 'hour', /^stati… {2}hour UTC {10}mean … {2}cover…\n/],
    [
      '110',
      'hour,sector',
      /^Station 110, Dune du Pilat\n.*\n\nhour UTC {10}sector {2}mean … {2}frequ…\n/,
    ],
  ])(
    'the table of vane stats of %s by %s fits 40 columns, with names of columns cut',
    async (stations, keys, head) => {
      const { stdout } = await stats(`${stations} ${DAY} --by ${keys}`, { COLUMNS: '40' });
      expect(stdout).toMatch(head);
      expect(stdout).toMatch(/^(?:.{0,40}\n)+$/);
    },
  );

  it('the table of vane stats has the names of named stations', async () => {
    const { stdout } = await stats(`110 1333 ${DAY}`, { COLUMNS: '80' });
    expect(stdout).toMatch(/^station +name .*\n +110 +Dune du Pilat .*\n +1333 .*\n$/);
  });

  it('the table of vane stats lacks the names of stations if the request for them fails, and says so', async () => {
    const trouble = await startFaultyServer(
      (path) => (path.includes('/live/') ? 'status400' : 'none'),
      networkWith(ROWS),
    );
    const env = { VANE_BASE_URL: trouble.baseUrl };
    const { stdout, stderr, exitCode } = await stats(`110 1333 ${DAY}`, env);
    await trouble.close();
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^station +mean /);
    expect(stderr).toContain('names of the stations');
  });

  it.each([80, 40])(
    'the table of vane stats by weeks and seasons fits %i columns',
    async (columns) => {
      const line = '110 603 --start 2023-12-30 --stop 2024-01-10';
      const { stdout } = await stats(`${line} --by week,season`, { COLUMNS: String(columns) });
      expect(stdout).toMatch(/^stat\S+ +.*week +season +mean/);
      expect(stdout).toMatch(/\n +110 .*2023-W52 +2024-DJF .*\n +110 .*2024-W01 +2024-DJF /);
      expect(stdout.split('\n').every((row) => row.length <= columns)).toBe(true);
    },
  );

  it('the table of vane stats has the offset of an hour that the clock shows twice', async () => {
    const night = '110 --start 2024-10-27 --stop 2024-10-27T04 --tz Europe/Paris';
    const { stdout } = await stats(`${night} --by hour`, { COLUMNS: '40' });
    const hours = stdout.split('\n').flatMap((line) => /^2024-10-27 (\d\S+)/.exec(line)?.[1] ?? []);
    expect(hours).toEqual(['00:00', '01:00', '02:00+02', '02:00+01', '03:00']);
    expect(stdout).toMatch(/^(?:.{0,40}\n)+$/);
  });
});

describe('the title of a rose', () => {
  const rose =
    '--name "massif central valley" --limit 2 --rose --start 2024-05-01 --stop 2024-05-03';

  it('the title of a wind rose of vane stats fits the window, with the keys of its group but the name of the station cut', async () => {
    const { stdout } = await demoStats(`${rose} --by month,hour-of-day`, { COLUMNS: '40' });
    expect(stdout).toMatch(/^Station 23, Massif Central …, 2024-05, 0\n/);
    expect(stdout).toMatch(/\nStation 23, Massif Central…, 2024-05, 23\n/);
    expect(stdout).toMatch(/^(?:.{0,40}\n)+$/);
  });

  it('the title of a wind rose of vane stats fits the window in ASCII too', async () => {
    const { stdout } = await demoStats(rose, { COLUMNS: '40', LC_ALL: 'C' });
    expect(stdout).toMatch(/^Station 23, Massif Central valley 23 \.\.\.\n/);
    expect(stdout).toMatch(/^(?:.{0,40}\n)+$/);
  });
});

describe('the rows of vane stats', () => {
  it('the rows of vane stats name the unit of speeds in the field names of ndjson and csv, and under units in json', async () => {
    const [row] = await rowsOf(`110 ${DAY} --knots`);
    expect(row).toMatchObject({ mean_kn: 20 / 1.852, gust_p50_kn: 30 / 1.852, step_s: 300 });
    const csv = await stats(`110 ${DAY} --knots -f csv -q`);
    expect(csv.stdout).toMatch(/^station,readings,.*,mean_kn,.*,bft_12\n110,288,.*,10\.8,/);
    const json = await stats(`110 ${DAY} --knots -f json -q`);
    expect(JSON.parse(json.stdout)).toMatchObject({
      license: 'https://example.org/data-licensing',
      units: { mean: 'kn', weibull_a: 'kn' },
      data: [{ station: 110, mean: 20 / 1.852, beaufort: [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0] }],
    });
  });

  it.each([
    ['', 'mean', 'km/h'],
    ['-u ms', 'mean', 'm/s'],
    ['--rose', 'classes', 'km/h'],
    ['--above 5,10kn', 'above', 'km/h'],
    ['--climate -u kn', 'max_gust', 'kn'],
    ['--rose -u bft', 'classes', 'Bft'],
  ])(
    'the json of vane stats with the options “%s” has “%s” beside period, stations and units, and no field of an archive',
    async (options, name, unit) => {
      const { stdout } = await stats(`110 7 ${DAY} ${options} -f json -q`);
      const { data, units, classes, ...head } = JSON.parse(stdout);
      const bounds = { start: '2024-05-01T00:00:00.000Z', stop: '2024-05-02T00:00:00.000Z' };
      expect(head).toEqual({
        doc: expect.any(String),
        license: 'https://example.org/data-licensing',
        attribution: expect.any(String),
        period: bounds,
        stations: [
          { station: 110, name: 'Dune du Pilat', ...bounds },
          { station: 7, name: expect.any(String), ...bounds },
        ],
      });
      expect(units).toMatchObject({ [name]: unit });
      expect(classes === undefined).toBe(!options.includes('rose'));
      expect(data[0]).toMatchObject({ station: 110 });
    },
  );

  it('the rows of vane stats in Beaufort have the forces of speeds, and no standard deviation', async () => {
    const [row] = await rowsOf(`110 ${DAY} -u bft`);
    expect(row).toMatchObject({ mean_bft: 4, std_bft: null, max_gust_bft: 5, weibull_a_bft: null });
  });

  it('the rows of vane stats have times and days in the zone of --tz', async () => {
    const rows = await rowsOf(
      '110 --start 2024-05-01T00:00Z --stop 2024-05-02T00:00Z --by day --tz Asia/Tokyo',
    );
    expect(rows).toMatchObject([
      { day: '2024-05-01', readings: 180, first: '2024-05-01T09:00:00.000+09:00' },
      { day: '2024-05-02', readings: 108, coverage: 1 },
    ]);
  });

  it('the rows of vane stats are for weeks of ISO 8601, and for seasons of which winter begins in the previous year', async () => {
    const line = '110 --start 2023-12-30 --stop 2024-03-02';
    const weeks = await rowsOf(`${line} --by week`);
    expect(weeks.slice(0, 2)).toMatchObject([{ week: '2023-W52' }, { week: '2024-W01' }]);
    const { stdout } = await stats(`${line} --by season,year -f csv -q`);
    expect(stdout.replaceAll(/^((?:[^,]*,){3}).*$/gm, '$1')).toBe(
      'station,season,year,\n110,2024-DJF,2023,\n110,2024-DJF,2024,\n110,2024-MAM,2024,\n',
    );
    const json = JSON.parse((await stats(`${line} --by season -f json -q`)).stdout);
    expect(json.data).toMatchObject([{ season: '2024-DJF' }, { season: '2024-MAM' }]);
  });

  it('the rows of vane stats have two fields for two keys of --by, and include groups without a reading', async () => {
    const rows = await rowsOf(`110 ${DAY} --by month-of-year,hour-of-day`);
    expect(rows).toHaveLength(12 * 24);
    expect(rows[4 * 24 + 13]).toMatchObject({ month_of_year: 5, hour_of_day: 13, readings: 12 });
    expect(rows[0]).toMatchObject({ month_of_year: 1, hour_of_day: 0, readings: 0, mean: null });
  });

  it('vane stats --rose writes a row for each sector and one for calm, with shares that add up to 100', async () => {
    const rows = await rowsOf(`110 ${DAY} --rose --sectors 8 --classes 15,25`);
    expect(rows.map(({ sector }) => sector)).toEqual([0, 45, 90, 135, 180, 225, 270, 315, null]);
    expect(rows[6]).toEqual({
      station: 110,
      sector: 270,
      share: 100,
      class_0: 0,
      class_1: 100,
      class_2: 0,
    });
    expect(rows[8]).toMatchObject({ sector: null, share: 0 });
    const sum = (await rowsOf(`1333 ${DAY} --rose`)).reduce((all, { share }) => all + share, 0);
    expect(sum).toBeLessThanOrEqual(100 + 1e-9);
  });

  it('vane stats --where writes how long a condition was true, for every station', async () => {
    const [row] = await rowsOf(`110 ${DAY} --where 'avg in 10..25kmh and dir in SW..NW' --for 2h`);
    expect(row).toMatchObject({ hours: 24 - 5 / 60, days: 1, best_month: '2024-05' });
    const [never] = await rowsOf(`7 ${DAY} --where 'dir in N..S'`);
    expect(never).toMatchObject({ hours: 0, share: 0, days: 0, best_month: null });
  });

  it('vane stats --above writes how long and on how many days each speed was reached', async () => {
    const [low, high] = await rowsOf(`110 ${DAY} --above 20,30 --value gust`);
    const all = { hours: 24 - 5 / 60, share: expect.closeTo((24 - 5 / 60) / 24, 12) };
    expect(low).toEqual({ station: 110, above: 20, ...all, days: 1, days_1h: 1 });
    expect(high).toEqual({ ...low, above: 30 });
    const [none] = await rowsOf(`110 ${DAY} --above 30`);
    expect(none).toEqual({ station: 110, above: 30, hours: 0, share: 0, days: 0, days_1h: 0 });
  });

  it('vane stats --classes in another unit than --units writes the rows of the same classes in the unit of --units', async () => {
    const own = await stats(`110 1333 ${DAY} --rose --classes 18,36kmh --units ms -f json -q`);
    const other = await stats(`110 1333 ${DAY} --rose --classes 5,10 --units ms -f json -q`);
    expect(own.stdout).toBe(other.stdout);
  });

  it('vane stats counts as calm the speeds below --calm, which may have a unit', async () => {
    expect(await rowsOf(`110 ${DAY} --calm 11kn`)).toMatchObject([{ calm: 1, vector_speed: 0 }]);
  });

  it('vane stats -o writes rows to the file in the format that the file name picks', async () => {
    const file = join(folder, 's.json');
    expect((await stats(`110 ${DAY} -o ${file} -q`)).exitCode).toBe(0);
    expect(JSON.parse(await readFile(file, 'utf8')).data).toHaveLength(1);
  });
});

describe('the spells of vane stats', () => {
  const WHERE = "--where 'avg > 15kmh' --spells";
  const SPELLS = `1333 --start 2024-05-01T00:00Z --stop 2024-05-02T00:00Z ${WHERE}`;

  it('vane stats --spells writes a row of ndjson for each spell, with the unit in the names of speeds', async () => {
    const rows = await rowsOf(`${SPELLS} --knots --tz Asia/Tokyo --by month`);
    expect(rows).toHaveLength(12);
    expect(Object.entries(rows[1])).toEqual([
      ['station', 1333],
      ['month', '2024-05'],
      ['start', '2024-05-01T12:15:00.000+09:00'],
      ['stop', '2024-05-01T12:55:00.000+09:00'],
      ['hours', 40 / 60],
      ['mean_kn', 19.5 / 1.852],
      ['gust_kn', 46 / 1.852],
    ]);
  });

  it('vane stats --spells writes the same rows in csv, and a header even without a spell', async () => {
    const { stdout } = await stats(
      `110 1333 ${DAY} --where 'avg > 19kmh' --spells -f csv -q -u ms`,
    );
    const [head, steady, first, ...others] = stdout.split('\n');
    expect(head).toBe('station,start,stop,hours,mean_ms,gust_ms');
    const midnight = '2024-05-01T00:00:00.000Z';
    expect(steady).toBe(`110,${midnight},2024-05-01T23:55:00.000Z,23.916666666666668,5.56,8.33`);
    expect(first).toMatch(/^1333,2024-05-01T01:35:00.000Z,2024-05-01T01:55:00.000Z,0.33+,/);
    expect(others).toHaveLength(12);
    const never = await stats(`110 ${DAY} --where 'avg > 90kn' --spells --by hour-of-day -f csv`);
    expectAnswer(never, {
      status: 0,
      stdout: 'station,hour_of_day,start,stop,hours,mean,gust\n',
      stderr: naming('spell', 'station 110', '2024-05-01 ', '2024-05-02'),
    });
  });

  it('vane stats --spells writes rows of data in json, beside units, period and stations', async () => {
    const line = `110 1333 ${DAY} --where 'avg > 20.5kmh' --spells --by month -f json -q -u bft`;
    const { data, units, period, stations } = JSON.parse((await stats(line)).stdout);
    expect(units).toEqual({ mean: 'Bft', gust: 'Bft' });
    expect(period.start).toBe('2024-05-01T00:00:00.000Z');
    expect(stations).toMatchObject([{ station: 110 }, { station: 1333, name: expect.any(String) }]);
    expect(data).toHaveLength(12);
    expect(data[0]).toMatchObject({ station: 1333, month: '2024-05', mean: 4, gust: 6 });
  });

  it.each([
    [
      '80',
      [
        '2024-05-01 02:00 to 2024-05-02 02:00 Europe/Paris',
        '',
        'start Europe/Paris  stop              hours  mean km/h  gust',
        '2024-05-01 03:15    2024-05-01 03:55    0.7       19.5  46.0',
      ],
    ],
    [
      '40',
      [
        '2024-05-01 02:00 to 2024-05-02 02:00',
        'Europe/Paris',
        '',
        'start Europe/Pa…  hours  mean km/h  gust',
        '2024-05-01 03:15    0.7       19.5  46.0',
      ],
    ],
  ])(
    'vane stats --spells lists in a table of %s columns the ten longest spells, then their number and lengths',
    async (columns, head) => {
      const { stdout } = await stats(`${SPELLS} --tz Europe/Paris --by month`, {
        COLUMNS: columns,
      });
      const lines = stdout.split('\n');
      expect(lines.slice(1, 1 + head.length)).toEqual(head);
      const [others, groups] = [lines.slice(1 + head.length, -4), lines.slice(-4)];
      expect(others.map((line) => line.replace(/.* 0/, '0'))).toEqual(
        Array(9).fill('0.7       19.5  46.0'),
      );
      expect(groups[0]).toBe('');
      expect(groups[1]).toBe(
        columns === '40'
          ? '  month   n  med h  tot h  cover'
          : '  month  spells  median h  total h  coverage',
      );
      expect(groups[2]).toMatch(/^2024-05 +12 +0\.7 +8\.0 +100 %$/);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(Number(columns));
    },
  );

  it('vane stats --spells writes a table for each station, without a list where no spell is long enough', async () => {
    const line = `110 1333 ${DAY} ${WHERE} --for 41m -q`;
    const { stdout } = await stats(line, { COLUMNS: '80' });
    const [steady = '', other = ''] = stdout.split(/\n\n(?=Station)/);
    expect(steady).toMatch(/\n2024-05-01 00:00 {2}2024-05-01 23:55 +23\.9 +20\.0 +30\.0\n/);
    expect(other).toMatch(
      /^Station 1333, .*\n.*\n\nspells {2}median h {2}total h {2}coverage\n +0 {9}– +0\.0 +100 %\n$/,
    );
    const all = await rowsOf(`${SPELLS} --for 40m`);
    expect(all).toHaveLength(12);
  });

  it('vane stats --spells writes times with their offset where the clock shows a time twice', async () => {
    const line = `603 --start 2024-10-26 --stop 2024-10-28 --where 'avg > 1kn and dir in N..S' --spells`;
    const { stdout } = await demoStats(`${line} --tz Europe/Paris -q`, { COLUMNS: '80' });
    expect(stdout).toContain('\n2024-10-27 02:31+02  2024-10-27 02:03+01    0.5 ');
    expect(stdout).toContain('\n2024-10-27 00:59     2024-10-27 01:27       0.5 ');
  });
});

describe('vane stats selects and requests stations as vane archive does:', () => {
  const questions: readonly Question[] = [
    {
      rule: 'vane stats selects stations by name',
      line: `all ${DAY} --name pilat -f csv -q`,
      status: 0,
      stdout: /^station,.*\n110,.*\n$/,
      stderr: '',
    },
    {
      rule: 'an unknown station makes vane stats exit with 3',
      line: `404404 ${DAY}`,
      status: 3,
      stdout: '',
      stderr: /^vane: .*404404/,
    },
    {
      rule: 'vane stats --keep-going reports an unknown station as missing',
      line: `110 404404 ${DAY} --keep-going -f ndjson -q`,
      status: 6,
      stdout: /^\{"station":110,.*\n$/,
      stderr: naming('station 404404', '2024-05-01T', 'remove'),
    },
    {
      rule: 'vane stats writes a row with 0 readings for an empty period',
      line: '110 --start 2024-05-02 --stop 2024-05-02 -f csv -q',
      status: 0,
      stdout: /\n110,0,0,,,,,0,/,
    },
  ];
  it.each(titled(questions))('%s (vane stats %s)', async (_rule, line, question) => {
    expectAnswer(await stats(line), question);
  });

  it('vane stats - reads stations from a pipe of the shell', async () => {
    const line = `echo 110 603 | vane stats - ${DAY} -f csv -q`;
    expectAnswer(await shell(line), { status: 0, stdout: /^.*\n110,.*\n603,/ });
  });

  it('vane stats requests no chunk that vane archive has put into the cache', async () => {
    const env = variables({ VANE_CACHE_DIR: join(folder, 'filled') });
    const run = (line: string) => runHere(line, { env, now: Date.now() });
    expect((await run(`archive 110 ${DAY} -o ${join(folder, 'a.csv')} -q`)).exitCode).toBe(0);
    const before = server.requests.length;
    const { exitCode, stderr } = await run(`stats 110 ${DAY} -f csv -v`);
    expect(exitCode).toBe(0);
    expect(stderr).not.toContain('GET');
    expect(server.requests.length).toBe(before);
  });

  it('vane stats says on stderr when readings cover less than 90 % of the time', async () => {
    const line = '110 --start 2024-05-01 --stop 2024-05-05';
    const { stderr } = await stats(line);
    expect(stderr).toMatch(naming('station 110', '25 %'));
    const byDay = await stats(`${line} --by day -f csv`);
    expect(byDay.stderr).toMatch(naming('3 rows of 4', '90 %'));
  });
});

describe('wrong usage of vane stats:', () => {
  const S = '--start 2024';
  const wrong: Readonly<Record<string, readonly (string | number)[]>> = {
    110: ['period', '--start', '--last', '--year', '--from'],
    [S]: ['stations', '--name', '--near', '--bbox', 'all'],
    [`110 ${S} --by weekday`]: [
      ...['--by', 'hour', 'day', 'week', 'month', 'season', 'year', 'hour-of-day', 'month-of-year'],
      ...['sector', '“weekday”'],
    ],
    [`110 ${S} --by day,week`]: ['--by day,week', 'use --by day.'],
    [`110 ${S} --by season,month`]: ['--by season,month', 'use --by month.'],
    [`110 ${S} --by day,month`]: ['--by day,month', 'use --by day.'],
    [`110 ${S} --by year,year`]: ['--by', 'year', 'twice'],
    [`110 ${S} --by day --by year`]: ['--by', 'twice', "--by 'day,year'"],
    '110 --start 1990 --by hour,sector': ['1,000,000'],
    [`110 ${S} --rose --by sector`]: ['--rose', 'sector', '--by'],
    [`110 ${S} --classes 5,10`]: ['--classes', '--rose'],
    [`110 ${S} --rose --classes 10,5`]: ['--classes', 50, 'ascending', '“10,5”'],
    [`110 ${S} --above 10,20parsecs`]: ['--above', 'speeds', '“10,20parsecs”'],
    [`110 ${S} --above 2.5bft`]: ['--above', 'speeds', '“2.5bft”'],
    [`110 ${S} --value gust`]: ['--value', '--above 10,15,20kn'],
    [`110 ${S} --above 5 --rose`]: ['--rose', '--above', 'one of them'],
    [`110 ${S} --above 5 --where 'avg > 3kn'`]: ['--where', '--above', 'one of them'],
    [`110 ${S} --climate --above 5`]: ['--above', '--climate', 'one of them'],
    [`110 ${S} --climate --by month`]: ['--climate', 'leave out --by'],
    [`110 ${S} --sectors 8`]: ['--sectors', '--rose', '--by sector'],
    [`110 ${S} --for 2h`]: ['--for', '--where', 'condition'],
    [`110 ${S} --spells`]: ['--spells', '--where', 'condition'],
    [`110 ${S} --spells --rose`]: ['--rose', '--spells', 'one of them'],
    [`110 ${S} --where 'avg > 15kn' --spells --by sector`]: ['spell', 'sector', '--by'],
    [`110 ${S} --calm strong`]: ['--calm', 'a speed', '“strong”'],
    [`110 ${S} --where 'age < 5m'`]: ['--where', '“age”', '\n  age < 5m\n  ^\n'],
    [`110 ${S} -o wind.parquet`]: ['parquet', ...formatNames(ROW_FORMATS)],
    '110 --since 2024': ['“--since”', '--start', 'vane stats --help'],
    [`110 ${S} --rose --where 'avg > 3kn' --for 2h`]: ['--for', '--rose', 'one of them'],
    [`110 ${S} --rose --where 'state = on'`]: ['--where', '“state”', '\n  state = on\n  ^\n'],
    '--from a.csv --near 45,6': ['--from', 'by id', '--near'],
    '--from nowhere.csv': ['--from', 'nowhere.csv', 'does not exist'],
  };

  it.each(Object.entries(wrong))(
    'vane stats %s exits with 2 before any request, and the error names %j',
    async (line, names) => {
      const before = server.requests.length;
      expectAnswer(await stats(line), { status: 2, stdout: '', stderr: naming(...names) });
      expect(server.requests.length).toBe(before);
    },
  );
});

it('SIGINT ends vane stats by that signal, as it ends vane archive', async () => {
  const before = server.requests.length;
  const child = execa(
    process.execPath,
    [BIN, 'stats', '110', '--start', '1900', '--no-cache', '-q'],
    {
      env: { VANE_BASE_URL: server.baseUrl },
      reject: false,
    },
  );
  await until(() => server.requests.length > before);
  child.kill('SIGINT');
  const { signal, stdout } = await child;
  expect({ signal, stdout }).toEqual({ signal: 'SIGINT', stdout: '' });
});

it.each([
  ['stats of a service', ['stats', '110', '--no-cache', ...DAY.split(' ')]],
  ['stats of a file', ['stats', '--from', '110.csv']],
  ['stats into a file', ['stats', '--from', '110.csv', '-o', 'stats.json']],
  ['a plot of a service', ['plot', '110', '--kind', 'rose', '--no-cache', ...DAY.split(' ')]],
  ['a plot of a file', ['plot', '--from', '110.csv', '--kind', 'rose', '-o', 'rose.png']],
])(
  'SIGTERM ends %s at once in the middle of a computation, without a stack trace',
  async (_, args) => {
    const cwd = await mkdtemp(join(folder, 'endless-'));
    await writeFile(join(cwd, '110.csv'), CSV);
    const child = execa(process.execPath, ['--import', ENDLESS, BIN, ...args], {
      ...{ cwd, reject: false, stdin: 'ignore' },
      env: { VANE_BASE_URL: server.baseUrl, ENDLESS: args[0] === 'stats' ? 'atan2' : 'sin' },
    });
    // A vane that does not heed SIGTERM must not outlive the test.
    onTestFinished(() => void child.kill('SIGKILL'));
    let stderr = '';
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    await until(() => stderr.includes('computing'));
    child.kill('SIGTERM');
    const { signal, stdout } = await child;
    const files = await readdir(cwd);
    expect({ signal, stdout, files }).toEqual({
      signal: 'SIGTERM',
      stdout: '',
      files: ['110.csv'],
    });
  },
);
