import { formatDate } from '../dates.ts';
import type { Json } from '../json.ts';
import type { Period } from '../period.ts';

/** Length of every time in an archive, such as `2024-05-01T12:00:00.000Z`. */
const TIME_LENGTH = 24;

const LINE_END = 10;

/**
 * Rows of an archive as UTF-8 text: each line is the JSON array of a row without its brackets, and
 * ends with LF. The lines are also the rows of the service's csv, byte for byte.
 */
export class ArchiveLines {
  readonly bytes: Buffer;
  /** Number of rows. */
  readonly count: number;
  /** Whether each row is later than the row before; undefined until that is computed. */
  #isAscending: boolean | undefined;

  /** @param isAscending whether each row is later than the row before; undefined if unknown */
  constructor(bytes: Buffer, count: number, isAscending?: boolean) {
    this.bytes = bytes;
    this.count = count;
    this.#isAscending = isAscending;
  }

  /** Creates lines from rows of values, each of which begins with its time. */
  static ofRows(rows: readonly (readonly Json[])[]): ArchiveLines {
    const text =
      rows.length === 0 ? '' : `${JSON.stringify(rows).slice(2, -2).replaceAll('],[', '\n')}\n`;
    return new ArchiveLines(Buffer.from(text), rows.length);
  }

  get text(): string {
    return this.bytes.toString();
  }

  /**
   * Whether each row is later than the row before and in a period. This is fast, since an export
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
   * The rows of a period, sorted by time. The text of rows and the order of rows with equal times
   * stay the same. Returns these lines themselves if nothing changes.
   */
  within({ start, stop }: Period): ArchiveLines {
    const { bytes } = this;
    const [first, end] = [formatDate(start), formatDate(stop)];
    const range = findRange(bytes, first, end);
    if (range === undefined) return sortLines(this.text, first, end);
    const { begin, count } = range;
    if (count === this.count) return this;
    // A range of ascending rows is ascending; a range of unsorted rows may be either.
    return new ArchiveLines(
      bytes.subarray(begin, range.stop),
      count,
      this.#isAscending || undefined,
    );
  }

  /** Drops lines that repeat an earlier line exactly. */
  distinct(): ArchiveLines {
    const lines = new Set(this.text.split('\n').slice(0, -1));
    return new ArchiveLines(Buffer.from([...lines, ''].join('\n')), lines.size);
  }

  /** Whether any row is in a period. */
  hasAny({ start, stop }: Period): boolean {
    const [first, end] = [formatDate(start), formatDate(stop)];
    for (const time of this.times()) if (time >= first && time < end) return true;
    return false;
  }

  /** Appends `others`, which must have the same columns. */
  followedBy(others: ArchiveLines): ArchiveLines {
    return new ArchiveLines(Buffer.concat([this.bytes, others.bytes]), this.count + others.count);
  }

  /** Yields the time of each row, in order. */
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

/** Compares the times of two lines; negative if the first is earlier. */
function compareTimes(a: Buffer, lineA: number, b: Buffer, lineB: number): number {
  for (let i = 1; i <= TIME_LENGTH; i++) {
    const difference = (a[lineA + i] as number) - (b[lineB + i] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Finds the byte range and number of the rows with `first ≤ time < end`; undefined if the rows are
 * not sorted by time.
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

function sortLines(text: string, first: string, end: string): ArchiveLines {
  const timed = text
    .slice(0, -1)
    .split('\n')
    .map((line) => ({ line, time: line.slice(1, 1 + TIME_LENGTH) }))
    .filter(({ time }) => time >= first && time < end)
    .sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
  return new ArchiveLines(Buffer.from(timed.map(({ line }) => `${line}\n`).join('')), timed.length);
}
