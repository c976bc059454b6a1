import type { UnavailableOptions } from '../../errors.ts';

/** No usable answer came. The message completes the sentence “no answer: …”. */
export class TransportFailure extends Error {
  /** Whether the same request may well succeed in a moment. */
  readonly mayPass: boolean;
  /** How long the service asked to wait, if it did. */
  readonly retryAfterMs: number | undefined;
  /** Whether the request may have reached the service. */
  readonly wasSent: boolean;

  constructor(message: string, options: UnavailableOptions & { mayPass?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.mayPass = options.mayPass ?? true;
    this.retryAfterMs = options.retryAfterMs;
    this.wasSent = options.wasSent ?? true;
  }
}

export interface RetryPolicy {
  /** Attempts after the first. */
  readonly retries: number;
  readonly sleep: (ms: number) => Promise<void>;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Told before each wait. */
  readonly onRetry?: (failure: TransportFailure, waitMs: number) => void;
}

const FIRST_CEILING_MS = 500;
const HIGHEST_CEILING_MS = 30_000;

/** A service that asks for more patience than this gets none: the user is told instead. */
export const LONGEST_RETRY_AFTER_MS = 300_000;

/**
 * Runs `attempt` until it ends otherwise than in a {@link TransportFailure} that may pass, waiting between attempts
 * as long as the service asked or, unasked, a random time under a ceiling that doubles ("full
 * jitter": M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015).
 *
 * undici's own retry is not used: it goes on after a broken body by asking for the rest with a
 * Range header, which this interface does not have, and its waits cannot be injected.
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
 * @returns milliseconds from `now`, 0 or more; undefined for a missing or odd header
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
