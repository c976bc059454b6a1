import { createServer, maxHeaderSize, type Server } from 'node:http';
import { promisify } from 'node:util';
import cors from '@fastify/cors';
import rateLimiter from '@fastify/rate-limit';
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  fastify,
} from 'fastify';
import { MINUTE_MS } from '../../domain/dates.ts';
import type { RefusedError } from '../../errors.ts';
import type { Outcome } from '../cache/answers.ts';
import { clientAddress, clientKey, type TrustProxy } from './clientAddress.ts';
import {
  answerError,
  answerMalformed,
  methodNotAllowed,
  overloaded,
  refusal,
  refuseConnect,
} from './errorAnswers.ts';
import { CORS, JSON_TYPE, METHODS, NO_STORE } from './headers.ts';
import {
  ANSWER_TIMEOUT_MS,
  IDLE_TIMEOUT_MS,
  MAX_CLIENTS,
  MAX_CONNECTIONS,
  SERVER_LIMITS,
  TAKE_TIMEOUT_MS,
} from './limits.ts';
import { listenFailure } from './listenFailure.ts';
import { createOpenRequests, type OpenRequests } from './openRequests.ts';
import { readTarget } from './requestTarget.ts';

/** A finished request, for the access log and the metrics, in the order of the log's fields. */
export interface RequestLine {
  readonly address: string;
  readonly method: string;
  /** Path and query of the request, as the client sent them. */
  readonly url: string;
  /** Status of the answer; 499 for a connection that closed before there was an answer. */
  readonly status: number;
  /** Length of the body sent, in bytes. */
  readonly bytes: number;
  readonly ms: number;
  /** Where the answer came from; undefined for an answer without data of stations. */
  readonly cache: Outcome | undefined;
  readonly referer: string | undefined;
  readonly agent: string | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Address of the client, read when the request comes: a closed connection has none. */
    address: string;
    outcome: Outcome | undefined;
  }
}

export interface RateLimit {
  /** Requests that one client may send in a minute, 1 or more. */
  readonly perMinute: number;
  readonly isExempt?: (address: string) => boolean;
  /** Called for each request that is refused. */
  readonly onExceeded?: (address: string) => void;
}

export interface AppOptions {
  /** Bytes of memory that open requests and unsent answers may take together. */
  readonly maxUnsentBytes: number;
  readonly maxConnections?: number | undefined;
  readonly trustProxy?: TrustProxy | undefined;
  readonly rateLimit?: RateLimit | undefined;
  /** The longest time to make an answer, milliseconds. */
  readonly answerTimeoutMs?: number;
  /** The longest time in which a client may receive an answer, milliseconds. */
  readonly takeTimeoutMs?: number;
  /** Where the access log goes, by default nowhere. */
  readonly logger?: FastifyServerOptions['logger'];
  /**
   * Called at the end of each request.
   * @param route the pattern of the route; undefined where none matches
   */
  readonly onRequest?: (line: RequestLine, route: string | undefined) => void;
  /** Called with each unexpected failure, of which the client only sees `internal_error`. */
  readonly onDefect?: (error: unknown) => void;
  /** The error message for a path without a route. */
  readonly notFound: string;
}

/** Makes a server to which callers add routes; its hooks see each request before a route does. */
export async function createApp(options: AppOptions) {
  const { maxConnections = MAX_CONNECTIONS, trustProxy, rateLimit, logger = false } = options;
  const { answerTimeoutMs = ANSWER_TIMEOUT_MS, takeTimeoutMs = TAKE_TIMEOUT_MS } = options;
  const servers: Server[] = [];
  const openRequests = createOpenRequests(options.maxUnsentBytes, takeTimeoutMs);
  const app = fastify({
    forceCloseConnections: 'idle',
    // The 503 that Fastify sends while it closes would lack the headers of all other answers.
    return503OnClosing: false,
    routerOptions: { maxParamLength: maxHeaderSize },
    rewriteUrl: ({ url = '' }) => readTarget(url),
    clientErrorHandler: answerMalformed,
    handlerTimeout: answerTimeoutMs,
    logger,
    ...(trustProxy && { trustProxy }),
    serverFactory(handle) {
      const server = createServer(SERVER_LIMITS, handle);
      server.timeout = IDLE_TIMEOUT_MS;
      server.maxConnections = maxConnections;
      // No “100 Continue”: Node would write it after the head of the answer to a pipelined request.
      server.on('checkContinue', handle);
      server.on('checkExpectation', handle);
      server.on('connect', (_request, socket) => refuseConnect(socket));
      servers.push(server);
      return server;
    },
  });
  await app.register(cors, CORS);
  reportRequests(app, openRequests, options);
  if (rateLimit) await limitRate(app, rateLimit);
  app.addHook('onRequest', (request, reply, done) => {
    if (openRequests.isFull) done(overloaded());
    else takeReadsOnly(request, reply, done);
  });
  answerErrors(app, options);
  return {
    /** The Fastify instance, to which routes can be added until `listen`. */
    fastify: app,
    openRequests,
    /**
     * Listens for requests.
     * @param flag the flag that sets the port, for an error
     * @throws UsageError when the host and port cannot be listened on
     */
    listen: (host: string, port: number, flag = '--port'): Promise<string> =>
      app.listen({ host, port }).catch((error) => {
        throw listenFailure(error, host, port, flag);
      }),
    async countConnections(): Promise<number> {
      const counts = servers.map((server) => promisify(server.getConnections).call(server));
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    },
    /**
     * Takes no further requests, and frees the port.
     * @param graceMs how long open requests may take before they are dropped; 0 drops them at once
     */
    async close(graceMs = 0): Promise<void> {
      openRequests.endConnections();
      const closed = app.close();
      const drop = setTimeout(() => {
        for (const server of servers) server.closeAllConnections();
      }, graceMs);
      await closed;
      clearTimeout(drop);
    },
  };
}

