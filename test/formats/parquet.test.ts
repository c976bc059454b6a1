import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { parquetMetadata } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEPRECATED_PRESSURE_UNIT } from '../../src/domain/readings/archiveColumns.ts';
import { Chunk } from '../../src/domain/readings/chunk.ts';
import { ArchiveLines } from '../../src/domain/readings/lines.ts';
import type { ArchiveLayout, StationChunk } from '../../src/formats/format.ts';
import { writeParquet } from '../../src/formats/parquet.ts';
import type { ArchiveRow } from '../../src/wire/archive.ts';
import { type FaultyServer, startFaultyServer } from '../support/faulty-server.ts';
import { ARCHIVE_PROVENANCE, thinOut } from '../support/fixture-service.ts';
import { archiveLayout } from '../support/layout.ts';
import { naming } from '../support/naming.ts';
import {
  bufferOf,
  csvRows,
  exportDays,
  parquetOf,
  readCsv,
  readParquet,
} from '../support/parquet.ts';
import { vane } from '../support/run.ts';
import { expectSame } from '../support/same.ts';

/** Two stations in one file, the second with nulls, and a day without rows. */
const twoStations = async (): Promise<StationChunk[]> => [
  ...(await exportDays(110, '2024-01-01', '2024-01-03')),
  ...(await exportDays(603, '2024-01-14', '2024-01-16')),
];

const PERIOD = { start: Date.UTC(1, 0), stop: Date.UTC(9999, 11, 31) };
const HEAD = { ...ARCHIVE_PROVENANCE, pressureUnit: DEPRECATED_PRESSURE_UNIT };

const metadataOf = (bytes: Uint8Array) => parquetMetadata(bufferOf(bytes));

