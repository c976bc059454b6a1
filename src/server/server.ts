import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { RefusedError } from '../errors.ts';
import { directSource, type Source } from '../service/memory/source.ts';
import type { StationService } from '../service/service.ts';
import { createAnswerStore, type Outcome } from './answers.ts';
import { createApp, type Documents } from './app.ts';
import { endWith, methodNotAllowed, refuse } from './broken.ts';
import { METHODS, OpenResponse } from './headers.ts';
import { applyLimits, LIMITED, SERVER_LIMITS } from './limits.ts';
import { listenFailure } from './listenFailure.ts';
import { createOutbox } from './outbox.ts';
import type { RateLimit } from './rateLimit.ts';
import { createReception } from './reception.ts';
import type { Way } from './respond.ts';

/** What became of one request. */
export interface RequestLine {
  readonly method: string;
  /** The target as it arrived. */
  readonly url: string;
  /** 499 when the client left before there was an answer. */
  readonly status: number;
  /** Length of the body sent. */
  readonly bytes: number;
  readonly ms: number;
  /** How the answer was come by; undefined for what is no data. */
  readonly outcome: Outcome | 'not_modified' | undefined;
  readonly address: string;
  readonly referer: string | undefined;
  readonly agent: string | undefined;
}

interface CommonOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** The clock that `now` and the relative words refer to, read once a request. */
  readonly now: () => number;
  readonly onRequest?: (line: RequestLine) => void;
  /** Told of each failure that the client only sees as `internal_error`. */
  readonly onDefect?: (error: unknown) => void;
  /** What there is beside the interface, for everybody. */
  readonly documents?: Documents;
  /** What there is for the operator alone: no page of another origin may read it. */
  readonly privateDocuments?: Documents;
  readonly maxConnections?: number;
  /** Who a request comes from, as limits and the log see it. */
  readonly addressOf?: (request: IncomingMessage) => string;
  readonly rateLimit?: RateLimit | undefined;
}

/** A service to ask at each request. */
interface DirectOptions extends CommonOptions {
  readonly service: StationService;
}

/** Data that are held for everybody, and room to keep the answers made of them, bytes. */
interface SharedOptions extends CommonOptions {
  readonly source: Source;
  readonly maxAnswerBytes: number;
}

export type ServerOptions = DirectOptions | SharedOptions;

export interface RunningServer {
  /** Such as `http://127.0.0.1:8080`, without a slash at its end. */
  readonly baseUrl: string;
  /** Bytes of answers kept in memory. */
  readonly answerBytes: number;
  /** Bytes of requests that are not over, and of answers that clients have not taken yet. */
  readonly unsentBytes: number;
  connections(): Promise<number>;
  /**
   * Takes no further requests, and frees the port.
   * @param graceMs how long requests under way may take before they are dropped; 0 drops them at once
   */
  close(graceMs?: number): Promise<void>;
}

/** Of the memory for answers, the part of those that clients have not taken yet. */
const UNSENT_SHARE = 1 / 4;

/** The same where nothing is kept. */
const DIRECT_UNSENT_BYTES = 64e6;

/** Relative words mean the minute that has begun, so that all who ask in it ask for the same. */
const MINUTE_MS = 60_000;

/**
 * Serves the whole interface over a station service.
 * @throws UsageError when the host and port cannot be listened on
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host, port, now } = options;
  const isShared = 'source' in options;
  const unsentBytes = isShared ? options.maxAnswerBytes * UNSENT_SHARE : DIRECT_UNSENT_BYTES;
  const store = createAnswerStore(isShared ? options.maxAnswerBytes * (1 - UNSENT_SHARE) : 0, now);
  const outbox = createOutbox(unsentBytes);
  const reception = createReception({ store, outbox }, now);
  const connections: Connections = new Set();
  let server: Server | undefined;
  const app = createApp({
    source: isShared ? options.source : directSource(options.service, now),
    clock: isShared ? () => now() - (now() % MINUTE_MS) : now,
    carryOut: reception.carryOut,
    documents: options.documents ?? {},
    privateDocuments: options.privateDocuments ?? {},
    onDefect: options.onDefect,
    openServer: (handle) => {
      const receive = (request: IncomingMessage, response: OpenResponse): void => {
        if (reception.answerAtOnce(request, response)) return;
        const start = () => handle(request, response);
        if (outbox.admit(request, response, start)) return;
        response.shouldKeepAlive = false;
        refuse(response, overloaded(), BUSY_MS);
      };
      server = openServer(options, connections, receive);
      return server;
    },
  });
  try {
    const baseUrl = await app.listen({ host, port });
    const held = { store, outbox };
    return run(server as Server, connections, async () => void (await app.close()), baseUrl, held);
  } catch (error) {
    throw listenFailure(error, host, port);
  }
}

/**
 * The open connections, each with the latest response on it. Only that one may end its connection
 * when the server ends: an earlier one would take the answers to what was sent behind it along.
 */
