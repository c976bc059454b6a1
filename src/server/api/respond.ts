import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { POLLING_INTERVAL_MS } from '../../domain/period.ts';
import { MAX_RETRY_AFTER_MS } from '../../service/http/retry.ts';
import { oneWaitingClient } from '../cache/queue.ts';
import {
  CONTENT_CODINGS,
  type ContentCoding,
  type ResponseCache,
  type ResponsePlan,
  type SharedResponse,
} from '../cache/responses.ts';
import { isFinalData } from '../cache/source.ts';
import { chooseCoding, MIN_COMPRESSED_BYTES, PNG_TYPE } from '../edge/headers.ts';
import type { OpenRequests } from '../edge/openRequests.ts';

export interface ResponseTools {
  readonly store: ResponseCache;
  readonly openRequests: OpenRequests;
  readonly now: () => number;
}

/** Sends a response in a coding that the client accepts, or 304 if the client already has it. */
export async function sendResponse(
  plan: ResponsePlan,
  request: FastifyRequest,
  reply: FastifyReply,
  { store, openRequests, now }: ResponseTools,
): Promise<void> {
  const { response, outcome } =
    store.find(plan) ?? (await store.make(plan, oneWaitingClient(request)));
  const { coding, body } = await store.encode(plan.key, response, codingFor(request, response));
  const head = headOf(response, coding, now());
  reply.headers(head);
  if (isKnownToClient(request.headers, head)) {
    request.outcome = 'not_modified';
    reply.code(304).send();
    return;
  }
  request.outcome = outcome;
  reply.type(response.type);
  if (coding !== 'identity') reply.header('content-encoding', coding);
  // Do not return the reply: Fastify would then watch the connection until the body is sent.
  reply.send(body);
  // Count the body only while some of its bytes are unsent.
  if (reply.raw.writableLength > 0) openRequests.carry(request.raw, reply.raw, body);
}

/** Chooses how to compress a response for a client, if at all. */
function codingFor(
  { headers }: FastifyRequest,
  { type, body, isCached }: SharedResponse,
): ContentCoding {
  // Compressing a response for one client costs more than it saves, and PNG is already compressed.
  if (!isCached || body.length < MIN_COMPRESSED_BYTES || type === PNG_TYPE) return 'identity';
  return chooseCoding(headers['accept-encoding'], CONTENT_CODINGS);
}

/**
 * Cache-Control of a response that should never change, such as an old archive. Clients still check
 * it after a day.
 */
const FOR_A_DAY = 'public, max-age=86400';

/**
 * The headers of a response and of its 304. They say how long clients and proxies may reuse it.
 * `max-age` and `Age` both count from when the data were requested (RFC 9111, 4.2), so the response
 * expires at the next refresh. nginx ignores Age, so X-Accel-Expires tells nginx the remaining
 * seconds.
 */
function headOf(
  response: SharedResponse,
  coding: ContentCoding,
  now: number,
): Record<string, string> {
  const { requestedMs, freshUntilMs, isStale } = response.validity;
  // Each coding of a response needs its own ETag (RFC 9110, 8.8.3.3).
  const tag = coding === 'identity' ? response.hash : `${response.hash}-${coding}`;
  const head: Record<string, string> = { etag: `"${tag}"`, vary: 'Accept-Encoding' };
  if (isFinalData(response.validity)) {
    head['cache-control'] = FOR_A_DAY;
    return head;
  }
  // Final or uncached data have no known modification time.
  if (response.isCached) head['last-modified'] = response.lastModified;
  // Cap the remaining time: after the clock was set back, it would exceed the lifetime.
  const maxMs = isStale ? MAX_RETRY_AFTER_MS : freshUntilMs - requestedMs;
  const leftSeconds = Math.ceil(Math.min(freshUntilMs - now, maxMs) / 1000);
  if (leftSeconds <= 0) {
    head['cache-control'] = 'no-cache';
    return head;
  }
  const ageSeconds = Math.max(0, Math.floor((now - requestedMs) / 1000));
  head['cache-control'] =
    `public, max-age=${ageSeconds + leftSeconds}, stale-while-revalidate=${POLLING_INTERVAL_MS / 1000}`;
  head.age = String(ageSeconds);
  head['x-accel-expires'] = String(leftSeconds);
  // RFC 9111 removed the header Warning (RFC 7234, 5.5), but offers no other sign of a stale
  // response.
  if (isStale) head.warning = '110 - "Response is Stale"';
  return head;
}

/**
 * Whether a client's conditional headers show that it has the response (RFC 9110, 13.1.2 and
 * 13.1.3).
 */
function isKnownToClient(
  requestHeaders: IncomingHttpHeaders,
  head: Record<string, string>,
): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since = '' } = requestHeaders;
  // With no-cache, which browsers send when the user reloads a page, the whole response is sent.
  if (/\bno-cache\b/.test(requestHeaders['cache-control'] ?? '')) return false;
  if (!tags) return Date.parse(head['last-modified'] ?? '') <= Date.parse(since);
  const isKnown = (tag: string): boolean => tag === '*' || tag.replace(/^W\//, '') === head.etag;
  return tags.split(',').some((tag) => isKnown(tag.trim()));
}
