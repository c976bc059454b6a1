import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { execa } from 'execa';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LINEAR_UNIT_NAMES, SPEED_UNITS } from '../../../src/domain/units.ts';
import { stationInPath } from '../../../src/readings/files/stationInPath.ts';
import type { FakeIoOptions } from '../../support/fake-io.ts';
import { type FaultyServer, startFaultyServer } from '../../support/faulty-server.ts';
import { naming } from '../../support/naming.ts';
import { vane } from '../../support/run.ts';

let server: FaultyServer;
let folder: string;
beforeAll(async () => {
  server = await startFaultyServer([]);
  folder = await mkdtemp(join(tmpdir(), 'vane-from-'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const PERIOD = '--start 2024-01-03T00:00Z --stop 2024-01-05T12:00Z';
const run = (line: string, options?: FakeIoOptions) =>
  vane([...line.split(' '), '--base-url', server.baseUrl], options);

type Row = Record<string, unknown>;
const parse = (out: string): Row[] =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

async function stats(line: string): Promise<Row[]> {
  const { code, out, err } = await run(`stats ${line} -f ndjson -q`);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return parse(out);
}

const zip = (names: readonly string[], cells: readonly string[]) =>
  names.map((name, place) => [name, cells[place]] as const);

const served = new Map<string, Promise<Row[]>>();

/** Statistics from the service, which are the same at each call. */
function statsOfService(line: string): Promise<Row[]> {
  const rows = served.get(line) ?? stats(line);
  served.set(line, rows);
  return rows;
}

/** Exports to a file and returns its path. */
async function exported(name: string, line: string): Promise<string> {
  const path = join(folder, name);
  const { code, err } = await run(`archive ${line} -o ${path} -q`);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return path;
}

/** Checks that numbers differ by less than the rounding of a converted speed. */
function expectNear(rows: readonly Row[], expected: readonly Row[]): void {
  expect(rows.length).toBe(expected.length);
  for (const [index, row] of expected.entries()) {
    for (const [name, value] of Object.entries(row)) {
      const found = rows[index]?.[name];
      const isPower = name === 'power_density' || name.startsWith('weibull') || name === 'beaufort';
      if (isPower) continue;
      if (typeof value === 'number') expect(found, name).toBeCloseTo(value, 1);
      else expect(found, name).toEqual(value);
    }
  }
}

describe('stats --from a file', () => {
  const FORMATS = ['csv', 'csv.gz', 'txt', 'txt.gz', 'ndjson', 'ndjson.gz', 'parquet'];

  it.each(FORMATS)(
    'stats --from a file in %s and km/h computes the statistics of the service, to the last digit',
    async (ending) => {
      const path = await exported(`station-110-plain.${ending}`, `110 ${PERIOD}`);
      for (const form of ['', '--by hour-of-day', '--rose', '--where avg>3kn --spells']) {
        const options = `${PERIOD}${form && ` ${form}`}`;
        const expected = await statsOfService(`110 ${options}`);
        expect(await stats(`--from ${path} ${options}`)).toEqual(expected);
      }
    },
  );

  it.each(['parquet', 'ndjson', 'ndjson.gz'])(
    'stats --from a file in %s with several stations computes the statistics of each',
    async (ending) => {
      const path = await exported(`both.${ending}`, `110 603 ${PERIOD}`);
      const expected = await statsOfService(`110 ${PERIOD}`);
      expect(await stats(`--from ${path} ${PERIOD}`)).toEqual(expected);
      const named = await stats(`603 110 --from ${path} ${PERIOD}`);
      expect(named).toEqual(await statsOfService(`603 110 ${PERIOD}`));
    },
  );

  it('stats --from a file in any unit, zone, header and order of columns computes the statistics of the service, within rounding', async () => {
    const day = '--start 2024-01-04T00:00Z --stop 2024-01-05T00:00Z';
    const whole = await stats(`110 ${day}`);
    const columns = ['time', 'station', 'lull', 'avg', 'gust', 'dir', 'lat'];
    const layout = fc.record({
      ending: fc.constantFrom(...FORMATS),
      unit: fc.constantFrom('kmh', 'kn', 'ms', 'mph'),
      zone: fc.constantFrom('utc', 'Europe/Paris', 'Asia/Kathmandu', 'America/St_Johns'),
      header: fc.constantFrom('service', 'names'),
      columns: fc.option(fc.shuffledSubarray(columns, { minLength: columns.length })),
    });
    const property = fc.asyncProperty(layout, async ({ ending, unit, zone, header, columns }) => {
      const options = [
        `--units ${unit} --tz ${zone}`,
        ...(/csv|txt/.test(ending) ? [`--header ${header}`] : []),
        ...(columns ? [`--columns ${columns.join()}`] : []),
      ];
      const path = await exported(`any.${ending}`, `110 ${day} ${options.join(' ')}`);
      expectNear(await stats(`110 --from ${path} ${day}`), whole);
    });
    await fc.assert(property, { numRuns: 15 });
  });

  it('stats --from a file without --start and --stop covers the period of its readings', async () => {
    const path = await exported('station-110-two.csv', `110 ${PERIOD}`);
    const bounds = '--start 2024-01-03T00:00Z --stop 2024-01-05T12:00Z';
    const where = ' --where avg>3kn';
    for (const by of ['', ' --by day', ' --by sector', ' --rose', where, `${where} --spells`]) {
      expect(await stats(`--from ${path}${by}`)).toEqual(
        await stats(`--from ${path} ${bounds}${by}`),
      );
    }
  });

  it('stats --from counts a row once that is in several files, whatever the order of the files', async () => {
    const first = await exported(
      'a/station-110.csv'.replace('/', '-'),
      '110 --start 2024-01-01 --stop 2024-01-04',
    );
    const second = await exported('b-station-110.txt', '110 --start 2024-01-03 --stop 2024-01-06');
    const expected = await stats('110 --start 2024-01-01 --stop 2024-01-06');
    const period = '--start 2024-01-01 --stop 2024-01-06';
    expect(await stats(`--from ${first} ${second} ${period}`)).toEqual(expected);
    expect(await stats(`--from ${second} ${first} ${first} ${period}`)).toEqual(expected);
  });

  it('stats --from a file computes the same statistics with its rows in any order', async () => {
    const path = await exported('110.ndjson', `110 ${PERIOD}`);
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    const reversed = join(folder, 'reversed-station-110.ndjson');
    await writeFile(reversed, lines.toReversed().join('\n'));
    expect(await stats(`--from ${reversed}`)).toEqual(await stats(`--from ${path}`));
  });
});

describe('stats --from - on stdin', () => {
  const head = '"time","wind_speed_avg_kn","wind_heading"';

  it('stats --from stdin reads csv whose first line names the columns', async () => {
    const stdin = `\uFEFF${head}\r\n"2024-01-03T00:00:00.000Z",10,\r\n2024-01-03 00:05,,90\r\n\r\n`;
    const { code, out } = await run('stats 110 --from - -f ndjson -q', { stdin });
    expect(code).toBe(0);
    expect(parse(out)).toMatchObject([
      { station: 110, readings: 2, missing: 1, max_gust: null, step_s: 300, mean: 18.52 },
    ]);
  });

  it('stats --from stdin reads csv without a header in km/h, and says so on stderr', async () => {
    const stdin = '"2024-01-03T00:00:00.000Z",44.5,-1.2,1,2,3,90,null\n';
    const { code, out, err } = await run('stats 110 --from - -f csv', { stdin });
    expect(code).toBe(0);
    expect(err).toMatch(naming('stdin', 'header', 'km/h'));
    expect(err).toMatch(naming('station 110', '0 %'));
    expect(out).toMatch(/\n110,1,0,/);
  });

  it.each(['csv', 'txt', 'ndjson'])(
    'stats --from stdin says that %s contains steps of --every, and counts each as one reading',
    async (format) => {
      const steps = join(folder, `steps.${format}`);
      const line = 'archive 110 --start 2024-01-03 --stop 2024-01-05 --every 1d -q';
      expect((await run(`${line} -o ${steps}`)).code).toBe(0);
      const { code, out, err } = await run(`stats 110 --from ${steps} -f csv`);
      expect(code).toBe(0);
      expect(err.split('\n')[0]).toMatch(naming(steps, '--every', 'one reading'));
      expect(out).toMatch(/\n110,2,/);
    },
  );

  it('stats --from an empty stdin prints no data, and says so', async () => {
    const { code, out, err } = await run('stats --from - -f json', { stdin: '' });
    expect({ code, out, err }).toEqual({
      code: 0,
      out: expect.stringMatching(
        /^{"units":{"mean":"km.h",[^}]*},"data":\[\n\],"period":null,"stations":\[\]}\n$/,
      ),
      err: expect.stringContaining('files contains'),
    });
  });

  it('stats --from an empty stdin shows a card with 0 readings where station and period are named', async () => {
    const { code, out, err } = await run('stats 110 --from - --start 2023 --stop 2024', {
      stdin: '',
    });
    const [start, stop] = ['2023-01-01T00:00:00.000Z', '2024-01-01T00:00:00.000Z'];
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(naming('station 110', start.slice(0, 10), stop.slice(0, 10))),
    ]);
    expect(out).toMatch(/\nreadings +0\n/);
  });

  it('stats --from stdin writes no row for a named station that the input lacks, where no period is named', async () => {
    const stdin = `${head},"station"\n"2024-01-03T00:00:00.000Z",10,90,603\n`;
    const { code, out, err } = await run('stats 110 --from - -f json', { stdin });
    expect({ code, out, err }).toEqual({
      code: 0,
      out: expect.stringContaining('"data":[\n],"period":null,"stations":[]}\n'),
      err: expect.stringContaining('station 110'),
    });
  });

  it('stats --from stdin as json names the station of each period, and the period of all', async () => {
    const stdin = `${head},"station"\n2024-01-03T00:00Z,10,90,603\n2024-01-05T00:00Z,10,90,110\n`;
    const { out } = await run('stats --from - --stop 2024-01-07 -f json -q', { stdin });
    const { period, stations } = JSON.parse(out);
    expect(stations).toMatchObject([
      { station: 110, start: '2024-01-05T00:00:00.000Z', stop: '2024-01-07T00:00:00.000Z' },
      { station: 603, start: '2024-01-03T00:00:00.000Z', stop: '2024-01-07T00:00:00.000Z' },
    ]);
    expect(period).toEqual({ start: stations[1].start, stop: stations[1].stop });
  });

  it('stats --from stdin counts 0 readings in a period that ends before the readings', async () => {
    const stdin = `${head}\n"2024-01-03T00:00:00.000Z",10,90\n`;
    const { out } = await run('stats 110 --from - --stop 2023 -f ndjson -q', { stdin });
    expect(parse(out)).toMatchObject([{ readings: 0, coverage: null, mean: null }]);
  });

  const ROW = '"2024-01-03T00:00:00.000Z",10,90';
  const LINEAR_LABELS = LINEAR_UNIT_NAMES.map((unit) => SPEED_UNITS[unit].label);
  const wrong: readonly (readonly [stdin: string, names: readonly string[]])[] = [
    ['a,b\n1,2\n', ['stdin, line 1', 'time', '“a,b”', '--header']],
    [`${head}\n${ROW}\n"2024-13-03",1,2\n`, ['stdin, line 3', 'time', 'a date', '“2024-13-03”']],
    ['{"time":1e300,"wind_speed_avg":1}\n', ['stdin, line 1', 'time', 'a date', '“1e+300”']],
    [
      `${head}\n${ROW}\n\n${ROW.replace('90', 'north')}\n`,
      ['stdin, line 4', 'wind_heading', 'a number', '“north”'],
    ],
    [
      `${head}\n${ROW.replace('10', '"1,5"')}\n${ROW.replace(',90', '\u001b[2J')}\n`,
      ['stdin, line 2', 'wind_speed_avg_kn', 'decimal point', '“1,5”'],
    ],
    [
      `${head}\n${ROW}\n"2024-01-03T00:05:00.000Z",1\n`,
      ['stdin, line 3', 'wind_heading', 'a number'],
    ],
    [
      `time,wind_speed_avg_bft\n${ROW}\n`,
      ['stdin, line 1', 'wind_speed_avg_bft', '“Bft”', ...LINEAR_LABELS],
    ],
    ['time,latitude\n2024-01-03,45\n', ['stdin, line 1', 'wind_speed_avg']],
    ['time,station,wind_speed_avg\n2024-01-03,Pilat,45\n', ['stdin, line 2', 'station', '“Pilat”']],
    ['{"doc":"x","data":[\n', ['stdin, line 1', '-f ndjson', '“{"doc":"x","data":[”']],
    ['{"station":110,"wind_speed_avg":3}\n', ['stdin, line 1', '“time”', 'vane archive']],
    [
      '"License","a"\n"Attribution","b"\n"time","wind_speed_avg"\n"utc","furlongs"\n',
      ['stdin, line 4', 'wind_speed_avg', '“furlongs”', ...LINEAR_LABELS],
    ],
    [
      `"License","a"\n"Attribution","b"\n"time","wind_speed_avg"\n"utc","km/h"\n2024-01-03,1\n2024-01-04,x\n`,
      ['stdin, line 6', 'wind_speed_avg', 'a number', '“x”'],
    ],
    [`${head}\n"2024\n`, ['stdin, line 2', 'csv', 'quotation mark']],
    ['PAR1 but nothing else', ['stdin', 'Parquet', 'PAR1']],
  ];
  it.each(wrong)(
    'stats --from stdin refuses %j with an error that names %j',
    async (stdin, names) => {
      const { code, out, err } = await run('stats 110 --from -', { stdin });
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toMatch(naming(...names));
    },
  );

  it('stats --from stdin requires the station id where the input does not contain it', async () => {
    const { code, err } = await run('stats --from -', { stdin: `${head}\n${ROW}\n` });
    expect([code, err]).toEqual([2, expect.stringMatching(naming('stdin', '110 --from -'))]);
  });

  it('stats --from refuses a file whose gzip ends too early', async () => {
    const path = join(folder, 'cut-station-110.csv.gz');
    const whole = gzipSync(`${head}\n${`${ROW}\n`.repeat(1000)}`);
    await writeFile(path, whole.subarray(0, whole.length - 12));
    const { code, err } = await run(`stats --from ${path}`);
    expect([code, err]).toEqual([2, expect.stringMatching(naming('--from', path, 'gzip'))]);
  });
});

describe('stats --from a folder', () => {
  it('stats --from a folder that cannot be read to its end fails with an error that names the folder inside', async () => {
    const top = await mkdtemp(join(tmpdir(), 'vane-deep-'));
    // Paths of over 4096 characters cannot be read, which holds for root too.
    const name = "'d'.repeat(200)";
    const deepen = `for (let i = 0; i < 30; i++) { fs.mkdirSync(${name}); process.chdir(${name}); }`;
    await execa(process.execPath, ['-e', deepen], { cwd: top });
    const { code, err } = await run(`stats --from ${top}`);
    await execa('rm', ['-r', top]);
    expect(code).toBe(2);
    expect(err).toMatch(naming('--from', `${top}/ddd`));
  });
});

describe('stats --from a file with impossible values', () => {
  const HEAD = 'time,wind_speed_min,wind_speed_avg,wind_speed_max,wind_heading';
  const rows = ['-0.5,10,20,90', '5,451,30,361', '5,12,1e308,-1', '5,14,450,360', '1,2,3,0'];
  const lines = rows.map((row, i) => `2024-01-03T00:${String(4 * i).padStart(2, '0')}Z,${row}\n`);
  const stdin = `${HEAD}\n${lines.join('')}2025-01-01T00:00Z,0,-7,0,0\n`;
  const period = '--start 2024-01-03 --stop 2024-01-03T00:17';

  it('stats --from counts impossible values as missing, and says on stderr how many the period has', async () => {
    const line = `stats 110 --from - ${period} -f ndjson --where max>=0kmh`;
    const { out, err } = await run(line, { stdin });
    expect(parse(out)).toMatchObject([
      { readings: 5, missing: 1, min_lull: 1, max: 14, max_gust: 450, gaps: 1, hours: 480 / 3600 },
    ]);
    const [covered, incomplete, impossible] = err.split('\n');
    expect(covered).toMatch(naming('station 110', '76 %'));
    expect(incomplete).toMatch(naming('1 reading', 'station 110', 'no mean'));
    expect(impossible).toMatch(naming('5 impossible values', '450 km/h', 360));
  });

  it('plot --from draws impossible values as missing, and says so as stats --from does', async () => {
    const { err } = await run(`plot 110 --from - ${period} -f svg`, { stdin });
    expect(err).toMatch(naming('1 reading', 'station 110', 'no mean', '5 impossible values'));
  });
});

describe('stats --from a file of 2024', () => {
  const HEAD = 'time,wind_speed_avg,wind_heading';
  const lines = (...times: string[]): string =>
    `${HEAD}\n${times.map((time) => `${time},10,90\n`).join('')}`;

  it.each([
    ['month', ['2024-10', '2024-11', '2024-12']],
    ['year', ['2024']],
  ])(
    'stats --from a file of 2024 without --stop has no row by %s after the last reading',
    async (by, expected) => {
      const times = ['2024-10-01T00:00Z', '2024-10-01T00:10Z', '2024-12-31T23:45Z'];
      const stdin = lines(...times, '2024-12-31T23:55Z');
      const { out, err } = await run(`stats 110 --from - --by ${by} -f ndjson`, { stdin });
      expect(parse(out).map((row) => row[by])).toEqual(expected);
      expect(err).not.toContain('2025');
    },
  );

  it('stats --from a file of 2024 counts no time after the last reading to the next hour of the day', async () => {
    const stdin = lines('2024-05-01T22:40Z', '2024-05-01T23:10Z', '2024-05-01T23:40Z');
    const { out } = await run('stats 110 --from - --by hour-of-day -f ndjson -q', { stdin });
    expect(parse(out)[0]).toMatchObject({ hour_of_day: 0, readings: 0, coverage: null });
  });

  it.each(['day', 'hour-of-day', 'year'])(
    'stats --from refuses readings over 200 years apart by %s',
    async (by) => {
      const stdin = lines('0001-01-01T00:00Z', '9999-01-01T00:00Z');
      const { code, out, err } = await run(`stats 110 --from - --by ${by}`, { stdin });
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toMatch(naming('200 years', '0001-', '9999-'));
    },
  );
});

describe('stats --from a file that would fill the memory', () => {
  const rows = (count: number, row: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => `${row(index)}\n`).join('');
  const stations = (count: number): string =>
    `station,time,wind_speed_avg\n${rows(count, (index) => `${index + 1},2024-01-01T00:00Z,5`)}`;

  it('stats --from refuses over 5,000 stations, unless the command line names the wanted ones', async () => {
    expect(await run('stats --from -', { stdin: stations(5001) })).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(naming('--from', '5,000 stations')),
    });
    const named = await run('stats 5001 --from - -f ndjson -q', { stdin: stations(5001) });
    expect(parse(named.out)).toMatchObject([{ station: 5001, readings: 1 }]);
  });

  it('stats --from refuses ndjson with other names in each row, which would fill the memory', async () => {
    const stdin = rows(101, (index) =>
      JSON.stringify({ station: 1, time: '2024-01-01', wind_speed_avg: 1, [`key${index}`]: 1 }),
    );
    expect(await run('stats --from -', { stdin })).toMatchObject({
      code: 2,
      err: expect.stringMatching(naming('stdin, line 101', 100)),
    });
  });
});

