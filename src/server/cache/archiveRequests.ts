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
 * Maximum number of waiting requests. With four slots and a second per request, the last one waits
 * 50 s, which is as long as clients wait.
 */
const MAX_WAITING = 200;

/** How long a failed request is not repeated, milliseconds. */
const RETRY_MS = 5000;

/** Maximum number of known stations to remember, and twice the number of failures. */
const MAX_REMEMBERED = 10_000;

/** Maximum number of concurrent reads from disk, which is Node's own limit. */
const DISK_CONCURRENCY = 4;

export interface ArchiveRequestOptions {
  /** The service. If `keeps` finds the response in the cache on disk, the request needs no slot. */
  readonly service: Pick<StationService, 'archive'> &
    Partial<Pick<ArchiveDiskCache, 'keeps' | 'settle'>>;
  readonly now: () => number;
  /** Maximum number of concurrent requests to the service, 1 or more. */
  readonly concurrency: number;
  /** Whether the service certainly knows a station. */
  readonly isListed?: (station: number) => boolean;
  /** Called before the first request for an unknown station. Throws to refuse the request. */
  readonly admit?: (station: number) => void;
}

export interface DatedArchive {
  readonly archive: Archive;
  /** When the request was sent, after any wait in the queue; milliseconds since 1970. */
  readonly requestedMs: number;
}

/**
 * Limits the requests that many clients cause at a service.
 * @returns a function that requests a period. Its `signal` drops a request that is still queued. It
 *   throws every failure of a StationService, and remembers unknown stations for 60 s and failed
 *   requests for 5 s. If too many requests wait, it throws UnavailableError at once.
 */
export function createArchiveRequests(options: ArchiveRequestOptions) {
  const { service, now, concurrency, isListed = () => false, admit = () => {} } = options;
  /** Failures by station (if it is unknown) or by request. */
  const failures = new LRUCache<string, { error: Error; notedMs: number; forMs: number }>({
    max: 2 * MAX_REMEMBERED,
  });
  const known = new LRUCache<number, true>({ max: MAX_REMEMBERED });
  /** Shares the first request for an unknown station. */
  const shareFirst = singleFlight<DatedArchive>();
  // One slot is always left for other clients, however slow the service is for one client's
  // requests.
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
    // All clients wait for the first request for an unknown station, so that a station that does
    // not exist costs the service only one request. Once sent, it continues even if all clients
    // leave.
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
