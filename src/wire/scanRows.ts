import { daysInMonth } from '../domain/dates.ts';
import { Rows } from '../domain/rows.ts';

const OPEN = 0x5b;
const CLOSE = 0x5d;
const COMMA = 0x2c;
const QUOTE = 0x22;
const COLON = 0x3a;
const POINT = 0x2e;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const UPPER_T = 0x54;
const UPPER_Z = 0x5a;
const LOWER_L = 0x6c;
const LOWER_N = 0x6e;
const LOWER_U = 0x75;
const LINE_END = 0x0a;

const DATA = '"data"';

/** Stands for the rows in a frame. No service sends it as a row. */
export const NO_ROW = null;

/** A JSON answer taken apart. */
export interface ScannedAnswer {
  readonly rows: Rows;
  /** The answer with {@link NO_ROW} for its rows. */
  readonly frame: string;
}

/** Columns after the time. */
const VALUES = 7;

/** A time between its quotes: `"2024-05-01T12:00:00.000Z"`. */
const QUOTED_TIME_LENGTH = 26;

/** JSON.stringify writes a number of so few digits unchanged: neither rounded nor with an exponent. */
const MOST_DIGITS = 9;
const MOST_DECIMALS = 6;

/**
 * Copies the rows of an archive out of its answer as lines, without parsing their values. It takes
 * rows of a date and seven numbers or nulls only, with no space inside a row, and numbers only as
 * JSON.stringify writes them: parsing and writing such rows would give the same text.
 *
 * One pass over the bytes checks each row, compares its time with the row before and copies it.
 * For 31 days that takes 150 ns a row; JSON.parse alone takes 370, a regular expression 630.
 * @returns undefined for any other answer, valid JSON or not
 */
export function scanRows(bytes: Buffer): ScannedAnswer | undefined {
  const begin = findData(bytes);
  if (begin === undefined) return undefined;
  const lines = new LineWriter(bytes, begin);
  let latestDay = -1;
  let latestTime = -1;
  let isAscending = true;
  let count = 0;
  let at = begin;
  do {
    const open = skipSpaces(bytes, at);
    const start = open + 1;
    const day = readDay(bytes, start);
    const time = readTime(bytes, start);
    if (bytes[open] !== OPEN || day === -1 || time === -1) return undefined;
    if (day < latestDay || (day === latestDay && time <= latestTime)) isAscending = false;
    latestDay = day;
    latestTime = time;
    const close = endOfValues(bytes, start + QUOTED_TIME_LENGTH);
    const next = skipSpaces(bytes, close + 1);
    const isWhole = bytes[close] === CLOSE && (bytes[next] === COMMA || bytes[next] === CLOSE);
    if (!isWhole || close + LineWriter.OVERRUN > bytes.length) return undefined;
    lines.add(start, close);
    count++;
    at = next + 1;
  } while (bytes[at - 1] === COMMA);
  const frame = `${bytes.toString('utf8', 0, begin)}${NO_ROW}]${bytes.toString('utf8', at)}`;
  return { rows: Rows.ofBytes(lines.written(), count, isAscending), frame };
}

/** The index after the bracket that opens the array of rows. */
function findData(bytes: Buffer): number | undefined {
  for (let at = bytes.indexOf(DATA); at !== -1; at = bytes.indexOf(DATA, at + 1)) {
    const colon = skipSpaces(bytes, at + DATA.length);
    const open = skipSpaces(bytes, colon + 1);
    if (bytes[colon] === COLON && bytes[open] === OPEN) return open + 1;
  }
  return undefined;
}

