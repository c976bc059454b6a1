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

/**
 * Sends the response of a plan in a coding that suits the client, or 304 to a client that has it.
 */
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
  // Count the body only while bytes of it wait to be sent.
  if (reply.raw.writableLength > 0) openRequests.carry(request.raw, reply.raw, body);
}

/** How a response is compressed for a client, if at all. */
function codingFor(
  { headers }: FastifyRequest,
  { type, body, isCached }: SharedResponse,
): ContentCoding {
  // Compressing a response for one client costs more than it saves, and PNG is compressed already.
  if (!isCached || body.length < MIN_COMPRESSED_BYTES || type === PNG_TYPE) return 'identity';
  return chooseCoding(headers['accept-encoding'], CONTENT_CODINGS);
}

/**
 * Cache-Control of a response that should not change any more, such as an old archive: after a
 * day a client checks whether the response is still valid.
 */
const FOR_A_DAY = 'public, max-age=86400';

/**
 * The headers of a response and of its 304, which say how long clients and proxies may use the
 * response without a new request. `max-age` and `Age` both count from when the data were requested
 * (RFC 9111, 4.2), so the response expires at the next refresh. nginx ignores Age: X-Accel-Expires
 * tells nginx the seconds left.
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
  // Send no time of the last change for data that are final or not cached: it is unknown.
  if (response.isCached) head['last-modified'] = response.lastModified;
  // Limit the time left, which would exceed the whole lifetime after the clock was set back.
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
  // RFC 9111 drops the header Warning (RFC 7234, 5.5), but has no other sign of a stale response.
  if (isStale) head.warning = '110 - "Response is Stale"';
  return head;
}

/** Whether a client's conditions say that it has the response (RFC 9110, 13.1.2 and 13.1.3). */
function isKnownToClient(
  requestHeaders: IncomingHttpHeaders,
  head: Record<string, string>,
): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since = '' } = requestHeaders;
  // Browsers request a whole response with no-cache when the user loads a page anew.
  if (/\bno-cache\b/.test(requestHeaders['cache-control'] ?? '')) return false;
  if (!tags) return Date.parse(head['last-modified'] ?? '') <= Date.parse(since);
  const isKnown = (tag: string): boolean => tag === '*' || tag.replace(/^W\//, '') === head.etag;
  return tags.split(',').some((tag) => isKnown(tag.trim()));
}
