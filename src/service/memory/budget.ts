import { MINUTE_MS } from '../../domain/dates.ts';
import { isWithin } from './cached.ts';

/** Bounds how often something happens in any minute. */
export interface Budget {
  readonly isSpent: boolean;
  /** Takes one from the budget. @returns false when it is spent */
  spend(): boolean;
}

/** @param perMinute 1 or more */
export function createBudget(perMinute: number, now: () => number): Budget {
  /** Times of the latest uses, ascending. */
  const spentMs: number[] = [];
  return {
    get isSpent() {
      const earliest = spentMs.at(-perMinute);
      return earliest !== undefined && isWithin(earliest, MINUTE_MS, now());
    },
    spend() {
      if (this.isSpent) return false;
      spentMs.push(now());
      if (spentMs.length > perMinute) spentMs.shift();
      return true;
    },
  };
}
