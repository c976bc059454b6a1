import rateLimiter from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MINUTE_MS } from '../../domain/dates.ts';
import type { RefusedError } from '../../errors.ts';
import type { CacheOutcome } from '../cache/responses.ts';
import { clientAddress, clientKey } from './clientAddress.ts';
import { createRefusal, methodNotAllowed } from './errorResponses.ts';
import { ALLOWED_METHODS } from './headers.ts';
import { MAX_RATE_LIMITED_CLIENTS } from './limits.ts';
import { LIVENESS_PATH } from './liveness.ts';
import type { OpenRequests } from './openRequests.ts';

/**
 * A finished request, for the access log and the metrics. The order of fields is that of the log.
 */
export interface FinishedRequest {
  readonly address: string;
  readonly method: string;
  /** Path and query as the client sent them. */
  readonly url: string;
  /** Status of the response; 499 if the connection closed before a response. */
  readonly status: number;
  /** Number of bytes of the body that were sent. */
  readonly bytes: number;
  readonly ms: number;
  /** Where the response came from; undefined if it contains no data of stations. */
  readonly cache: CacheOutcome | undefined;
  readonly referer: string | undefined;
  readonly agent: string | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The client's address. It is read at the start, since a closed connection has none. */
    address: string;
    /** The key of the client for limits. */
    client: string;
    outcome: CacheOutcome | undefined;
  }
}

/**
 * Called at the end of each request.
 * @param route the pattern of the route; undefined for an unknown path
 */
export type OnFinishedRequest = (line: FinishedRequest, route: string | undefined) => void;

export interface RateLimit {
  /** Maximum number of requests of one client per minute, 1 or more. */
  readonly perMinute: number;
  readonly isExempt?: (address: string) => boolean;
  /** Called for each refused request. */
  readonly onExceeded?: (address: string) => void;
}

/** Adds the first hook for requests, which logs and reports each request at its end. */
export function reportRequests(
  app: FastifyInstance,
  openRequests: OpenRequests,
  onRequest: OnFinishedRequest = () => {},
): void {
  app.decorateRequest('address', '');
  app.decorateRequest('client', '');
  app.decorateRequest('outcome', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    const startedMs = performance.now();
    request.address = clientAddress(request);
    request.client = clientKey(request.address);
    reply.header('x-content-type-options', 'nosniff');
    // Fastify's hook onResponse does not run for clients that have left.
    const over = (): void => {
      const line = lineOf(request, reply, performance.now() - startedMs);
      app.log.access?.(line);
      onRequest(line, request.routeOptions.url);
    };
    openRequests.begin(request.raw, reply.raw, request.client, { start: done, over });
  });
}

/**
 * Limits the request rate of each client, even for unknown paths, but not for {@link
 * LIVENESS_PATH}.
 */
export async function limitRate(
  app: FastifyInstance,
  { perMinute, isExempt, onExceeded }: RateLimit,
): Promise<void> {
  // Hide the headers about the rate: responses are shared and cached, so they must not depend on
  // one client.
  const hidden = {
    'x-ratelimit-limit': false,
    'x-ratelimit-remaining': false,
    'x-ratelimit-reset': false,
  };
  await app.register(rateLimiter, {
    global: false,
    max: perMinute,
    timeWindow: MINUTE_MS,
    cache: MAX_RATE_LIMITED_CLIENTS,
    keyGenerator: ({ client }) => client,
    allowList: ({ address, routeOptions }) =>
      routeOptions.url === LIVENESS_PATH || (isExempt?.(address) ?? false),
    ...(onExceeded && { onExceeded: ({ address }) => onExceeded(address) }),
    addHeaders: hidden,
    addHeadersOnExceeding: hidden,
    errorResponseBuilder: () =>
      createRefusal('too_many_requests', 'Too many requests from this address.'),
  });
  app.addHook('onRequest', app.rateLimit());
}

/**
 * Refuses other methods before Fastify reads a body, since a bad body would cause a different
 * error. Routes accept every method, so that HEAD is handled like GET: Fastify's own HEAD route
 * would send a 304 with `Content-Length: 0`, which is wrong (RFC 9110, 8.6).
 */
export function allowReadsOnly(
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  const { method } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  const error = malformed(request);
  if (method === 'OPTIONS' && !error) reply.code(204).header('allow', ALLOWED_METHODS).send();
  else done(error ?? (isRead ? undefined : methodNotAllowed()));
}

function lineOf(request: FastifyRequest, reply: FastifyReply, ms: number): FinishedRequest {
  const { method, originalUrl, headers, outcome, address } = request;
  const { headersSent, statusCode } = reply.raw;
  const isBodySent = headersSent && method !== 'HEAD';
  return {
    address,
    method,
    url: originalUrl,
    status: headersSent ? statusCode : 499,
    bytes: isBodySent ? Number(reply.getHeader('content-length') ?? 0) : 0,
    ms,
    cache: outcome,
    referer: headers.referer,
    agent: headers['user-agent'],
  };
}

/**
 * Refuses a request with no or several Host headers (RFC 9112, 3.2), or with an invalid Expect (RFC
 * 9110, 10.1.1).
 */
function malformed({ headers, raw }: FastifyRequest): RefusedError | undefined {
  const names = raw.rawHeaders.filter((_, index) => index % 2 === 0);
  if (names.filter((name) => name.toLowerCase() === 'host').length > 1) {
    return createRefusal('bad_request', 'The header Host is repeated.');
  }
  if (raw.httpVersion !== '1.1') return undefined;
  if (headers.host === undefined)
    return createRefusal('bad_request', 'The header Host is missing.');
  if (headers.expect === undefined || /\b100-continue\b/i.test(headers.expect)) return undefined;
  return createRefusal('expectation_failed', 'The header Expect can only be 100-continue.');
}

const ABSOLUTE_FORM = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/**
 * The path and query of a request target, for the router. Clients with `http_proxy` send the
 * absolute form, with `http://` and host. A path with broken percent-encoding is taken literally,
 * so that the client gets an error in the interface's form.
 */
export function readRequestTarget(target: string): string {
  if (target.startsWith('/') && !target.includes('%')) return target;
  const origin = target.replace(ABSOLUTE_FORM, '');
  const [path = ''] = origin.split(/[?#]/, 1);
  const rest = origin.slice(path.length);
  const rooted = path.startsWith('/') ? path : `/${path}`;
  return (isDecodable(rooted) ? rooted : rooted.replaceAll('%', '%25')) + rest;
}

function isDecodable(path: string): boolean {
  try {
    decodeURI(path);
    return true;
  } catch {
    return false;
  }
}
