import { MINUTE_MS } from '../../domain/dates.ts';
import { SERVICE_COLUMNS } from '../../domain/readings/archiveColumns.ts';
import { digitAt, MAX_EXACT_LENGTH, POWERS_OF_TEN } from '../../domain/readings/digits.ts';
import { parseUnambiguousStationId } from '../../domain/station.ts';
import type { LineCursor } from './blocks.ts';
import type { FileLayout } from './layout.ts';
import type { StationColumnsCollector, StationRowCollector } from './pieces.ts';
import type { TableOptions } from './table.ts';
import { isCalendarDay } from './values.ts';

/**
 * What a column contains if it is not one of the values of {@link SERVICE_COLUMNS}, which are
 * numbered 1 to 7.
 */
const TIME = 0;
const STATION = -1;
const OTHER = -2;

/** The result of reading a cell in a form that vane does not write. */
const UNREAD = -1;

const DATE_LENGTH = '2024-05-01T'.length;
const TIME_LENGTH = '2024-05-01T12:00:00.000'.length;

// The build replaces `charCodeAt` of a literal by its number, so this costs nothing.
const LF = '\n'.charCodeAt(0);
const QUOTE = '"'.charCodeAt(0);

/**
 * Reads lines as `vane archive` writes them, without creating a string or object per row. That
 * takes a tenth of the time of a csv parser.
 */
export class LineReader {
  readonly #options: TableOptions;
  readonly #pieces: StationColumnsCollector;
  readonly #writtenIn: FileLayout['writtenIn'];
  readonly #delimiter: number;
  /** The kind of each cell of a line. */
  readonly #kinds: Int32Array;
  readonly #converts: (((value: number) => number) | undefined)[] = [];
  /** The values of the current line. */
  readonly #row = new Float64Array(SERVICE_COLUMNS.length).fill(Number.NaN);
  /** The date of the previous line and its midnight. Most lines repeat that date. */
  readonly #date = Buffer.alloc(DATE_LENGTH);
  #midnight = Number.NaN;
  /** The station cell of the previous line, and its id. */
  #cell = '';
  #station: number | undefined;
  /** The station of {@link LineReader.#collector}. */
  #selected: number | undefined;
  /** Collects the rows of the current station; undefined for a station that is not wanted. */
  #collector: StationRowCollector | undefined;

  constructor(
    layout: FileLayout,
    isTabs: boolean,
    options: TableOptions,
    pieces: StationColumnsCollector,
  ) {
    const { timeAt, stationAt, sources, cells, writtenIn } = layout;
    this.#options = options;
    this.#pieces = pieces;
    this.#writtenIn = writtenIn;
    this.#delimiter = (isTabs ? '\t' : ',').charCodeAt(0);
    this.#kinds = new Int32Array(cells).fill(OTHER);
    this.#kinds[timeAt] = TIME;
    if (stationAt === undefined) this.#station = options.defaultStation;
    else this.#kinds[stationAt] = STATION;
    for (const { place, into, convert } of sources) {
      this.#kinds[place] = into;
      this.#converts[into] = convert;
    }
  }

  /**
   * Reads lines up to the first one in another form.
   * @param cursor moved past the lines that are read
   * @returns the index of the first unread byte
   * @throws UsageError of {@link TableOptions.wants}
   */
  read(bytes: Buffer, cursor: LineCursor): number {
    let at = 0;
    while (at < bytes.length) {
      const next = this.#readLine(bytes, at);
      if (next === UNREAD || this.#station === undefined) break;
      if (this.#station !== this.#selected) this.#select(this.#station);
      this.#collector?.add(this.#row, this.#writtenIn);
      at = next;
      cursor.line++;
    }
    return at;
  }

  #select(station: number): void {
    this.#selected = station;
    this.#collector = this.#options.wants(station) ? this.#pieces.of(station) : undefined;
  }

  /**
   * Reads a line into the row.
   * @returns the index after its line end
   */
  #readLine(bytes: Buffer, start: number): number {
    const kinds = this.#kinds;
    const last = kinds.length - 1;
    let at = start;
    for (let place = 0; place <= last; place++) {
      const kind = kinds[place] as number;
      if (kind > TIME) at = this.#readValue(bytes, at, kind);
      else if (kind === TIME) at = this.#readTime(bytes, at);
      else if (kind === STATION) at = this.#readStation(bytes, at);
      else at = this.#skipCell(bytes, at);
      if (at === UNREAD || bytes[at] !== (place === last ? LF : this.#delimiter)) return UNREAD;
      at++;
    }
    return at;
  }

  /**
   * Reads a number, null or empty cell into the row.
   * @returns the index after it
   */
  #readValue(bytes: Buffer, start: number, into: number): number {
    const row = this.#row;
    if (this.#endsCell(bytes, start)) {
      row[into] = Number.NaN;
      return start;
    }
    if (bytes[start] === 'n'.charCodeAt(0)) {
      row[into] = Number.NaN;
      return bytes.toString('latin1', start, start + 4) === 'null' ? start + 4 : UNREAD;
    }
    const isNegative = bytes[start] === '-'.charCodeAt(0);
    const first = isNegative ? start + 1 : start;
    let at = first;
    let number = 0;
    let digit = digitAt(bytes, at);
    for (; digit < 10; digit = digitAt(bytes, ++at)) number = number * 10 + digit;
    if (at === first) return UNREAD;
    if (bytes[at] === '.'.charCodeAt(0)) {
      const point = at++;
      digit = digitAt(bytes, at);
      for (; digit < 10; digit = digitAt(bytes, ++at)) number = number * 10 + digit;
      const decimals = at - point - 1;
      if (decimals === 0 || at - start > MAX_EXACT_LENGTH) return UNREAD;
      // Dividing two exact numbers rounds only once, so the result equals that of parsing the text.
      number /= POWERS_OF_TEN[decimals] as number;
    } else if (at - start > MAX_EXACT_LENGTH) return UNREAD;
    const convert = this.#converts[into];
    const value = isNegative ? -number : number;
    row[into] = convert === undefined ? value : convert(value);
    return at;
  }

  /** Reads a time such as `2024-05-01T12:00:00.000+02:00`, quoted or not, into the row. */
  #readTime(bytes: Buffer, start: number): number {
    const isQuoted = bytes[start] === QUOTE && this.#delimiter === ','.charCodeAt(0);
    const date = isQuoted ? start + 1 : start;
    if (!this.#hasDate(bytes, date) && !this.#readDate(bytes, date)) return UNREAD;
    const zone = date + TIME_LENGTH;
    const offset = readOffset(bytes, zone);
    const time = this.#midnight + readClock(bytes, date + DATE_LENGTH) - offset;
    const { period } = this.#options.partition;
    const isInside = period ? time >= period.start && time < period.stop : !Number.isNaN(time);
    if (!isInside) return UNREAD;
    this.#row[0] = time;
    const end = zone + (bytes[zone] === 'Z'.charCodeAt(0) ? 1 : '+00:00'.length);
    if (!isQuoted) return end;
    return bytes[end] === QUOTE ? end + 1 : UNREAD;
  }

  #hasDate(bytes: Buffer, at: number): boolean {
    const date = this.#date;
    let i = 0;
    while (i < DATE_LENGTH && bytes[at + i] === date[i]) i++;
    return i === DATE_LENGTH;
  }

