import type { Columns } from '../domain/readings/columns.ts';
import { hasDirection } from '../domain/units.ts';
import { type ConditionTest, levelOf } from './exceedance.ts';
import { normalHeading } from './headings.ts';

/** The mark of a reading without an average, which covers no time. */
export const NO_AVERAGE = 0;
/** The lowest mark of a reading with an average: the mark if the condition is left open. */
export const HAS_AVERAGE = 1;
/** The mark of a reading for which the condition is false. */
export const FAILS = 2;
/** The lowest mark of a reading that fulfils the condition. */
export const HOLDS = 3;

/** Number of directions that marks distinguish: hundredths of a degree. */
const DIRECTIONS = 36_000;

/** The mark of a reading without a condition. */
export const averageMark = ({ windSpeedAvg }: Columns, row: number): number =>
  Number.isNaN(windSpeedAvg[row]) ? NO_AVERAGE : HAS_AVERAGE;

/**
 * The lowest mark of a reading that fulfils conditions.
 * @param level how many conditions the reading fulfils, each of which includes the one before
 */
export const minMark = (level: number): number => HOLDS + (level - 1) * DIRECTIONS;

/** The direction in the mark of a reading that fulfils a condition, hundredths of a degree. */
export const directionIn = (mark: number): number => (mark - HOLDS) % DIRECTIONS;

/** The properties of a reading that its mark contains. */
export interface Marking {
  /** Each condition includes the one before. */
  readonly conditions: readonly ConditionTest[];
  /** Whether marks contain the direction; then a reading without one fulfils no condition. */
  readonly hasSectors: boolean;
  readonly calmKmh: number;
}

/** The mark of a reading: which conditions it fulfils, and with `hasSectors` its direction. */
export function markReading(
  columns: Columns,
  row: number,
  { conditions, hasSectors, calmKmh }: Marking,
): number {
  const average = columns.windSpeedAvg[row] as number;
  const heading = columns.windHeading[row] as number;
  if (Number.isNaN(average)) return NO_AVERAGE;
  const level = levelOf(conditions, columns, row);
  if (level === undefined) return HAS_AVERAGE;
  if (level === 0) return FAILS;
  if (!hasSectors) return minMark(level);
  if (!hasDirection(average, heading, calmKmh)) return HAS_AVERAGE;
  return minMark(level) + (Math.round(100 * normalHeading(heading)) % DIRECTIONS);
}
