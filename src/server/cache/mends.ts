import { POLLING_INTERVAL_MS } from '../../domain/period.ts';
import { createBudget } from './budget.ts';
import { type IsCurrent, isWithin } from './cached.ts';
import { createCountedCache } from './countedCache.ts';

/** Most chunks that are remembered as requested again. */
const MAX_MENDED = 10_000;

/** Most chunks that are requested again in a minute, for all clients together. */
const MENDS_PER_MINUTE = 60;

/**
 * Limits how often old chunks of archives, whose rows should not change any more, are requested
 * again because clients send `Cache-Control: no-cache`.
 */
export function createMends(now: () => number) {
  const mends = createCountedCache<string, { readonly edition: number; readonly askedMs: number }>(
    MAX_MENDED,
  );
  const budget = createBudget(MENDS_PER_MINUTE, now);
  const editionOf = (key: string): number => mends.peek(key)?.edition ?? 0;

  function mayBegin(key: string): boolean {
    const askedMs = mends.peek(key)?.askedMs;
    const isEarly = askedMs !== undefined && isWithin(askedMs, POLLING_INTERVAL_MS, now());
    return !isEarly && !budget.isSpent;
  }

  return {
    /** Returns a function that tells whether the chunk's present answer is still current. */
    watch(key: string): IsCurrent {
      const edition = editionOf(key);
      return (isAfresh) => editionOf(key) === edition && !(isAfresh && mayBegin(key));
    },
    /**
     * Notes that a chunk is requested again.
     * @returns false, without a note, within a minute of the last time or when the budget is spent
     */
    begin(key: string): boolean {
      if (!mayBegin(key)) return false;
      budget.spend();
      mends.set(key, { edition: editionOf(key), askedMs: now() });
      return true;
    },
    /** Notes that a new answer of the chunk has come and replaces all answers before. */
    end(key: string): void {
      mends.set(key, { askedMs: now(), ...mends.peek(key), edition: editionOf(key) + 1 });
    },
  };
}
