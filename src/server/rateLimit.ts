import { isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';

export interface RateLimitOptions {
  /** Requests that a client may send in the long run, a whole number from 1. */
  readonly perMinute: number;
  /** Requests that it may send at once after a pause, a whole number from 1; `perMinute` if left out. */
  readonly burst?: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What became of a client's wish to send a request. */
export type Permission =
  | { readonly isAllowed: true }
  /** After `retryAfterMs`, at least 1, the next is allowed if no other comes before it. */
  | { readonly isAllowed: false; readonly retryAfterMs: number };

export interface RateLimit {
  /** Counts a request of a client; one that is refused costs it nothing. */
  take(address: string): Permission;
}

/** What a client has left. */
interface Bucket {
  /** In parts of a request, whole numbers all of them: a sum of fractions would drift. */
  parts: number;
  filledAtMs: number;
}

/** A request in parts, so that in one millisecond `perMinute` of them flow in. */
const PARTS_PER_REQUEST = 60_000;

/** Some 8 MB. A client that is forgotten starts afresh, which takes 50,000 others. */
const MAX_CLIENTS = 50_000;

const ALLOWED: Permission = { isAllowed: true };

/**
 * A token bucket for each client. IPv6 clients count by their /64 (RFC 6177: the least that one
 * customer gets), since otherwise each has 2⁶⁴ addresses to be counted by.
 */
export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { perMinute, burst = perMinute, now } = options;
  const fullParts = burst * PARTS_PER_REQUEST;
  const buckets = new LRUCache<string, Bucket>({ max: MAX_CLIENTS });

  function fill(key: string): Bucket {
    const nowMs = now();
    const bucket = buckets.get(key);
    if (bucket === undefined) {
      const full = { parts: fullParts, filledAtMs: nowMs };
      buckets.set(key, full);
      return full;
    }
    // A clock that was set back gives nothing, but must not keep a client waiting for it either.
    const elapsedMs = Math.max(0, nowMs - bucket.filledAtMs);
    bucket.parts = Math.min(fullParts, bucket.parts + elapsedMs * perMinute);
    bucket.filledAtMs = nowMs;
    return bucket;
  }

  return {
    take(address) {
      const bucket = fill(clientKey(address));
      const missing = PARTS_PER_REQUEST - bucket.parts;
      if (missing > 0) return { isAllowed: false, retryAfterMs: Math.ceil(missing / perMinute) };
      bucket.parts -= PARTS_PER_REQUEST;
      return ALLOWED;
    },
  };
}

/** What a client counts by: its IPv4 address, its IPv6 network, or whatever else it is called. */
function clientKey(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = ipv6Groups(address);
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  return isMapped ? ipv4Of(groups) : groups.slice(0, 4).join(':');
}

function ipv4Of(groups: readonly number[]): string {
  return groups
    .slice(6)
    .map((group) => `${group >> 8}.${group & 0xff}`)
    .join('.');
}

/** The eight groups of an IPv6 address in any of its spellings (RFC 4291, 2.2; RFC 4007, 11). */
function ipv6Groups(address: string): number[] {
  const [withoutZone = ''] = address.split('%', 1);
  const [head = [], tail = []] = withoutZone.split('::').map(readGroups);
  while (head.length + tail.length < 8) head.push(0);
  return head.concat(tail);
}

function readGroups(text: string): number[] {
  const groups: number[] = [];
  if (text === '') return groups;
  for (const group of text.split(':')) {
    if (group.includes('.')) {
      const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
      groups.push((a << 8) | b, (c << 8) | d);
    } else groups.push(Number.parseInt(group, 16));
  }
  return groups;
}
