import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { Archive } from '../../domain/envelope.ts';
import { type Period, POLLING_INTERVAL_MS } from '../../domain/period.ts';
import { NotFoundError, NotInterfaceError, UnavailableError } from '../../errors.ts';
import type { ArchiveDiskCache } from '../disk/archiveCache.ts';
import type { StationService } from '../service.ts';
import { isWithin } from './cached.ts';

/** How long a failed request is not sent again, milliseconds. */
const RETRY_MS = 5000;

/**
 * At most this many ids are remembered as known stations, and twice as many failures of requests.
 */
const MAX_REMEMBERED = 10_000;

/** At most this many answers are read from disk at once, since Node reads no more files at once. */
const DISK_CONCURRENCY = 4;

export interface UpstreamOptions {
  /** The service to ask; `concurrency` does not count answers that `keeps` finds on disk. */
  readonly service: Pick<StationService, 'archive'> &
    Partial<Pick<ArchiveDiskCache, 'keeps' | 'settle'>> & {
      /** Asks the service for a period, past every cache. */
      readonly archiveAfresh?: StationService['archive'];
    };
  /** Returns the current time, milliseconds since 1970. */
  readonly now: () => number;
  /** Highest number of requests to the service at the same time, 1 or more. */
  readonly concurrency: number;
  /** How many requests beyond `concurrency` may wait before further ones fail; 1000 by default. */
  readonly maxWaiting?: number;
  /** Called before the first request for a station; throws to refuse the request. */
  readonly admit?: (station: number) => void;
}

export interface UpstreamAnswer {
  readonly archive: Archive;
  /** When the request was sent, after any wait behind other requests; milliseconds since 1970. */
  readonly askedMs: number;
}

export function keyOf(station: number, { start, stop }: Period): string {
  return `${station} ${start} ${stop}`;
}

/**
 * Bounds the requests that many clients cause at a service.
 * @returns a function that asks for a station's archive of a period; with `isAfresh` past the cache
 *   on disk. It throws every failure of a StationService: an unknown station is remembered for
 *   60 s, a failed request for 5 s. UnavailableError comes at once when too many requests wait.
 */
export function createUpstream({
  service,
  now,
  concurrency,
  maxWaiting = 1000,
  admit = () => {},
}: UpstreamOptions) {
  const { archive, archiveAfresh = archive } = service;
  /** Remembered failures: by the station if it is unknown, otherwise by the request. */
  const failures = new LRUCache<string, { error: Error; notedMs: number; forMs: number }>({
    max: 2 * MAX_REMEMBERED,
  });
  const known = new LRUCache<number, true>({ max: MAX_REMEMBERED });
  /** The first request for each new station, while it runs. */
  const firstRequests = new Map<number, Promise<void>>();
  /** Stations that passed `admit` and whose first request has no answer yet. */
  const admitted = new Set<number>();
  const slots = pLimit(concurrency);
  const diskReads = pLimit(DISK_CONCURRENCY);

  function rethrow(key: string): void {
    const failure = failures.get(key);
    if (failure && isWithin(failure.notedMs, failure.forMs, now())) throw failure.error;
  }

  async function request(
    station: number,
    period: Period,
    askArchive: StationService['archive'],
  ): Promise<UpstreamAnswer> {
    const askedMs = now();
    try {
      const answer = await askArchive(station, period);
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
    } finally {
      admitted.delete(station);
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
  async function sendAfterFirst(station: number, send: () => Promise<UpstreamAnswer>) {
    const first = firstRequests.get(station);
    if (first !== undefined) await first;
    rethrow(`${station}`);
    admitOnce(station);
    const answer = send();
    if (first === undefined && !known.has(station)) {
      const end = () => void firstRequests.delete(station);
      firstRequests.set(station, answer.then(end, end));
    }
    return answer;
  }

  return async (station: number, period: Period, isAfresh = false): Promise<UpstreamAnswer> => {
    const send = () => request(station, period, isAfresh ? archiveAfresh : archive);
    rethrow(`${station}`);
    if (!isAfresh && (await service.keeps?.(station, period))) return diskReads(send);
    rethrow(keyOf(station, period));
    if (slots.activeCount + slots.pendingCount >= concurrency + maxWaiting) {
      throw new UnavailableError(
        `More than ${maxWaiting} requests are waiting for the station service. Try again in a minute.`,
      );
    }
    admitOnce(station);
    return slots(() => sendAfterFirst(station, send));
  };
}
