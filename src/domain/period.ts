import { calendar } from './calendar.ts';
import { before, formatDate } from './dates.ts';

/** A stretch of time, `start ≤ time < stop`, in milliseconds since 1970. */
export interface Period {
  readonly start: number;
  readonly stop: number;
}

/** A period as messages say it. */
export function describePeriod({ start, stop }: Period): string {
  return `from ${formatDate(start)} to ${formatDate(stop)}`;
}

/** The most the service answers in one request: 31 days. */
export const MAX_PERIOD_MS = 31 * 86_400_000;

/** The interface's words for a start, and how long before now each begins. */
const RELATIVE_STARTS = {
  'last-hour': 'PT1H',
  'last-day': 'P1D',
  'last-week': 'P1W',
  'last-month': 'P1M',
} as const;

export const RELATIVE_WORDS = Object.keys(RELATIVE_STARTS);

/**
 * The moment a relative word means. `last-month` is a calendar month, so never over 31 days.
 * @returns milliseconds since 1970, or undefined for a word the interface does not have
 */
export function relativeStart(word: string, now: number): number | undefined {
  return Object.hasOwn(RELATIVE_STARTS, word)
    ? before(
        now,
        calendar().Duration.fromISO(RELATIVE_STARTS[word as keyof typeof RELATIVE_STARTS]),
      )
    : undefined;
}

/**
 * Cuts a period into consecutive windows the service accepts: 31 days each from its start, the
 * last one shorter. An empty period is one empty window, so that the service is still asked
 * whether it knows the station. Lazy: a period of centuries costs nothing until it is walked.
 */
export function* planChunks({ start, stop }: Period): Generator<Period> {
  let from = start;
  do {
    const to = Math.min(from + MAX_PERIOD_MS, stop);
    yield { start: from, stop: to };
    from = to;
  } while (from < stop);
}

/** A period that ended longer ago than this never changes: stations send late, but not that late. */
export const CLOSED_AFTER_MS = 86_400_000;

/** @param nowMs milliseconds since 1970 */
export function isClosed({ stop }: Period, nowMs: number): boolean {
  return stop <= nowMs - CLOSED_AFTER_MS;
}

/** The interface's polling interval: nobody asks for the same latest measurements more often. */
export const POLLING_INTERVAL_MS = 60_000;
