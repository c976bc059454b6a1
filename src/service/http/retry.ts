import { TransportFailure } from './failure.ts';

export interface RetryPolicy {
  /** Attempts after the first. */
  readonly retries: number;
  readonly sleep: (ms: number) => Promise<void>;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Called before each wait. */
  readonly onRetry?: (failure: TransportFailure, waitMs: number) => void;
}

const FIRST_CEILING_MS = 500;
const HIGHEST_CEILING_MS = 30_000;

/** A longer Retry-After is not obeyed: the command fails and names it. */
export const LONGEST_RETRY_AFTER_MS = 300_000;

/**
 * Retries `attempt` after each {@link TransportFailure} that may pass. The wait before a retry is
 * the service's Retry-After, or else random below a ceiling that doubles ("full jitter":
 * M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015).
 *
 * undici's own retry is not used: it resumes a broken body with a Range header, which this
 * interface does not have, and its waits cannot be injected.
 * @throws the last TransportFailure when the retries are used up; any other error at once
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { retries, sleep, random, onRetry }: RetryPolicy,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof TransportFailure && error.mayPass) || failures >= retries) throw error;
      const ceilingMs = Math.min(HIGHEST_CEILING_MS, FIRST_CEILING_MS * 2 ** failures);
      const waitMs = error.retryAfterMs ?? Math.round(random() * ceilingMs);
      if (waitMs > LONGEST_RETRY_AFTER_MS) throw error;
      onRetry?.(error, waitMs);
      await sleep(waitMs);
    }
  }
}

/**
 * Reads a Retry-After header (RFC 9110, 10.2.3): seconds or an HTTP date.
 * @returns milliseconds from `now`, 0 or more; undefined for a missing or malformed header
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