it.each([
  ['wind/station=110/year=2024/data.parquet', 'the station id 110', 110],
  ['station-110.csv', 'the station id 110', 110],
  ['/srv/wind/110.csv.gz', 'the station id 110', 110],
  ['PP603.ndjson', 'the station id 603', 603],
  ['MW800.csv.gz', 'the station id 800', 800],
  ['mw800/2024.csv', 'the station id 800', 800],
  ['jan24.csv', 'no station id', undefined],
  ['A900.csv', 'no station id', undefined],
  ['v2/wind.csv', 'no station id', undefined],
  ['station=7/110.csv', 'the station id 7', 7],
  ['station=7/station-110.csv', 'the station id 7', 7],
  ['110/2024.csv.gz', 'the station id 110', 110],
  ['PP603/2024/05.csv', 'the station id 603', 603],
  ['110/year=2024/month=5/data.parquet', 'the station id 110', 110],
  ['603/station-110.csv', 'the station id 110', 110],
  ['2024.csv', 'the station id 2024', 2024],
  ['2024-05.csv', 'no station id', undefined],
  ['/home/1000/wind/a.csv', 'no station id', undefined],
  ['/dev/fd/63', 'no station id', undefined],
  ['station-7/station-110.csv', 'the station id 110', 110],
  ['workstation1/110.csv', 'the station id 110', 110],
  ['my-station-1-copy/110.csv', 'the station id 110', 110],
  ['wind-station-110-2024.csv', 'the station id 110', 110],
  ['workstation1.csv', 'no station id', undefined],
  ['wind.csv', 'no station id', undefined],
  ['-', 'no station id', undefined],
  ['/dev/fd/63', 'no station id', undefined],
])('stats --from finds in the path %s %s', (path, _, station) => {
  expect(stationInPath(path)).toBe(station);
});

