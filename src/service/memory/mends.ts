import { LRUCache } from 'lru-cache';
import { POLLING_INTERVAL_MS } from '../../domain/period.ts';
import { createBudget } from './budget.ts';
import { type IsCurrent, isWithin } from './cached.ts';

/** How many chunks are remembered as asked for again. */
const MAX_MENDED = 10_000;

/** Chunks asked for again because clients insist, for all clients together. */
const MENDS_PER_MINUTE = 60;

/** Closed chunks, by their keys, that are asked for again because clients insist. */
export function createMends(now: () => number) {
  const mends = new LRUCache<string, { readonly edition: number; readonly askedMs: number }>({
    max: MAX_MENDED,
  });
  const budget = createBudget(MENDS_PER_MINUTE, now);
  const editionOf = (key: string): number => mends.peek(key)?.edition ?? 0;

  function mayBegin(key: string): boolean {
    const askedMs = mends.peek(key)?.askedMs;
    const isEarly = askedMs !== undefined && isWithin(askedMs, POLLING_INTERVAL_MS, now());
    return !isEarly && !budget.isSpent;
  }

  return {
    /** Watches the answer of this moment. */
    watch(key: string): IsCurrent {
      const edition = editionOf(key);
      return (isAfresh) => editionOf(key) === edition && !(isAfresh && mayBegin(key));
    },
    /** @returns whether the chunk may be asked for again, at most once a minute */
    begin(key: string): boolean {
      if (!mayBegin(key)) return false;
      budget.spend();
      mends.set(key, { edition: editionOf(key), askedMs: now() });
      return true;
    },
    /** Answers from before are replaced. */
    end(key: string): void {
      mends.set(key, { askedMs: now(), ...mends.peek(key), edition: editionOf(key) + 1 });
    },
  };
}
