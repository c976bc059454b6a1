import { createServer, maxHeaderSize, type Server } from 'node:http';
import { promisify } from 'node:util';
import cors from '@fastify/cors';
import { type FastifyInstance, type FastifyServerOptions, fastify } from 'fastify';
import { errorCode, UsageError } from '../../errors.ts';
import type { TrustProxy } from './clientAddress.ts';
import { createRefusal, errorResponse, refuseConnect, refuseMalformed } from './errorResponses.ts';
import { CORS_OPTIONS, JSON_TYPE, NO_STORE } from './headers.ts';
import {
  IDLE_TIMEOUT_MS,
  MAX_CONNECTIONS,
  RECEIVE_TIMEOUT_MS,
  RESPONSE_TIMEOUT_MS,
  SERVER_LIMITS,
} from './limits.ts';
import { createOpenRequests } from './openRequests.ts';
import {
  allowReadsOnly,
  limitRate,
  type OnFinishedRequest,
  type RateLimit,
  readRequestTarget,
  reportRequests,
} from './requestHooks.ts';

export interface AppOptions {
  /** Maximum memory of open requests and unsent responses together, bytes. */
  readonly maxUnsentBytes: number;
  readonly maxConnections?: number | undefined;
  readonly trustProxy?: TrustProxy | undefined;
  readonly rateLimit?: RateLimit | undefined;
  /** Maximum time to create a response, milliseconds. */
  readonly responseTimeoutMs?: number;
  /** Maximum time for a client to receive a response, milliseconds. */
  readonly receiveTimeoutMs?: number;
  /** The logger of the access log; none by default. */
  readonly logger?: FastifyServerOptions['logger'];
  readonly onRequest?: OnFinishedRequest;
  /** Called with each unexpected error. The client only gets `internal_error`. */
  readonly onDefect?: (error: unknown) => void;
  /** The paths of all pages, for the error about an unknown path. */
  readonly pages: readonly string[];
}

/** Creates a server. Callers add routes; the server's hooks run before them. */
export async function createApp(options: AppOptions) {
  const { maxConnections = MAX_CONNECTIONS, trustProxy, rateLimit, logger = false } = options;
  const { responseTimeoutMs = RESPONSE_TIMEOUT_MS, receiveTimeoutMs = RECEIVE_TIMEOUT_MS } =
    options;
  const servers: Server[] = [];
  const openRequests = createOpenRequests(options.maxUnsentBytes, receiveTimeoutMs);
  const app = fastify({
    forceCloseConnections: 'idle',
    // Fastify's own 503 while closing would lack the headers of other responses.
    return503OnClosing: false,
    routerOptions: { maxParamLength: maxHeaderSize },
    rewriteUrl: ({ url = '' }) => readRequestTarget(url),
    clientErrorHandler: refuseMalformed,
    handlerTimeout: responseTimeoutMs,
    logger,
    ...(trustProxy && { trustProxy }),
    serverFactory(handle) {
      const server = createServer(SERVER_LIMITS, handle);
      server.timeout = IDLE_TIMEOUT_MS;
      server.maxConnections = maxConnections;
      // Do not send “100 Continue”: Node would write it after the head of the response to a
      // pipelined request.
      server.on('checkContinue', handle);
      server.on('checkExpectation', handle);
      server.on('connect', (_request, socket) => refuseConnect(socket));
      servers.push(server);
      return server;
    },
  });
  await app.register(cors, CORS_OPTIONS);
  reportRequests(app, openRequests, options.onRequest);
  if (rateLimit) await limitRate(app, rateLimit);
  app.addHook('onRequest', allowReadsOnly);
  handleErrors(app, options);
  return {
    /** The Fastify instance. Routes can be added until `listen`. */
    fastify: app,
    openRequests,
    /**
     * Listens for requests.
     * @param flag the flag that sets the port, for errors
     * @throws UsageError if the host and port are not available
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
     * Stops accepting requests, and frees the port.
     * @param graceMs how long open requests may still run; 0 drops them at once
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

function handleErrors(app: FastifyInstance, { pages, onDefect }: AppOptions): void {
  const notFound = `There is nothing here. The pages are ${pages.join(', ')}.`;
  app.setNotFoundHandler(() => {
    throw createRefusal('not_found', notFound);
  });
  app.setErrorHandler((error, request, reply) => {
    const { status, headers, body } = errorResponse(error);
    if (status === 500 && !request.signal.aborted) onDefect?.(error);
    return reply
      .code(status)
      .headers({ ...NO_STORE, ...headers })
      .type(JSON_TYPE)
      .send(JSON.stringify(body));
  });
}

const NO_ADDRESS = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'];

/**
 * Creates the error for a host and port that are not available.
 * @param flag the flag that sets the port
 */
function listenFailure(error: unknown, host: string, port: number, flag: string) {
  const code = errorCode(error) ?? String(error);
  if (NO_ADDRESS.includes(code)) {
    return new UsageError(
      `${host} is not an address of this machine; use one of its own, such as 127.0.0.1.`,
    );
  }
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `is in use; choose another with ${flag} (0 picks a free one).`,
    EACCES: `needs administrator rights; choose one above 1023 with ${flag} (0 picks a free one).`,
  };
  return new UsageError(
    `Port ${port} on ${host} ${reasons[code] ?? `cannot be listened on (${code}).`}`,
  );
}
