import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/server.ts';
import { simulatedService } from '../../src/service/simulated/simulatedService.ts';

const BIN = fileURLToPath(new URL('../../bin/vane.js', import.meta.url));
/** The statements of docs/examples. */
const [DUCKDB_SQL, SPARK_SQL] = ['duckdb.sql', 'spark.sql'].map((name) =>
  readFileSync(new URL(`../../docs/examples/${name}`, import.meta.url), 'utf8').replace(/;\n$/, ''),
) as [string, string];

/** DuckDB is optional, since it has 70 MB, and so is Spark, which has 300. */
const DUCKDB = '@duckdb/node-api';
const duckDb = await import(/* @vite-ignore */ DUCKDB).catch(() => undefined);
const hasSpark = spawnSync('python3', ['-c', 'import pyspark']).status === 0 && runsJava();
if (!duckDb) console.warn(`DuckDB computes no statistics here: npm install --no-save ${DUCKDB}`);
if (!hasSpark) console.warn('Spark computes no statistics here: pip install pyspark, and Java 17');

function runsJava(): boolean {
  return spawnSync('java', ['-version']).status === 0;
}

/** Among the simulated stations some measure nothing, some calms only, and some stop for months. */
const STATIONS = '110 2 3 12 17 19 23 25 27 28 33 35 37 41 43 44 57 59 60 65'.split(' ');
/** Months of two years, so that each station has two files. */
const PERIOD = ['--start', '2023-10', '--stop', '2024-04'];
/** The first seconds go to the simulation of a million readings. */
const TIMEOUT_MS = 1_200_000;

const SPARK_PROGRAM = `
import sys
from pyspark.sql import SparkSession
settings = {'spark.ui.enabled': 'false', 'spark.driver.host': '127.0.0.1',
    'spark.driver.bindAddress': '127.0.0.1', 'spark.sql.session.timeZone': 'UTC',
    'spark.sql.jsonGenerator.ignoreNullFields': 'false', 'spark.sql.shuffle.partitions': '4'}
spark = SparkSession.builder.master('local[2]').config(map=settings).getOrCreate()
for row in spark.sql(sys.stdin.read()).toJSON().collect(): print(row)
`;

type Row = Readonly<Record<string, unknown>>;

const NOT_IN_SQL = /^(step_s|coverage|gaps|longest_gap.*)$/;

/** A value of either side as numbers, or null. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value === 'string') return Date.parse(value);
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'bigint') return Number(value);
  return value ?? null;
}

const close = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(close);
  if (typeof value !== 'number' || Number.isInteger(value)) return value;
  // A difference of 5e-11 to 5e-10 of the value.
  return expect.closeTo(value, 9 - Math.floor(Math.log10(Math.abs(value))));
};

describe.skipIf(!duckDb && !hasSpark)('statistics by SQL', () => {
  let folder: string;
  let server: RunningServer;
  let expected: Row[];
  const vane = (...args: string[]) =>
    execa(process.execPath, [BIN, ...args, '--quiet'], {
      cwd: folder,
      env: { VANE_BASE_URL: server.baseUrl, VANE_CACHE_DIR: join(folder, 'cache') },
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vane-sql-'));
    const service = simulatedService(Date.now);
    server = await startServer({ service, host: '127.0.0.1', port: 0, now: Date.now });
    const layout = 'wind/station={station}/year={year}/data.parquet';
    await vane('archive', ...STATIONS, ...PERIOD, '--split', 'year', '-o', layout);
    const { stdout } = await vane('stats', ...STATIONS, ...PERIOD, '-f', 'ndjson');
    expected = stdout
      .split('\n')
      .map((line): Row => JSON.parse(line))
      .filter(({ readings }) => readings !== 0);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  const expectSame = (rows: readonly Row[]): void => {
    const byStation = new Map(rows.map((row) => [Number(row.station), row]));
    expect(byStation.size).toBe(expected.length);
    expect(expected.length).toBeGreaterThan(15);
    for (const row of expected) {
      const names = Object.keys(row).filter((name) => !NOT_IN_SQL.test(name));
      const response = byStation.get(row.station as number);
      const found = Object.fromEntries(names.map((name) => [name, comparable(response?.[name])]));
      const wanted = Object.fromEntries(names.map((name) => [name, close(comparable(row[name]))]));
      expect(found).toEqual(wanted);
      expect(Object.keys(response ?? {}).sort()).toEqual(names.sort());
    }
  };

  it.skipIf(!duckDb)(
    'statistics by the SQL statement duckdb.sql equal those of vane stats',
    async () => {
      const connection = await (await duckDb.DuckDBInstance.create()).connect();
      await connection.run(`SET file_search_path = '${folder}'`);
      expectSame((await connection.runAndReadAll(DUCKDB_SQL)).getRowObjectsJS());
    },
    TIMEOUT_MS,
  );

  it.skipIf(!hasSpark)(
    'statistics by the SQL statement spark.sql equal those of vane stats',
    async () => {
      const { stdout } = await execa('python3', ['-c', SPARK_PROGRAM], {
        cwd: folder,
        input: SPARK_SQL,
        // Half a minute of work is not worth an optimizing compiler and a collector of several threads.
        env: { JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' },
      });
      const rows = stdout.split('\n').filter((line) => line.startsWith('{'));
      expectSame(rows.map((row): Row => JSON.parse(row)));
    },
    TIMEOUT_MS,
  );
});
