import { BrokenAnswerError } from '../../errors.ts';
import { TransportFailure } from './failure.ts';

const FIRST_CEILING_MS = 500;
const HIGHEST_CEILING_MS = 30_000;

/** Longest Retry-After that is obeyed: a proxy on the way to the service may ask for any time. */
export const LONGEST_RETRY_AFTER_MS = 300_000;

/**
 * The wait before a retry: the service's Retry-After, or else random below a ceiling that doubles
 * ("full jitter": M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015).
 *
 * undici's own retry is not used: it resumes a broken body with a Range header, which
 * station services do not take, and its waits cannot be injected.
 * @param failures attempts that failed before this one
 * @param random from 0 up to 1
 * @returns milliseconds; undefined for an error that a retry would meet again, and for a wait over
 *   `longestMs`
 */
export function retryWaitMs(
  error: unknown,
  failures: number,
  random: () => number,
  longestMs = LONGEST_RETRY_AFTER_MS,
): number | undefined {
  const isBroken = error instanceof BrokenAnswerError;
  if (!isBroken && !(error instanceof TransportFailure && error.mayPass)) return undefined;
  const ceilingMs = Math.min(HIGHEST_CEILING_MS, FIRST_CEILING_MS * 2 ** failures);
  const waitMs = (isBroken ? undefined : error.retryAfterMs) ?? Math.round(random() * ceilingMs);
  return waitMs > longestMs ? undefined : waitMs;
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
