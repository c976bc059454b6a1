import { type Columns, makeColumns } from './columns.ts';
import { COLUMNS } from './reading.ts';
import type { Rows } from './rows.ts';

/**
 * Reads rows as the interface's eight columns, into the same memory each time: the columns of one
 * reading are overwritten by the next.
 */
export class ColumnReader {
  #values = new Float64Array(0);

  /** The columns of rows, without any further column; good until the next rows are read. */
  read(rows: Rows): Columns {
    const { count } = rows;
    const length = COLUMNS.length * count;
    if (this.#values.length < length) this.#values = new Float64Array(length);
    const values = this.#values.subarray(0, length);
    if (!readLines(rows.bytes, count, values)) copyReadings(rows, values);
    return makeColumns(count, (_, place) => values.subarray(place * count, (place + 1) * count));
  }
}

/** The interface's eight columns of rows, without any further column. */
export function columnsOf(rows: Rows): Columns {
  return new ColumnReader().read(rows);
}

/** Length of a time in its quotes, such as `"2024-05-01T12:00:00.000Z"`, and of its date. */
const TIME_LENGTH = 26;
const DATE_LENGTH = 12;

/** The digits of a number of at most so many characters are an exact integer. */
const EXACT_LENGTH = 15;
const POWERS_OF_TEN = Float64Array.from({ length: EXACT_LENGTH }, (_, exponent) => 10 ** exponent);

/**
 * Reads lines as {@link Rows.bytes} describes them, one column after the other into `values`. No
 * object, array or text is made for a row.
 * @returns false for a line that does not begin with a time in UTC and seven numbers or nulls
 */
function readLines(bytes: Buffer, count: number, values: Float64Array): boolean {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  // Most rows have the date and the location of the row before.
  let date = 0;
  let midnight = 0;
  let location = 0;
  let locationLength = 0;
  for (let row = 0, at = 0; row < count; row++) {
    // The build writes the number of a character in the place of `charCodeAt`.
    if (bytes[at + 24] !== 'Z'.charCodeAt(0) || bytes[at + 25] !== '"'.charCodeAt(0)) return false;
    if (row === 0 || !isSame(words, date, at, DATE_LENGTH)) midnight = readDate(bytes, at + 1);
    date = at;
    values[row] = midnight + readClock(bytes, at + 12);
    at += TIME_LENGTH;
    let cell = row + count;
    // The comma after it is compared too: 4.91 is not 4.915.
    if (locationLength > 0 && isSame(words, location, at, locationLength + 1)) {
      values[cell] = values[cell - 1] as number;
      values[cell + count] = values[cell + count - 1] as number;
      cell += 2 * count;
      at += locationLength;
    } else {
      location = at;
    }
    for (; cell < values.length; cell += count) {
      if (bytes[at] !== ','.charCodeAt(0)) return false;
      at = readNumber(bytes, at + 1, values, cell);
      if (at === 0) return false;
      if (cell === row + 2 * count) locationLength = at - location;
    }
    at = bytes[at] === '\n'.charCodeAt(0) ? at + 1 : bytes.indexOf('\n', at) + 1;
  }
  return true;
}

/** Whether the same characters stand at two places, four of them compared at a time. */
function isSame(words: DataView, a: number, b: number, length: number): boolean {
  if (b + length > words.byteLength) return false;
  let i = 0;
  for (; i + 4 <= length; i += 4)
    if (words.getUint32(a + i) !== words.getUint32(b + i)) return false;
  for (; i < length; i++) if (words.getUint8(a + i) !== words.getUint8(b + i)) return false;
  return true;
}

/**
 * Reads a number or null that begins at a byte into a cell of `values`.
 * @returns the place of the comma or line end after it; 0 for any other value
 */
function readNumber(bytes: Buffer, start: number, values: Float64Array, cell: number): number {
  let at = start;
  if (bytes[at] === 'n'.charCodeAt(0)) {
    values[cell] = Number.NaN;
    return at + 'null'.length;
  }
  const isNegative = bytes[at] === '-'.charCodeAt(0);
  if (isNegative) at++;
  let digits = 0;
  let scale = 1;
  let digit = digitAt(bytes, at);
  for (; digit < 10; digit = digitAt(bytes, ++at)) digits = digits * 10 + digit;
  if (bytes[at] === '.'.charCodeAt(0)) {
    const pointEnd = ++at;
    digit = digitAt(bytes, at);
    for (; digit < 10; digit = digitAt(bytes, ++at)) digits = digits * 10 + digit;
    scale = POWERS_OF_TEN[at - pointEnd] as number;
  }
  if (endsValue(bytes, at) && at - start <= EXACT_LENGTH) {
    // A quotient of two exact numbers is rounded once, as the number in the text is.
    const value = digits / scale;
    values[cell] = isNegative ? -value : value;
    return at;
  }
  while (!endsValue(bytes, at)) at++;
  const value = Number(bytes.toString('latin1', start, at));
  values[cell] = value;
  return Number.isNaN(value) ? 0 : at;
}

function endsValue(bytes: Buffer, at: number): boolean {
  return bytes[at] === ','.charCodeAt(0) || bytes[at] === '\n'.charCodeAt(0);
}

/** The value of a digit: it is in the last four bits, where the others are as those of 0. */
function digitAt(bytes: Buffer, at: number): number {
  return (bytes[at] as number) ^ '0'.charCodeAt(0);
}

/** The midnight that begins a date such as `2024-05-01`, in milliseconds since 1970. */
function readDate(bytes: Buffer, at: number): number {
  const year = readTwo(bytes, at) * 100 + readTwo(bytes, at + 2);
  return new Date(0).setUTCFullYear(year, readTwo(bytes, at + 5) - 1, readTwo(bytes, at + 8));
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
    for (let place = 1; place < COLUMNS.length; place++) {
      const value = reading[place];
      values[place * count + row] = typeof value === 'number' ? value : Number.NaN;
    }
  });
}
