import type { SchemaElement } from 'hyparquet-writer';
import type { Json } from '../domain/json.ts';
import { COLUMNS, type Reading } from '../domain/reading.ts';
import { namesWithUnits, uniqueNames } from './convert.ts';
import type { ArchiveChunk } from './format.ts';

/** A column of a Parquet file, and its values on their way there. */
export interface Column {
  readonly element: SchemaElement;
  readonly unit: string;
  readonly add: (chunk: ArchiveChunk) => void;
  /** The values added since the last time. */
  readonly drain: () => Float64Array | (number | string | null)[];
}

type ColumnType = Omit<SchemaElement, 'name'>;

const STATION: ColumnType = { type: 'INT32', repetition_type: 'REQUIRED' };
const TIME: ColumnType = {
  type: 'INT64',
  repetition_type: 'REQUIRED',
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
};
const NUMBER: ColumnType = { type: 'DOUBLE', repetition_type: 'OPTIONAL' };
const TEXT: ColumnType = {
  type: 'BYTE_ARRAY',
  repetition_type: 'OPTIONAL',
  converted_type: 'UTF8',
  logical_type: { type: 'STRING' },
};

/** The interface's columns but the time, all of them numbers or null. */
const NUMBER_NAMES: readonly string[] = COLUMNS.slice(1).map(({ name }) => name);

/**
 * The columns of a file: `station` INT32, then those of its first chunk: `time` a TIMESTAMP of
 * milliseconds adjusted to UTC, whatever zone the chunk's times are written in; the interface's
 * others nullable DOUBLE.
 *
 * A column that the interface does not name is a nullable STRING, of numbers too: a file's schema
 * is fixed before its next chunk is known, and the files of a data set must agree on theirs, so a
 * type cannot follow from the values. It holds texts as they are and all else as JSON, so that a
 * cast in the reader gets numbers back.
 */
export function planColumns({ legend, units }: ArchiveChunk): Column[] {
  const [stationName = '', ...names] = uniqueNames(
    ['station', ...namesWithUnits(legend, units)],
    // To DuckDB and Spark names that differ in case are one.
    (name) => name.toLowerCase(),
  );
  const station = numberColumn({ name: stationName, ...STATION }, 'id', (_, station) => station);
  const others = names.map((name, place) => {
    const unit = units[place] ?? '';
    const known = legend[place] ?? '';
    // A name that comes again is another's column, of whatever values.
    const isFirst = legend.indexOf(known) === place;
    if (isFirst && known === 'time') {
      const read = (row: Reading) => Date.parse(row[place] as string);
      return numberColumn({ name, ...TIME }, 'utc', read);
    }
    if (isFirst && NUMBER_NAMES.includes(known)) {
      return numberColumn({ name, ...NUMBER }, unit, (row) => row[place] as number | null);
    }
    return textColumn({ name, ...TEXT }, unit, (row) => writeText(row[place] ?? null));
  });
  return [station, ...others];
}

/**
 * Numbers wait for their row group outside of the heap: 8 bytes each, and nothing for the garbage
 * collector to let the heap grow by. NaN, which JSON does not have, stands for null.
 */
function numberColumn(
  element: SchemaElement,
  unit: string,
  read: (row: Reading, station: number) => number | null,
): Column {
  let pieces: Float64Array[] = [];
  return {
    element,
    unit,
    add({ station, rows }) {
      const values = new Float64Array(rows.count);
      rows.readings.forEach((row, index) => {
        values[index] = read(row, station) ?? Number.NaN;
      });
      pieces.push(values);
    },
    drain() {
      const values = concatenate(pieces);
      pieces = [];
      return values.includes(Number.NaN) ? withNulls(values) : values;
    },
  };
}

function concatenate(pieces: readonly Float64Array[]): Float64Array {
  const whole = new Float64Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let end = 0;
  for (const piece of pieces) {
    whole.set(piece, end);
    end += piece.length;
  }
  return whole;
}

function withNulls(values: Float64Array): (number | null)[] {
  const nullable = new Array<number | null>(values.length).fill(null);
  values.forEach((value, index) => {
    if (!Number.isNaN(value)) nullable[index] = value;
  });
  return nullable;
}

function textColumn(
  element: SchemaElement,
  unit: string,
  read: (row: Reading) => string | null,
): Column {
  let values: (string | null)[] = [];
  return {
    element,
    unit,
    add({ rows }) {
      for (const row of rows.readings) values.push(read(row));
    },
    drain() {
      const drained = values;
      values = [];
      return drained;
    },
  };
}

function writeText(value: Json): string | null {
  return value === null || typeof value === 'string' ? value : JSON.stringify(value);
}
