import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { Archive } from '../../domain/envelope.ts';
import type { Period } from '../../domain/period.ts';
import { POLLING_INTERVAL_MS } from '../../domain/period.ts';
import {
  NotFoundError,
  NotInterfaceError,
  UnavailableError,
  type VaneError,
} from '../../errors.ts';
import { hasRowIn } from '../columns.ts';
import type { ArchiveDiskCache } from '../disk/archiveCache.ts';
import type { StationService } from '../service.ts';
import { isWithin } from './cached.ts';

/** How long a failed request is not sent again. */
export const RETRY_MS = 5000;

/** How many stations and how many failures are remembered. */
const MAX_REMEMBERED = 10_000;

/** Answers read from disk at once: as many files as Node reads at once. */
const DISK_CONCURRENCY = 4;

export interface UpstreamOptions {
  /** Answers that `keeps` finds on disk need no slot. */
  readonly service: Pick<StationService, 'archive'> &
    Partial<Pick<ArchiveDiskCache, 'keeps' | 'settle'>> & {
      /** Asks the service past every cache. */
      readonly archiveAfresh?: StationService['archive'];
    };
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Requests at once, 1 or more. */
  readonly concurrency: number;
  /** How many more may wait for a slot. */
  readonly maxWaiting: number;
  /** Called before the first request for a station; throws to refuse it. */
  readonly admit?: ((station: number) => void) | undefined;
}

export interface Upstream {
  /**
   * @param isAfresh whether to pass over the cache on disk
   * @throws every failure of a StationService: an unknown station is remembered for 60 s, a failed
   * request for 5 s; UnavailableError at once when too many requests wait for a slot
   */
  ask(station: number, period: Period, isAfresh?: boolean): Promise<UpstreamAnswer>;
}

export interface UpstreamAnswer {
  readonly archive: Archive;
  /** When the request was sent, after its wait for a slot; milliseconds since 1970. */
  readonly askedMs: number;
}

/** Bounds the requests that many clients cause at a service. */
export function createUpstream({
  service,
  now,
  concurrency,
  maxWaiting,
  admit = () => {},
}: UpstreamOptions): Upstream {
  const unknown = createFailureMemory<number>(now, POLLING_INTERVAL_MS);
  const failed = createFailureMemory<string>(now, RETRY_MS);
  const known = new LRUCache<number, true>({ max: MAX_REMEMBERED });
  /** The first request for each new station, while it runs. */
  const firstRequests = new Map<number, Promise<void>>();
  /** Admitted stations whose first request has no answer yet. */
  const admitted = new Set<number>();
  const slots = pLimit(concurrency);
  const diskReads = pLimit(DISK_CONCURRENCY);

  const archiveAfresh = service.archiveAfresh ?? service.archive;

  async function request(
    station: number,
    period: Period,
    isAfresh: boolean,
  ): Promise<UpstreamAnswer> {
    const askedMs = now();
    try {
      const archive = await (isAfresh
        ? archiveAfresh(station, period)
        : service.archive(station, period));
      known.set(station, true);
      return { archive, askedMs };
    } catch (error) {
      if (error instanceof NotFoundError) {
        known.delete(station);
        unknown.note(station, error);
      } else if (error instanceof UnavailableError || error instanceof NotInterfaceError) {
        failed.note(keyOf(station, period), error);
      }
      throw error;
    } finally {
      admitted.delete(station);
    }
  }

  function admitOnce(station: number): void {
    if (known.has(station) || admitted.has(station)) return;
    admit(station);
    admitted.add(station);
  }

  /** Sends the first request for a station alone: an unknown station costs the service just one. */
  async function requestAfterFirst(
    station: number,
    period: Period,
    isAfresh: boolean,
  ): Promise<UpstreamAnswer> {
    const first = firstRequests.get(station);
    if (first !== undefined) await first;
    unknown.rethrow(station);
    admitOnce(station);
    const answer = request(station, period, isAfresh);
    if (first === undefined && !known.has(station)) {
      const end = () => void firstRequests.delete(station);
      firstRequests.set(station, answer.then(end, end));
    }
    return answer;
  }

  /** @returns null for a cached answer without rows, which earlier versions of vane kept */
  async function readCached(
    station: number,
    period: Period,
  ): Promise<UpstreamAnswer | null | undefined> {
    if (!(await service.keeps?.(station, period))) return undefined;
    const answer = await diskReads(() => request(station, period, false));
    return hasRowIn(answer.archive, period) ? answer : null;
  }

  return {
    async ask(station, period, isAfresh = false) {
      unknown.rethrow(station);
      const cached = isAfresh ? undefined : await readCached(station, period);
      if (cached) return cached;
      failed.rethrow(keyOf(station, period));
      if (slots.activeCount + slots.pendingCount >= concurrency + maxWaiting) {
        throw new UnavailableError(
          `More than ${maxWaiting} requests are waiting for the station service. Try again in a minute.`,
        );
      }
      admitOnce(station);
      return slots(() => requestAfterFirst(station, period, isAfresh || cached === null));
    },
  };
}

function keyOf(station: number, { start, stop }: Period): string {
  return `${station} ${start} ${stop}`;
}

/** Remembers failures for a time and throws them again. */
function createFailureMemory<K extends string | number>(now: () => number, forMs: number) {
  const failures = new LRUCache<K, { readonly error: VaneError; readonly notedMs: number }>({
    max: MAX_REMEMBERED,
  });
  return {
    note(key: K, error: VaneError): void {
      failures.set(key, { error, notedMs: now() });
    },
    rethrow(key: K): void {
      const failure = failures.get(key);
      if (failure !== undefined && isWithin(failure.notedMs, forMs, now())) throw failure.error;
    },
  };
}
