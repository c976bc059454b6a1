import type { Archive, LiveStation, LiveStations } from '../domain/envelope.ts';
import type { Period } from '../domain/period.ts';

/** The public network that speaks the interface, used unless the user names another service. */
export const DEFAULT_BASE_URL = 'https://api.pioupiou.fr';

/** Another address of the public network, which its own documents name since 2023. */
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
  /** Whether to request all metadata: description, picture, date and rating besides the name. */
  readonly withMeta: boolean;
}

/**
 * A station service: over HTTP, cached or simulated. Every method throws NotFoundError for an
 * unknown station, RefusedError for a request that the service does not allow, NotInterfaceError
 * for a response in another form and UnavailableError where no response came.
 */
export interface StationService {
  /** The latest measurements of one station. */
  live(station: number, options: LiveCallOptions): Promise<LiveStation>;
  /** The latest measurements of all stations, ascending by id. */
  liveAll(options: LiveCallOptions): Promise<LiveStations>;
  /** The rows in a period of at most 31 days, in any order, with or without those at its bounds. */
  archive(station: number, period: Period, options?: ArchiveCallOptions): Promise<Archive>;
}

export interface RequestCounters {
  /** Requests sent, retries included. */
  requests: number;
  retries: number;
  /** Bytes of bodies received, before decompression. */
  bytes: number;
  /** Chunks read from the archive cache on disk. */
  cacheHits: number;
  /** Chunks written to the archive cache on disk. */
  stored: number;
}

export function createRequestCounters(): RequestCounters {
  return { requests: 0, retries: 0, bytes: 0, cacheHits: 0, stored: 0 };
}
