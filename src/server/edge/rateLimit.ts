import { isIPv6 } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '../../domain/dates.ts';
import type { RefusedError } from '../../errors.ts';
import { refusal, retryAfter } from './errorAnswers.ts';

export interface RateLimit {
  /** Requests a minute of one client on average, and also at once after a pause; 1 or more. */
  readonly perMinute: number;
  readonly isExempt?: (address: string) => boolean;
  /** Called for each request that is refused. */
  readonly onExceeded?: (address: string) => void;
}

/**
 * Limits the requests of each client address.
 * @returns a function that gives the error for a request above the limit
 */
export function limitRate({ perMinute, isExempt, onExceeded }: RateLimit, now: () => number) {
  const take = createTokenBuckets(perMinute, now);
  return ({ address }: FastifyRequest, reply: FastifyReply): RefusedError | undefined => {
    const waitMs = isExempt?.(address) ? 0 : take(clientKey(address));
    if (waitMs === 0) return undefined;
    onExceeded?.(address);
    // Close the connection of a client above the limit: many such connections would leave none for
    // other clients.
    reply.headers({ connection: 'close', ...retryAfter(waitMs) });
    return refusal('too_many_requests', 'Too many requests from this address.');
  };
}

/** Each millisecond adds `perMinute` parts of a token; a sum of fractions would drift. */
const PARTS_PER_TOKEN = MINUTE_MS;

/** How many clients are remembered, in some 8 MB. */
const MAX_CLIENTS = 50_000;

/**
 * A token bucket for each client, which holds a minute's requests.
 * @returns a function that takes a token of a client and returns 0; without a token it returns the
 *   milliseconds until the next token, and the client loses nothing by asking
 */
export function createTokenBuckets(perMinute: number, now: () => number): (key: string) => number {
  const fullParts = perMinute * PARTS_PER_TOKEN;
  const buckets = new LRUCache<string, { parts: number; filledAtMs: number }>({ max: MAX_CLIENTS });
  return (key) => {
    const nowMs = now();
    const { parts, filledAtMs } = buckets.get(key) ?? { parts: fullParts, filledAtMs: nowMs };
    // If the clock was set back, add no tokens; from then on, the bucket fills by the new time.
    const elapsedMs = Math.max(0, nowMs - filledAtMs);
    const filled = Math.min(fullParts, parts + elapsedMs * perMinute);
    const isAllowed = filled >= PARTS_PER_TOKEN;
    buckets.set(key, { parts: isAllowed ? filled - PARTS_PER_TOKEN : filled, filledAtMs: nowMs });
    return isAllowed ? 0 : Math.ceil((PARTS_PER_TOKEN - filled) / perMinute);
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
