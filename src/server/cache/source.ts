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

/** How long a response is valid. Times are milliseconds since 1970. */
export interface ResponseValidity {
  /** When the data were requested. */
  readonly requestedMs: number;
  /** Until when no new request is sent; Infinity for data that are final. */
  readonly freshUntilMs: number;
  /** Whether a later request for the data has failed. */
  readonly isStale: boolean;
}

/** A response shared by many clients, and how long it is valid. */
export interface CachedData<T> extends ResponseValidity {
  readonly data: T;
}

/** Where a server's responses come from. Throws every failure of a StationService. */
export interface StationSource {
  live(
    station: number | 'all',
    withMeta: boolean,
    signal: AbortSignal,
  ): Promise<CachedData<LiveStation | LiveStations>>;
  /**
   * The rows of a period, ascending by time. Rows that the service repeats stay repeated: a client
   * may want to know.
   */
  archive(station: number, period: Period, caller: WaitingClients): Promise<CachedData<Archive>>;
}

/**
 * A source that sends each request to a service.
 * @param holdsMs how long a response stays valid, milliseconds; by default 0, so none is cached
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
 * A source that responds from the caches. Its errors carry the service's own message, or a general
 * one that does not reveal the service's address.
 */
export function sharedSource(
  { live }: { live(station: number | 'all', withMeta: boolean): ReturnType<StationSource['live']> },
  { archive }: Pick<StationSource, 'archive'>,
): StationSource {
  const rethrow = (error: unknown): never => {
    throw withoutAddress(error);
  };
  return {
    // The refresh of the live data goes on without clients.
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

/** The key of an archive of a station. */
export function archiveKey(station: number, { start, stop }: Period): string {
  return `${station} ${start} ${stop}`;
}

/**
 * Whether a time is less than `forMs` ago; false for a future time, since the clock was set back
 * then.
 */
export function isWithinAge(momentMs: number, forMs: number, nowMs: number): boolean {
  return momentMs <= nowMs && nowMs < momentMs + forMs;
}

export const isFinalData = ({ freshUntilMs }: ResponseValidity): boolean =>
  freshUntilMs === Number.POSITIVE_INFINITY;

/** How long a response of several parts is valid. @param parts one or more */
export function joinValidity(parts: readonly ResponseValidity[]): ResponseValidity {
  const open = parts.filter((part) => !isFinalData(part));
  return {
    // The oldest open part dates the response, so that its date never goes back when parts are
    // requested again.
    requestedMs: Math.min(
      ...(open.length > 0 ? open : parts).map(({ requestedMs }) => requestedMs),
    ),
    freshUntilMs: Math.min(...parts.map(({ freshUntilMs }) => freshUntilMs)),
    isStale: false,
  };
}

/**
 * Cuts an archive to the rows of a period, sorted by time: a service may include `stop`, or send
 * rows in any order.
 */
export function cutArchive(archive: Archive, period: Period): Archive {
  const rows = archive.rows.within(period);
  return rows === archive.rows ? archive : { ...archive, rows };
}
