import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { Archive } from '../../domain/envelope.ts';
import { type Period, POLLING_INTERVAL_MS } from '../../domain/period.ts';
import { NotFoundError, UnavailableError, UnexpectedResponseError } from '../../errors.ts';
import type { ArchiveDiskCache } from '../../service/disk/archiveCache.ts';
import type { StationService } from '../../service/service.ts';
import { createQueue, type WaitingClients } from './queue.ts';
import { singleFlight } from './singleFlight.ts';
import { archiveKey, isWithinAge } from './source.ts';

/**
 * Most requests that wait: with four slots, and a second for each request, the last one would wait
 * 50 s, which is as long as a client waits for a response.
 */
const MAX_WAITING = 200;

/** How long a failed request is not sent again, milliseconds. */
const RETRY_MS = 5000;

/** Most stations remembered as known, and half of the failures remembered. */
const MAX_REMEMBERED = 10_000;

/** Most responses read from disk at once: Node reads no more files at once. */
const DISK_CONCURRENCY = 4;

export interface ArchiveRequestOptions {
  /** The service. A response that `keeps` finds in the cache on disk needs no slot. */
  readonly service: Pick<StationService, 'archive'> &
    Partial<Pick<ArchiveDiskCache, 'keeps' | 'settle'>>;
  readonly now: () => number;
  /** Highest number of requests to the service at the same time, 1 or more. */
  readonly concurrency: number;
  /** Whether the service is sure to know a station. */
  readonly isListed?: (station: number) => boolean;
  /** Called before the first request for another station; throws to refuse the request. */
  readonly admit?: (station: number) => void;
}

export interface DatedArchive {
  readonly archive: Archive;
  /** When the request was sent, after any wait behind other requests; milliseconds since 1970. */
  readonly requestedMs: number;
}

/**
 * Bounds the requests that many clients cause at a service.
 * @returns a function that requests a period. Its `signal` drops a request that was not sent yet.
 *   It throws every failure of a StationService: an unknown station is remembered for 60 s, a
 *   failed request for 5 s. UnavailableError comes at once when too many requests wait for a slot.
 */
export function createArchiveRequests(options: ArchiveRequestOptions) {
  const { service, now, concurrency, isListed = () => false, admit = () => {} } = options;
  /** Failures by station (unknown stations) or by request. */
  const failures = new LRUCache<string, { error: Error; notedMs: number; forMs: number }>({
    max: 2 * MAX_REMEMBERED,
  });
  const known = new LRUCache<number, true>({ max: MAX_REMEMBERED });
  /** Shares the first request for a station that is not known yet. */
  const shareFirst = singleFlight<DatedArchive>();
  // The last slot is for other clients, even if the service is slow for all that one client wants.
  const queue = createQueue(concurrency, MAX_WAITING, Math.max(1, concurrency - 1));
  const diskReads = pLimit(DISK_CONCURRENCY);

  function rethrow(key: string): void {
    const failure = failures.get(key);
    if (failure && isWithinAge(failure.notedMs, failure.forMs, now())) throw failure.error;
  }

  async function send(station: number, period: Period): Promise<DatedArchive> {
    const requestedMs = now();
    try {
      const archive = await service.archive(station, period);
      known.set(station, true);
      return { archive, requestedMs };
    } catch (error) {
      if (error instanceof NotFoundError) {
        known.delete(station);
        failures.set(`${station}`, { error, notedMs: now(), forMs: POLLING_INTERVAL_MS });
      } else if (error instanceof UnavailableError || error instanceof UnexpectedResponseError) {
        failures.set(archiveKey(station, period), { error, notedMs: now(), forMs: RETRY_MS });
      }
      throw error;
    }
  }

  return async function sendRequest(
    station: number,
    period: Period,
    caller: WaitingClients,
  ): Promise<DatedArchive> {
    rethrow(`${station}`);
    if (await service.keeps?.(station, period)) return diskReads(() => send(station, period));
    rethrow(archiveKey(station, period));
    const request = (all: WaitingClients) => queue.run(() => send(station, period), all);
    if (known.has(station) || isListed(station)) return request(caller);
    // A station that does not exist costs the service one request, however many clients want it:
    // all of them wait for the first request. Once sent, it goes on when they have left.
    let first: Promise<DatedArchive> | undefined;
    const requestFirst = (all: WaitingClients): Promise<DatedArchive> => {
      first = Promise.resolve(station)
        .then(admit)
        .then(() => request(all));
      return first;
    };
    await shareFirst(`${station}`, requestFirst, caller).catch(() => {});
    if (first) return first;
    caller.signal.throwIfAborted();
    return sendRequest(station, period, caller);
  };
}