type Connections = Set<Connection>;
type Connection = Socket & { latest?: ServerResponse };

/** Does everything about a request that comes before, or instead of, reading it. */
function openServer(
  options: ServerOptions,
  connections: Connections,
  handle: (request: IncomingMessage, response: OpenResponse) => void,
): Server {
  const { onRequest, rateLimit, addressOf = peerOf } = options;
  const receive = (request: IncomingMessage, response: OpenResponse): void => {
    (request.socket as Connection).latest = response;
    // Known only as long as the connection is open.
    const address = onRequest || rateLimit ? addressOf(request) : '';
    const tell = onRequest && reporter(request, response, address, onRequest);
    // Not "finish", which says nothing of clients that left. Not once: it comes once, for less.
    if (tell) response.on('close', tell);
    // What arrives when the server has ended is the last on its connection.
    if (!server.listening) response.shouldKeepAlive = false;
    const permission = rateLimit?.take(address);
    if (permission && !permission.isAllowed) {
      refuse(response, tooMany(), permission.retryAfterMs);
    } else handle(request, response);
  };
  const server = createServer({ ServerResponse: OpenResponse, ...LIMITED }, receive);
  server.on('connection', (socket: Connection) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  // No body is of interest. Node itself would send a pipelined request's “100 Continue” behind the
  // head of its answer, where it counts as the begin of the body.
  server.on('checkContinue', receive);
  server.on('connect', (_request, socket) =>
    endWith(socket, methodNotAllowed(), { allow: METHODS }),
  );
  applyLimits(server, options.maxConnections ?? SERVER_LIMITS.maxConnections);
  return server as unknown as Server;
}

const peerOf = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? '';

const tooMany = (): RefusedError =>
  new RefusedError('Too many requests from this address.', 429, 'too_many_requests');

/** When to try again a server that has too much to do. */
const BUSY_MS = 10_000;

const overloaded = (): RefusedError =>
  new RefusedError('The server has too much to send; try again later.', 503, 'overloaded');

/** What tells of a request when it is over. */
function reporter(
  request: IncomingMessage,
  response: OpenResponse,
  address: string,
  onRequest: (line: RequestLine) => void,
): () => void {
  const startedMs = performance.now();
  // Its target is rewritten before it is read.
  const { method = '', url = '', headers } = request;
  return () => {
    onRequest({
      method,
      url,
      status: response.headersSent ? response.statusCode : 499,
      bytes: method === 'HEAD' ? 0 : response.bodyBytes,
      ms: performance.now() - startedMs,
      outcome: response.outcome,
      address,
      referer: headers.referer,
      agent: headers['user-agent'],
    });
  };
}

function run(
  server: Server,
  connections: Connections,
  closeApp: () => Promise<void>,
  baseUrl: string,
  { store, outbox }: Way,
): RunningServer {
  return {
    baseUrl,
    get answerBytes() {
      return store.bytes;
    },
    get unsentBytes() {
      return outbox.bytes;
    },
    connections: () =>
      new Promise((resolve) => {
        server.getConnections((_, count) => resolve(count ?? 0));
      }),
    async close(graceMs = 0) {
      for (const { latest } of connections) if (latest) latest.shouldKeepAlive = false;
      const closed = closeApp();
      const drop = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(drop);
    },
  };
}