it.each([
  ['2024.csv', 110],
  ['2024-05.csv', 110],
  ['wind.csv', 110],
  ['603/2024.csv', 603],
  ['603.csv', 603],
])('stats 110 --from %s reads the file as data of station %i', (path, station) => {
  expect(stationInPath(path, 110)).toBe(station);
});

describe('stats --from', () => {
  const rows = 'time,wind_speed_avg\n2024-01-01T00:00Z,5\n2024-01-01T00:10Z,5\n';

  it('stats --from a folder reads the files below it, and no other files', async () => {
    const root = join(folder, 'tree');
    for (const below of ['110', '603', 'station=19/wind.csv']) {
      await mkdir(join(root, below), { recursive: true });
      await writeFile(join(root, below, '2024.csv'), rows);
    }
    await writeFile(join(root, 'notes.md'), 'no readings');
    expect(await stats(`--from ${root}`)).toMatchObject([
      { station: 19, readings: 2 },
      { station: 110, readings: 2 },
      { station: 603, readings: 2 },
    ]);
    const within = await run(`stats --from ${root} -o ${root}/110/all.csv`);
    expect(within).toMatchObject({ code: 2, err: expect.stringContaining('is in the folder') });
  });

  it('stats --from a folder without files of readings exits with 2', async () => {
    const empty = await mkdtemp(join(folder, 'empty-'));
    const { code, err } = await run(`stats --from ${empty}`);
    const named = naming('--from', empty, 'csv', 'txt', 'ndjson', 'parquet');
    expect([code, err]).toEqual([2, expect.stringMatching(named)]);
  });

  it('stats --from one file without a station uses the name of the file as the name of the station, and says so', async () => {
    const path = join(folder, 'roof.csv');
    await writeFile(path, rows);
    const { code, out, err } = await run(`stats --from ${path}`);
    expect(code).toBe(0);
    expect(out).toContain('roof');
    expect(err).toMatch(naming(path, 'station roof', 'id 0'));
  });

  it('stats --from reads MW800 in a column station, and refuses A1, which may be a code of another network', async () => {
    const cells = (station: string) => `station,${rows.replace(/\n(?=.)/g, `\n${station},`)}`;
    const read = await run('stats --from - -f ndjson', { stdin: cells('MW800') });
    expect(JSON.parse(read.out)).toMatchObject({ station: 800, readings: 2 });
    const { code, err } = await run('stats --from -', { stdin: cells('A1') });
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('“A1”') });
  });

  const deep = '['.repeat(400_000);
  const END = ',"wind_speed_avg":1}\n';
  it.each([
    ['an object as a time', `{"time":{"toString":1}${END}`, 'time: expected a date'],
    [
      'an object as a station',
      `{"time":"2024","station":{"toString":1}${END}`,
      'station: expected',
    ],
    ['an object as a speed', '{"time":"2024","wind_speed_avg":{"valueOf":1}}\n', 'wind_speed_avg:'],
    ['deep lists', `{"time":${deep}${']'.repeat(400_000)}${END}`, 'line 1'],
    ['a long cell as a time', `time,wind_speed_avg\n${deep},1\n`, 'time: expected a date'],
    ['a long cell as a name', `${deep}\n`, 'expected'],
  ])('stats --from refuses %s with 2, not as a bug of vane', async (_, stdin, message) => {
    const { code, out, err } = await run('stats 110 --from -', { stdin });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
    expect(err.length).toBeLessThan(300);
  });
});

