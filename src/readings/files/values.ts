import { formatDate, parseDateIn } from '../../domain/dates.ts';
import { SERVICE_COLUMNS } from '../../domain/readings/archiveColumns.ts';
import { parseUnambiguousStationId } from '../../domain/station.ts';
import { UsageError } from '../../errors.ts';
import { isWireDate } from '../../wire/check.ts';
import { describeFile, fileErrorAtLine, quoteFileValue, valueAsText } from './fault.ts';
import type { FileLayout, ValueColumn } from './layout.ts';
import type { StationColumnsCollector } from './pieces.ts';
import type { TableOptions } from './table.ts';

const WIRE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:Z|[+-]\d\d:\d\d)$/;

/** Whether a date is a real day of the calendar: Date.parse accepts 30 February as 1 March. */
export const isCalendarDay = (date: string): boolean =>
  isWireDate(`${date.slice(0, 10)}T00:00:00.000Z`);

/** The start of the year 10000, before which all dates must be. */
const MAX_MS = Date.UTC(10_000, 0);

/** Maximum length of a date. */
const MAX_DATE_LENGTH = 60;

/**
 * Parses a time as vane archive writes it, or any other date that vane accepts.
 * @returns milliseconds since 1970; NaN for any other value
 */
export function parseCellTime(value: unknown, zone: string): number {
  if (typeof value === 'number') return Math.abs(value) <= MAX_MS ? value : Number.NaN;
  if (typeof value !== 'string' || value.length > MAX_DATE_LENGTH) return Number.NaN;
  if (WIRE_TIME.test(value)) return isCalendarDay(value) ? Date.parse(value) : Number.NaN;
  // Add the minutes to offsets such as +02, as DuckDB writes them.
  const date = value
    .trim()
    .replace(' ', 'T')
    .replace(/(?<=:[\d.]+[+-]\d\d)$/, ':00');
  return parseDateIn(date, zone)?.ms ?? Number.NaN;
}

/** Matches texts for a missing value, such as NA and NaN from R and pandas. */
const MISSING = /^(?:null|na|nan|-)?$/i;

/** Matches the start of numbers in other bases (0x, 0b, 0o), which `Number` would accept. */
const NOT_DECIMAL = /^0[a-z]/i;

/** Parses a decimal number: NaN for a missing value, undefined for any other text. */
export function parseCellNumber(value: unknown): number | undefined {
  if (value === null || Number.isNaN(value)) return Number.NaN;
  const text = typeof value === 'string' ? value.trim() : undefined;
  if (text !== undefined && MISSING.test(text)) return Number.NaN;
  if (text !== undefined && NOT_DECIMAL.test(text)) return undefined;
  const number = text !== undefined || typeof value === 'bigint' ? Number(text ?? value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/**
 * Creates an error about a cell of a file.
 * @param line the line of the row, counted from 1
 */
function wrongCell(path: string, line: number, name: string, expected: string, value: unknown) {
  const found = value === undefined ? 'nothing' : quoteFileValue(value);
  return fileErrorAtLine(path, line, `${name}: expected ${expected}, not ${found}.`);
}

/**
 * Reads the station of a row. A folder `station=110` takes precedence over the column.
 * @param value the cell of the column `station`, if there is one
 * @throws UsageError if nothing names the station, or if a folder names another one
 */
export function readRowStation(
  value: unknown,
  { stationAt }: FileLayout,
  line: number,
  { path, defaultStation, partition }: TableOptions,
): number {
  const id =
    stationAt === undefined ? defaultStation : parseUnambiguousStationId(valueAsText(value));
  const { station: inPath = id } = partition;
  if (id !== undefined && id !== inPath) {
    throw fileErrorAtLine(
      path,
      line,
      `station ${id} is in the folder station=${inPath}; correct one of them.`,
    );
  }
  if (inPath !== undefined) return inPath;
  if (id !== undefined) return id;
  if (stationAt !== undefined) throw wrongCell(path, line, 'station', 'an id such as 110', value);
  throw new UsageError(
    `${describeFile(path)} does not name its station; put the station before the file: 110 --from ${path}.`,
  );
}

/**
 * Reads the time of a row, milliseconds since 1970.
 * @throws UsageError for any other value, and for a time outside of the folder `year=…`
 */
export function readRowTime(
  value: unknown,
  line: number,
  { path, zone, partition: { year, period } }: TableOptions,
): number {
  const time = parseCellTime(value, zone);
  if (period && (time < period.start || time >= period.stop)) {
    throw fileErrorAtLine(
      path,
      line,
      `the time ${formatDate(time)} is in the folder year=${year}; correct one of them.`,
    );
  }
  if (!Number.isNaN(time)) return time;
  throw wrongCell(path, line, 'time', 'a date such as 2024-05-01T12:00:00.000Z', value);
}

/**
 * Reads a value in km/h or degrees; NaN if missing.
 * @throws UsageError for other values
 */
export function readRowNumber(
  value: unknown,
  { name, convert }: ValueColumn,
  line: number,
  { path }: TableOptions,
): number {
  const number = parseCellNumber(value);
  if (number === undefined) {
    const hasComma = typeof value === 'string' && /^-?\d{1,9},\d{1,9}$/.test(value.trim());
    const expected = hasComma ? 'a number with a decimal point, no comma' : 'a number';
    throw wrongCell(path, line, name, expected, value);
  }
  return convert ? convert(number) : number;
}

/**
 * Reads a row, and adds it to those of its station.
 * @param line the line of the row, counted from 1
 * @throws UsageError that names the file, the line and the column
 */
export function addRow(
  cells: readonly unknown[],
  layout: FileLayout,
  line: number,
  options: TableOptions,
  pieces: StationColumnsCollector,
): void {
  const { timeAt, stationAt = -1, sources, writtenIn } = layout;
  const station = readRowStation(cells[stationAt], layout, line, options);
  const row = new Float64Array(SERVICE_COLUMNS.length).fill(Number.NaN);
  row[0] = readRowTime(cells[timeAt], line, options);
  for (const source of sources) {
    row[source.into] = readRowNumber(cells[source.place], source, line, options);
  }
  if (options.wants(station)) pieces.of(station).add(row, writtenIn);
}
