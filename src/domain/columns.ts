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
const [LINE_END, QUOTE, COMMA, MINUS, POINT, ZERO, NINE, Z, N] = [
  10, 34, 44, 45, 46, 48, 57, 90, 110,
];

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
  for (let row = 0, at = 0; row < count; row++) {
    if (bytes[at + TIME_LENGTH - 2] !== Z || bytes[at + TIME_LENGTH - 1] !== QUOTE) return false;
    values[row] = readTime(bytes, at + 1);
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
  let byte = bytes[at] as number;
  if (byte === N) {
    values[cell] = Number.NaN;
    return at + 'null'.length;
  }
  const isNegative = byte === MINUS;
  if (isNegative) byte = bytes[++at] as number;
  let digits = 0;
  let pointEnd = 0;
  for (; ; byte = bytes[++at] as number) {
    if (byte >= ZERO && byte <= NINE) digits = digits * 10 + byte - ZERO;
    else if (byte === POINT) pointEnd = at + 1;
    else break;
  }
  if ((byte === COMMA || byte === LINE_END) && at - start <= EXACT_LENGTH) {
    // A quotient of two exact numbers is rounded once, as the number in the text is.
    const value = pointEnd === 0 ? digits : digits / (POWERS_OF_TEN[at - pointEnd] as number);
    values[cell] = isNegative ? -value : value;
    return at;
  }
  while (bytes[at] !== COMMA && bytes[at] !== LINE_END) at++;
  const value = Number(bytes.toString('latin1', start, at));
  values[cell] = value;
  return Number.isNaN(value) ? 0 : at;
}

/** Milliseconds since 1970 of a time such as `2024-05-01T12:00:00.000Z`. */
function readTime(bytes: Buffer, at: number): number {
  const month = readTwo(bytes, at + 5);
  // Years begin in March, so that a leap day is the last one.
  const year = readTwo(bytes, at) * 100 + readTwo(bytes, at + 2) - (month <= 2 ? 1 : 0);
  const leapDays = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + readTwo(bytes, at + 8);
  const days = 365 * year + leapDays + dayOfYear - DAYS_TO_1970;
  const minutes = readTwo(bytes, at + 11) * 60 + readTwo(bytes, at + 14);
  const milliseconds = readTwo(bytes, at + 20) * 10 + (bytes[at + 22] as number) - (ZERO as number);
  return days * 86_400_000 + minutes * 60_000 + readTwo(bytes, at + 17) * 1000 + milliseconds;
}

/** From the day before 1 March of the year 0 to 1 January 1970. */
const DAYS_TO_1970 = 719_469;

function readTwo(bytes: Buffer, at: number): number {
  return (bytes[at] as number) * 10 + (bytes[at + 1] as number) - 11 * (ZERO as number);
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