describe('stats --from takes what other programs write', () => {
  const NAMES = 'time,wind_speed_avg,wind_heading\n';
  const first = '2024-01-01T00:00:00.000Z,5,90\n';
  async function read(stdin: string) {
    const { code, out, err } = await run('stats 110 --from - -f ndjson', { stdin });
    expect(code, err).toBe(0);
    return { row: parse(out)[0] as Row, err };
  }

  it.each(['NA', 'NaN', 'nan', '-', 'null', ''])(
    'stats --from reads %j as a missing value',
    async (missing) => {
      const { row } = await read(`${NAMES}${first}2024-01-01T00:10:00.000Z,${missing},90\n`);
      expect(row).toMatchObject({ readings: 2, missing: 1, mean: 5 });
    },
  );

  it.each([
    ['TIME,Wind_Speed_Avg,Wind_Heading\n', 5],
    ['time,avg,dir\n', 5],
    ['Time,avg_kn,DIR\n', 9.26],
  ])('stats --from reads columns named %j', async (names, mean) => {
    const { row } = await read(`${names}${first}${first.replace('00:00:', '00:10:')}`);
    expect(row).toMatchObject({ readings: 2, mean });
  });

  it('stats --from reads times with an offset in hours, as DuckDB writes them', async () => {
    const { row } = await read(
      `${NAMES}2024-01-01 00:00:00+00,5,90\n2024-01-01 02:10:00+02,5,90\n`,
    );
    expect(row).toMatchObject({ readings: 2, step_s: 600 });
  });

  it.each([
    ['csv', `${NAMES}${first}2024-01-01T00:1`],
    ['csv with quotes', `${NAMES}${first}"2024-01-01T00:1`],
    ['ndjson', '{"time":"2024-01-01T00:00Z","avg":5}\n{"time":"2024-01-01T00:10Z","av'],
  ])(
    'stats --from leaves out the last line of %s that is cut short, with a note',
    async (_, stdin) => {
      const { row, err } = await read(stdin);
      expect(row).toMatchObject({ readings: 1 });
      expect(err).toMatch(naming('stdin', 'last line'));
    },
  );

  it('stats --from reads a whole last line without a line end', async () => {
    const { row, err } = await read(`${NAMES}${first}2024-01-01T00:10Z,5,90`);
    expect(row).toMatchObject({ readings: 2 });
    expect(err).not.toContain('last line');
  });

  it.each([
    ['a head with CRLF before rows with LF', 0],
    ['CRLF in the first half, LF in the second', 360],
  ])('stats --from reads every row of a file with %s', async (_, last) => {
    const path = await exported('mixed-station-110.csv', `110 ${PERIOD}`);
    const expected = await stats(`--from ${path}`);
    let line = 0;
    const text = (await readFile(path, 'utf8')).replaceAll('\n', (end) =>
      line++ < 4 + last ? '\r\n' : end,
    );
    await writeFile(path, text);
    expect(await stats(`--from ${path}`)).toEqual(expected);
  });

  it.each([
    ['csv', `${NAMES}${first}${first.replace(',5,', ',5,5,')}`],
    ['csv without a header', `2024-01-01,1,2,3,4,5,6,7\n\n2024-01-01,1,2,3,4,5,6,7,8\n`],
    ['txt', `${NAMES}${first}${first.replace(/\n/, ',,5\n')}`.replaceAll(',', '\t')],
  ])('stats --from refuses a row of %s with more cells than the header', async (_, stdin) => {
    const { code, out, err } = await run('stats 110 --from -', { stdin });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/stdin, line 3\b.* (3|8) .* (4|5|9)\b/);
  });

  it('stats --from reads a row with empty cells after its last one', async () => {
    const { row } = await read(`${NAMES}${first.replace('\n', ',, ,\n')}`);
    expect(row).toMatchObject({ readings: 1, mean: 5, prevailing_direction: 90 });
  });

  it.each([
    'time;wind_speed_avg\n2024-01-01;5\n',
    'time;avg;dir\n2024-01-01;5;90\n',
    '\n"time";"avg, of 4 minutes";"dir"\n',
    '"License";"https://example.com"\n"Attribution";"a"\n',
    'License;https://example.com\nAttribution;Somebody, and others\n',
    '2024-01-01T00:00Z;43,5;4,25;1,5;2,5;3,5;90,5;\n',
  ])(
    'stats --from refuses cells between semicolons, which it names, with a way to change them: %j',
    async (stdin) => {
      const { code, out, err } = await run('stats 110 --from -', { stdin });
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toMatch(/stdin, line [12]\b.*commas.*semicolons.* sed 's/);
    },
  );

  it('stats --from reads what the command in the error about semicolons writes', async () => {
    const stdin = 'Time;Avg;Dir\n2024-01-01;5,5;90\n2024-01-02;6,5;90\n';
    const { err } = await run('stats 110 --from -', { stdin });
    const command = /sed '.*'/.exec(err)?.[0] ?? '';
    const { stdout } = await execa({ shell: '/bin/sh', input: stdin })`${command}`;
    expect((await read(stdout)).row).toMatchObject({ readings: 2, mean: 6 });
  });

  it.each([
    [`${NAMES}2024-01-01,"1,5",90\n`, ['wind_speed_avg', 'decimal point', '“1,5”']],
    ['\0t\0i\0m\0e', ['stdin', 'UTF-16', 'UTF-8']],
  ])('stats --from refuses %j, and the error names %j', async (stdin, names) => {
    const { code, err } = await run('stats 110 --from -', { stdin });
    expect(code).toBe(2);
    expect(err).toMatch(naming(...names));
  });
});

