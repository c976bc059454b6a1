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

  private constructor(count: number, readings?: readonly Reading[], lines?: string) {
    this.count = count;
    this.#readings = readings;
    this.#lines = lines;
  }

  static ofReadings(readings: readonly Reading[]): Rows {
    return new Rows(readings.length, readings);
  }

  /** @param lines as {@link Rows.lines} describes them, `count` of them */
  static ofLines(lines: string, count: number): Rows {
    return new Rows(count, undefined, lines);
  }

  get readings(): readonly Reading[] {
    this.#readings ??=
      this.count === 0
        ? []
        : JSON.parse(`[[${(this.#lines as string).slice(0, -1).replaceAll('\n', '],[')}]]`);
    return this.#readings as readonly Reading[];
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

function writeLines(readings: readonly Reading[]): string {
  if (readings.length === 0) return '';
  const isPlain = (readings[0] as Reading).length <= COLUMNS.length;
  // Only texts and arrays of further columns could hold what stands between two rows.
  if (isPlain) return `${JSON.stringify(readings).slice(2, -2).replaceAll('],[', '\n')}\n`;
  return readings.map((reading) => `${JSON.stringify(reading).slice(1, -1)}\n`).join('');
}
