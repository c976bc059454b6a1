import { createServer, maxHeaderSize, type Server } from 'node:http';
import { promisify } from 'node:util';
import cors from '@fastify/cors';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { RefusedError } from '../../errors.ts';
import type { Outcome } from '../cache/answers.ts';
import { TRY_LATER_MS } from '../cache/queue.ts';
import { clientAddress, type TrustProxy } from './clientAddress.ts';
import { type Connections, createConnections } from './connections.ts';
import {
  answerError,
  answerMalformed,
  methodNotAllowed,
  refusal,
  refuseConnect,
  retryAfter,
} from './errorAnswers.ts';
import { CORS, JSON_TYPE, METHODS, NO_STORE } from './headers.ts';
import { IDLE_TIMEOUT_MS, MAX_CONNECTIONS, SERVER_LIMITS } from './limits.ts';
import { listenFailure } from './listenFailure.ts';
import { limitRate, type RateLimit } from './rateLimit.ts';
import { readTarget } from './requestTarget.ts';

/** A finished request, for the access log and the metrics. */
export interface RequestLine {
  readonly method: string;
  /** Path and query of the request, as the client sent them. */
  readonly url: string;
  /** Status of the answer; 499 for a connection that closed before there was an answer. */
  readonly status: number;
  /** Length of the body sent, in bytes. */
  readonly bytes: number;
  readonly ms: number;
  /** Where the answer came from; undefined for an answer without data of stations. */
  readonly outcome: Outcome | undefined;
  readonly address: string;
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

export interface AppOptions {
  readonly now: () => number;
  /** Bytes of memory that open requests and unsent answers may take together. */
  readonly maxUnsentBytes: number;
  readonly maxConnections?: number | undefined;
  readonly trustProxy?: TrustProxy | undefined;
  readonly rateLimit?: RateLimit | undefined;
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
  const { maxConnections = MAX_CONNECTIONS, trustProxy } = options;
  const servers: Server[] = [];
  const connections = createConnections(options.maxUnsentBytes);
  const app = fastify({
    forceCloseConnections: 'idle',
    // The 503 that Fastify sends while it closes would lack the headers of all other answers.
    return503OnClosing: false,
    routerOptions: { maxParamLength: maxHeaderSize },
    rewriteUrl: ({ url = '' }) => readTarget(url),
    clientErrorHandler: answerMalformed,
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
  receive(app, connections, options);
  answerErrors(app, options);
  return {
    /** The Fastify instance, to which routes can be added until `listen`. */
    fastify: app,
    connections,
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
      connections.end();
      const closed = app.close();
      const drop = setTimeout(() => {
        for (const server of servers) server.closeAllConnections();
      }, graceMs);
      await closed;
      clearTimeout(drop);
    },
  };
}

/** Adds the hook that sees each request before its route, and reports the request at its end. */
function receive(app: FastifyInstance, connections: Connections, options: AppOptions): void {
  const { now, rateLimit, onRequest } = options;
  const refuseExcess = rateLimit && limitRate(rateLimit, now);
  app.decorateRequest('address', '');
  app.decorateRequest('outcome', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    const startedMs = performance.now();
    request.address = clientAddress(request);
    reply.header('x-content-type-options', 'nosniff');
    // Listen to “close”: Fastify's hook onResponse would not run for clients that left.
    reply.raw.on('close', () => {
      connections.release(request.raw, reply.raw);
      onRequest?.(lineOf(request, reply, performance.now() - startedMs), request.routeOptions.url);
    });
    const excess = refuseExcess?.(request, reply);
    if (excess) return done(excess);
    const start = (): void => takeReadsOnly(request, reply, done);
    if (connections.admit(request.raw, reply.raw, start)) return;
    reply.headers({ connection: 'close', ...retryAfter(TRY_LATER_MS) });
    done(refusal('overloaded', 'The server has too much to send; try again later.'));
  });
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
  if (!isRead) reply.header('allow', METHODS);
  const error = malformed(request);
  if (method === 'OPTIONS' && !error) reply.code(204).send();
  else done(error ?? (isRead ? undefined : methodNotAllowed()));
}

function lineOf(request: FastifyRequest, reply: FastifyReply, ms: number): RequestLine {
  const { method, originalUrl, headers, outcome, address } = request;
  const { headersSent, statusCode } = reply.raw;
  const isBodySent = headersSent && method !== 'HEAD';
  return {
    method,
    url: originalUrl,
    status: headersSent ? statusCode : 499,
    bytes: isBodySent ? Number(reply.getHeader('content-length') ?? 0) : 0,
    ms,
    outcome,
    address,
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
