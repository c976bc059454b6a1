import { SERVICE_COLUMNS } from './archiveColumns.ts';
import { makeColumns, type ReadingColumns } from './columns.ts';
import { digitAt, MAX_EXACT_LENGTH, POWERS_OF_TEN } from './digits.ts';
import type { ArchiveLines } from './lines.ts';

/** Parses lines of an archive into its eight columns. */
export function parseLines({ bytes, count }: ArchiveLines): ReadingColumns {
  const values = new Float64Array(SERVICE_COLUMNS.length * count);
  readLines(bytes, count, values);
  return makeColumns(count, (_, place) => values.subarray(place * count, (place + 1) * count));
}

/**
 * Length of a time in quotes, such as `"2024-05-01T12:00:00.000Z"`, and of its part up to the `T`.
 */
const QUOTED_TIME_LENGTH = 26;
const DATE_LENGTH = 12;

/**
 * Parses lines in the form of {@link ArchiveLines} into `values`: one column of `count` numbers
 * after the other. For speed, no object, array or string is created for a row.
 */
function readLines(bytes: Buffer, count: number, values: Float64Array): void {
  // Most rows have the same date as the row before, so that date is parsed only once.
  let date = 0;
  let midnight = 0;
  for (let row = 0, at = 0; row < count; row++) {
    if (row === 0 || !isSame(bytes, date, at, DATE_LENGTH)) midnight = readDate(bytes, at + 1);
    date = at;
    values[row] = midnight + readClock(bytes, at + 12);
    at += QUOTED_TIME_LENGTH;
    for (let cell = row + count; cell < values.length; cell += count) {
      at = readNumber(bytes, at + 1, values, cell);
    }
    at++;
  }
}

/** Whether the same bytes are at two places. */
function isSame(bytes: Buffer, a: number, b: number, length: number): boolean {
  let i = 0;
  while (i < length && bytes[a + i] === bytes[b + i]) i++;
  return i === length;
}

/**
 * Parses a number or null into a cell of `values`.
 * @returns the index of the comma or line end after the value
 */
function readNumber(bytes: Buffer, start: number, values: Float64Array, cell: number): number {
  let at = start;
  // The build replaces `charCodeAt` of a literal by its number, so this costs nothing.
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
  if (endsValue(bytes, at) && at - start <= MAX_EXACT_LENGTH) {
    // Dividing two exact numbers rounds only once, so the result equals that of parsing the text.
    const value = digits / scale;
    values[cell] = isNegative ? -value : value;
    return at;
  }
  while (!endsValue(bytes, at)) at++;
  values[cell] = Number(bytes.toString('latin1', start, at));
  return at;
}

function endsValue(bytes: Buffer, at: number): boolean {
  return bytes[at] === ','.charCodeAt(0) || bytes[at] === '\n'.charCodeAt(0);
}

/** Parses a date such as `2024-05-01` to its midnight, milliseconds since 1970. */
function readDate(bytes: Buffer, at: number): number {
  const year = readTwo(bytes, at) * 100 + readTwo(bytes, at + 2);
  return new Date(0).setUTCFullYear(year, readTwo(bytes, at + 5) - 1, readTwo(bytes, at + 8));
}

/** Parses a time such as `12:00:00.000` to milliseconds since midnight. */
function readClock(bytes: Buffer, at: number): number {
  const minutes = readTwo(bytes, at) * 60 + readTwo(bytes, at + 3);
  const seconds = minutes * 60 + readTwo(bytes, at + 6);
  return seconds * 1000 + readTwo(bytes, at + 9) * 10 + digitAt(bytes, at + 11);
}

function readTwo(bytes: Buffer, at: number): number {
  return digitAt(bytes, at) * 10 + digitAt(bytes, at + 1);
}
