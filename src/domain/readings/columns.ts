import { rangeContainsTime } from '../dates.ts';
import { convertSpeed, type SpeedUnit } from '../units.ts';
import { ARCHIVE_COLUMNS, type ColumnKey, SERVICE_COLUMNS } from './archiveColumns.ts';

type ServiceKey = (typeof SERVICE_COLUMNS)[number]['key'];
type ExtraKey = Exclude<ColumnKey, ServiceKey>;

/**
 * Readings as numbers, one typed array for each column of an archive: times in milliseconds since
 * 1970, speeds in km/h, angles in degrees. NaN stands for a missing value.
 */
export interface Columns
  extends Readonly<Record<ServiceKey, Float64Array>>,
    Readonly<Partial<Record<ExtraKey, Float64Array>>> {
  readonly count: number;
  /**
   * The unit in which a file has the speeds with two decimals; undefined for speeds as measured.
   */
  readonly writtenIn?: SpeedUnit | undefined;
}

/** Builds the eight columns of `count` rows from the arrays that `make` returns for each key. */
export function makeColumns(
  count: number,
  make: (key: ServiceKey, place: number) => Float64Array,
  writtenIn?: SpeedUnit,
): Columns {
  const arrays = SERVICE_COLUMNS.map(({ key }, place) => [key, make(key, place)]);
  return { count, ...Object.fromEntries(arrays), ...(writtenIn && { writtenIn }) };
}

/** Columns whose arrays `map` returns, with as many rows unless `count` says otherwise. */
export function mapColumns(
  columns: Columns,
  map: (values: Float64Array, column: (typeof ARCHIVE_COLUMNS)[number]) => Float64Array,
  count = columns.count,
): Columns {
  const arrays = ARCHIVE_COLUMNS.flatMap((column) => {
    const values = columns[column.key];
    return values === undefined ? [] : [[column.key, map(values, column)]];
  });
  return { ...columns, count, ...Object.fromEntries(arrays) };
}

/** The columns of rows, each an object with a number for each key. All rows have the same keys. */
export function columnsOfRows(rows: readonly Readonly<Record<ServiceKey, number>>[]): Columns {
  const keys = Object.keys(rows[0] ?? makeColumns(0, () => new Float64Array())) as ServiceKey[];
  const arrays = keys.map((key) => [key, Float64Array.from(rows, (row) => row[key])]);
  return { ...Object.fromEntries(arrays), count: rows.length };
}

/** Columns with their speeds in another unit than km/h. */
export function convertColumns(columns: Columns, unit: SpeedUnit): Columns {
  if (unit === 'kmh') return columns;
  const convert = (speedKmh: number): number =>
    Number.isNaN(speedKmh) ? speedKmh : (convertSpeed(speedKmh, unit) as number);
  return mapColumns(columns, (values, column) =>
    column.unit === 'km/h' ? values.map(convert) : values,
  );
}

/** Above the fastest gust on record: 408 km/h at Barrow Island in 1996 (WMO). */
const MAX_KMH = 450;

/**
 * Columns in which impossible values are missing: speeds below 0 or above 450 km/h, and directions
 * outside 0 to 360.
 * @returns the columns, and how many values were impossible
 */
export function withoutImpossibleValues(columns: Columns): {
  possible: Columns;
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

/** Copies of the rows whose numbers `rows` lists, in the order of the list. */
export function pickRows(columns: Columns, rows: Int32Array): Columns {
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

/** The rows whose numbers pass a test; the same columns if all do. */
export function filterRows(columns: Columns, isKept: (row: number) => boolean): Columns {
  const rows = new Int32Array(columns.count);
  let kept = 0;
  for (let row = 0; row < columns.count; row++) if (isKept(row)) rows[kept++] = row;
  return kept === columns.count ? columns : pickRows(columns, rows.subarray(0, kept));
}

/** The rows whose times lie in a period; an end that is not given excludes no row. */
export function rowsWithin(columns: Columns, { start = -Infinity, stop = Infinity }): Columns {
  if (start === -Infinity && stop === Infinity) return columns;
  return filterRows(columns, (row) =>
    rangeContainsTime({ start, stop }, columns.time[row] as number),
  );
}

/**
 * The first row of each time, of rows that ascend by time.
 * @param before the time of the row before these, whose repeats are dropped too
 */
export function firstRowsOfTimes(columns: Columns, before = Number.NaN): Columns {
  const { time } = columns;
  return filterRows(columns, (row) => time[row] !== (row > 0 ? time[row - 1] : before));
}

/** Most rows of a chunk of {@link sortColumnsByTime}. */
const CHUNK = 4096;

/**
 * Yields all rows in order of time, in chunks; rows of one time keep their order.
 * @param chunks is emptied, so that the memory of a chunk is free once it was used
 */
export function* sortColumnsByTime(chunks: Columns[]): Generator<Columns> {
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

function isOrdered(chunks: readonly Columns[]): boolean {
  let last = Number.NEGATIVE_INFINITY;
  return chunks.every(({ time }) =>
    time.every((ms) => {
      const follows = ms >= last;
      last = ms;
      return follows;
    }),
  );
}

/** One set of arrays of the rows of all chunks, which must have the same columns. */
export function joinColumns(chunks: readonly Columns[]): Columns {
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

/** One array of a kind with the numbers of all. */
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
