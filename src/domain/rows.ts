import { COLUMNS, type Reading } from './reading.ts';

/** Every time the service writes is as long as `2024-05-01T12:00:00.000Z`. */
const TIME_LENGTH = 24;

/**
 * Rows of an archive, as values or as text, whichever they came in; the other form is made when
 * somebody asks for it. An export that changes no value never parses a number.
 */
export class Rows {
  static readonly none = Rows.ofReadings([]);

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
    let before = 0;
    for (let at = lines.indexOf('\n') + 1; at < lines.length; at = lines.indexOf('\n', at) + 1) {
      if (!isLater(lines, at + 1, before + 1)) return false;
      before = at;
    }
    const timeAt = (at: number): string => lines.slice(at + 1, at + 1 + TIME_LENGTH);
    return timeAt(0) >= first && timeAt(before) < end;
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

/** Compares two times where they stand: a text for each of millions would take four times as long. */
function isLater(lines: string, time: number, than: number): boolean {
  for (let i = 0; i < TIME_LENGTH; i++) {
    const difference = lines.charCodeAt(time + i) - lines.charCodeAt(than + i);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

function writeLines(readings: readonly Reading[]): string {
  if (readings.length === 0) return '';
  const isPlain = (readings[0] as Reading).length <= COLUMNS.length;
  // Only texts and arrays of further columns could hold what stands between two rows.
  if (isPlain) return `${JSON.stringify(readings).slice(2, -2).replaceAll('],[', '\n')}\n`;
  return readings.map((reading) => `${JSON.stringify(reading).slice(1, -1)}\n`).join('');
}