describe('stats --by month,sector', () => {
  // In May 2 of 4 readings are from the north, one is calm; in June 1 of 2, and one has no direction.
  const stdin = [
    'time,avg,dir',
    ...['2024-05-31T23:20Z,9,0', '2024-05-31T23:30Z,9,360', '2024-05-31T23:40Z,9,90'],
    ...['2024-05-31T23:50Z,0,0', '2024-06-01T00:00Z,9,0', '2024-06-01T00:10Z,9,', ''],
  ].join('\n');
  const by = (format: string) =>
    run(`stats 110 --from - --by month,sector --sectors 8 -q -f ${format}`, { stdin });
  const [MAY, JUNE] = [
    [0.5, 0, 0.25, 0, 0, 0, 0, 0],
    [0.5, 0, 0, 0, 0, 0, 0, 0],
  ] as const;

  it.each(['ndjson', 'json', 'csv'])(
    'stats --by month,sector in %s has for each sector its frequency among the readings of the month, and no coverage',
    async (format) => {
      const { out } = await by(format);
      const [names = '', ...lines] = out.trimEnd().split('\n');
      const rows: Row[] =
        format === 'csv'
          ? lines.map((line) => Object.fromEntries(zip(names.split(','), line.split(','))))
          : format === 'json'
            ? JSON.parse(out).data
            : parse(out);
      expect(rows.map(({ frequency }) => Number(frequency))).toEqual([...MAY, ...JUNE]);
      for (const row of rows) expect(row).not.toHaveProperty('coverage');
    },
  );

  it('stats --by month,sector in a table has the frequency as a percentage in place of the coverage', async () => {
    const { out } = await by('table');
    expect(out).toMatch(/\n +month +sector +mean km\/h +frequency +max gust/);
    const shares = out.match(/(?<=\n *2024-0\d +\d+ +\S+ +)\d+ %/g);
    expect(shares).toEqual([...MAY, ...JUNE].map((share) => `${100 * share} %`));
  });
});