describe('a Parquet file', () => {
  it.each<Partial<ArchiveLayout>>([
    {},
    { unit: 'kn' },
    { unit: 'bft' },
    { zone: 'Europe/Paris' },
    { zone: 'America/St_Johns', unit: 'ms' },
    { columns: ['wind_heading', 'time'] },
    { columns: ['wind_speed_avg', 'pressure'], unit: 'kn' },
  ])('a Parquet file has the rows of the csv with the same options: %j', async (shown) => {
    const [chunks, layout] = [await twoStations(), archiveLayout(shown)];
    const rows = await readParquet(await parquetOf(chunks, layout));
    expect(rows).toHaveLength(2 * 288 + 2);
    expectSame(rows, await csvRows(chunks, layout));
  });

  it('a Parquet file keeps every value exactly', async () => {
    const few = fc.constantFrom(null, 0, 2.25, 22.5);
    // JSON writes a negative zero as 0.
    const any = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
    const number = fc.oneof(few, any);
    const time = fc
      .integer({ min: PERIOD.start, max: PERIOD.stop })
      .map((ms) => new Date(ms).toISOString());
    const reading = fc
      .tuple(time, ...Array.from({ length: 7 }, () => number))
      .map((values) => values as unknown as ArchiveRow);
    const chunk = fc
      .record({ station: fc.nat({ max: 2 ** 31 - 1 }), readings: fc.array(reading) })
      .map(({ station, readings }) => ({
        station,
        chunk: Chunk.ofLines(PERIOD, HEAD, ArchiveLines.ofRows(readings)),
      }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(chunk, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 20 }),
        async (chunks, rowsPerGroup) => {
          const rows = await readParquet(await parquetOf(chunks, archiveLayout(), rowsPerGroup));
          expectSame(rows, await csvRows(chunks));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('a Parquet file has the requested columns with their types, and the station', async () => {
    const { schema } = metadataOf(
      await parquetOf(await twoStations(), archiveLayout({ unit: 'kn' })),
    );
    const double = { type: 'DOUBLE', repetition_type: 'OPTIONAL' };
    expect(schema).toEqual([
      { name: 'root', num_children: 9 },
      { name: 'station', type: 'INT32', repetition_type: 'REQUIRED' },
      {
        name: 'time',
        type: 'INT64',
        repetition_type: 'REQUIRED',
        converted_type: 'TIMESTAMP_MILLIS',
        logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
      },
      { name: 'latitude', ...double },
      { name: 'longitude', ...double },
      { name: 'wind_speed_min_kn', ...double },
      { name: 'wind_speed_avg_kn', ...double },
      { name: 'wind_speed_max_kn', ...double },
      { name: 'wind_heading', ...double },
      { name: 'pressure', ...double },
    ]);
  });

  it('a Parquet file names license, attribution, units and writer in its metadata', async () => {
    const columns = ['time', 'wind_speed_avg', 'wind_heading'] as const;
    const layout = archiveLayout({ unit: 'kn', zone: 'Europe/Paris', columns });
    const metadata = metadataOf(await parquetOf(await twoStations(), layout));
    const entries = metadata.key_value_metadata?.map(({ key, value }) => [key, value]) ?? [];
    const { units, ...terms } = Object.fromEntries(entries);
    const { license, attribution } = ARCHIVE_PROVENANCE;
    expect(terms).toEqual({ license, attribution });
    expect(JSON.parse(units)).toEqual({
      station: 'id',
      time: 'utc',
      wind_speed_avg_kn: 'kn',
      wind_heading: 'degrees',
    });
    expect(metadata.created_by).toMatch(/^vane version \d+\.\d+\.\d+$/);
  });

  it('a Parquet file is compressed, with minimum and maximum of each row group', async () => {
    const { row_groups } = metadataOf(await parquetOf(await twoStations()));
    const columns = row_groups[0]?.columns.map(({ meta_data }) => meta_data) ?? [];
    expect(columns.map((column) => column?.codec)).toEqual(columns.map(() => 'SNAPPY'));
    expect(columns[1]?.statistics).toMatchObject({
      min_value: new Date('2024-01-01T00:00:00.000Z'),
      max_value: new Date('2024-01-15T10:04:03.000Z'),
      null_count: 0n,
    });
    expect(columns.at(-1)?.statistics).toMatchObject({ null_count: 2n * 288n + 2n });
  });

  it('a Parquet file without rows is valid', async () => {
    const bytes = await parquetOf(await exportDays(1333, '2024-01-01', '2024-01-03'));
    const { schema, num_rows, row_groups } = metadataOf(bytes);
    expect(schema).toHaveLength(10);
    expect({ num_rows, row_groups }).toEqual({ num_rows: 0n, row_groups: [] });
    expect(await readParquet(bytes)).toEqual([]);
  });
});

describe('a Parquet row group', () => {
  it('a Parquet row group consists of whole chunks of rows, as they were fetched', async () => {
    const chunks = await exportDays(110, '2024-01-01', '2024-01-06');
    const bytes = await parquetOf(chunks, archiveLayout(), 500);
    const { row_groups } = metadataOf(bytes);
    expect(row_groups.map(({ num_rows }) => num_rows)).toEqual([576n, 576n, 288n]);
    expectSame(await readParquet(bytes), await csvRows(chunks));
  });

  it('a Parquet row group is written before the next chunk is fetched', async () => {
    const events: string[] = [];
    async function* chunks() {
      for (const chunk of await exportDays(110, '2024-01-01', '2024-01-06')) {
        events.push('chunk');
        yield chunk;
      }
    }
    for await (const piece of writeParquet(chunks(), archiveLayout(), 500)) {
      expect(piece.length).toBeGreaterThan(1000);
      events.push('group');
    }
    expect(events.join(' ')).toBe('chunk chunk group chunk chunk group chunk group');
  });
});

const hourly = thinOut((time) => time.slice(14, 16) === '00');

describe('vane archive', () => {
  let server: FaultyServer;
  let folder: string;
  beforeAll(async () => {
    server = await startFaultyServer([], hourly);
    folder = await mkdtemp(join(tmpdir(), 'vane-'));
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  const run = (line: string) =>
    vane(['archive', ...line.split(' '), '--base-url', server.baseUrl, '-q']);

  it.each(['110 --start 2023-11-15 --stop 2024-01-15', '603 --start 2024-01-15 --knots'])(
    'vane archive writes a Parquet file with the rows of the csv for %s',
    async (line) => {
      const file = join(folder, 'wind.parquet');
      expect(await run(`${line} -o ${file}`)).toMatchObject({ code: 0, out: '', err: '' });
      const { out } = await run(`${line} -f csv --header names`);
      const rows = (await readParquet(await readFile(file))).map(({ station, ...row }) => row);
      expectSame(rows, readCsv(out));
    },
  );

  it('vane archive writes Parquet into a pipe', async () => {
    const { code, out } = await run('110 --start 2024-01-02 --stop 2024-01-03 -f parquet');
    expect(code).toBe(0);
    expect(out).toMatch(/^PAR1.*PAR1$/s);
  });

  it.each(['-f parquet', '-o - -f parquet'])(
    'vane archive refuses to write Parquet to a terminal: %s',
    async (flags) => {
      const { code, out, err } = await vane(['archive', '110', '--start=1d', ...flags.split(' ')], {
        stdoutTerminal: { columns: 80 },
      });
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toMatch(naming('parquet', 'terminal', '-o FILE'));
    },
  );
});