/** The index of the next byte that is not white space in JSON. */
function skipSpaces(bytes: Buffer, from: number): number {
  let at = from;
  for (let byte = bytes[at]; isSpace(byte); byte = bytes[at]) at++;
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The number that two digits write; 100 for any other bytes. */
function twoDigits(bytes: Buffer, at: number): number {
  const tens = (bytes[at] as number) - ZERO;
  const ones = (bytes[at + 1] as number) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : 100;
}

/** The day of a quoted time as the number `yyyyMMdd`; −1 for any other bytes. */
function readDay(bytes: Buffer, at: number): number {
  const century = twoDigits(bytes, at + 1);
  const ofCentury = twoDigits(bytes, at + 3);
  const month = twoDigits(bytes, at + 6);
  const day = twoDigits(bytes, at + 9);
  const isDay = bytes[at] === QUOTE && bytes[at + 5] === MINUS && bytes[at + 8] === MINUS;
  const isYear = century < 100 && ofCentury < 100;
  const year = 100 * century + ofCentury;
  const isInYear = month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  return isDay && isYear && isInYear ? 100 * (100 * year + month) + day : -1;
}

/** The time of day of a quoted time as the number `HHmmssSSS`; −1 for any other bytes. */
function readTime(bytes: Buffer, at: number): number {
  const hour = twoDigits(bytes, at + 12);
  const minute = twoDigits(bytes, at + 15);
  const second = twoDigits(bytes, at + 18);
  const hundredth = twoDigits(bytes, at + 21);
  const thousandth = (bytes[at + 23] as number) - ZERO;
  const isTime =
    bytes[at + 11] === UPPER_T &&
    bytes[at + 14] === COLON &&
    bytes[at + 17] === COLON &&
    bytes[at + 20] === POINT &&
    bytes[at + 24] === UPPER_Z &&
    bytes[at + 25] === QUOTE;
  const isOnClock = hour <= 23 && minute <= 59 && second <= 59;
  const hasFraction = hundredth < 100 && thousandth >= 0 && thousandth <= 9;
  return isTime && isOnClock && hasFraction
    ? 10 * (100 * (100 * (100 * hour + minute) + second) + hundredth) + thousandth
    : -1;
}

/** The index after seven values, each preceded by a comma; −1 for any other bytes. */
function endOfValues(bytes: Buffer, from: number): number {
  let at = from;
  for (let value = 0; value < VALUES; value++) {
    if (bytes[at] !== COMMA) return -1;
    at = endOfValue(bytes, at + 1);
    if (at === -1) return -1;
  }
  return at;
}

/** The index after null or a number as JSON.stringify writes it; −1 for any other bytes. */
function endOfValue(bytes: Buffer, from: number): number {
  if (bytes[from] === LOWER_N) {
    const isNull = bytes[from + 1] === LOWER_U && bytes[from + 2] === LOWER_L;
    return isNull && bytes[from + 3] === LOWER_L ? from + 4 : -1;
  }
  const first = bytes[from] === MINUS ? from + 1 : from;
  // After a leading zero only a point may follow; the caller refuses a digit there.
  const whole = bytes[first] === ZERO ? first + 1 : endOfDigits(bytes, first);
  if (whole === first || whole - first > MOST_DIGITS) return -1;
  if (bytes[whole] !== POINT) return bytes[first] === ZERO && first > from ? -1 : whole;
  const end = endOfDigits(bytes, whole + 1);
  const decimals = end - whole - 1;
  return decimals > 0 && decimals <= MOST_DECIMALS && bytes[end - 1] !== ZERO ? end : -1;
}

function endOfDigits(bytes: Buffer, from: number): number {
  let at = from;
  for (let byte = bytes[at] as number; byte >= ZERO && byte <= NINE; byte = bytes[at] as number) {
    at++;
  }
  return at;
}

/** Collects rows as lines that end in LF. */
class LineWriter {
  /** Bytes that `add` may read after the end of a row. */
  static readonly OVERRUN = 3;
  readonly #from: DataView;
  readonly #to: DataView;
  readonly #bytes: Buffer;
  #length = 0;

  constructor(bytes: Buffer, begin: number) {
    this.#from = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    // A line is shorter than its row: LF takes the place of two brackets.
    this.#bytes = Buffer.allocUnsafeSlow(bytes.length - begin + LineWriter.OVERRUN);
    this.#to = new DataView(this.#bytes.buffer);
  }

  /** Copies four bytes at a time, the last ones beyond `end`: three times as fast as one by one. */
  add(start: number, end: number): void {
    const stop = this.#length + end - start;
    const [source, target] = [this.#from, this.#to];
    for (let at = start, to = this.#length; at < end; at += 4, to += 4) {
      target.setInt32(to, source.getInt32(at));
    }
    this.#bytes[stop] = LINE_END;
    this.#length = stop + 1;
  }

  written(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}
