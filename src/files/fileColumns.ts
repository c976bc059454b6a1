import { formatDate, parseDateIn } from '../domain/dates.ts';
import { COLUMNS, STEP_COLUMNS } from '../domain/reading.ts';
import { parseKnownStationId } from '../domain/station.ts';
import { alternatives } from '../domain/text.ts';
import { LINEAR_UNIT_NAMES, SPEED_UNITS, type SpeedUnit, speedInKmh } from '../domain/units.ts';
import { UsageError } from '../errors.ts';
import { LEGEND } from '../wire/archive.ts';
import { isWireDate } from '../wire/check.ts';
import { type Batches, UNKNOWN, type Values } from './batches.ts';
import { excerpt, faultAt, fileName, textOf } from './fault.ts';
import type { Partition } from './partition.ts';

/** A column of a file of `--from` with wind speeds, wind directions or positions. */
interface Source {
  readonly name: string;
  readonly place: number;
  readonly into: keyof Values;
  readonly unit: SpeedUnit | undefined;
  /** Converts a value to km/h; undefined where the file has km/h or degrees. */
  readonly convert: ((value: number) => number) | undefined;
}

/** The places of the columns of a file, counted from 0. */
export interface Layout {
  readonly timeAt: number;
  /** The place of the column `station`; undefined in a file without that column. */
  readonly stationAt: number | undefined;
  readonly sources: readonly Source[];
  /** The unit of all speeds; undefined where they are in km/h or in several units. */
  readonly writtenIn: SpeedUnit | undefined;
  /**
   * Makes a line of the interface's eight columns of the cells `$1`, `$2` … after `station`;
   * undefined where `station` is not first, or for many columns.
   */
  readonly template: string | undefined;
  /** The number of columns. */
  readonly cells: number;
  /** The number of columns beside `station`. */
  readonly width: number;
  /** Whether the columns are the interface's eight in order; speeds may be in any unit. */
  readonly isService: boolean;
  /** Whether the rows are steps of `--every`, each of many readings. */
  readonly isSteps: boolean;
}

const INTO = {
  latitude: 'latitude',
  longitude: 'longitude',
  wind_speed_min: 'windSpeedMin',
  wind_speed_avg: 'windSpeedAvg',
  wind_speed_max: 'windSpeedMax',
  wind_heading: 'windHeading',
} as const;

/** The columns in degrees, whose names never end in a unit. */
const DEGREES = ['latitude', 'longitude', 'wind_heading'];

/** Most columns of a file that {@link Layout.template} covers. */
const MAX_TEMPLATE_COLUMNS = 20;

const LABELS = alternatives(LINEAR_UNIT_NAMES.map((unit) => SPEED_UNITS[unit].label));

/**
 * Finds the columns of a file by their names.
 * @param units labels of the units by column; undefined where the names end in the unit
 * @returns the layout, or a sentence that says what is wrong
 */
export function findLayout(
  written: readonly string[],
  units: readonly string[] | undefined,
): Layout | string {
  const names = written.map(fullName);
  const timeAt = names.indexOf('time');
  if (timeAt === -1) return 'there is no column “time”; --from reads what vane archive wrote.';
  const sources: Source[] = [];
  const plainNames = [...names];
  for (const [column, into] of Object.entries(INTO)) {
    const source = findColumn(column, names, units);
    if (typeof source === 'string') return source;
    if (source === undefined) continue;
    sources.push({ ...source, into });
    plainNames[source.place] = column;
  }
  if (!sources.some(({ into }) => into.startsWith('wind')))
    return 'there is no wind column, such as wind_speed_avg.';
  const stationAt = names.indexOf('station');
  const bare = plainNames.toSpliced(0, stationAt === 0 ? 1 : 0);
  const cells = LEGEND.map((name) => (bare.includes(name) ? `$${bare.indexOf(name) + 1}` : 'null'));
  const [unit, ...others] = new Set(sources.flatMap((source) => source.unit ?? []));
  const isSteps = STEP_COLUMNS.some(({ name }) => names.includes(name));
  return {
    timeAt,
    stationAt: stationAt === -1 ? undefined : stationAt,
    sources,
    writtenIn: unit === 'kmh' || others.length > 0 ? undefined : unit,
    template: stationAt <= 0 && bare.length <= MAX_TEMPLATE_COLUMNS ? cells.join(',') : undefined,
    cells: names.length,
    width: bare.length,
    isService: String(plainNames) === String(LEGEND),
    isSteps,
  };
}

