import { LRUCache } from 'lru-cache';
import { POLLING_INTERVAL_MS } from '../../domain/period.ts';
import { createBudget } from './budget.ts';
import { type Edition, isWithin } from './cached.ts';

/** How many chunks are remembered as asked for again. */
const MAX_MENDED = 10_000;

/** Chunks asked for again because clients insist, for all clients together. */
const MENDS_PER_MINUTE = 60;

interface Mend {
  readonly number: number;
  readonly askedMs: number;
}

/** The current edition of each closed chunk, by the chunk's key. */
export interface Editions {
  current(key: string): Edition;
  /** Asks for a chunk again, at most once a minute; undefined when it may not be asked for. */
  mend<T>(key: string, ask: () => Promise<T>): Promise<T> | undefined;
}

export function createEditions(now: () => number): Editions {
  const mends = new LRUCache<string, Mend>({ max: MAX_MENDED });
  const budget = createBudget(MENDS_PER_MINUTE, now);
  const numberOf = (key: string): number => mends.peek(key)?.number ?? 0;

  function isMendable(key: string): boolean {
    const mend = mends.peek(key);
    const isEarly = mend !== undefined && isWithin(mend.askedMs, POLLING_INTERVAL_MS, now());
    return !isEarly && !budget.isSpent;
  }

  return {
    current(key) {
      const number = numberOf(key);
      return { isCurrent: () => numberOf(key) === number, isMendable: () => isMendable(key) };
    },
    mend(key, ask) {
      if (!isMendable(key) || !budget.spend()) return undefined;
      const askedMs = now();
      mends.set(key, { number: numberOf(key), askedMs });
      return ask().then((answer) => {
        mends.set(key, { number: numberOf(key) + 1, askedMs });
        return answer;
      });
    },
  };
}

/** The edition of data from several chunks; undefined where one of them is not final. */
export function joinEditions(parts: readonly (Edition | undefined)[]): Edition | undefined {
  const editions = parts.filter((edition) => edition !== undefined);
  if (editions.length < parts.length) return undefined;
  return {
    isCurrent: () => editions.every((edition) => edition.isCurrent()),
    isMendable: () => editions.some((edition) => edition.isMendable()),
  };
}