  #readDate(bytes: Buffer, at: number): boolean {
    const date = bytes.toString('latin1', at, at + DATE_LENGTH);
    if (date.at(-1) !== 'T' || !isCalendarDay(date)) return false;
    this.#date.write(date, 'latin1');
    this.#midnight = Date.parse(date.slice(0, -1));
    return true;
  }

  #readStation(bytes: Buffer, start: number): number {
    const end = this.#skipCell(bytes, start);
    if (end === UNREAD) return UNREAD;
    const cell = bytes.toString('latin1', start, end);
    if (cell === this.#cell) return end;
    this.#cell = cell;
    this.#station = parseUnambiguousStationId(cell);
    const { station: inPath = this.#station } = this.#options.partition;
    // Leave a row that contradicts its folder to the slow path, whose error names the line.
    if (this.#station !== inPath) this.#station = undefined;
    return end;
  }

  #skipCell(bytes: Buffer, start: number): number {
    let at = start;
    while (at < bytes.length && !this.#endsCell(bytes, at))
      if (bytes[at++] === QUOTE) return UNREAD;
    return at;
  }

  #endsCell(bytes: Buffer, at: number): boolean {
    return bytes[at] === this.#delimiter || bytes[at] === LF;
  }
}

/** Parses two digits; NaN for other characters, and for a number of `end` or more. */
function readTwo(bytes: Buffer, at: number, end: number): number {
  const [tens, ones] = [digitAt(bytes, at), digitAt(bytes, at + 1)];
  const number = tens * 10 + ones;
  return tens < 10 && ones < 10 && number < end ? number : Number.NaN;
}

/** Parses a time such as `12:00:00.000` to milliseconds since midnight; NaN for other text. */
function readClock(bytes: Buffer, at: number): number {
  const colon = ':'.charCodeAt(0);
  if (bytes[at + 2] !== colon || bytes[at + 5] !== colon) return Number.NaN;
  if (bytes[at + 8] !== '.'.charCodeAt(0)) return Number.NaN;
  const minutes = readTwo(bytes, at, 24) * 60 + readTwo(bytes, at + 3, 60);
  const seconds = minutes * 60 + readTwo(bytes, at + 6, 60);
  const thousandths = digitAt(bytes, at + 11);
  const ms = readTwo(bytes, at + 9, 100) * 10 + thousandths;
  return thousandths < 10 ? seconds * 1000 + ms : Number.NaN;
}

/** Parses an offset from UTC such as `Z` or `+02:00` to milliseconds; NaN for other text. */
function readOffset(bytes: Buffer, at: number): number {
  if (bytes[at] === 'Z'.charCodeAt(0)) return 0;
  const isAhead = bytes[at] === '+'.charCodeAt(0);
  if (!isAhead && bytes[at] !== '-'.charCodeAt(0)) return Number.NaN;
  if (bytes[at + 3] !== ':'.charCodeAt(0)) return Number.NaN;
  const minutes = readTwo(bytes, at + 1, 24) * 60 + readTwo(bytes, at + 4, 60);
  return (isAhead ? minutes : -minutes) * MINUTE_MS;
}