/** Adds the hook that sees each request first, and reports the request at its end. */
function reportRequests(
  app: FastifyInstance,
  openRequests: OpenRequests,
  { onRequest }: AppOptions,
): void {
  app.decorateRequest('address', '');
  app.decorateRequest('outcome', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    const startedMs = performance.now();
    request.address = clientAddress(request);
    reply.header('x-content-type-options', 'nosniff');
    // Fastify's hook onResponse would not run for clients that left.
    const over = (): void => {
      const line = lineOf(request, reply, performance.now() - startedMs);
      app.log.access?.(line);
      onRequest?.(line, request.routeOptions.url);
    };
    openRequests.begin(request.raw, reply.raw, done, over);
  });
}

/** Limits the requests of each client, to unknown paths too. */
async function limitRate(
  app: FastifyInstance,
  { perMinute, isExempt, onExceeded }: RateLimit,
): Promise<void> {
  // Answers are shared by clients and kept by caches, so they say nothing of one client's rate.
  const hidden = {
    'x-ratelimit-limit': false,
    'x-ratelimit-remaining': false,
    'x-ratelimit-reset': false,
  };
  await app.register(rateLimiter, {
    global: false,
    max: perMinute,
    timeWindow: MINUTE_MS,
    cache: MAX_CLIENTS,
    keyGenerator: ({ address }) => clientKey(address),
    ...(isExempt && { allowList: ({ address }) => isExempt(address) }),
    ...(onExceeded && { onExceeded: ({ address }) => onExceeded(address) }),
    addHeaders: hidden,
    addHeadersOnExceeding: hidden,
    errorResponseBuilder: () =>
      refusal('too_many_requests', 'Too many requests from this address.'),
  });
  app.addHook('onRequest', app.rateLimit());
}

/**
 * Refuses other methods before Fastify reads a body: a bad body would get another error first.
 * Routes take all methods, not GET: the HEAD route that Fastify makes from a GET route sends a 304
 * with `Content-Length: 0`, which is not the length of the answer (RFC 9110, 8.6).
 */
function takeReadsOnly(
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  const { method } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  const error = malformed(request);
  if (method === 'OPTIONS' && !error) reply.code(204).header('allow', METHODS).send();
  else done(error ?? (isRead ? undefined : methodNotAllowed()));
}

function lineOf(request: FastifyRequest, reply: FastifyReply, ms: number): RequestLine {
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

/** Refuses a request without Host (RFC 9112, 3.2) or with a wrong Expect (RFC 9110, 10.1.1). */
function malformed({ headers, raw }: FastifyRequest): RefusedError | undefined {
  if (raw.httpVersion !== '1.1') return undefined;
  if (headers.host === undefined) return refusal('bad_request', 'The header Host is missing.');
  if (headers.expect === undefined || /\b100-continue\b/i.test(headers.expect)) return undefined;
  return refusal('expectation_failed', 'The header Expect takes 100-continue only.');
}

function answerErrors(app: FastifyInstance, { notFound, onDefect }: AppOptions): void {
  app.setNotFoundHandler(() => {
    throw refusal('not_found', notFound);
  });
  app.setErrorHandler((error, request, reply) => {
    const { status, headers, body } = answerError(error);
    if (status === 500 && !request.signal.aborted) onDefect?.(error);
    return reply
      .code(status)
      .headers({ ...NO_STORE, ...headers })
      .type(JSON_TYPE)
      .send(JSON.stringify(body));
  });
}
