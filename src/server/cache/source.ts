import type { Archive, LiveStation, LiveStations } from '../../domain/envelope.ts';
import type { Period } from '../../domain/period.ts';
import { NotFoundError, NotInterfaceError, RefusedError, UnavailableError } from '../../errors.ts';
import { abortable } from '../../io.ts';
import type { StationService } from '../../service/service.ts';
import type { ArchiveCache } from './archives.ts';
import { type CacheCall, type Cached, cutArchive } from './cached.ts';
import type { LiveCache } from './liveStations.ts';
import { TRY_LATER_MS } from './queue.ts';

/** Where a server's answers come from. Throws every failure of a StationService. */
export interface Source {
  live(
    station: number | 'all',
    withMeta: boolean,
    signal: AbortSignal,
  ): Promise<Cached<LiveStation | LiveStations>>;
  /**
   * The rows of a period, ascending by time. Rows that the service repeats stay repeated: a client
   * may want to know.
   */
  archive(station: number, period: Period, call: CacheCall): Promise<Cached<Archive>>;
}

/**
 * A source that asks a service for each request.
 * @param holdsMs how long an answer stays valid, milliseconds; by default 0, so none is cached
 */
export function directSource(service: StationService, now: () => number, holdsMs = 0): Source {
  const uncached = <T>(data: T): Cached<T> => ({
    data,
    askedMs: now(),
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
 * A source that answers from the caches. Its errors carry the service's own message, or a general
 * one that does not reveal the service's address.
 */
export function sharedSource({ live }: LiveCache, { archive }: ArchiveCache): Source {
  const rethrow = (error: unknown): never => {
    throw withoutAddress(error);
  };
  return {
    // The refresh of the live data goes on without clients.
    live: (station, withMeta, signal) => abortable(live(station, withMeta), signal).catch(rethrow),
    archive: (station, period, call) => archive(station, period, call).catch(rethrow),
  };
}

function withoutAddress(error: unknown): unknown {
  if (error instanceof UnavailableError || error instanceof NotInterfaceError) {
    const asked = error instanceof UnavailableError ? error.retryAfterMs : undefined;
    return new UnavailableError(
      'The service behind this server cannot be asked now; try again later.',
      { cause: error, retryAfterMs: asked ?? TRY_LATER_MS },
    );
  }
  if (error instanceof NotFoundError) {
    return new NotFoundError(error.serviceMessage || 'The station is not known.');
  }
  if (error instanceof RefusedError) {
    const { status, errorCode, serviceMessage } = error;
    const message = serviceMessage || 'The service behind this server refused this.';
    return new RefusedError(message, status, errorCode);
  }
  return error;
}
