import { formatDate } from './dates.ts';
import type { Period } from './period.ts';
import type { Reading } from './reading.ts';

/** Length of every time in an archive, such as `2024-05-01T12:00:00.000Z`. */
const TIME_LENGTH = 24;

const LINE_END = 10;

/**
 * Rows of an archive as values or as text. The form that is missing is made at its first use, so an
 * export that changes no value never parses a number.
 */
export class Rows {
  readonly count: number;
  #readings: readonly Reading[] | undefined;
  #bytes: Buffer | undefined;
  #make: (() => Rows) | undefined;
  /** Whether each row is later than the row before; undefined until computed. */
  #isAscending: boolean | undefined;

  private constructor(count: number) {
    this.count = count;
  }

  static ofReadings(readings: readonly Reading[]): Rows {
    const rows = new Rows(readings.length);
    rows.#readings = readings;
    return rows;
  }

  /** Rows from text. @param lines `count` lines in the form of {@link Rows.lines} */
  static ofLines(lines: string, count: number): Rows {
    return Rows.ofBytes(Buffer.from(lines), count);
  }

  /**
   * Rows from text in UTF-8.
   * @param bytes `count` lines in the form of {@link Rows.bytes}
   * @param isAscending whether each row is later than the row before; undefined where not known
   */
  static ofBytes(bytes: Buffer, count: number, isAscending?: boolean): Rows {
    const rows = new Rows(count);
    rows.#bytes = bytes;
    rows.#isAscending = isAscending;
    return rows;
  }

  /** Rows that are made at their first use, if ever. @param make makes the `count` rows */
  static later(count: number, make: () => Rows): Rows {
    const rows = new Rows(count);
    rows.#make = make;
    return rows;
  }

  get readings(): readonly Reading[] {
    this.#readings ??= this.#make?.().readings ?? parseLines(this.lines);
    return this.#readings;
  }

  /**
   * A line for each row: its JSON array without the brackets, ended by LF. Each line is also a line
   * of the service's CSV, byte for byte.
   */
  get lines(): string {
    return this.bytes.toString();
  }

  /** The rows as lines, as in {@link Rows.lines}, in UTF-8. */
  get bytes(): Buffer {
    this.#bytes ??= this.#make?.().bytes ?? Buffer.from(writeLines(this.readings));
    return this.#bytes;
  }

  /**
   * Whether each row is later than the one before it and lies in a period. Fast, since an export
   * checks all of its rows.
   */
  isAscending({ start, stop }: Period): boolean {
    const { bytes } = this;
    if (this.count === 0) return true;
    this.#isAscending ??= ascends(bytes);
    if (!this.#isAscending) return false;
    const lastLine = bytes.lastIndexOf(LINE_END, bytes.length - 2) + 1;
    return timeAt(bytes, 0) >= formatDate(start) && timeAt(bytes, lastLine) < formatDate(stop);
  }

  /**
   * The rows in a period, sorted by time; rows of the same time keep their order, and each keeps
   * its text. Returns these rows themselves where nothing changes.
   */
  within({ start, stop }: Period): Rows {
    const { bytes } = this;
    const [first, end] = [formatDate(start), formatDate(stop)];
    const range = findRange(bytes, first, end);
    if (range === undefined) return sortLines(this.lines, first, end);
    const { begin, count } = range;
    if (count === this.count) return this;
    // A range of ascending rows ascends; a range of disordered rows may ascend or not.
    return Rows.ofBytes(bytes.subarray(begin, range.stop), count, this.#isAscending || undefined);
  }

  /** Whether a row lies in a period. */
  hasAny({ start, stop }: Period): boolean {
    const [first, end] = [formatDate(start), formatDate(stop)];
    for (const time of this.times()) if (time >= first && time < end) return true;
    return false;
  }

  /** These rows followed by `others`, which must have the same columns. */
  followedBy(others: Rows): Rows {
    return Rows.ofBytes(Buffer.concat([this.bytes, others.bytes]), this.count + others.count);
  }

  /** The time of each row, in order. */
  *times(): Generator<string> {
    const { bytes } = this;
    for (let at = 0; at < bytes.length; at = bytes.indexOf(LINE_END, at) + 1) {
      yield timeAt(bytes, at);
    }
  }
}

/** The time of the line that begins at a byte. */
function timeAt(bytes: Buffer, lineStart: number): string {
  return bytes.toString('latin1', lineStart + 1, lineStart + 1 + TIME_LENGTH);
}

function ascends(bytes: Buffer): boolean {
  let latest = 0;
  for (let at = bytes.indexOf(LINE_END) + 1; at < bytes.length; ) {
    if (compareTimes(bytes, at, bytes, latest) <= 0) return false;
    latest = at;
    at = bytes.indexOf(LINE_END, at) + 1;
  }
  return true;
}

/** Compares the times of two lines: negative where the first is earlier. */
function compareTimes(a: Buffer, lineA: number, b: Buffer, lineB: number): number {
  for (let i = 1; i <= TIME_LENGTH; i++) {
    const difference = (a[lineA + i] as number) - (b[lineB + i] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Byte range and number of the rows in `first ≤ time < end`; undefined where rows are not sorted by
 * time.
 */
function findRange(
  bytes: Buffer,
  first: string,
  end: string,
): { begin: number; stop: number; count: number } | undefined {
  const [firstLine, endLine] = [Buffer.from(`"${first}`), Buffer.from(`"${end}`)];
  let begin = 0;
  let stop = 0;
  let count = 0;
  let previous = 0;
  for (let at = 0; at < bytes.length; ) {
    const next = bytes.indexOf(LINE_END, at) + 1;
    if (compareTimes(bytes, at, bytes, previous) < 0) return undefined;
    if (compareTimes(bytes, at, firstLine, 0) < 0) {
      begin = next;
    } else if (compareTimes(bytes, at, endLine, 0) < 0) {
      stop = next;
      count++;
    }
    previous = at;
    at = next;
  }
  return { begin, stop, count };
}

function sortLines(lines: string, first: string, end: string): Rows {
  const timed = lines
    .slice(0, -1)
    .split('\n')
    .map((line) => ({ line, time: line.slice(1, 1 + TIME_LENGTH) }))
    .filter(({ time }) => time >= first && time < end)
    .sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
  return Rows.ofLines(timed.map(({ line }) => `${line}\n`).join(''), timed.length);
}

function parseLines(lines: string): readonly Reading[] {
  return lines === '' ? [] : JSON.parse(`[[${lines.slice(0, -1).replaceAll('\n', '],[')}]]`);
}

function writeLines(readings: readonly Reading[]): string {
  if (readings.length === 0) return '';
  return `${JSON.stringify(readings).slice(2, -2).replaceAll('],[', '\n')}\n`;
}
