import { POLLING_INTERVAL_MS } from '../../domain/period.ts';
import { UnavailableError } from '../../errors.ts';
import { MAX_RETRY_AFTER_MS } from '../../service/http/retry.ts';
import type { CachedData } from './source.ts';

export interface RevalidatedOptions {
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Maximum age of data while the service fails, milliseconds. */
  readonly staleMs: number;
}

export interface RevalidatedData<T> {
  /**
   * The cached data, refreshed if they are old.
   * @throws the last failure of the service, if the data are missing or too old
   */
  get(): Promise<CachedData<T>>;
  /** The cached data without a refresh; undefined before the first response. */
  peek(): CachedData<T> | undefined;
  /** The earliest time for the next request, milliseconds since 1970. */
  readonly nextRequestMs: number;
}

/** Maximum wait for a refresh before stale data are served, milliseconds. */
export const MAX_REFRESH_WAIT_MS = 1000;

/** Wait after the first failure to connect. It is short, since nothing reached the service. */
const FIRST_RETRY_MS = 1000;

/**
 * Creates a stale-while-revalidate cache. Data older than a minute are served at once while a
 * refresh runs. For data older than two minutes, clients wait up to 1 s for the refresh, unless the
 * last refresh failed. While the service fails, data are served until they are `staleMs` old. The
 * service gets at most one request in 60 s. If it cannot be reached, retries follow after waits
 * that grow from 1 s to 60 s.
 */
export function staleWhileRevalidate<T>(
  sendRequest: () => Promise<T>,
  { now, sleep, staleMs }: RevalidatedOptions,
): RevalidatedData<T> {
  let cached: { readonly data: T; readonly requestedMs: number } | undefined;
  let running: { readonly done: Promise<void>; readonly sinceMs: number } | undefined;
  let nextRequestMs = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let failure: unknown;

  async function refresh(): Promise<void> {
    const requestedMs = now();
    nextRequestMs = requestedMs + POLLING_INTERVAL_MS;
    try {
      cached = { data: await sendRequest(), requestedMs };
      failures = 0;
    } catch (error) {
      failures++;
      failure = error;
      if (error instanceof UnavailableError) {
        const { wasSent, retryAfterMs = 0 } = error;
        if (!wasSent) {
          nextRequestMs =
            now() + Math.min(POLLING_INTERVAL_MS, FIRST_RETRY_MS * 2 ** (failures - 1));
        }
        nextRequestMs = Math.max(nextRequestMs, now() + Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
      }
    } finally {
      running = undefined;
    }
  }

  function view({
    data,
    requestedMs,
  }: {
    readonly data: T;
    readonly requestedMs: number;
  }): CachedData<T> {
    const isStale = failures > 0;
    const untilMs = requestedMs + POLLING_INTERVAL_MS;
    // While a refresh runs, new data may come soon, so clients may retry after a second.
    const againMs = running ? now() + MAX_REFRESH_WAIT_MS : nextRequestMs;
    const staleUntilMs = Math.min(againMs, requestedMs + staleMs);
    return { data, requestedMs, freshUntilMs: now() < untilMs ? untilMs : staleUntilMs, isStale };
  }

  async function waitForRefresh(): Promise<void> {
    const leftMs = running ? running.sinceMs + MAX_REFRESH_WAIT_MS - now() : 0;
    if (failures > 0 || leftMs <= 0) return;
    const over = new AbortController();
    await Promise.race([running?.done, sleep(leftMs, over.signal).catch(() => {})]);
    over.abort();
  }

  return {
    async get(): Promise<CachedData<T>> {
      const time = now();
      // If the clock was set back, the next request would be delayed by as much: send it now.
      if (nextRequestMs > time + MAX_RETRY_AFTER_MS) nextRequestMs = time;
      const isSetBack = cached !== undefined && cached.requestedMs > time;
      // If the clock was set back, the age of the data is unknown: treat them as stale.
      if (cached && isSetBack) {
        cached = { data: cached.data, requestedMs: time - POLLING_INTERVAL_MS };
        nextRequestMs = Math.min(nextRequestMs, time);
      }
      const ageMs = cached ? time - cached.requestedMs : Number.POSITIVE_INFINITY;
      if (cached && ageMs < POLLING_INTERVAL_MS) return view(cached);
      if (running === undefined && time >= nextRequestMs) {
        running = { done: refresh(), sinceMs: time };
      }
      if (cached && ageMs < staleMs) {
        if (isSetBack || ageMs >= 2 * POLLING_INTERVAL_MS) await waitForRefresh();
        return view(cached);
      }
      await running?.done;
      // If there was no failure, this refresh just loaded the data. They count as fresh, however
      // long it took.
      if (cached && (failures === 0 || now() - cached.requestedMs < staleMs)) return view(cached);
      throw failure;
    },
    peek: () => cached && view(cached),
    get nextRequestMs() {
      return nextRequestMs;
    },
  };
}
