import { createServer, maxHeaderSize } from 'node:http';
import { type FastifyInstance, fastify } from 'fastify';
import { errorCode, RefusedError, UsageError } from '../errors.ts';
import type { StationService } from '../service/service.ts';
import type { Query } from '../wire/requests.ts';
import { answerBroken, endWith } from './broken.ts';
import { answerError } from './errors.ts';
import { JSON_TYPE, METHODS, OpenResponse, PREFLIGHT } from './headers.ts';
import { ENDPOINTS } from './routes.ts';

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
}

export interface ServerOptions {
  readonly service: StationService;
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** The clock that `now` and the relative words refer to, read once a request. */
  readonly now: () => number;
  readonly onRequest?: (line: RequestLine) => void;
  /** Told of each failure that the client only sees as `internal_error`. */
  readonly onDefect?: (error: unknown) => void;
}

export interface RunningServer {
  /** Such as `http://127.0.0.1:8080`, without a slash at its end. */
  readonly baseUrl: string;
  /** Drops every connection, busy ones too, and frees the port. */
  close(): Promise<void>;
}

/**
 * Serves the whole interface over a station service.
 * @throws UsageError when the host and port cannot be listened on
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host, port } = options;
  const app = createApp();
  reportRequests(app, options);
  refuseOtherMethods(app);
  addEndpoints(app, options);
  addErrors(app, options);
  try {
    const baseUrl = await app.listen({ host, port });
    return { baseUrl, close: async () => void (await app.close()) };
  } catch (error) {
    throw listenFailure(error, host, port);
  }
}

function createApp(): FastifyInstance {
  return fastify({
    forceCloseConnections: true,
    routerOptions: { maxParamLength: maxHeaderSize },
    rewriteUrl: (request) => readTarget(request.url ?? ''),
    clientErrorHandler: answerBroken,
    serverFactory: (handler) =>
      createServer({ ServerResponse: OpenResponse }, handler).on('connect', (_request, socket) =>
        endWith(socket, methodNotAllowed(), { allow: METHODS }),
      ),
  });
}

const ABSOLUTE_FORM = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/**
 * The path and query of a request target. Clients behind `http_proxy` send the absolute form.
 * A path whose escapes cannot be decoded is taken literally, so that it ends in the interface's
 * own errors.
 */
function readTarget(target: string): string {
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

const methodNotAllowed = (): RefusedError =>
  new RefusedError('Everything here is read with GET or HEAD.', 405, 'method_not_allowed');

/** Before the body is read, so that no body can bring up an error of its own. */
function refuseOtherMethods(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ method }, reply) => {
    if (method === 'GET' || method === 'HEAD') return;
    reply.header('allow', METHODS);
    if (method !== 'OPTIONS') throw methodNotAllowed();
    return reply.code(204).headers(PREFLIGHT).send();
  });
}

function addEndpoints(app: FastifyInstance, { service, now }: ServerOptions): void {
  for (const [name, answer] of Object.entries(ENDPOINTS)) {
    // A path that ends in a slash, whatever is before it, lacks its last segment: the station.
    for (const path of [`/v1/${name}/:station?`, `/v1/${name}/:parent/`]) {
      app.get<{ Params: { station?: string } }>(path, async (request, reply) => {
        const { station = '' } = request.params;
        const query = request.query as Query;
        const { signal } = request;
        const { type, body } = await answer({ service, station, query, now: now(), signal });
        return reply.type(type).send(body);
      });
    }
  }
}

function addErrors(app: FastifyInstance, { onDefect }: ServerOptions): void {
  app.setNotFoundHandler(() => {
    const paths = Object.keys(ENDPOINTS).map((name) => `/v1/${name}/`);
    throw new RefusedError(`There is nothing here, only at ${paths.join(', ')}.`, 404, 'not_found');
  });
  app.setErrorHandler((error, request, reply) => {
    const { status, body } = answerError(error);
    if (status === 500 && !request.signal.aborted) onDefect?.(error);
    return reply.code(status).type(JSON_TYPE).send(JSON.stringify(body));
  });
}

function reportRequests(app: FastifyInstance, { onRequest }: ServerOptions): void {
  if (onRequest === undefined) return;
  app.addHook('onRequest', async ({ method, originalUrl }, { raw }) => {
    const startedMs = performance.now();
    // Not Fastify's onResponse, which says nothing of clients that left.
    raw.once('close', () => {
      const hasBody = raw.headersSent && method !== 'HEAD';
      onRequest({
        method,
        url: originalUrl,
        status: raw.headersSent ? raw.statusCode : 499,
        bytes: hasBody ? Number(raw.getHeader('content-length') ?? 0) : 0,
        ms: performance.now() - startedMs,
      });
    });
  });
}

function listenFailure(error: unknown, host: string, port: number): UsageError {
  const code = errorCode(error);
  switch (code) {
    case 'EADDRINUSE':
      return new UsageError(
        `Port ${port} on ${host} is in use; choose another with --port (0 picks a free one).`,
      );
    case 'EACCES':
      return new UsageError(
        `Port ${port} on ${host} is not open to this user; choose one above 1023 with --port (0 picks a free one).`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new UsageError(
        `${host} is not an address of this machine; use one that is, such as 127.0.0.1.`,
      );
    default:
      return new UsageError(
        `Port ${port} on ${host} cannot be listened on (${code ?? String(error)}).`,
      );
  }
}
