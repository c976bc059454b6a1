import type { Archive, LiveStation, LiveStations } from '../domain/envelope.ts';
import type { Period } from '../domain/period.ts';

/** The public network, which is used by default. */
export const DEFAULT_BASE_URL = 'https://api.pioupiou.fr';

/** The second address of the public network, which its own documents use since 2023. */
export const SECOND_BASE_URL = 'https://api.openwindmap.org';

/** The addresses of the public network. */
export const PUBLIC_BASE_URLS: readonly string[] = [DEFAULT_BASE_URL, SECOND_BASE_URL];

interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface ArchiveCallOptions extends CallOptions {
  /** Called with the response's `Date` header, if there is one, milliseconds since 1970. */
  readonly onResponse?: (respondedMs: number) => void;
}

export interface LiveCallOptions extends CallOptions {
  /**
   * Whether to request all metadata: besides the name also description, picture, date and rating.
   */
  readonly withMeta: boolean;
}

/**
 * A station service: over HTTP, cached or simulated. Every method throws NotFoundError for an
 * unknown station, RefusedError for a request that the service refuses, UnexpectedResponseError for
 * a response in another form and UnavailableError without a response.
 */
export interface StationService {
  /** The latest measurements of one station. */
  live(station: number, options: LiveCallOptions): Promise<LiveStation>;
  /** The latest measurements of all stations, sorted by id. */
  liveAll(options: LiveCallOptions): Promise<LiveStations>;
  /**
   * The rows in a period of at most 31 days, in any order. Rows at the exact start and stop may be
   * missing or included.
   */
  archive(station: number, period: Period, options?: ArchiveCallOptions): Promise<Archive>;
}

export interface RequestCounters {
  /** Requests sent, including retries. */
  requests: number;
  retries: number;
  /** Size of received bodies before decompression, bytes. */
  bytes: number;
  /** Chunks read from the archive cache on disk. */
  cacheHits: number;
  /** Chunks written to the archive cache on disk. */
  stored: number;
}

export function createRequestCounters(): RequestCounters {
  return { requests: 0, retries: 0, bytes: 0, cacheHits: 0, stored: 0 };
}
