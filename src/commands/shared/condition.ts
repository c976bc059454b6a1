import {
  type Condition,
  parseCondition,
  type RefusedFields,
} from '../../domain/condition/condition.ts';
import { ConditionError } from '../../domain/condition/scanner.ts';
import { pointAt } from '../../domain/text.ts';
import { UsageError } from '../../errors.ts';

/** The fields that a condition may compare beside those of a measurement. */
export interface Comparable {
  /** Whether there is a place to count distances from. */
  readonly hasPlace: boolean;
  /** Whether stations are seen over time. */
  readonly hasTrend: boolean;
}

/** @throws UsageError that points at the first place that does not fit */
export function readCondition(flag: string, text: string, refused: RefusedFields): Condition {
  try {
    return parseCondition(text, refused);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    throw new UsageError(`${flag}: ${error.message}`, pointAt(text, error.at));
  }
}

/** The fields that a station's measurement may not be compared by. */
export function refusedFields({ hasPlace, hasTrend }: Comparable): RefusedFields {
  return {
    ...(!hasPlace && { distance: '“distance” needs --near latitude,longitude to count from.' }),
    ...(!hasTrend && {
      trend: '“trend” belongs to vane watch; one answer does not tell how the wind changes.',
    }),
  };
}
