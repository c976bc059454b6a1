import type { Period } from '../domain/period.ts';
import { joinArrays, type ReadingColumns, rowsWithin } from '../domain/readings/columns.ts';

/** The columns of a station that statistics need. Times ascend without repetitions. */
export type WindColumns = Readonly<Record<(typeof WIND_KEYS)[number], Float64Array>>;

const WIND_KEYS = [
  'time',
  'windSpeedMin',
  'windSpeedAvg',
  'windSpeedMax',
  'windHeading',
] as const satisfies readonly (keyof ReadingColumns)[];

/** Tests whether a condition is true for a reading; undefined if missing values leave it open. */
export type RowConditionTest = (columns: ReadingColumns, row: number) => boolean | undefined;

/**
 * The result of a condition for a reading. CONDITION_OPEN means that missing values leave it open.
 */
export const CONDITION_OPEN = 0;
export const CONDITION_FAILS = 1;
export const CONDITION_HOLDS = 2;

/** The readings of one station. */
export interface WindReadings extends WindColumns {
  /** For each condition, an array with its result for each row. */
  readonly verdicts: readonly Uint8Array[];
}

/** Which readings of a station are used, and which conditions are tested. */
interface ReadingsOptions {
  readonly period?: Partial<Period>;
  readonly where?: { readonly holds: RowConditionTest } | undefined;
  readonly spells?: { readonly holds: RowConditionTest } | undefined;
  readonly above?: readonly RowConditionTest[] | undefined;
}

/**
 * Copies from a chunk what statistics need, so that its other columns can be freed. Readings
 * outside the period are left out. Conditions are tested here, chunk by chunk, since files may
 * differ in their unit of speed.
 */
export function windReadingsOf(
  columns: ReadingColumns,
  { period = {}, where, spells, above = [] }: ReadingsOptions = {},
): WindReadings {
  const within = rowsWithin(columns, period);
  const condition = where ?? spells;
  const conditions = condition ? [condition.holds] : above;
  return {
    ...mapWind((key) => within[key].slice()),
    verdicts: conditions.map((holds) => verdictsOf(within, holds)),
  };
}

function verdictsOf(columns: ReadingColumns, holds: RowConditionTest): Uint8Array {
  const verdicts = new Uint8Array(columns.count);
  for (let row = 0; row < columns.count; row++) {
    const isHeld = holds(columns, row);
    verdicts[row] =
      isHeld === undefined ? CONDITION_OPEN : isHeld ? CONDITION_HOLDS : CONDITION_FAILS;
  }
  return verdicts;
}

/** Joins the readings of a station's chunks, which have the same conditions. */
export function joinWindReadings(chunks: readonly WindReadings[]): WindReadings {
  const [{ verdicts } = { verdicts: [] }] = chunks;
  return {
    ...mapWind((key) =>
      joinArrays(
        Float64Array,
        chunks.map((readings) => readings[key]),
      ),
    ),
    verdicts: verdicts.map((_, place) =>
      joinArrays(
        Uint8Array,
        chunks.map((readings) => readings.verdicts[place] as Uint8Array),
      ),
    ),
  };
}

/** Joins the rows of ranges, each from `from` to before `to`. */
export function joinWindRanges(
  wind: WindColumns,
  ranges: readonly { readonly from: number; readonly to: number }[],
): WindColumns {
  return mapWind((key) => {
    const parts = ranges.map(({ from, to }) => wind[key].subarray(from, to));
    return parts.length === 1 ? (parts[0] as Float64Array) : joinArrays(Float64Array, parts);
  });
}

/** Copies the rows with the given indexes, in that order. */
export function pickWindRows(wind: WindColumns, rows: Uint32Array): WindColumns {
  return mapWind((key) => {
    const picked = new Float64Array(rows.length);
    for (let i = 0; i < rows.length; i++) picked[i] = wind[key][rows[i] as number] as number;
    return picked;
  });
}

/** Number of readings without an average, which count neither for coverage nor for hours. */
export function countWithoutAverage({ windSpeedAvg }: Pick<WindColumns, 'windSpeedAvg'>): number {
  return windSpeedAvg.reduce((sum, average) => sum + (Number.isNaN(average) ? 1 : 0), 0);
}

const mapWind = (make: (key: keyof WindColumns) => Float64Array): WindColumns =>
  Object.fromEntries(WIND_KEYS.map((key) => [key, make(key)])) as WindColumns;

/** Columns without any rows. */
export const NO_WIND = mapWind(() => new Float64Array());
