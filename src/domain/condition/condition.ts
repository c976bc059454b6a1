import type { Observation } from './observation.ts';
import { parse } from './parse.ts';
import type { Field } from './words.ts';

/** A condition of `vane watch`, such as `avg > 15kn and dir in SW..NW`. */
export interface Condition {
  /** As written. */
  readonly text: string;
  /** The fields it names. */
  readonly fields: ReadonlySet<Field>;
  /**
   * True, false, or undefined where unknown values leave it open (Kleene's strong three-valued
   * logic).
   * @param hysteresisKmh 0 or more, 0 by default: by how much each average, maximum and minimum
   *   may miss its bound. A condition that holds with less hysteresis also holds with more, so an
   *   alarm that is on goes off only when the wind has really changed.
   */
  holds(observation: Observation, hysteresisKmh?: number): boolean | undefined;
}

/**
 * Reads a condition. At most 10,000 characters and 100 levels of `not` and parentheses.
 * @throws ConditionError for other text, pointing at the first place that does not fit
 */
export function parseCondition(text: string): Condition {
  const { test, fields } = parse(text);
  return {
    text,
    fields,
    holds: (observation, hysteresisKmh = 0) => test(observation, hysteresisKmh),
  };
}
