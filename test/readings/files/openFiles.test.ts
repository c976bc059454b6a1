import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { execa } from 'execa';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import { openFrom, readFrom } from '../../support/fromFiles.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vane-files-'));
});
afterAll(() => rm(root, { recursive: true }));

/** A folder for one test. */
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(root, 'test-'));
});

async function put(path: string, content: string | Uint8Array): Promise<string> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  return file;
}

const at = (minute: number): string => new Date(60_000 * minute).toISOString();
const rows = (...minutes: number[]): string =>
  `time,wind_speed_avg\n${minutes.map((minute) => `${at(minute)},${minute}\n`).join('')}`;
const mixed = (...rows: readonly [station: number, minute: number, speed: number][]): string =>
  `station,time,wind_speed_avg\n${rows.map(([id, minute, speed]) => `${id},${at(minute)},${speed}\n`).join('')}`;

/** The minutes and speeds of each station, in the order in which the stations come. */
async function speeds(input: Parameters<typeof readFrom>[0]) {
  const stations = await readFrom(input);
  return stations.map(({ station, columns }) => [
    station,
    columns.flatMap(({ time }) => [...time].map((ms) => ms / 60_000)),
    columns.flatMap(({ windSpeedAvg }) => [...windSpeedAvg]),
  ]);
}

describe('files are read when their station is reached', () => {
  it.each([
    ['a folder station=…', ['station=1/a.csv', 'station=2/a.csv']],
    ['the name of a file without a column station', ['1.csv', '2.csv']],
  ])(
    'a file of --from is read only when its station is reached, where the station follows from %s',
    async (_, [first = '', second = '']) => {
      await put(first, rows(0, 1));
      await put(second, rows(0).replace(/0\n$/, 'wrong\n'));
      const { chosen, stations } = await openFrom({ paths: [folder], stations: 'all' });
      expect(chosen).toEqual([{ station: 1 }, { station: 2 }]);
      const reading = stations();
      expect(await reading.next()).toMatchObject({ value: { station: 1 } });
      await expect(reading.next()).rejects.toThrow(`${join(folder, second)}, line 2`);
    },
  );

  it('a file of --from is read only when its station is reached, where the command line names a single station', async () => {
    const file = await put('all.csv', mixed([1, 0, 10], [2, 0, 20], [1, 1, 11]));
    const options = { maxMixedReadings: 1 };
    expect(await speeds({ paths: [file], stations: [1], options })).toEqual([
      [1, [0, 1], [10, 11]],
    ]);
  });

  it('a pipe with the name of a station is read once by --from', async () => {
    const pipe = join(folder, '7.csv');
    await execa('mkfifo', [pipe]);
    const [read] = await Promise.all([
      speeds({ paths: [pipe], stations: 'all' }),
      writeFile(pipe, rows(0, 1)),
    ]);
    expect(read).toEqual([[7, [0, 1], [0, 1]]]);
  });
});

