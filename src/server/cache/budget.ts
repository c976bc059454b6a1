import { MINUTE_MS } from '../../domain/dates.ts';
import { isWithinAge } from './source.ts';

/** Limits how often an action is done in any minute. */
export interface MinuteBudget {
  readonly isSpent: boolean;
  /** Counts one action. @returns false when the budget is spent */
  spend(): boolean;
}

/**
 * Makes a budget of actions.
 * @param perMinute highest number of actions in any minute, 1 or more
 */
export function createMinuteBudget(perMinute: number, now: () => number): MinuteBudget {
  /** Times of the latest actions, ascending. */
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
