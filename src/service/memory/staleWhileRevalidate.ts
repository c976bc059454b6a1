import { POLLING_INTERVAL_MS } from '../../domain/period.ts';
import { UnavailableError } from '../../errors.ts';
import type { Cached } from './cached.ts';

export interface RevalidatedOptions {
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** How old data may get while the service fails, milliseconds. */
  readonly staleMs: number;
}

/** Data of one kind, asked for at most once a minute whoever wants them. */
export interface Revalidated<T> {
  /** @throws what the service last threw, where there is nothing to give or it is too old */
  get(): Promise<Cached<T>>;
  /** What there is now, without asking; undefined before the first answer. */
  peek(): Cached<T> | undefined;
  /** When the service may be asked again. */
  readonly nextAskMs: number;
}

/** How long somebody waits for a refresh when what there is has been lying for longer than usual. */
const PATIENCE_MS = 1000;

/** The longest that a service is left alone at its word; it may be that of a proxy in between. */
export const LONGEST_PAUSE_MS = 300_000;

/** Nothing was sent to a service that cannot be reached, so it may be tried again this soon. */
const FIRST_RETRY_MS = 1000;

/**
 * Keeps data fresh on demand. Just after a minute is over, the one who asks first gets what there
 * is at once, and the refresh goes on behind; data that lay unused for longer are waited for, but
 * only as long as the service has not failed. While it fails, what there is stays good until
 * `staleMs`. The service is asked no more often than once in 60 s, however it answers; one that
 * cannot be reached at all is tried at distances that grow from 1 s to that.
 */
export function staleWhileRevalidate<T>(
  ask: () => Promise<T>,
  { now, sleep, staleMs }: RevalidatedOptions,
): Revalidated<T> {
  let held: { readonly data: T; readonly askedMs: number } | undefined;
  let underWay: { readonly done: Promise<void>; readonly sinceMs: number } | undefined;
  let nextAskMs = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let failure: unknown;

  async function refresh(): Promise<void> {
    const askedMs = now();
    nextAskMs = askedMs + POLLING_INTERVAL_MS;
    try {
      held = { data: await ask(), askedMs };
      failures = 0;
    } catch (error) {
      failures++;
      failure = error;
      nextAskMs = Math.max(nextAskMs, now());
      if (error instanceof UnavailableError) {
        const { wasSent, retryAfterMs = 0 } = error;
        if (!wasSent) {
          nextAskMs = now() + Math.min(POLLING_INTERVAL_MS, FIRST_RETRY_MS * 2 ** (failures - 1));
        }
        nextAskMs = Math.max(nextAskMs, now() + Math.min(retryAfterMs, LONGEST_PAUSE_MS));
      }
    } finally {
      underWay = undefined;
    }
  }

  function view({ data, askedMs }: { readonly data: T; readonly askedMs: number }): Cached<T> {
    const isStale = failures > 0;
    const untilMs = askedMs + POLLING_INTERVAL_MS;
    // One that is being asked for may be there in a moment.
    const againMs = underWay ? now() + PATIENCE_MS : nextAskMs;
    // Kept answers are not to outlive what stale data may.
    const staleUntilMs = Math.min(againMs, askedMs + staleMs);
    return { data, askedMs, freshUntilMs: now() < untilMs ? untilMs : staleUntilMs, isStale };
  }

  async function waitPatiently(): Promise<void> {
    if (underWay === undefined || failures > 0) return;
    const leftMs = underWay.sinceMs + PATIENCE_MS - now();
    if (leftMs <= 0) return;
    const enough = new AbortController();
    const patience = sleep(leftMs, enough.signal).catch(() => {});
    await Promise.race([underWay.done, patience]);
    enough.abort();
  }

  return {
    async get() {
      const time = now();
      // A clock that was set back would put the next request off for as long.
      if (nextAskMs > time + LONGEST_PAUSE_MS) nextAskMs = time;
      const isSetBack = held !== undefined && held.askedMs > time;
      // How old the data are nobody knows any more; they count as not fresh.
      if (held && isSetBack) {
        held = { data: held.data, askedMs: time - POLLING_INTERVAL_MS };
        nextAskMs = Math.min(nextAskMs, time);
      }
      const ageMs = held ? time - held.askedMs : Number.POSITIVE_INFINITY;
      if (held && ageMs < POLLING_INTERVAL_MS) return view(held);
      if (underWay === undefined && time >= nextAskMs) {
        underWay = { done: refresh(), sinceMs: time };
      }
      if (held && ageMs < staleMs) {
        if (isSetBack || ageMs >= 2 * POLLING_INTERVAL_MS) await waitPatiently();
        return view(held);
      }
      await underWay?.done;
      if (held && now() - held.askedMs < staleMs) return view(held);
      throw failure;
    },
    peek: () => held && view(held),
    get nextAskMs() {
      return nextAskMs;
    },
  };
}
