import { isIPv6 } from 'node:net';
import rateLimitPlugin from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { refusal } from './errors.ts';

export interface RateLimit {
  /** Requests that a client may send in the long run, and at once after a pause; from 1. */
  readonly perMinute: number;
  readonly isExempt?: (address: string) => boolean;
  /** Called for each request that is refused. */
  readonly onExceeded?: (address: string) => void;
}

/** Limits the requests of each client address by a hook, for all routes and for what has none. */
export async function limitRate(
  app: FastifyInstance,
  { perMinute, isExempt = () => false, onExceeded = () => {} }: RateLimit,
  now: () => number,
): Promise<void> {
  const buckets = createTokenBuckets({ perMinute, now });
  class Store {
    incr(key: string, done: (error: null, result: { current: number; ttl: number }) => void): void {
      const waitMs = buckets.take(key);
      done(null, { current: waitMs === 0 ? 0 : perMinute + 1, ttl: waitMs });
    }
    child(): Store {
      return this;
    }
  }
  const none = {
    'x-ratelimit-limit': false,
    'x-ratelimit-remaining': false,
    'x-ratelimit-reset': false,
  };
  await app.register(rateLimitPlugin, {
    global: false,
    max: perMinute,
    store: Store,
    // The plugin's own key takes 0.2 ms for an address of IPv6.
    keyGenerator: ({ address }) => clientKey(address),
    onExceeded: ({ address }) => onExceeded(address),
    addHeaders: none,
    addHeadersOnExceeding: none,
    errorResponseBuilder: () =>
      refusal('too_many_requests', 'Too many requests from this address.'),
  });
  const limit = app.rateLimit();
  app.addHook('onRequest', (request, reply, done) => {
    // Not the plugin's allowList, which it awaits for each request.
    if (isExempt(request.address)) done();
    else limit.call(app, request, reply).then(() => done(), done);
  });
}

export interface TokenBucketOptions {
  readonly perMinute: number;
  /** Requests at once after a pause, a whole number from 1; `perMinute` if left out. */
  readonly burst?: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface TokenBuckets {
  /**
   * Takes a token of a client. A client that has none left loses nothing by asking.
   * @returns milliseconds until there is one, 0 where it got one
   */
  take(key: string): number;
}

interface Bucket {
  /** Whole numbers, parts of a token: a sum of fractions would drift. */
  parts: number;
  filledAtMs: number;
}

/** A token in parts, of which `perMinute` flow in each millisecond. */
const PARTS_PER_TOKEN = 60_000;

/** Some 8 MB. A client that is forgotten starts afresh, which takes 50,000 others. */
const MAX_CLIENTS = 50_000;

/** A token bucket for each client: the plugin's own store counts in fixed windows of time. */
export function createTokenBuckets(options: TokenBucketOptions): TokenBuckets {
  const { perMinute, burst = perMinute, now } = options;
  const fullParts = burst * PARTS_PER_TOKEN;
  const buckets = new LRUCache<string, Bucket>({ max: MAX_CLIENTS });
  return {
    take(key) {
      const nowMs = now();
      const known = buckets.get(key);
      const bucket = known ?? { parts: fullParts, filledAtMs: nowMs };
      if (!known) buckets.set(key, bucket);
      // A clock that was set back gives nothing, and keeps no client waiting for it.
      const elapsedMs = Math.max(0, nowMs - bucket.filledAtMs);
      bucket.parts = Math.min(fullParts, bucket.parts + elapsedMs * perMinute);
      bucket.filledAtMs = nowMs;
      const missing = PARTS_PER_TOKEN - bucket.parts;
      if (missing > 0) return Math.ceil(missing / perMinute);
      bucket.parts -= PARTS_PER_TOKEN;
      return 0;
    },
  };
}

/**
 * The key of a client: its IPv4 address, or the /64 of its IPv6 address (RFC 6177: the least that
 * one customer gets), because a customer has 2⁶⁴ addresses.
 */
export function clientKey(address: string): string {
  if (!isIPv6(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, 8).join(':');
}
