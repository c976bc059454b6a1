import { COLUMNS, type Reading } from './reading.ts';

/** Every time the service writes is as long as `2024-05-01T12:00:00.000Z`. */
const TIME_LENGTH = 24;

/**
 * Rows of an archive, as values or as text, whichever they came in; the other form is made when
 * somebody asks for it. An export that changes no value never parses a number.
 */
export class Rows {
  readonly count: number;
  #readings: readonly Reading[] | undefined;
  #lines: string | undefined;
  /** The bounds that the rows are known to ascend in. */
  #ascendingIn: string | undefined;

  private constructor(count: number, readings?: readonly Reading[], lines?: string) {
    this.count = count;
    this.#readings = readings;
    this.#lines = lines;
  }

  static ofReadings(readings: readonly Reading[]): Rows {
    return new Rows(readings.length, readings);
  }

  /**
   * @param lines as {@link Rows.lines} describes them, `count` of them
   * @param ascendingIn bounds, as `first end`, that somebody found {@link Rows.isAscending} for
   */
  static ofLines(lines: string, count: number, ascendingIn?: string): Rows {
    const rows = new Rows(count, undefined, lines);
    rows.#ascendingIn = ascendingIn;
    return rows;
  }

  get readings(): readonly Reading[] {
    this.#readings ??=
      this.count === 0
        ? []
        : JSON.parse(`[[${(this.#lines as string).slice(0, -1).replaceAll('\n', '],[')}]]`);
    return this.#readings as readonly Reading[];
  }

  /**
   * Whether every row comes after the one before it, none before `first`, all before `end`, each
   * of them written as the interface writes dates. An export asks this of every row there is.
   */
  isAscending(first: string, end: string): boolean {
    const bounds = `${first} ${end}`;
    if (this.#ascendingIn !== bounds && !this.#checkAscending(first, end)) return false;
    this.#ascendingIn = bounds;
    return true;
  }

  #checkAscending(first: string, end: string): boolean {
    const lines = this.lines;
    if (lines === '') return true;
    const timeAt = (at: number): string => lines.slice(at + 1, at + 1 + TIME_LENGTH);
    let latest = timeAt(0);
    if (latest < first) return false;
    for (let at = lines.indexOf('\n') + 1; at < lines.length; at = lines.indexOf('\n', at) + 1) {
      const time = timeAt(at);
      if (time <= latest) return false;
      latest = time;
    }
    return latest < end;
  }

  /**
   * The rows of `first ≤ time < end` by time, each as it came: none is parsed, and rows of one time
   * keep their order. These same rows where that is so already.
   * @param first and `end`, as the interface writes dates
   */
  between(first: string, end: string): Rows {
    const lines = this.#lines;
    if (lines === undefined) return this.#readingsBetween(first, end);
    const stretch = findStretch(lines, first, end);
    if (stretch === undefined) return sortLines(lines, first, end);
    const { begin, stop, count } = stretch;
    if (count === this.count) return this;
    // Rows known to ascend in other bounds do so in narrower ones.
    const bounds = this.#ascendingIn === undefined ? undefined : `${first} ${end}`;
    return count === 0 ? NO_ROWS : Rows.ofLines(lines.slice(begin, stop), count, bounds);
  }

  #readingsBetween(first: string, end: string): Rows {
    const readings = this.#readings as readonly Reading[];
    const inside = readings.filter(([time]) => time >= first && time < end);
    inside.sort(([a], [b]) => compareTimes(a, b));
    const isSame = inside.length === this.count && inside.every((row, i) => row === readings[i]);
    return isSame ? this : Rows.ofReadings(inside);
  }

  /** These rows and then those of the same columns, each as it came. */
  followedBy(others: Rows): Rows {
    if (others.count === 0) return this;
    if (this.count === 0) return others;
    const isText = this.#lines !== undefined || others.#lines !== undefined;
    return isText
      ? Rows.ofLines(this.lines + others.lines, this.count + others.count)
      : Rows.ofReadings([...this.readings, ...others.readings]);
  }

  /** The time of each row, in order. */
  *times(): Generator<string> {
    if (this.#readings) {
      for (const [time] of this.#readings) yield time;
      return;
    }
    const lines = this.#lines as string;
    for (let at = 0; at < lines.length; at = lines.indexOf('\n', at) + 1) {
      yield lines.slice(at + 1, at + 1 + TIME_LENGTH);
    }
  }

  /**
   * A line for each row: the inside of its JSON array, ended by LF. For the interface's own
   * columns that is also the row in the interface's CSV, byte for byte.
   */
  get lines(): string {
    this.#lines ??= writeLines(this.#readings as readonly Reading[]);
    return this.#lines;
  }
}

/** Rows of nothing. */
export const NO_ROWS = Rows.ofReadings([]);

/** Where the rows of a stretch of time are in lines; undefined where rows do not ascend. */
function findStretch(
  lines: string,
  first: string,
  end: string,
): { begin: number; stop: number; count: number } | undefined {
  let begin = 0;
  let stop = 0;
  let count = 0;
  let previous = '';
  for (let at = 0; at < lines.length; ) {
    const next = lines.indexOf('\n', at) + 1;
    const time = lines.slice(at + 1, at + 1 + TIME_LENGTH);
    if (time < previous) return undefined;
    if (time < first) {
      begin = next;
    } else if (time < end) {
      stop = next;
      count++;
    }
    previous = time;
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
    .sort((a, b) => compareTimes(a.time, b.time));
  return Rows.ofLines(timed.map(({ line }) => `${line}\n`).join(''), timed.length);
}

function compareTimes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function writeLines(readings: readonly Reading[]): string {
  if (readings.length === 0) return '';
  const isPlain = (readings[0] as Reading).length <= COLUMNS.length;
  // Only texts and arrays of further columns could hold what stands between two rows.
  if (isPlain) return `${JSON.stringify(readings).slice(2, -2).replaceAll('],[', '\n')}\n`;
  return readings.map((reading) => `${JSON.stringify(reading).slice(1, -1)}\n`).join('');
}
