import { MINUTE_MS } from '../../domain/dates.ts';
import { isWithinAge } from './source.ts';

/** Limits how often something is done per minute. */
export interface MinuteBudget {
  readonly isSpent: boolean;
  /**
   * Counts one use.
   * @returns false if the budget is used up
   */
  spend(): boolean;
}

/**
 * Creates a budget.
 * @param perMinute maximum number of uses in any minute, 1 or more
 */
export function createMinuteBudget(perMinute: number, now: () => number): MinuteBudget {
  /** Times of the latest uses, ascending. */
  const spentMs: number[] = [];
  return {
    get isSpent() {
      const earliest = spentMs.at(-perMinute);
      return earliest !== undefined && isWithinAge(earliest, MINUTE_MS, now());
    },
    spend() {
      if (this.isSpent) return false;
      spentMs.push(now());
      if (spentMs.length > perMinute) spentMs.shift();
      return true;
    },
  };
}