describe('files that may mix stations', () => {
  it('files that mix stations yield the stations in the order of their ids, or as the command line names them', async () => {
    const paths = [await put('a.csv', mixed([3, 0, 30], [20, 0, 200], [3, 1, 31]))];
    const [three, twenty] = [
      [3, [0, 1], [30, 31]],
      [20, [0], [200]],
    ];
    expect(await speeds({ paths, stations: 'all' })).toEqual([three, twenty]);
    expect(await speeds({ paths, stations: [20, 3] })).toEqual([twenty, three]);
  });

  it('files that mix stations are refused before they fill the memory, with advice', async () => {
    const input = {
      paths: [
        await put('a.csv', mixed([1, 0, 1], [2, 0, 2])),
        await put('b.csv', mixed([3, 0, 3])),
      ],
      options: { maxMixedReadings: 2 },
    };
    const reading = readFrom({ ...input, stations: 'all' });
    await expect(reading).rejects.toThrow(UsageError);
    await expect(reading).rejects.toThrow(/more than 2 selected readings.* Name .*station/);
    expect(await speeds({ ...input, stations: [1, 3] })).toHaveLength(2);
    const bounds = { start: 0, stop: 0 };
    expect(await speeds({ ...input, stations: 'all', bounds })).toHaveLength(3);
  });

  it('a file that mixes stations adds to the readings of other files, and rows of one time keep the order of the files', async () => {
    const paths = [
      await put('1/2024.csv', rows(0, 2)),
      await put('both.csv', mixed([1, 1, 100], [2, 5, 5], [1, 2, 200])),
      await put('station=1/a.csv', rows(2, 3)),
    ];
    expect(await speeds({ paths, stations: 'all' })).toEqual([
      [1, [0, 1, 2, 2, 2, 3], [0, 100, 2, 200, 2, 3]],
      [2, [5], [5]],
    ]);
  });

  it('files that mix stations are read although the first row of ndjson names no station', async () => {
    const row = (minute: number, station?: number) =>
      `${JSON.stringify({ station, time: at(minute), wind_speed_avg: 5 })}\n`;
    const good = await put('1.ndjson', row(0) + row(1, 1));
    expect(await speeds({ paths: [good], stations: 'all' })).toEqual([[1, [0, 1], [5, 5]]]);
    const mixed = await put('2.ndjson', row(0) + row(1, 603));
    expect(await speeds({ paths: [mixed], stations: 'all' })).toEqual([
      [2, [0], [5]],
      [603, [1], [5]],
    ]);
  });
});

describe('a station that the files lack', () => {
  const read = async (bounds: { start?: number; stop?: number }) => {
    const notes: string[] = [];
    const options = { note: (sentence: string) => void notes.push(sentence) };
    const stations = await speeds({ stations: [110], bounds, options });
    return { stations, notes };
  };

  it('a station that the files lack appears without chunks where the command line names it and the period', async () => {
    expect(await read({ start: 0, stop: 1 })).toEqual({ stations: [[110, [], []]], notes: [] });
  });

  it('a station that the files lack is noted where the period follows from the readings', async () => {
    const notes = ['None of the files contains a reading of station 110.'];
    expect(await read({ start: 0 })).toEqual({ stations: [], notes });
  });
});

it('a station whose readings all lie outside the period appears without chunks', async () => {
  const paths = [await put('1.csv', rows(0)), await put('a.csv', mixed([2, 0, 2], [3, 9, 3]))];
  const bounds = { start: 60_000 };
  expect(await speeds({ paths, stations: 'all', bounds })).toEqual([
    [1, [], []],
    [2, [], []],
    [3, [9], [3]],
  ]);
});

it('a chunk from a file covers its rows, and knows the unit of its file and the first license of the files', async () => {
  const license = (name: string) => `"License","${name}"\n"Attribution","a"\n`;
  const knots = `${license('l1')}time,wind_speed_avg\nutc,kn\n${at(0)},10\n${at(1)},10\n`;
  const paths = [
    await put('b.csv', knots),
    await put('a.csv', `${license('l2')}time,wind_speed_avg\nutc,km/h\n${at(2)},10\n`),
  ];
  const { stations, provenance } = await openFrom({ paths });
  const chunks: unknown[] = [];
  for await (const station of stations()) {
    for await (const { period, columns } of station.chunks) {
      chunks.push([period, columns.writtenIn, [...columns.windSpeedAvg]]);
    }
  }
  expect(chunks).toEqual([
    [{ start: 0, stop: 60_001 }, 'kn', [18.52, 18.52]],
    [{ start: 120_000, stop: 120_001 }, undefined, [10]],
  ]);
  expect(provenance()).toEqual({ license: 'l1', attribution: 'a' });
});

it('a Parquet file in gzip that is larger than the limit is refused', async () => {
  // gzip may have several members: the first bytes of the file, then as many zeros as it may have.
  const bytes = Buffer.concat([gzipSync('PAR1'), gzipSync(Buffer.alloc(2 ** 20))]);
  const paths = [await put('zeros.parquet.gz', bytes)];
  const reading = readFrom({ paths, options: { maxParquetBytes: 2 ** 20 } });
  await expect(reading).rejects.toThrow(/zeros\.parquet\.gz is a Parquet file of more than 1 MiB /);
});
