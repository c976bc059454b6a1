import type { ByteWriter, ParquetWriter, SchemaElement } from 'hyparquet-writer';
import type { ChunkMetadata } from '../domain/readings/chunk.ts';
import { convertColumns, type ReadingColumns } from '../domain/readings/columns.ts';
import { VERSION } from '../version.ts';
import {
  columnValues,
  describeArchive,
  type WrittenColumn,
  writtenColumns,
} from './archiveRows.ts';
import {
  type ArchiveFormat,
  type ArchiveLayout,
  type FormatTraits,
  HEADER_CHOICES,
  type StationChunk,
} from './format.ts';

/**
 * Number of rows after which a row group ends. Readers distribute row groups over threads and skip
 * some by their statistics, so row groups should be neither few nor small. DuckDB recommends
 * 100,000 to 1,000,000 rows.
 */
const ROWS_PER_GROUP = 100_000;

/**
 * An archive as an Apache Parquet file with snappy compression. {@link planColumns} lists its
 * columns and types. The file's key-value metadata contain `license` and `attribution` as the
 * service sends them, and `units`, a JSON object with the unit of each column. The names of
 * converted speeds contain the unit too.
 */
export const parquet: ArchiveFormat & FormatTraits = {
  meaning: 'typed columns, compressed with snappy',
  isBinary: true,
  carriesProvenance: ['archive'],
  stationHeaders: HEADER_CHOICES,
  archive: (chunks, layout) => writeParquet(chunks, layout),
};

/**
 * Writes a Parquet file in pieces. Each piece is a row group made of whole chunks; the last one
 * also has the footer. Only one row group is in memory.
 * @param rowsPerGroup number of rows after which a row group ends; the last one may have fewer
 */
export async function* writeParquet(
  chunks: AsyncIterable<StationChunk>,
  layout: ArchiveLayout,
  rowsPerGroup: number = ROWS_PER_GROUP,
): AsyncGenerator<Uint8Array> {
  const library = await import('hyparquet-writer');
  const bytes = new library.ByteWriter();
  let file: ReturnType<typeof openFile> | undefined;
  for await (const chunk of chunks) {
    file ??= openFile(chunk.chunk.head, layout, bytes, library.ParquetWriter);
    if (file.add(chunk) < rowsPerGroup) continue;
    file.writeGroup();
    yield drainBytes(bytes);
  }
  file?.writeGroup();
  file?.writer.finish();
  yield drainBytes(bytes);
}

function openFile(
  head: ChunkMetadata,
  layout: ArchiveLayout,
  bytes: ByteWriter,
  Writer: typeof ParquetWriter,
) {
  const columns = planColumns(head, layout);
  const { license, attribution } = describeArchive(layout, head);
  const units = Object.fromEntries(columns.map(({ element, unit }) => [element.name, unit]));
  const writer = new Writer({
    writer: bytes,
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.map(({ element }) => element),
    ],
    kvMetadata: [
      { key: 'license', value: license },
      { key: 'attribution', value: attribution },
      { key: 'units', value: JSON.stringify(units) },
    ],
    // `created_by` must have the form “NAME version NUMBER”, which parquet-java parses.
    createdBy: `vane version ${VERSION}`,
  });
  /** The values of the next row group: for each chunk, an array per column. */
  let waiting: Float64Array[][] = [];
  let count = 0;
  return {
    writer,
    /** @returns the number of rows that are not written yet */
    add({ station, chunk }: StationChunk): number {
      const numbers = convertColumns(chunk.columns, layout.unit);
      waiting.push(columns.map(({ read }) => read(numbers, station)));
      count += chunk.count;
      return count;
    },
    writeGroup(): void {
      if (count === 0) return;
      const columnData = columns.map(({ element: { name } }, place) => {
        const parts = waiting.map((values) => values[place] as Float64Array);
        return { name, data: joinValues(parts, count) };
      });
      writer.write({ columnData, rowGroupSize: count });
      waiting = [];
      count = 0;
    },
  };
}

/**
 * Removes and returns the bytes written since the last call. Offsets still count from the start of
 * the file.
 */
function drainBytes(bytes: ByteWriter): Uint8Array {
  const piece = new Uint8Array(bytes.getBuffer());
  bytes.index = 0;
  return piece;
}

/** A column of a Parquet file. */
interface Column {
  readonly element: SchemaElement;
  readonly unit: string;
  /** Reads the column's values from a chunk. NaN means a missing value. */
  readonly read: (columns: ReadingColumns, station: number) => Float64Array;
}

type ColumnType = Omit<SchemaElement, 'name'>;

const INTEGER: ColumnType = { type: 'INT32', repetition_type: 'REQUIRED' };
const TIME: ColumnType = {
  type: 'INT64',
  repetition_type: 'REQUIRED',
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
};
const NUMBER: ColumnType = { type: 'DOUBLE', repetition_type: 'OPTIONAL' };

/** The types of the columns that are not {@link NUMBER}. */
const TYPES: Readonly<Record<string, ColumnType>> = {
  time: TIME,
  readings: INTEGER,
  flag: INTEGER,
};

/**
 * Lists the columns of a file: `station` (INT32), then those of the first chunk. `time` is a
 * TIMESTAMP in milliseconds, adjusted to UTC, whatever zone the chunk uses. The service's other
 * columns are nullable DOUBLE. With `--every`, `readings` is INT32 and `coverage` nullable DOUBLE.
 * `flag` is INT32.
 */
function planColumns(head: ChunkMetadata, layout: ArchiveLayout): Column[] {
  const others = layout.columns.filter((name) => name !== 'station');
  return writtenColumns({ ...layout, columns: ['station', ...others] }, head).map(planColumn);
}

function planColumn({ name, unitName, unit }: WrittenColumn): Column {
  if (name === 'station') {
    const read: Column['read'] = ({ count }, station) => new Float64Array(count).fill(station);
    return { element: { name, ...INTEGER }, unit, read };
  }
  return {
    element: { name: unitName, ...(TYPES[name] ?? NUMBER) },
    unit: name === 'time' ? 'utc' : unit,
    read: (columns) => columnValues(columns, name),
  };
}

/** Joins arrays into one of `count` numbers, with null for NaN. */
function joinValues(parts: readonly Float64Array[], count: number) {
  const values = new Float64Array(count);
  let at = 0;
  for (const part of parts) {
    values.set(part, at);
    at += part.length;
  }
  return values.includes(Number.NaN) ? withNulls(values) : values;
}

/** Replaces NaN by null. A loop is several times as fast as Array.from with a function. */
function withNulls(values: Float64Array): (number | null)[] {
  const list = new Array<number | null>(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    list[i] = Number.isNaN(value) ? null : value;
  }
  return list;
}