/** The full name of a column in any case or of a short name: `wind_speed_avg_kn` of `Avg_kn`. */
export function fullName(written: string): string {
  const name = written.trim().toLowerCase();
  const column = COLUMNS.find(({ short }) => name === short || name.startsWith(`${short}_`));
  return column ? column.name + name.slice(column.short.length) : name;
}

/** Says that a file has steps: its statistics and pictures are not those of the readings. */
export function noteSteps({ isSteps }: Layout, path: string, note: (text: string) => void): void {
  if (!isSteps) return;
  note(
    `${fileName(path)} was written with --every, so each row counts as one reading. Export without --every to use the readings themselves.`,
  );
}

/**
 * Finds a column of the interface. The name of a speed may end in its unit, as in
 * `wind_speed_avg_kn`.
 * @returns undefined without such a column; a sentence that says why its unit is refused
 */
function findColumn(
  column: string,
  names: readonly string[],
  units: readonly string[] | undefined,
): Omit<Source, 'into'> | string | undefined {
  if (DEGREES.includes(column)) {
    const place = names.indexOf(column);
    return place === -1 ? undefined : { name: column, place, unit: undefined, convert: undefined };
  }
  for (const { suffix, label } of Object.values(SPEED_UNITS)) {
    const name = column + suffix;
    const place = names.indexOf(name);
    if (place === -1) continue;
    const written = units?.[place] ?? label;
    const unit = LINEAR_UNIT_NAMES.find((one) => SPEED_UNITS[one].label === written);
    if (unit === undefined) {
      const reason =
        written === SPEED_UNITS.bft.label ? ': a Beaufort force is a range of speeds' : '';
      return `${name} is in ${excerpt(written)}${reason}. Write the file again in ${LABELS}.`;
    }
    const convert = (value: number): number => speedInKmh(value, unit) as number;
    return { name, place, unit, convert: unit === 'kmh' ? undefined : convert };
  }
  return undefined;
}

const WIRE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:Z|[+-]\d\d:\d\d)$/;

/** Whether a date begins with a day of the calendar: Date.parse takes 30 February for 1 March. */
export const isDay = (date: string): boolean => isWireDate(`${date.slice(0, 10)}T00:00:00.000Z`);

/** The start of the year 10000: later dates have no year of four digits. */
const MAX_TIME_MS = Date.UTC(10_000, 0);

/** Most characters of a date. */
const MAX_DATE_LENGTH = 60;

/**
 * Reads a time as vane archive writes it, or any other date that vane reads.
 * @returns milliseconds since 1970; NaN for any other value
 */
export function readTime(value: unknown, zone: string): number {
  if (typeof value === 'number') return Math.abs(value) <= MAX_TIME_MS ? value : Number.NaN;
  if (typeof value !== 'string' || value.length > MAX_DATE_LENGTH) return Number.NaN;
  if (WIRE_TIME.test(value)) return isDay(value) ? Date.parse(value) : Number.NaN;
  // DuckDB writes an offset of whole hours without minutes.
  const date = value
    .trim()
    .replace(' ', 'T')
    .replace(/(?<=:[\d.]+[+-]\d\d)$/, ':00');
  return parseDateIn(date, zone)?.ms ?? Number.NaN;
}

/** Texts that stand for a missing value: programs such as R and pandas write NA and NaN. */
const MISSING = /^(?:null|na|nan|-)?$/i;

/** Numbers that begin with 0x, 0b or 0o, which `Number` reads too. */
const NOT_DECIMAL = /^0[a-z]/i;

