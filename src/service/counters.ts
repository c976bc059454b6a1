/** What a command has asked for so far; the services it goes through count up. */
export interface Counters {
  /** Requests sent, each retry one of them. */
  requests: number;
  retries: number;
  /** Bytes of bodies received, compressed as they came. */
  bytes: number;
  /** Answers that came out of the cache. */
  cacheHits: number;
  /** Answers that the cache took in. */
  stored: number;
}

export function createCounters(): Counters {
  return { requests: 0, retries: 0, bytes: 0, cacheHits: 0, stored: 0 };
}
