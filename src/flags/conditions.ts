import { type Condition, parseCondition } from '../domain/condition/condition.ts';
import type { RefusedFields } from '../domain/condition/fields.ts';
import { parseRowCondition } from '../domain/condition/rowCondition.ts';
import { ConditionError } from '../domain/condition/scanner.ts';
import { showPlaceInText } from '../domain/text.ts';
import { UsageError } from '../errors.ts';

/** Whether a condition may use the fields `distance` and `trend`. */
interface Comparable {
  /** Whether `distance` may be used. It needs the place of `--near`. */
  readonly hasPlace: boolean;
  /** Whether `trend` may be used. It needs several measurements over time, as in `vane watch`. */
  readonly hasTrend: boolean;
}

/**
 * Reads the condition of a flag, such as `avg > 15kn`.
 * @param zone the time zone of the field `hour`
 * @throws UsageError that points at the first error
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

/** The fields that a condition on stations must not use, each with a sentence that says why. */
export function refusedFields({ hasPlace, hasTrend }: Comparable): RefusedFields {
  return {
    ...(!hasPlace && { distance: '“distance” needs --near with a latitude and longitude.' }),
    ...(!hasTrend && {
      trend:
        '“trend” works only in vane watch and vane plot --kind now, since it needs an hour of measurements.',
    }),
  };
}

/**
 * Reads a condition on the rows of an archive, as {@link parseRowCondition} does.
 * @throws UsageError
 */
export function readRowCondition(text: string, calmKmh: number, zone: string) {
  return withMark('--where', text, () => parseRowCondition(text, calmKmh, zone));
}
