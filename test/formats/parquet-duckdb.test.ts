import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { archiveLayout } from '../support/layout.ts';
import { csvRows, exportDays, parquetOf, type Row } from '../support/parquet.ts';

/** The part of DuckDB's interface that these tests use. */
interface DuckDb {
  readonly DuckDBInstance: { create(): Promise<{ connect(): Promise<Connection> }> };
}
interface Connection {
  runAndReadAll(sql: string): Promise<{ getRowObjectsJS(): Row[] }>;
}

/** DuckDB is optional, since it has 70 MB. A variable keeps TypeScript from resolving the import. */
const DUCKDB = '@duckdb/node-api';
const duckDb = await import(/* @vite-ignore */ DUCKDB).then(
  (module: DuckDb) => module,
  () => undefined,
);
if (!duckDb) {
  console.warn(`DuckDB does not read Parquet files here: npm install --no-save ${DUCKDB}`);
}

const RECIPE = readFileSync(new URL('../../docs/recipes/duckdb.md', import.meta.url), 'utf8');
const STATEMENT = /```sql\n(SELECT [^;]*read_parquet[^;]*);/.exec(RECIPE)?.[1] ?? '';

/** Writes the files of `-o 'wind/station={station}/year={year}/data.parquet' --split year`. */
const PARTS = [
  { station: 110, year: 2023, start: '2023-12-20', stop: '2024-01-01' },
  { station: 110, year: 2024, start: '2024-01-01', stop: '2024-01-15T12:05Z' },
  { station: 603, year: 2024, start: '2024-01-14', stop: '2024-01-16' },
  { station: 1333, year: 2024, start: '2024-01-01', stop: '2024-01-02' },
];

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const numbersOf = (rows: readonly Row[], column: string): number[] =>
  rows.map((row) => row[column]).filter((value) => typeof value === 'number');

describe.skipIf(!duckDb)('DuckDB, on a Hive-partitioned data set', () => {
  let folder: string;
  let connection: Connection;
  const csv: (Row & { year: number })[] = [];
  const query = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJS();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vane-'));
    for (const { station, year, start, stop } of PARTS) {
      const chunks = await exportDays(station, start, stop);
      const file = join(folder, `wind/station=${station}/year=${year}/data.parquet`);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, await parquetOf(chunks, archiveLayout(), 1000));
      csv.push(...(await csvRows(chunks)).map((row) => ({ ...row, year })));
    }
    connection = await (await (duckDb as DuckDb).DuckDBInstance.create()).connect();
    await query(`SET file_search_path = '${folder}'`);
    await query(`SET TimeZone = 'UTC'`);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('DuckDB reads the rows of the csv, nulls included, from Hive-partitioned Parquet files', async () => {
    const rows = await query(
      `SELECT * REPLACE (station::INTEGER AS station, year::INTEGER AS year)
       FROM read_parquet('wind/**/*.parquet', hive_partitioning = true) ORDER BY station, time`,
    );
    expect(rows).toHaveLength(12 * 288 + 14 * 288 + 145 + 2);
    expect(rows).toEqual(csv);
  });

  it('DuckDB computes the means and gusts of the rows by the SQL statement of its recipe', async () => {
    const response = await query(STATEMENT.replace('winter/', 'wind/'));
    const groups = PARTS.slice(0, 3).map(({ station, year }) => {
      const rows = csv.filter((row) => row.station === station && row.year === year);
      return {
        station: BigInt(station),
        year: BigInt(year),
        readings: BigInt(rows.length),
        mean: meanOf(numbersOf(rows, 'wind_speed_avg')),
        gust: numbersOf(rows, 'wind_speed_max').sort((a, b) => b - a)[0] ?? null,
      };
    });
    // The fixture's speeds are multiples of 0.25, so their sums are exact in any order.
    expect(response).toEqual(groups);
  });

  it('DuckDB reads the same station from the path and from the Parquet file', async () => {
    const count = (isHive: boolean) =>
      query(
        `SELECT station::INTEGER AS station, count(*)::INTEGER AS readings
         FROM read_parquet('wind/**/*.parquet', hive_partitioning = ${isHive})
         GROUP BY ALL ORDER BY ALL`,
      );
    expect(await count(true)).toEqual(await count(false));
  });

  it('DuckDB reads column types and the keys of license, attribution and units from the Parquet files', async () => {
    const types = await query(
      `DESCRIBE SELECT * FROM read_parquet('wind/**/*.parquet', hive_partitioning = false)`,
    );
    expect(types.map(({ column_type }) => column_type)).toEqual([
      'INTEGER',
      'TIMESTAMP WITH TIME ZONE',
      ...Array.from({ length: 7 }, () => 'DOUBLE'),
    ]);
    const terms = await query(
      `SELECT DISTINCT decode(key) AS key FROM parquet_kv_metadata('wind/**/*.parquet') ORDER BY key`,
    );
    expect(terms.map(({ key }) => key)).toEqual(['attribution', 'license', 'units']);
  });
});
