import { parseDateIn } from '../domain/dates.ts';
import { STEP_COLUMNS } from '../domain/reading.ts';
import { parseStationId } from '../domain/station.ts';
import { alternatives } from '../domain/text.ts';
import { LINEAR_UNIT_NAMES, SPEED_UNITS, speedInKmh } from '../domain/units.ts';
import { UsageError } from '../errors.ts';
import { LEGEND } from '../wire/archive.ts';
import type { Batches, Values } from './batches.ts';
import { excerpt, faultAt, fileName } from './fault.ts';

/** A column with wind speeds or wind directions in a file of `--from`. */
interface Source {
  readonly name: string;
  readonly place: number;
  readonly into: keyof Values;
  /** Converts a value to km/h; undefined where the file has km/h, or degrees. */
  readonly convert: ((value: number) => number) | undefined;
}

/** The places of the columns of a file, counted from 0. */
export interface Layout {
  readonly timeAt: number;
  /** The place of the column `station`; undefined in a file without that column. */
  readonly stationAt: number | undefined;
  readonly sources: readonly Source[];
  /**
   * Makes a line of the interface's eight columns of the cells `$1`, `$2` … after `station`;
   * undefined where `station` is not first, or for many columns.
   */
  readonly template: string | undefined;
  /** The number of columns beside `station`. */
  readonly width: number;
  /** Whether the columns are the interface's eight in order; speeds may be in any unit. */
  readonly isService: boolean;
  /** Whether the rows are steps of `--every`, each of many readings. */
  readonly isSteps: boolean;
}

const INTO = {
  wind_speed_min: 'windSpeedMin',
  wind_speed_avg: 'windSpeedAvg',
  wind_speed_max: 'windSpeedMax',
  wind_heading: 'windHeading',
} as const;

/** Most columns of a file that {@link Layout.template} covers. */
const MOST_CELLS = 20;

const LABELS = alternatives(LINEAR_UNIT_NAMES.map((unit) => SPEED_UNITS[unit].label));

/**
 * Finds the columns of a file by their names.
 * @param units labels of the units by column; undefined where the names end in the unit
 * @returns the layout, or a sentence that says what is wrong
 */
export function findLayout(
  names: readonly string[],
  units: readonly string[] | undefined,
): Layout | string {
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
  if (sources.length === 0) return 'there is no column of the wind, such as wind_speed_avg.';
  const stationAt = names.indexOf('station');
  const bare = plainNames.toSpliced(0, stationAt === 0 ? 1 : 0);
  const cells = LEGEND.map((name) => (bare.includes(name) ? `$${bare.indexOf(name) + 1}` : 'null'));
  const isSteps = STEP_COLUMNS.some(({ name }) => names.includes(name));
  return {
    timeAt,
    stationAt: stationAt === -1 ? undefined : stationAt,
    sources,
    template: stationAt <= 0 && bare.length <= MOST_CELLS ? cells.join(',') : undefined,
    width: bare.length,
    isService: String(plainNames) === String(LEGEND),
    isSteps,
  };
}

/** Says that a file has steps: its statistics and pictures are not those of the readings. */
export function noteSteps({ isSteps }: Layout, path: string, note: (text: string) => void): void {
  if (!isSteps) return;
  note(
    `${fileName(path)} has the steps of --every, and each counts as one reading; an export without --every has the readings themselves.`,
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
  if (column === 'wind_heading') {
    const place = names.indexOf(column);
    return place === -1 ? undefined : { name: column, place, convert: undefined };
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
    return { name, place, convert: unit === 'kmh' ? undefined : convert };
  }
  return undefined;
}

const WIRE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:Z|[+-]\d\d:\d\d)$/;

/** The start of the year 10000: later dates have no year of four digits. */
const MOST_MS = Date.UTC(10_000, 0);

/**
 * Reads a time as vane archive writes it, or any other date that vane reads.
 * @returns milliseconds since 1970; NaN for any other value
 */
export function readTime(value: unknown, zone: string): number {
  if (typeof value === 'number') return Math.abs(value) <= MOST_MS ? value : Number.NaN;
  if (typeof value !== 'string') return Number.NaN;
  if (WIRE_TIME.test(value)) return Date.parse(value);
  return parseDateIn(value.trim().replace(' ', 'T'), zone)?.ms ?? Number.NaN;
}

/** Reads a number from a cell: NaN for an empty cell or `null`, undefined for any other text. */
export function readNumber(value: unknown): number | undefined {
  if (value === null || value === 'null') return Number.NaN;
  if (typeof value === 'string' && value.trim() === '') return Number.NaN;
  const number = typeof value === 'string' || typeof value === 'bigint' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

export interface RowContext {
  readonly path: string;
  /** The station of a file without a column `station`; undefined if nothing names one. */
  readonly station: number | undefined;
  /** The time zone of dates that are written without an offset from UTC. */
  readonly zone: string;
  readonly batches: Batches;
}

/**
 * Reads one row, and adds its reading to those of its station.
 * @param line the line of the row, counted from 1
 * @throws UsageError that names the file, the line and the column
 */
export function takeRow(
  cells: readonly unknown[],
  { timeAt, stationAt, sources }: Layout,
  line: number,
  { path, station, zone, batches }: RowContext,
): void {
  const refuse = (name: string, expected: string, value: unknown): UsageError => {
    const found = value === undefined ? 'nothing' : excerpt(value);
    return faultAt(path, line, `${name}: expected ${expected}, not ${found}.`);
  };
  const written = stationAt === undefined ? station : parseStationId(String(cells[stationAt]));
  if (written === undefined) {
    if (stationAt !== undefined) throw refuse('station', 'an id such as 110', cells[stationAt]);
    throw new UsageError(
      `${fileName(path)} does not tell its station; name the station, as in 110 --from ${path}.`,
    );
  }
  const time = readTime(cells[timeAt], zone);
  if (Number.isNaN(time)) {
    throw refuse('time', 'a date such as 2024-05-01T12:00:00.000Z', cells[timeAt]);
  }
  const unknown = { windSpeedMin: NaN, windSpeedAvg: NaN, windSpeedMax: NaN, windHeading: NaN };
  const values: Values = { time, ...unknown };
  for (const { name, place, into, convert } of sources) {
    const number = readNumber(cells[place]);
    if (number === undefined) throw refuse(name, 'a number', cells[place]);
    values[into] = convert ? convert(number) : number;
  }
  batches.add(written, values);
}
