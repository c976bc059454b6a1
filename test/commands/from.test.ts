import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execaNode } from 'execa';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FaultyServer, startFaultyServer } from '../support/faulty-server.ts';
import { vane } from '../support/run.ts';

const BIN = fileURLToPath(new URL('../../bin/vane.js', import.meta.url));

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vane-places-'));
});
afterAll(() => rm(root, { recursive: true }));

/** A folder for one test. */
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(root, 'test-'));
});

async function put(path: string, text: string): Promise<string> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

const csv = (...rows: string[]) => ['time,wind_speed_avg', ...rows, ''].join('\n');
const rowsAt = (...times: string[]) => csv(...times.map((time) => `${time},5`));

async function readings(...args: string[]): Promise<Record<string, number>> {
  const { code, out, err } = await vane(['stats', ...args, '-f', 'ndjson', '-q']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const rows = out.split('\n').filter((line) => line !== '');
  return Object.fromEntries(
    rows.map((row) => JSON.parse(row)).map(({ station, readings }) => [station, readings]),
  );
}

async function refusal(...args: string[]): Promise<string> {
  const { code, out, err } = await vane(['stats', ...args]);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  return err;
}

describe('--from and the folders station=…/year=…', () => {
  const PERIOD = ['--start', '2023-05', '--stop', '2023-06'];
  const MAY = rowsAt('2023-05-01T00:00:00.000Z', '2023-05-01T00:10:00.000Z');

  it.each([
    ['a folder', () => [folder]],
    ['a glob', () => [join(folder, '*/*/*.csv')]],
    [
      'a list of files',
      () =>
        ['110/year=2023', '110/year=2021', '603/year=2023'].map((place) =>
          join(folder, `station=${place}/data.csv`),
        ),
    ],
  ])(
    '--from %s with stations and a period opens only the folders station=…/year=… that can match',
    async (_, from) => {
      await put('station=110/year=2023/data.csv', MAY);
      for (const place of ['station=110/year=2021', 'station=603/year=2023']) {
        await put(`${place}/data.csv`, 'a file that cannot be read');
      }
      expect(await readings('110', ...PERIOD, '--from', ...from())).toEqual({ 110: 2 });
      expect(await refusal('--from', ...from())).toContain('column names');
    },
  );

  it('--from without a folder station=…/year=… that can match finds no reading, which a note says', async () => {
    await put('station=603/data.csv', MAY);
    const { code, err } = await vane(['stats', '110', '--from', folder]);
    expect([code, err]).toEqual([0, expect.stringContaining('station 110')]);
  });

  it('--from reads rows that lie up to eight days outside of the year of their folder', async () => {
    await put('station=110/year=2021/data.csv', rowsAt('2022-01-08T23:50:00.000Z'));
    await put('station=110/year=2022/data.csv', rowsAt('2022-06-01T00:00:00.000Z'));
    await put('station=110/year=2023/data.csv', rowsAt('2022-12-24T00:00:00.000Z'));
    const all = { 110: 3 };
    expect(await readings('--from', folder)).toEqual(all);
    expect(await readings('110', '--from', folder, '--start', '2022')).toEqual(all);
    expect(await readings('--from', folder, '--start', '2022', '--stop', '2023')).toEqual(all);
    const edges = ['--start', '2022-01-08T23:50Z', '--stop', '2022-12-24T00:01Z'];
    expect(await readings('--from', folder, ...edges)).toEqual(all);
  });

  it('--from uses the folder station=… as the station of rows without an id', async () => {
    await put('station=110/a.csv', 'station,time,wind_speed_avg\nCol,2024-05-01T00:00:00Z,5\n');
    expect(await readings('--from', folder)).toEqual({ 110: 1 });
  });

  it.each(['2025-03-01T00:00:00.000Z', '2024-01-09T00:00:00.000Z', '2022-12-23T23:59:00.000Z'])(
    '--from refuses a row of %s in a folder year=2023 with an error that names file, line and folder',
    async (time) => {
      const file = await put('year=2023/110.csv', rowsAt('2023-05-01T00:00:00.000Z', time));
      const err = await refusal('--from', folder);
      expect(err).toContain(`${file}, line 3:`);
      expect(err).toContain('year=2023');
    },
  );

  describe('that contradict a column station', () => {
    let server: FaultyServer;
    beforeAll(async () => {
      server = await startFaultyServer([]);
    });
    afterAll(() => server.close());

    it.each(['csv', 'txt', 'ndjson', 'parquet'])(
      '--from refuses folders station=… that contradict a column station in %s',
      async (ending) => {
        const file = join(folder, `station=603/data.${ending}`);
        const period = ['--start', '2024-01-03', '--stop', '2024-01-04'];
        const columns = ['--columns', 'station,time,avg', '--base-url', server.baseUrl];
        const { code } = await vane(['archive', '110', ...period, ...columns, '-o', file]);
        expect(code).toBe(0);
        const err = await refusal('603', '--from', folder);
        expect(err).toContain(`${file}, line `);
        expect(err).toMatch(/110 .*station=603/);
      },
    );
  });
});

describe('--from', () => {
  const ROWS = rowsAt('2024-05-01T00:00:00Z');

  it.each([
    ['*.csv', { 1: 1, 2: 1 }],
    ['{2,3/*}.csv', { 2: 1, 34: 1 }],
    ['**/*.csv', { 1: 1, 2: 1, 34: 1 }],
    ['[2-9]*', { 2: 1, 34: 1 }],
    ['../*/?.csv', { 1: 1, 2: 1 }],
    ['./3*', { 34: 1 }],
  ])('--from %s reads a glob of files and folders', async (glob, expected) => {
    for (const name of ['1.csv', '2.csv', '3/34.csv', '3/notes.md']) await put(name, ROWS);
    const args = ['stats', '--from', glob, '-f', 'ndjson', '-q'];
    const { stdout } = await execaNode(BIN, args, { cwd: await onlyFolder() });
    const rows = stdout.split('\n').map((row) => JSON.parse(row));
    const found = rows.map(({ station, readings }) => [station, readings]);
    expect(Object.fromEntries(found)).toEqual(expected);
  });

  /** The folder of the test, moved to a parent without the folders of other tests. */
  async function onlyFolder(): Promise<string> {
    const parent = await mkdtemp(join(root, 'parent-'));
    await rename(folder, join(parent, 'work'));
    return join(parent, 'work');
  }

  it('--from reads a path that is both a glob and the name of a file as that file', async () => {
    const file = await put('wind[1].csv', ROWS);
    await put('wind1.csv', 'a file that cannot be read');
    expect(await readings('110', '--from', file)).toEqual({ 110: 1 });
  });

  it('--from a glob without a match exits with 2', async () => {
    expect(await refusal('--from', join(folder, '*.csv'))).toContain('no file matches');
  });

  it.each(['110', 'PP603', '110,603', 'all'])(
    'the error for the station %s after --from says that stations go before --from',
    async (word) => {
      const file = await put('a.csv', ROWS);
      const err = await refusal('--from', file, word);
      expect(err).toContain(`${word} --from ${file}`);
    },
  );

  it.each(['{station}.csv', '{id}.csv', '1?0.csv'])(
    '--from refuses an --output %s that names one of its files',
    async (name) => {
      const file = await put('110.csv', ROWS);
      const glob = join(folder, '*.csv');
      const output = name.includes('?') ? file : join(folder, name);
      const err = await refusal('--from', glob, '-o', output);
      expect(err).toContain(`would replace ${file}`);
    },
  );

  it.each([
    ['station=603/a.csv', 'station=603/a.csv'],
    ['station=603', 'station={station}/b.csv'],
  ])(
    '--from with the file %s refuses the --output %s, although no row of the file is read',
    async (from, output) => {
      await put('station=603/a.csv', ROWS);
      await put('station=110/a.csv', ROWS);
      const places = [from, 'station=110/a.csv'].map((path) => join(folder, path));
      const err = await refusal('110', '--from', ...places, '-o', join(folder, output));
      expect(err).toContain('of --from');
    },
  );
});
