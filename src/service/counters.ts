/** Counts what the services of a command do. */
export interface Counters {
  /** Requests sent, retries included. */
  requests: number;
  retries: number;
  /** Bytes of bodies received, before decompression. */
  bytes: number;
  /** Answers read from the cache. */
  cacheHits: number;
  /** Answers written to the cache. */
  stored: number;
}

export function createCounters(): Counters {
  return { requests: 0, retries: 0, bytes: 0, cacheHits: 0, stored: 0 };
}
