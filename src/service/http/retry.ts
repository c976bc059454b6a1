import { BrokenResponseError } from '../../errors.ts';
import { TransportFailure } from './failure.ts';

const FIRST_CEILING_MS = 500;
const MAX_CEILING_MS = 30_000;

/** Maximum Retry-After that vane obeys: a proxy in between could demand any time. */
export const MAX_RETRY_AFTER_MS = 300_000;

interface RetryOptions {
  /** Maximum number of retries. */
  readonly retries: number;
  /** A random number from 0 to below 1. */
  readonly random: () => number;
  /** The longest wait worth retrying for, milliseconds; 5 minutes by default. */
  readonly maxWaitMs?: () => number;
  /** Waits before a retry. */
  readonly wait: (waitMs: number) => Promise<void>;
}

/**
 * Runs a task, and retries it after temporary failures. The wait is the service's Retry-After, or
 * random below a ceiling that doubles ("full jitter": M. Brooker, "Exponential Backoff And Jitter",
 * AWS Architecture Blog, 2015). undici's own retry is not used: it resumes a broken body with a
 * Range header, which station services do not support, and tests could not inject its waits.
 * @throws the last error of the task
 */
export async function retry<T>(
  task: () => Promise<T>,
  { retries, random, maxWaitMs = () => MAX_RETRY_AFTER_MS, wait }: RetryOptions,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await task();
    } catch (error) {
      if (failures >= retries || !mayPass(error)) throw error;
      const ceilingMs = Math.min(MAX_CEILING_MS, FIRST_CEILING_MS * 2 ** failures);
      const { retryAfterMs = Math.round(random() * ceilingMs) } = error;
      if (retryAfterMs > maxWaitMs()) throw error;
      await wait(retryAfterMs);
    }
  }
}

const mayPass = (error: unknown): error is { readonly retryAfterMs?: number | undefined } =>
  error instanceof BrokenResponseError || (error instanceof TransportFailure && error.mayPass);

/**
 * Parses a Retry-After header (RFC 9110, 10.2.3): seconds or an HTTP date.
 * @returns milliseconds from `now`, 0 or more; undefined for a missing or malformed header
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
