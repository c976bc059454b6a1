import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFaultyServer } from '../support/faulty-server.ts';
import { vane } from '../support/run.ts';

const runs = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;

const hasPandas = runs('python3', '-c', 'import pandas');
const hasR = runs('Rscript', '--version');
const DUCKDB = '@duckdb/node-api';
const duckDb = await import(/* @vite-ignore */ DUCKDB).catch(() => undefined);
if (!hasPandas) console.warn('pandas does not read csv here: pip install pandas');
if (!hasR) console.warn('R does not read csv here: apt-get install r-base-core');
if (!duckDb) console.warn(`DuckDB does not read csv here: npm install --no-save ${DUCKDB}`);

const SPEEDS = ['wind_speed_min', 'wind_speed_avg', 'wind_speed_max', 'wind_heading'];
const NUMBERS = ['latitude', 'longitude', ...SPEEDS];
/** The sum of each column of numbers; speeds are multiples of 0.25, and few rows have a position. */
let sums: number[] = [];

const close = (numbers: readonly number[]) => numbers.map((number) => expect.closeTo(number, 6));

describe('a csv with missing values', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vane-'));
    const server = await startFaultyServer([]);
    const line = '603 110 --start 2024-01-15T10 --stop 2024-01-15T10:10 --header names -f csv';
    const { out } = await vane(['archive', ...line.split(' '), '--base-url', server.baseUrl]);
    await server.close();
    const rows: Record<string, string>[] = parse(out, { columns: true });
    expect(rows.some(({ wind_speed_min }) => wind_speed_min === '')).toBe(true);
    sums = NUMBERS.map((name) => rows.reduce((sum, row) => sum + Number(row[name]), 0));
    await writeFile(join(folder, 'wind.csv'), out);
  });
  afterAll(() => rm(folder, { recursive: true }));

  const outputOf = (program: string, ...args: string[]): unknown => {
    const { stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  };

  it.skipIf(!hasPandas)(
    'pandas reads numbers from every column of a csv with missing values',
    () => {
      const script = `import json, pandas
wind = pandas.read_csv('wind.csv', parse_dates=['time'])
numbers = wind[${JSON.stringify(NUMBERS)}]
print(json.dumps([all(kind == 'float64' for kind in numbers.dtypes), numbers.sum().tolist(), str(wind['time'].dtype)[:10], str(wind['pressure'].dtype)]))`;
      expect(outputOf('python3', '-c', script)).toEqual([
        true,
        close(sums),
        'datetime64',
        'float64',
      ]);
    },
    60_000,
  );

  it.skipIf(!hasR)(
    'R reads numbers from every column of a csv with missing values',
    () => {
      const names = NUMBERS.map((name) => `'${name}'`).join(',');
      const script = `wind <- read.csv('wind.csv')
numbers <- wind[c(${names})]
sums <- sapply(numbers, function(column) sum(as.numeric(column), na.rm = TRUE))
isText <- any(sapply(wind[names(wind) != 'time'], is.character))
cat(sprintf('[%s,[%s]]', if (isText) 'true' else 'false', paste(sums, collapse = ',')))`;
      expect(outputOf('Rscript', '-e', script)).toEqual([false, close(sums)]);
    },
    60_000,
  );

  it.skipIf(!duckDb)(
    'DuckDB reads numbers from every column of a csv with missing values',
    async () => {
      const connection = await (await duckDb.DuckDBInstance.create()).connect();
      const query = async (sql: string) =>
        (await connection.runAndReadAll(sql)).getRowObjectsJS() as Record<string, unknown>[];
      await query(`SET file_search_path = '${folder}'`);
      const columns = NUMBERS.map((name) => `sum(${name})::DOUBLE AS ${name}`).join(', ');
      const [row = {}] = await query(`SELECT ${columns} FROM 'wind.csv'`);
      expect(Object.values(row)).toEqual(close(sums));
    },
  );
});
