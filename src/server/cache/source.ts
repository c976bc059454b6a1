import type { Archive, LiveStation, LiveStations } from '../../domain/envelope.ts';
import type { Period } from '../../domain/period.ts';
import {
  NotFoundError,
  RefusedError,
  UnavailableError,
  UnexpectedResponseError,
} from '../../errors.ts';
import { abortable } from '../../io.ts';
import type { StationService } from '../../service/service.ts';
import { FULL_QUEUE_RETRY_MS, type WaitingClients } from './queue.ts';

/** How long a response is valid. Times are in milliseconds since 1970. */
export interface ResponseValidity {
  /** When the data were requested. */
  readonly requestedMs: number;
  /** When to request the data again; Infinity for final data. */
  readonly freshUntilMs: number;
  /** Whether a later request for the data has failed. */
  readonly isStale: boolean;
}

/** Shared data, and how long they are valid. */
export interface CachedData<T> extends ResponseValidity {
  readonly data: T;
}

/** Where a server gets its data from. The functions throw every failure of a StationService. */
export interface StationSource {
  live(
    station: number | 'all',
    withMeta: boolean,
    signal: AbortSignal,
  ): Promise<CachedData<LiveStation | LiveStations>>;
  /**
   * The rows of a period in order of time. Repeated rows are kept, since a client may want to see
   * them.
   */
  archive(station: number, period: Period, caller: WaitingClients): Promise<CachedData<Archive>>;
}

/**
 * Creates a source that passes each request on to a service.
 * @param holdsMs how long a response stays valid, milliseconds; 0 by default
 */
export function directSource(
  service: StationService,
  now: () => number,
  holdsMs = 0,
): StationSource {
  const uncached = <T>(data: T): CachedData<T> => ({
    data,
    requestedMs: now(),
    freshUntilMs: now() + holdsMs,
    isStale: false,
  });
  return {
    live: async (station, withMeta, signal) =>
      uncached(
        station === 'all'
          ? await service.liveAll({ withMeta, signal })
          : await service.live(station, { withMeta, signal }),
      ),
    archive: async (station, period, { signal }) =>
      uncached(cutArchive(await service.archive(station, period, { signal }), period)),
  };
}

/**
 * Creates a source that uses the caches. Its errors contain the service's message, or a general one
 * that does not reveal the service's address.
 */
export function cachedSource(
  { live }: { live(station: number | 'all', withMeta: boolean): ReturnType<StationSource['live']> },
  { archive }: Pick<StationSource, 'archive'>,
): StationSource {
  const rethrow = (error: unknown): never => {
    throw withoutAddress(error);
  };
  return {
    // A refresh of the live data continues even without clients.
    live: (station, withMeta, signal) => abortable(live(station, withMeta), signal).catch(rethrow),
    archive: (station, period, caller) => archive(station, period, caller).catch(rethrow),
  };
}

function withoutAddress(error: unknown): unknown {
  if (error instanceof UnavailableError || error instanceof UnexpectedResponseError) {
    const retryAfterMs = error instanceof UnavailableError ? error.retryAfterMs : undefined;
    return new UnavailableError(
      'The service behind this server is not available now; try again later.',
      { cause: error, retryAfterMs: retryAfterMs ?? FULL_QUEUE_RETRY_MS },
    );
  }
  if (error instanceof NotFoundError) {
    return new NotFoundError(error.serviceMessage || 'There is no such station.');
  }
  if (error instanceof RefusedError) {
    const { status, errorCode, serviceMessage } = error;
    const message = serviceMessage || 'The service behind this server rejected the request.';
    return new RefusedError(message, status, errorCode);
  }
  return error;
}

/** The cache key of an archive. */
export function archiveKey(station: number, { start, stop }: Period): string {
  return `${station} ${start} ${stop}`;
}

/**
 * Whether a time is less than `forMs` ago. False for a time in the future, which means that the
 * clock was set back.
 */
export function isWithinAge(momentMs: number, forMs: number, nowMs: number): boolean {
  return momentMs <= nowMs && nowMs < momentMs + forMs;
}

export const isFinalData = ({ freshUntilMs }: ResponseValidity): boolean =>
  freshUntilMs === Number.POSITIVE_INFINITY;

/**
 * How long a response with several parts is valid.
 * @param parts at least one
 */
export function joinValidity(parts: readonly ResponseValidity[]): ResponseValidity {
  const open = parts.filter((part) => !isFinalData(part));
  return {
    // Use the date of the oldest open part, so that the date never goes back when parts are
    // refreshed.
    requestedMs: Math.min(
      ...(open.length > 0 ? open : parts).map(({ requestedMs }) => requestedMs),
    ),
    freshUntilMs: Math.min(...parts.map(({ freshUntilMs }) => freshUntilMs)),
    isStale: false,
  };
}

/**
 * Cuts an archive to the rows of a period, and sorts them. A service may include `stop`, or send
 * rows in any order.
 */
export function cutArchive(archive: Archive, period: Period): Archive {
  const rows = archive.rows.within(period);
  return rows === archive.rows ? archive : { ...archive, rows };
}
