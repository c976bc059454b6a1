import { parseDateIn } from '../domain/dates.ts';
import { COLUMNS, STEP_COLUMNS } from '../domain/reading.ts';
import { alternatives } from '../domain/text.ts';
import { LINEAR_UNIT_NAMES, SPEED_UNITS, speedInKmh } from '../domain/units.ts';
import { LEGEND, UNITS } from '../wire/archive.ts';
import type { Values } from './batches.ts';
import { excerpt, fileName } from './fault.ts';

/** A column with wind speeds or wind directions in a file of `--from`. */
interface Source {
  readonly name: string;
  readonly place: number;
  /** Converts a value to km/h or degrees. */
  readonly convert: (value: number) => number;
}

/** The places of the columns of a file, counted from 0. */
export interface Layout {
  readonly timeAt: number;
  /** The place of the column `station`; undefined in a file without that column. */
  readonly stationAt: number | undefined;
  readonly sources: readonly (Source & { readonly into: keyof Values })[];
  /**
   * Whether names, order and units of the columns are the service's own; a faster reader takes such
   * files.
   */
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
  const sources: (Source & { readonly into: keyof Values })[] = [];
  for (const { name, unit } of COLUMNS) {
    if (!(name in INTO)) continue;
    const into = INTO[name as keyof typeof INTO];
    if (unit !== 'km/h') {
      const place = names.indexOf(name);
      if (place !== -1) sources.push({ name, place, into, convert: (value) => value });
      continue;
    }
    const source = findSpeed(name, names, units);
    if (typeof source === 'string') return source;
    if (source) sources.push({ ...source, into });
  }
  if (sources.length === 0) return 'there is no column of the wind, such as wind_speed_avg.';
  const stationAt = names.indexOf('station');
  const isService = String(names) === String(LEGEND) && String(units ?? UNITS) === String(UNITS);
  const isSteps = STEP_COLUMNS.some(({ name }) => names.includes(name));
  return {
    ...{ timeAt, stationAt: stationAt === -1 ? undefined : stationAt },
    ...{ sources, isService, isSteps },
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
 * Finds the column of a speed, whose name may end in its unit, as in `wind_speed_avg_kn`.
 * @returns undefined without such a column; a sentence that says why its unit is refused
 */
function findSpeed(
  column: string,
  names: readonly string[],
  units: readonly string[] | undefined,
): Source | string | undefined {
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
    return { name, place, convert: unit === 'kmh' ? (value) => value : convert };
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
