import type { Columns } from '../domain/columns.ts';
import { type Condition, parseCondition } from '../domain/condition/condition.ts';
import { NOT_IN_HISTORY, type RefusedFields } from '../domain/condition/fields.ts';
import { ConditionError } from '../domain/condition/scanner.ts';
import { pointAt } from '../domain/text.ts';
import { gustFactor } from '../domain/watching/diagnostics.ts';
import { UsageError } from '../errors.ts';

/** Whether a condition may name `distance` and `trend`, which a measurement alone does not have. */
interface Comparable {
  /** Whether `distance` may be compared: only `--near` gives a place to measure it from. */
  readonly hasPlace: boolean;
  /** Whether `trend` may be compared: only `vane watch` sees stations over time. */
  readonly hasTrend: boolean;
}

/**
 * Reads the condition of a flag, such as `avg > 15kn`.
 * @param zone the time zone of hours
 * @throws UsageError that marks the first fault
 */
export function readCondition(
  flag: string,
  text: string,
  refused: RefusedFields,
  zone: string,
): Condition {
  try {
    return parseCondition(text, refused, zone);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    throw new UsageError(`${flag}: ${error.message}`, pointAt(text, error.at));
  }
}

/** The fields that a condition on a station may not compare, each with a sentence that says why. */
export function refusedFields({ hasPlace, hasTrend }: Comparable): RefusedFields {
  return {
    ...(!hasPlace && { distance: '“distance” needs --near latitude,longitude to count from.' }),
    ...(!hasTrend && {
      trend: '“trend” belongs to vane watch; one answer does not tell how the wind changes.',
    }),
  };
}

const known = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;

/**
 * Reads a condition on the rows of an archive.
 * @param calmKmh a row whose average is below this is calm and has no direction
 * @param zone the time zone of hours
 * @returns a test of one row, which gives undefined where a missing value leaves the answer open
 * @throws UsageError
 */
export function readRowCondition(text: string, calmKmh: number, zone: string) {
  const condition = readCondition('--where', text, NOT_IN_HISTORY, zone);
  return (columns: Columns, row: number): boolean | undefined => {
    const avgKmh = known(columns.windSpeedAvg[row]);
    const maxKmh = known(columns.windSpeedMax[row]);
    const latitude = known(columns.latitude[row]);
    const longitude = known(columns.longitude[row]);
    const isCalm = avgKmh !== null && avgKmh < calmKmh;
    return condition.holds({
      avgKmh,
      maxKmh,
      minKmh: known(columns.windSpeedMin[row]),
      gustFactor: gustFactor({ avgKmh, maxKmh }),
      timeMs: columns.time[row] as number,
      position: latitude === null || longitude === null ? undefined : { latitude, longitude },
      writtenIn: columns.writtenIn,
      dirDeg: isCalm ? null : known(columns.windHeading[row]),
    });
  };
}
