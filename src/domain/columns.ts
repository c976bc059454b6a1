import { contains } from './dates.ts';
import { COLUMNS } from './reading.ts';
import { convertSpeed, type SpeedUnit } from './units.ts';

/** The names of the eight standard columns of an archive, in the service's order. */
const NAMES = [
  'time',
  'latitude',
  'longitude',
  'windSpeedMin',
  'windSpeedAvg',
  'windSpeedMax',
  'windHeading',
  'pressure',
] as const;

type Name = (typeof NAMES)[number];

/**
 * The eight standard columns of an archive as numbers, one typed array for each: times in
 * milliseconds since 1970, speeds in km/h, angles in degrees. NaN stands for null.
 */
export interface Columns extends Readonly<Record<Name, Float64Array>> {
  readonly count: number;
  /** The unit of a file that has the speeds with two decimals; undefined for speeds as measured. */
  readonly writtenIn?: SpeedUnit | undefined;
}

/** Builds the columns of `count` rows from the arrays that `make` returns for each name and place. */
export function makeColumns(
  count: number,
  make: (name: Name, place: number) => Float64Array,
  writtenIn?: SpeedUnit,
): Columns {
  const arrays = NAMES.map((name, place) => [name, make(name, place)]);
  return { count, ...Object.fromEntries(arrays), ...(writtenIn && { writtenIn }) };
}

/** Columns with their speeds in another unit than km/h. */
export function convertColumns(columns: Columns, unit: SpeedUnit): Columns {
  if (unit === 'kmh') return columns;
  const convert = (speedKmh: number): number =>
    Number.isNaN(speedKmh) ? speedKmh : (convertSpeed(speedKmh, unit) as number);
  return makeColumns(columns.count, (name, place) =>
    COLUMNS[place]?.unit === 'km/h' ? columns[name].map(convert) : columns[name],
  );
}

/** Above the fastest gust on record: 408 km/h at Barrow Island in 1996 (WMO). */
const MAX_KMH = 450;

/**
 * Columns in which impossible values are missing: speeds below 0 or above 450 km/h, and directions
 * outside 0 to 360.
 * @returns the columns, and how many values were impossible
 */
export function possibleColumns(columns: Columns): { possible: Columns; impossible: number } {
  let impossible = 0;
  const replace = (name: Name, place: number): Float64Array => {
    const values = columns[name];
    const isSpeed = COLUMNS[place]?.unit === 'km/h';
    if (!isSpeed && name !== 'windHeading') return values;
    const most = isSpeed ? MAX_KMH : 360;
    let wrong = 0;
    for (const value of values) if (value < 0 || value > most) wrong++;
    impossible += wrong;
    const orMissing = (value: number) => (value < 0 || value > most ? Number.NaN : value);
    return wrong === 0 ? values : values.map(orMissing);
  };
  const possible = makeColumns(columns.count, replace, columns.writtenIn);
  return { possible, impossible };
}

/**
 * The column with a name as in the service, such as `wind_speed_avg`; undefined for other names.
 */
export function columnNamed(columns: Columns, name: string): Float64Array | undefined {
  const key = NAMES[COLUMNS.findIndex((column) => column.name === name)];
  return key && columns[key];
}

/** The rows from `from` to before `to`, as views of the same memory. */
export function sliceRows(columns: Columns, from: number, to: number): Columns {
  if (from === 0 && to === columns.count) return columns;
  return makeColumns(to - from, (name) => columns[name].subarray(from, to), columns.writtenIn);
}

/** Copies of the rows whose numbers `rows` lists, in the order of the list. */
export function pickRows(columns: Columns, rows: Int32Array): Columns {
  return makeColumns(
    rows.length,
    (name) => {
      const values = columns[name];
      const picked = new Float64Array(rows.length);
      for (let i = 0; i < rows.length; i++) picked[i] = values[rows[i] as number] as number;
      return picked;
    },
    columns.writtenIn,
  );
}

/** The rows whose times lie in a period; an end that is not given excludes no row. */
export function rowsWithin(columns: Columns, { start = -Infinity, stop = Infinity }): Columns {
  if (start === -Infinity && stop === Infinity) return columns;
  const { count, time } = columns;
  const rows = allRows(count).filter((row) => contains({ start, stop }, time[row] as number));
  return rows.length === count ? columns : pickRows(columns, rows);
}

/**
 * The given chunks if their rows ascend by time and no time comes twice; otherwise one chunk of all
 * rows, sorted, with the first row of each time.
 */
export function ascendingColumns(chunks: readonly Columns[]): readonly Columns[] {
  if (isOrdered(chunks, (time, last) => time > last)) return chunks;
  const all = joinColumns(chunks);
  return [pickRows(all, sortRows(allRows(all.count), all.time))];
}

/** Most rows of a chunk of {@link orderedColumns}. */
const CHUNK = 4096;

/** Yields all rows in order of time, in chunks; rows of one time keep their order. */
export function* orderedColumns(chunks: readonly Columns[]): Generator<Columns> {
  if (isOrdered(chunks, (time, last) => time >= last)) return yield* chunks;
  const all = joinColumns(chunks);
  const rows = byTime(allRows(all.count), all.time);
  for (let from = 0; from < rows.length; from += CHUNK) {
    yield pickRows(all, rows.subarray(from, from + CHUNK));
  }
}

function isOrdered(
  chunks: readonly Columns[],
  follows: (time: number, last: number) => boolean,
): boolean {
  let last = Number.NEGATIVE_INFINITY;
  return chunks.every(({ count, time }) => {
    for (let row = 0; row < count; row++) {
      if (!follows(time[row] as number, last)) return false;
      last = time[row] as number;
    }
    return true;
  });
}

const allRows = (count: number): Int32Array => Int32Array.from({ length: count }, (_, row) => row);

/** Sorts rows by time, in place. @returns the first row of each time */
export function sortRows(rows: Int32Array, time: Float64Array): Int32Array {
  return byTime(rows, time).filter(
    (row, place, sorted) => place === 0 || time[row] !== time[sorted[place - 1] as number],
  );
}

const byTime = (rows: Int32Array, time: Float64Array): Int32Array =>
  rows.sort((a, b) => (time[a] as number) - (time[b] as number) || a - b);

function joinColumns(chunks: readonly Columns[]): Columns {
  const count = chunks.reduce((sum, chunk) => sum + chunk.count, 0);
  const units = new Set(chunks.map(({ writtenIn }) => writtenIn));
  const [writtenIn] = units.size === 1 ? units : [];
  return makeColumns(
    count,
    (name) => {
      const values = new Float64Array(count);
      let at = 0;
      for (const chunk of chunks) {
        values.set(chunk[name].subarray(0, chunk.count), at);
        at += chunk.count;
      }
      return values;
    },
    writtenIn,
  );
}
