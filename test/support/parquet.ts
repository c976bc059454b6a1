import { parse } from 'csv-parse/sync';
import { parquetReadObjects } from 'hyparquet';
import { Chunk, chunkMetadataOf } from '../../src/domain/readings/chunk.ts';
import { csv } from '../../src/formats/delimited.ts';
import type { ArchiveLayout, StationChunk } from '../../src/formats/format.ts';
import { writeParquet } from '../../src/formats/parquet.ts';
import { fixtureService } from './fixture-service.ts';
import { archiveLayout } from './layout.ts';

const DAY_MS = 86_400_000;

/** The history of a fixture station in chunks of a day, as an export passes them to a format. */
export async function exportDays(
  station: number,
  start: string,
  stop: string,
): Promise<StationChunk[]> {
  const { signal } = new AbortController();
  const chunks: StationChunk[] = [];
  for (let day = Date.parse(start); day < Date.parse(stop); day += DAY_MS) {
    const period = { start: day, stop: Math.min(day + DAY_MS, Date.parse(stop)) };
    const archive = await fixtureService.archive(station, period, { signal });
    chunks.push({ station, chunk: Chunk.ofLines(period, chunkMetadataOf(archive), archive.rows) });
  }
  return chunks;
}

export async function* stream<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

export async function parquetOf(
  chunks: Iterable<StationChunk>,
  layout: ArchiveLayout = archiveLayout(),
  rowsPerGroup?: number,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of writeParquet(stream(chunks), layout, rowsPerGroup)) pieces.push(piece);
  return Buffer.concat(pieces);
}

export type Row = Record<string, unknown>;

/** The bytes of a Parquet file as an ArrayBuffer, which hyparquet reads. */
export const bufferOf = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer;

export const readParquet = (bytes: Uint8Array): Promise<Row[]> =>
  parquetReadObjects({ file: bufferOf(bytes) });

/** Writes chunks as CSV with a column `station`, and reads the rows back with times as dates. */
export async function csvRows(
  chunks: Iterable<StationChunk>,
  layout: ArchiveLayout = archiveLayout(),
): Promise<Row[]> {
  let text = '';
  const look = { colour: false, width: undefined, isUnicode: true };
  const columns = ['station', ...layout.columns] as const;
  const named = { ...layout, header: 'names', columns } as const;
  for await (const piece of csv.archive(stream(chunks), named, look)) text += piece;
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