describe('stats --from a file in knots, m/s or mph', () => {
  it.each([
    ['ms', '5.14', 'avg >= 5.14ms', true],
    ['ms', '5.14', 'avg > 5.14ms', false],
    ['ms', '5.14', 'avg >= 5.143ms', false],
    // 20 km/h are 5.5556 m/s, 10.799 kn and 12.427 mph; 39 km/h are 10.8333 m/s.
    ['ms', '5.56', 'avg > 20kmh', false],
    ['ms', '5.56', 'avg = 20kmh', true],
    ['kn', '10.80', 'avg > 20kmh', false],
    ['mph', '12.43', 'avg > 20kmh', false],
    ['mph', '12.43', 'avg in 19..20kmh', true],
    ['ms', '10.83', 'avg >= 6bft', true],
    ['ms', '5.5601', 'avg > 20kmh', true],
  ])(
    'stats --from a file with wind_speed_avg_%s of %s finds that %s is %s',
    async (unit, speed, condition, isHeld) => {
      const ndjson = (minute: string) =>
        `{"time":"2024-05-01T12:${minute}Z","wind_speed_avg_${unit}":${Number(speed)}}\n`;
      const csv = (minute: string) => `2024-05-01T12:${minute}Z,${speed}\n`;
      const head = `time,wind_speed_avg_${unit}\n`;
      const inputs = [`${head}${csv('00')}${csv('10')}`, `${ndjson('00')}${ndjson('10')}`];
      for (const stdin of inputs) {
        const args = ['stats', '110', '--from', '-', '--where', condition, '-f', 'ndjson'];
        const { code, out, err } = await vane(args, { stdin });
        expect(code, err).toBe(0);
        expect((parse(out)[0]?.hours as number) > 0).toBe(isHeld);
      }
    },
  );
});

it.each(['csv', 'txt', 'ndjson', 'parquet'])(
  'stats --where with daylight and hour finds the same time and spells in a file of %s as at the service',
  async (format) => {
    const file = join(folder, `daylight.${format}`);
    expect((await run(`archive 110 ${PERIOD} -o ${file} -q`)).code).toBe(0);
    for (const words of [['daylight'], ['not', 'daylight'], ['hour', 'in', '20..5']]) {
      const rows = async (...more: readonly string[]) => {
        const line = ['stats', '110', ...more, ...PERIOD.split(' '), '--tz', 'Europe/Paris'];
        const where = ['--where', words.join(' '), '-f', 'ndjson', '-q'];
        const { out } = await vane([...line, ...where, '--base-url', server.baseUrl]);
        return parse(out);
      };
      const expected = (await rows())[0]?.hours;
      expect(expected).toBeGreaterThan(10);
      expect((await rows('--from', file))[0]?.hours).toBe(expected);
      const spells = await rows('--spells');
      expect(spells).not.toEqual([]);
      expect(await rows('--spells', '--from', file)).toEqual(spells);
    }
  },
);
