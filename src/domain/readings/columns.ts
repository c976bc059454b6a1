import { rangeContainsTime } from '../dates.ts';
import { convertSpeed, type SpeedUnit } from '../units.ts';
import { ARCHIVE_COLUMNS, type ColumnKey, SERVICE_COLUMNS } from './archiveColumns.ts';

type ServiceKey = (typeof SERVICE_COLUMNS)[number]['key'];
type ExtraKey = Exclude<ColumnKey, ServiceKey>;

/**
 * Readings as numbers, in one typed array per column: times in milliseconds since 1970, speeds in
 * km/h, angles in degrees. NaN means a missing value.
 */
export interface ReadingColumns
  extends Readonly<Record<ServiceKey, Float64Array>>,
    Readonly<Partial<Record<ExtraKey, Float64Array>>> {
  readonly count: number;
  /** The unit in which a file stores the speeds with two decimals; undefined for exact speeds. */
  readonly writtenIn?: SpeedUnit | undefined;
}

/** Creates the eight columns of `count` rows. `make` returns the array for each key. */
export function makeColumns(
  count: number,
  make: (key: ServiceKey, place: number) => Float64Array,
  writtenIn?: SpeedUnit,
): ReadingColumns {
  const arrays = SERVICE_COLUMNS.map(({ key }, place) => [key, make(key, place)]);
  return { count, ...Object.fromEntries(arrays), ...(writtenIn && { writtenIn }) };
}

/**
 * Creates columns from the arrays that `map` returns. The number of rows stays the same unless
 * `count` sets it.
 */
export function mapColumns(
  columns: ReadingColumns,
  map: (values: Float64Array, column: (typeof ARCHIVE_COLUMNS)[number]) => Float64Array,
  count = columns.count,
): ReadingColumns {
  const arrays = ARCHIVE_COLUMNS.flatMap((column) => {
    const values = columns[column.key];
    return values === undefined ? [] : [[column.key, map(values, column)]];
  });
  return { ...columns, count, ...Object.fromEntries(arrays) };
}

/** Creates columns from rows, which are objects with a number for each key. */
export function columnsOfRows(
  rows: readonly Readonly<Record<ServiceKey, number>>[],
): ReadingColumns {
  const keys = Object.keys(rows[0] ?? makeColumns(0, () => new Float64Array())) as ServiceKey[];
  const arrays = keys.map((key) => [key, Float64Array.from(rows, (row) => row[key])]);
  return { ...Object.fromEntries(arrays), count: rows.length };
}

/** Converts the speeds of columns from km/h to another unit. */
export function convertColumns(columns: ReadingColumns, unit: SpeedUnit): ReadingColumns {
  if (unit === 'kmh') return columns;
  const convert = (speedKmh: number): number =>
    Number.isNaN(speedKmh) ? speedKmh : (convertSpeed(speedKmh, unit) as number);
  return mapColumns(columns, (values, column) =>
    column.unit === 'km/h' ? values.map(convert) : values,
  );
}

/**
 * Maximum plausible speed. The fastest gust on record is 408 km/h, at Barrow Island in 1996 (WMO).
 */
const MAX_KMH = 450;

/**
 * Replaces impossible values by NaN: speeds below 0 or above 450 km/h, and directions outside 0 to
 * 360.
 * @returns the columns, and the number of impossible values
 */
export function withoutImpossibleValues(columns: ReadingColumns): {
  possible: ReadingColumns;
  impossible: number;
} {
  let impossible = 0;
  const possible = mapColumns(columns, (values, { key, unit }) => {
    if (unit !== 'km/h' && key !== 'windHeading') return values;
    const max = unit === 'km/h' ? MAX_KMH : 360;
    let wrong = 0;
    for (const value of values) if (value < 0 || value > max) wrong++;
    impossible += wrong;
    const orMissing = (value: number) => (value < 0 || value > max ? Number.NaN : value);
    return wrong === 0 ? values : values.map(orMissing);
  });
  return { possible, impossible };
}

/** Copies the rows with the given indexes, in the given order. */
export function pickRows(columns: ReadingColumns, rows: Int32Array): ReadingColumns {
  return mapColumns(
    columns,
    (values) => {
      const picked = new Float64Array(rows.length);
      for (let i = 0; i < rows.length; i++) picked[i] = values[rows[i] as number] as number;
      return picked;
    },
    rows.length,
  );
}

/** Keeps the rows whose index passes a test. Returns the same columns if all do. */
export function filterRows(
  columns: ReadingColumns,
  isKept: (row: number) => boolean,
): ReadingColumns {
  const rows = new Int32Array(columns.count);
  let kept = 0;
  for (let row = 0; row < columns.count; row++) if (isKept(row)) rows[kept++] = row;
  return kept === columns.count ? columns : pickRows(columns, rows.subarray(0, kept));
}

/** Keeps the rows whose times are in a period. Without `start` or `stop`, that end is open. */
export function rowsWithin(
  columns: ReadingColumns,
  { start = -Infinity, stop = Infinity },
): ReadingColumns {
  if (start === -Infinity && stop === Infinity) return columns;
  return filterRows(columns, (row) =>
    rangeContainsTime({ start, stop }, columns.time[row] as number),
  );
}

/**
 * Keeps the first row of each time. Rows must be in order of time.
 * @param before the time of the row before the first; rows with that time are dropped too
 */
export function firstRowsOfTimes(columns: ReadingColumns, before = Number.NaN): ReadingColumns {
  const { time } = columns;
  return filterRows(columns, (row) => time[row] !== (row > 0 ? time[row - 1] : before));
}

/** Maximum number of rows of a chunk from {@link sortColumnsByTime}. */
const CHUNK = 4096;

/**
 * Yields all rows in order of time, in chunks. Rows with the same time keep their order.
 * @param chunks is emptied to free memory early
 */
export function* sortColumnsByTime(chunks: ReadingColumns[]): Generator<ReadingColumns> {
  if (isOrdered(chunks)) {
    for (let next = chunks.shift(); next; next = chunks.shift()) yield next;
    return;
  }
  const all = joinColumns(chunks.splice(0));
  const rows = Int32Array.from(all.time.keys()).sort(
    (a, b) => (all.time[a] as number) - (all.time[b] as number) || a - b,
  );
  for (let from = 0; from < rows.length; from += CHUNK) {
    yield pickRows(all, rows.subarray(from, from + CHUNK));
  }
}

function isOrdered(chunks: readonly ReadingColumns[]): boolean {
  let last = Number.NEGATIVE_INFINITY;
  return chunks.every(({ time }) =>
    time.every((ms) => {
      const follows = ms >= last;
      last = ms;
      return follows;
    }),
  );
}

/** Joins the rows of chunks that have the same columns. */
export function joinColumns(chunks: readonly ReadingColumns[]): ReadingColumns {
  const count = chunks.reduce((sum, chunk) => sum + chunk.count, 0);
  const units = new Set(chunks.map(({ writtenIn }) => writtenIn));
  const [writtenIn] = units.size === 1 ? units : [];
  return makeColumns(
    count,
    (key) =>
      joinArrays(
        Float64Array,
        chunks.map((chunk) => chunk[key]),
      ),
    writtenIn,
  );
}

/** Joins typed arrays of one kind. */
export function joinArrays<A extends Float64Array | Uint8Array>(
  Kind: new (length: number) => A,
  arrays: readonly A[],
): A {
  const all = new Kind(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const array of arrays) {
    all.set(array, at);
    at += array.length;
  }
  return all;
}
