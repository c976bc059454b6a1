import { COLUMNS } from './reading.ts';
import type { Rows } from './rows.ts';
import { convertSpeed, type SpeedUnit } from './units.ts';

/**
 * The interface's columns of rows as numbers, one typed array for each: speeds in km/h, angles in
 * degrees. NaN stands for null.
 */
export interface Columns {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly time: Float64Array;
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  readonly windSpeedMin: Float64Array;
  readonly windSpeedAvg: Float64Array;
  readonly windSpeedMax: Float64Array;
  /** Degrees the wind comes from. */
  readonly windHeading: Float64Array;
  readonly pressure: Float64Array;
}

/** The names of the columns in the order of the interface. */
const NAMES = [
  'time',
  'latitude',
  'longitude',
  'windSpeedMin',
  'windSpeedAvg',
  'windSpeedMax',
  'windHeading',
  'pressure',
] as const satisfies readonly (keyof Columns)[];

/** The interface's eight columns of rows, without any further column. */
export function columnsOf(rows: Rows): Columns {
  const { count } = rows;
  const values = new Float64Array(NAMES.length * count);
  if (!readLines(rows.bytes, count, values)) copyReadings(rows, values);
  const columns = Object.fromEntries(
    NAMES.map((name, place) => [name, values.subarray(place * count, (place + 1) * count)]),
  );
  return { count, ...columns } as unknown as Columns;
}

/** Columns with their speeds in another unit than km/h. */
export function convertColumns(columns: Columns, unit: SpeedUnit): Columns {
  if (unit === 'kmh') return columns;
  const convert = (speedKmh: number): number =>
    Number.isNaN(speedKmh) ? speedKmh : (convertSpeed(speedKmh, unit) as number);
  const speeds = NAMES.filter((_, place) => COLUMNS[place]?.unit === 'km/h');
  const converted = speeds.map((name) => [name, (columns[name] as Float64Array).map(convert)]);
  return { ...columns, ...Object.fromEntries(converted) };
}

/** The values of a column by the interface's name of it; undefined for a column of another. */
export function columnNamed(columns: Columns, name: string): Float64Array | undefined {
  const key = NAMES[COLUMNS.findIndex((column) => column.name === name)];
  return key && columns[key];
}

/** Bytes of ASCII. */
const LINE_END = 10;
const QUOTE = 34;
const COMMA = 44;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const Z = 90;
const N = 110;

/** Length of a time in its quotes, such as `"2024-05-01T12:00:00.000Z"`. */
const TIME_LENGTH = 26;

/** The digits of a number of at most so many characters are an exact integer. */
const EXACT_LENGTH = 15;
const POWERS_OF_TEN = Float64Array.from({ length: EXACT_LENGTH }, (_, exponent) => 10 ** exponent);

/**
 * Reads lines as {@link Rows.bytes} describes them, one column after the other into `values`. No
 * object, array or text is made for a row.
 * @returns false for a line that does not begin with a time in UTC and seven numbers or nulls
 */
function readLines(bytes: Buffer, count: number, values: Float64Array): boolean {
  let latestDate = Number.NaN;
  let midnight = 0;
  for (let row = 0, at = 0; row < count; row++) {
    if (bytes[at + TIME_LENGTH - 2] !== Z || bytes[at + TIME_LENGTH - 1] !== QUOTE) return false;
    const date = readDate(bytes, at + 1);
    // Most rows are of the same day as the one before.
    if (date !== latestDate) midnight = midnightOf(date);
    latestDate = date;
    values[row] = midnight + readClock(bytes, at + 12);
    at += TIME_LENGTH;
    for (let cell = row + count; cell < values.length; cell += count) {
      if (bytes[at] !== COMMA) return false;
      at = readNumber(bytes, at + 1, values, cell);
      if (at === 0) return false;
    }
    at = bytes[at] === LINE_END ? at + 1 : bytes.indexOf(LINE_END, at) + 1;
  }
  return true;
}

/**
 * Reads a number or null that begins at a byte into a cell of `values`.
 * @returns the place of the comma or line end after it; 0 for any other value
 */
