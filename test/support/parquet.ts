import { parse } from 'csv-parse/sync';
import { parquetReadObjects } from 'hyparquet';
import { dateWriter } from '../../src/domain/dates.ts';
import type { SpeedUnit } from '../../src/domain/units.ts';
import { csv } from '../../src/formats/delimited.ts';
import type { ArchiveChunk } from '../../src/formats/format.ts';
import { writeParquet } from '../../src/formats/parquet.ts';
import { presentArchive } from '../../src/formats/present.ts';
import { fixtureService } from './fixture-service.ts';

/** Unit, time zone and columns of an export. */
export interface Shown {
  readonly unit?: SpeedUnit;
  readonly zone?: string;
  readonly columns?: readonly string[];
}

const DAY_MS = 86_400_000;

/** The history of a fixture station in chunks of a day, as an export passes them to a format. */
export async function exportDays(
  station: number,
  start: string,
  stop: string,
  { unit = 'kmh', zone = 'utc', columns }: Shown = {},
): Promise<ArchiveChunk[]> {
  const presentation = { unit, zone, writeDate: dateWriter(zone), columns };
  const { signal } = new AbortController();
  const chunks: ArchiveChunk[] = [];
  for (let day = Date.parse(start); day < Date.parse(stop); day += DAY_MS) {
    const period = { start: day, stop: Math.min(day + DAY_MS, Date.parse(stop)) };
    const archive = await fixtureService.archive(station, period, { signal });
    chunks.push(presentArchive(station, archive, presentation));
  }
  return chunks;
}

export async function* stream<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

export async function parquetOf(
  chunks: Iterable<ArchiveChunk>,
  rowsPerGroup?: number,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of writeParquet(stream(chunks), rowsPerGroup)) pieces.push(piece);
  return Buffer.concat(pieces);
}

export type Row = Record<string, unknown>;

/** The bytes of a Parquet file as an ArrayBuffer, which hyparquet reads. */
export const bufferOf = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer;

export const readParquet = (bytes: Uint8Array): Promise<Row[]> =>
  parquetReadObjects({ file: bufferOf(bytes) });

/** Writes chunks as CSV with a column `station`, and reads the rows back with times as dates. */
export async function csvRows(chunks: Iterable<ArchiveChunk>): Promise<Row[]> {
  let text = '';
  const look = { colour: false, columns: undefined, isUnicode: true };
  const layout = { header: 'names', stationAt: 0 } as const;
  for await (const piece of csv.archive(stream(chunks), layout, look)) text += piece;
  return readCsv(text);
}

/** Reads the rows of a CSV with a header line. */
export function readCsv(text: string): Row[] {
  const cellValue = (name: string, field: string): unknown => {
    if (name === 'time') return new Date(field);
    return field === '' || field === 'null' ? null : Number(field);
  };
  const rows: Record<string, string>[] = parse(text, { columns: true });
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, field]) => [name, cellValue(name, field)])),
  );
}
