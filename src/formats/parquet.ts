import type { ByteWriter, ParquetWriter, SchemaElement } from 'hyparquet-writer';
import type { ChunkMetadata } from '../domain/readings/chunk.ts';
import { type Columns, convertColumns } from '../domain/readings/columns.ts';
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
 * After this many rows a row group of the file is complete. Readers divide row groups among their
 * threads and skip row groups by their statistics, so row groups should be neither few nor small;
 * DuckDB advises 100,000 to 1,000,000 rows.
 */
const ROWS_PER_GROUP = 100_000;

/**
 * An archive as an Apache Parquet file, compressed with snappy: a column `station`, then the
 * archive's columns, with the types of {@link planColumns}. The file's key-value metadata hold
 * `license` and `attribution` as the service sends them, and `units`, a JSON object that gives the
 * unit of each column by its name. The name of a converted speed tells the unit too.
 */
export const parquet: ArchiveFormat & FormatTraits = {
  meaning: 'typed columns, compressed with snappy',
  isBinary: true,
  carriesProvenance: ['archive'],
  stationHeaders: HEADER_CHOICES,
  archive: (chunks, layout) => writeParquet(chunks, layout),
};

/**
 * Writes one Parquet file in pieces: each piece is a row group made of whole chunks, and the last
 * one also has the footer. Memory holds one row group at a time.
 * @param rowsPerGroup rows after which a row group ends; only the last one may have fewer
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
    // The field `created_by` of a Parquet file has the form “NAME version NUMBER”, which
    // parquet-java parses.
    createdBy: `vane version ${VERSION}`,
  });
  /** The values of the row group that is not yet written: for each chunk, those of each column. */
  let waiting: Float64Array[][] = [];
  let count = 0;
  return {
    writer,
    /** @returns the number of rows that wait */
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

/** Removes and returns the bytes written since the last call. Offsets still count from the start of the file. */
function drainBytes(bytes: ByteWriter): Uint8Array {
  const piece = new Uint8Array(bytes.getBuffer());
  bytes.index = 0;
  return piece;
}

/** A column of a Parquet file. */
interface Column {
  readonly element: SchemaElement;
  readonly unit: string;
  /** Reads the column's values from a chunk; NaN marks a missing value, since JSON has no NaN. */
  readonly read: (columns: Columns, station: number) => Float64Array;
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

/** The types of columns other than {@link NUMBER}. */
const TYPES: Readonly<Record<string, ColumnType>> = {
  time: TIME,
  readings: INTEGER,
  flag: INTEGER,
};

/**
 * The columns of a file: `station` INT32, then the columns of the first chunk: `time` a TIMESTAMP
 * of milliseconds adjusted to UTC, whatever zone the chunk writes times in; the service's other
 * columns nullable DOUBLE; with `--every`, `readings` INT32 and `coverage` nullable DOUBLE; `flag` INT32.
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

/** The `count` numbers of several arrays, with null for NaN. */
function joinValues(parts: readonly Float64Array[], count: number) {
  const values = new Float64Array(count);
  let at = 0;
  for (const part of parts) {
    values.set(part, at);
    at += part.length;
  }
  return values.includes(Number.NaN) ? withNulls(values) : values;
}

/** Numbers, with null for NaN. A loop is several times as fast as Array.from with a function. */
function withNulls(values: Float64Array): (number | null)[] {
  const list = new Array<number | null>(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    list[i] = Number.isNaN(value) ? null : value;
  }
  return list;
}