function readNumber(bytes: Buffer, start: number, values: Float64Array, cell: number): number {
  let at = start;
  if (bytes[at] === N) {
    values[cell] = Number.NaN;
    return at + 'null'.length;
  }
  const isNegative = bytes[at] === MINUS;
  if (isNegative) at++;
  let digits = 0;
  let scale = 1;
  let digit = digitAt(bytes, at);
  for (; digit < 10; digit = digitAt(bytes, ++at)) digits = digits * 10 + digit;
  if (bytes[at] === POINT) {
    const pointEnd = ++at;
    digit = digitAt(bytes, at);
    for (; digit < 10; digit = digitAt(bytes, ++at)) digits = digits * 10 + digit;
    scale = POWERS_OF_TEN[at - pointEnd] as number;
  }
  if ((bytes[at] === COMMA || bytes[at] === LINE_END) && at - start <= EXACT_LENGTH) {
    // A quotient of two exact numbers is rounded once, as the number in the text is.
    const value = digits / scale;
    values[cell] = isNegative ? -value : value;
    return at;
  }
  while (bytes[at] !== COMMA && bytes[at] !== LINE_END) at++;
  const value = Number(bytes.toString('latin1', start, at));
  values[cell] = value;
  return Number.isNaN(value) ? 0 : at;
}

/** The value of a digit: it is in the last four bits, where the others are as those of 0. */
function digitAt(bytes: Buffer, at: number): number {
  return (bytes[at] as number) ^ ZERO;
}

/** The digits of a date such as `2024-05-01` as one number. */
function readDate(bytes: Buffer, at: number): number {
  const year = readTwo(bytes, at) * 100 + readTwo(bytes, at + 2);
  return (year * 100 + readTwo(bytes, at + 5)) * 100 + readTwo(bytes, at + 8);
}

/** @param date as {@link readDate} gives it */
function midnightOf(date: number): number {
  const month = Math.floor(date / 100) % 100;
  return new Date(0).setUTCFullYear(Math.floor(date / 10_000), month - 1, date % 100);
}

/** Milliseconds since midnight of a time of day such as `12:00:00.000`. */
function readClock(bytes: Buffer, at: number): number {
  const minutes = readTwo(bytes, at) * 60 + readTwo(bytes, at + 3);
  const seconds = minutes * 60 + readTwo(bytes, at + 6);
  return seconds * 1000 + readTwo(bytes, at + 9) * 10 + digitAt(bytes, at + 11);
}

function readTwo(bytes: Buffer, at: number): number {
  return digitAt(bytes, at) * 10 + digitAt(bytes, at + 1);
}

function copyReadings({ readings, count }: Rows, values: Float64Array): void {
  readings.forEach((reading, row) => {
    values[row] = Date.parse(reading[0]);
    for (let place = 1; place < NAMES.length; place++) {
      const value = reading[place];
      values[place * count + row] = typeof value === 'number' ? value : Number.NaN;
    }
  });
}

/** Chunks whose rows ascend by time, each time once: the chunks as they are, or all in one. */
export function ascendingColumns(chunks: readonly Columns[]): readonly Columns[] {
  let last = Number.NEGATIVE_INFINITY;
  const isAscending = chunks.every(({ count, time }) => {
    for (let row = 0; row < count; row++) {
      if ((time[row] as number) <= last) return false;
      last = time[row] as number;
    }
    return true;
  });
  if (isAscending) return chunks;
  const count = chunks.reduce((sum, chunk) => sum + chunk.count, 0);
  const all = Object.fromEntries(
    NAMES.map((name) => {
      const values = new Float64Array(count);
      let at = 0;
      for (const chunk of chunks) {
        values.set(chunk[name].subarray(0, chunk.count), at);
        at += chunk.count;
      }
      return [name, values];
    }),
  ) as unknown as Omit<Columns, 'count'>;
  const { time } = all;
  const rows = Uint32Array.from({ length: count }, (_, row) => row)
    .sort((a, b) => (time[a] as number) - (time[b] as number) || a - b)
    .filter((row, place, sorted) => place === 0 || time[row] !== time[sorted[place - 1] as number]);
  const picked = NAMES.map((name) => {
    return [name, Float64Array.from(rows, (row) => all[name][row] as number)];
  });
  return [{ count: rows.length, ...Object.fromEntries(picked) }];
}
