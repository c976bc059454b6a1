import type { Archive, LiveStation, LiveStations } from '../domain/envelope.ts';
import type { Period } from '../domain/period.ts';
import type { Slot } from './semaphore.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface ArchiveOptions extends CallOptions {
  /** Cached while requests are under way or waited with; others may have it while an answer is read. */
  readonly slot?: Slot;
  /**
   * Told when the service answered, by its own clock (the answer's `Date`), milliseconds since
   * 1970; not called where the answer does not say.
   */
  readonly onAnswered?: (answeredMs: number) => void;
  /** Caches on the way are to ask the service again. */
  readonly isAfresh?: boolean;
}

export interface LiveOptions extends CallOptions {
  /** Ask for descriptions, pictures, dates and ratings too. */
  readonly withMeta: boolean;
}

/**
 * A station service, wherever it is: across HTTP, in a cache, or simulated. Every method
 * throws NotFoundError for an unknown station, RefusedError for a request the service does not
 * allow, NotInterfaceError for an answer it could not understand and UnavailableError when
 * there was none.
 */
export interface StationService {
  /** The latest measurements of one station. */
  live(station: number, options: LiveOptions): Promise<LiveStation>;
  /** The latest measurements of all stations, ascending by id. */
  liveAll(options: LiveOptions): Promise<LiveStations>;
  /** The history of one station over a period of at most 31 days; bounds and order as the service has them. */
  archive(station: number, period: Period, options?: ArchiveOptions): Promise<Archive>;
}
