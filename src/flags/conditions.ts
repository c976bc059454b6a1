import { type Condition, parseCondition } from '../domain/condition/condition.ts';
import type { RefusedFields } from '../domain/condition/fields.ts';
import { parseRowCondition } from '../domain/condition/rowCondition.ts';
import { ConditionError } from '../domain/condition/scanner.ts';
import { showPlaceInText } from '../domain/text.ts';
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
  return withMark(flag, text, () => parseCondition(text, refused, zone));
}

function withMark<T>(flag: string, text: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    throw new UsageError(`${flag}: ${error.message}`, showPlaceInText(text, error.at));
  }
}

/** The fields that a condition on a station may not compare, each with a sentence that says why. */
export function refusedFields({ hasPlace, hasTrend }: Comparable): RefusedFields {
  return {
    ...(!hasPlace && { distance: '“distance” needs --near with a latitude and longitude.' }),
    ...(!hasTrend && {
      trend: '“trend” works only in vane watch, since it needs an hour of measurements.',
    }),
  };
}

/** Reads a condition on the rows of an archive, see {@link parseRowCondition}. @throws UsageError */
export function readRowCondition(text: string, calmKmh: number, zone: string) {
  return withMark('--where', text, () => parseRowCondition(text, calmKmh, zone));
}