/** Reads a decimal number from a cell: NaN for a missing value, undefined for any other text. */
export function readNumber(value: unknown): number | undefined {
  if (value === null || Number.isNaN(value)) return Number.NaN;
  const text = typeof value === 'string' ? value.trim() : undefined;
  if (text !== undefined && MISSING.test(text)) return Number.NaN;
  if (text !== undefined && NOT_DECIMAL.test(text)) return undefined;
  const number = text !== undefined || typeof value === 'bigint' ? Number(text ?? value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

export interface RowContext {
  readonly path: string;
  /** The station of a file without a column `station`; undefined if nothing names one. */
  readonly station: number | undefined;
  readonly partition: Partition;
  /** The time zone of dates that are written without an offset from UTC. */
  readonly zone: string;
  readonly batches: Batches;
}

/** An error about a cell of a file. @param line the line of the row, counted from 1 */
function wrongCell(path: string, line: number, name: string, expected: string, value: unknown) {
  const found = value === undefined ? 'nothing' : excerpt(value);
  return faultAt(path, line, `${name}: expected ${expected}, not ${found}.`);
}

/**
 * The station of a row. A folder `station=110` wins over the column.
 * @param value the cell in the column `station`, in a file that has one
 * @throws UsageError where nothing names the station, or a folder names another one
 */
export function stationOf(
  value: unknown,
  { stationAt }: Layout,
  line: number,
  { path, station, partition }: RowContext,
): number {
  const id = stationAt === undefined ? station : parseKnownStationId(textOf(value));
  const { station: inPath = id } = partition;
  if (id !== undefined && id !== inPath) {
    throw faultAt(
      path,
      line,
      `station ${id} is in the folder station=${inPath}; correct one of them.`,
    );
  }
  if (inPath !== undefined) return inPath;
  if (id !== undefined) return id;
  if (stationAt !== undefined) throw wrongCell(path, line, 'station', 'an id such as 110', value);
  throw new UsageError(
    `${fileName(path)} does not name its station; put the station before the file: 110 --from ${path}.`,
  );
}

/**
 * The time of a row, milliseconds since 1970.
 * @throws UsageError for any other value, and for a time outside of the folder `year=…`
 */
export function timeOf(
  value: unknown,
  line: number,
  { path, zone, partition: { year, period } }: RowContext,
): number {
  const time = readTime(value, zone);
  if (period && (time < period.start || time >= period.stop)) {
    throw faultAt(
      path,
      line,
      `the time ${formatDate(time)} is in the folder year=${year}; correct one of them.`,
    );
  }
  if (!Number.isNaN(time)) return time;
  throw wrongCell(path, line, 'time', 'a date such as 2024-05-01T12:00:00.000Z', value);
}

/** A value in km/h or degrees; NaN if missing. @throws UsageError for other values */
export function numberOf(
  value: unknown,
  { name, convert }: Source,
  line: number,
  { path }: RowContext,
): number {
  const number = readNumber(value);
  if (number === undefined) {
    const hasComma = typeof value === 'string' && /^-?\d{1,9},\d{1,9}$/.test(value.trim());
    const expected = hasComma ? 'a number with a decimal point, no comma' : 'a number';
    throw wrongCell(path, line, name, expected, value);
  }
  return convert ? convert(number) : number;
}

/**
 * Reads one row, and adds its reading to those of its station.
 * @param line the line of the row, counted from 1
 * @throws UsageError that names the file, the line and the column
 */
export function takeRow(
  cells: readonly unknown[],
  layout: Layout,
  line: number,
  context: RowContext,
): void {
  const { timeAt, stationAt = -1, sources, writtenIn } = layout;
  const station = stationOf(cells[stationAt], layout, line, context);
  const time = timeOf(cells[timeAt], line, context);
  const values: Values = { ...UNKNOWN, time };
  for (const source of sources) {
    values[source.into] = numberOf(cells[source.place], source, line, context);
  }
  context.batches.add(station, values, writtenIn);
}
