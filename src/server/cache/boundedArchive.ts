import pLimit from 'p-limit';
import type { Archive } from '../../domain/envelope.ts';
import { type Period, POLLING_INTERVAL_MS } from '../../domain/period.ts';
import { NotFoundError, NotInterfaceError, UnavailableError } from '../../errors.ts';
import { abortable } from '../../io.ts';
import type { ArchiveDiskCache } from '../../service/disk/archiveCache.ts';
import type { StationService } from '../../service/service.ts';
import { type CacheCall, isWithin, keyOf } from './cached.ts';
import { createCountedCache } from './countedCache.ts';
import { createQueue } from './queue.ts';

/**
 * Most requests that wait: with four slots, and a second for each request, the last one would wait
 * 50 s, which is as long as a client waits for an answer.
 */
const MAX_WAITING = 200;

/** How long a failed request is not sent again, milliseconds. */
const RETRY_MS = 5000;

/** Most stations remembered as known, and half of the failures remembered. */
const MAX_REMEMBERED = 10_000;

/** Most answers read from disk at once: Node reads no more files at once. */
const DISK_CONCURRENCY = 4;

export interface BoundedArchiveOptions {
  /** The service to ask. An answer that `keeps` finds in the cache on disk needs no slot. */
  readonly service: Pick<StationService, 'archive'> &
    Partial<Pick<ArchiveDiskCache, 'keeps' | 'settle'>>;
  readonly now: () => number;
  /** Highest number of requests to the service at the same time, 1 or more. */
  readonly concurrency: number;
  /** Called before the first request for a station; throws to refuse the request. */
  readonly admit?: (station: number) => void;
}

export interface DatedArchive {
  readonly archive: Archive;
  /** When the request was sent, after any wait behind other requests; milliseconds since 1970. */
  readonly askedMs: number;
}

/**
 * Bounds the requests that many clients cause at a service.
 * @returns a function that asks for a period; with `isAfresh` past the cache on disk. Its `signal`
 *   drops a request that was not sent yet. It throws every failure of a StationService: an unknown
 *   station is remembered for 60 s, a failed request for 5 s. UnavailableError comes at once when
 *   too many requests wait for a slot.
 */
export function createBoundedArchive({
  service,
  now,
  concurrency,
  admit = () => {},
}: BoundedArchiveOptions) {
  /** Failures by station (unknown stations) or by request. */
  const failures = createCountedCache<string, { error: Error; notedMs: number; forMs: number }>(
    2 * MAX_REMEMBERED,
  );
  const known = createCountedCache<number, true>(MAX_REMEMBERED);
  /** The first request for each new station, while it runs. */
  const firstRequests = new Map<number, Promise<void>>();
  /** Stations that passed `admit` and whose first request has no answer yet. */
  const admitted = new Set<number>();
  const queue = createQueue(concurrency, MAX_WAITING);
  const diskReads = pLimit(DISK_CONCURRENCY);

  function rethrow(key: string): void {
    const failure = failures.get(key);
    if (failure && isWithin(failure.notedMs, failure.forMs, now())) throw failure.error;
  }

  async function request(
    station: number,
    period: Period,
    isAfresh: boolean,
  ): Promise<DatedArchive> {
    const askedMs = now();
    try {
      const answer = await service.archive(station, period, { isAfresh });
      known.set(station, true);
      return { archive: answer, askedMs };
    } catch (error) {
      if (error instanceof NotFoundError) {
        known.delete(station);
        failures.set(`${station}`, { error, notedMs: now(), forMs: POLLING_INTERVAL_MS });
      } else if (error instanceof UnavailableError || error instanceof NotInterfaceError) {
        failures.set(keyOf(station, period), { error, notedMs: now(), forMs: RETRY_MS });
      }
      throw error;
    }
  }

  function admitOnce(station: number): void {
    if (known.has(station) || admitted.has(station)) return;
    admit(station);
    admitted.add(station);
  }

  /**
   * Sends a request for a station after the station's first request has ended, so that an unknown
   * station costs the service one request.
   */
  async function sendAfterFirst(
    station: number,
    send: () => Promise<DatedArchive>,
    signal: AbortSignal,
  ) {
    const first = firstRequests.get(station);
    if (first !== undefined) await abortable(first, signal);
    rethrow(`${station}`);
    admitOnce(station);
    const answer = send();
    if (first === undefined && !known.has(station)) {
      const end = () => void firstRequests.delete(station);
      firstRequests.set(station, answer.then(end, end));
    }
    return answer;
  }

  return async (station: number, period: Period, call: CacheCall): Promise<DatedArchive> => {
    const { isAfresh, signal } = call;
    const send = () => request(station, period, isAfresh);
    rethrow(`${station}`);
    if (!isAfresh && (await service.keeps?.(station, period))) return diskReads(send);
    rethrow(keyOf(station, period));
    admitOnce(station);
    try {
      return await queue.run(() => sendAfterFirst(station, send, signal), call);
    } finally {
      admitted.delete(station);
    }
  };
}
