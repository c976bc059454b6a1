import { type IncomingMessage, maxHeaderSize, type RequestListener, type Server } from 'node:http';
import { type FastifyInstance, fastify } from 'fastify';
import { RefusedError } from '../errors.ts';
import type { Source } from '../service/shared/source.ts';
import type { Query } from '../wire/requests.ts';
import type { Plan } from './answers.ts';
import { answerBroken, methodNotAllowed } from './broken.ts';
import { answerError } from './errors.ts';
import { EVERY_ERROR, JSON_TYPE, METHODS, type OpenResponse, PREFLIGHT } from './headers.ts';
import { ENDPOINTS } from './routes.ts';

/** A document of the server's own, beside the interface. */
export interface Document {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface AppOptions {
  readonly source: Source;
  /** What `now` and the relative words mean, read once a request; milliseconds since 1970. */
  readonly clock: () => number;
  /** Sends the answer that a plan comes to. */
  readonly carryOut: (
    plan: Plan,
    request: IncomingMessage,
    response: OpenResponse,
  ) => Promise<void>;
  /** What else there is, by path. */
  readonly documents: Readonly<Record<string, () => Document | Promise<Document>>>;
  /** Told of each failure that the client only sees as `internal_error`. */
  readonly onDefect: ((error: unknown) => void) | undefined;
  readonly openServer: (handle: RequestListener) => Server;
}

/** Reads requests: which endpoint, which arguments, and what is wrong with them. */
export function createApp(options: AppOptions): FastifyInstance {
  const app = fastify({
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: maxHeaderSize },
    rewriteUrl: (request) => readTarget(request.url ?? ''),
    clientErrorHandler: answerBroken,
    serverFactory: (handle) => options.openServer(handle),
  });
  refuseOtherMethods(app);
  addEndpoints(app, options);
  addDocuments(app, options);
  addErrors(app, options);
  return app;
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

/** Before the body is read, so that no body can bring up an error of its own. */
function refuseOtherMethods(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ method }, reply) => {
    if (method === 'GET' || method === 'HEAD') return;
    reply.header('allow', METHODS);
    if (method !== 'OPTIONS') throw methodNotAllowed();
    return reply.code(204).headers(PREFLIGHT).send();
  });
}

function addEndpoints(app: FastifyInstance, { source, clock, carryOut }: AppOptions): void {
  for (const [name, plan] of Object.entries(ENDPOINTS)) {
    // A path that ends in a slash, whatever is before it, lacks its last segment: the station.
    for (const path of [`/v1/${name}/:station?`, `/v1/${name}/:parent/`]) {
      app.get<{ Params: { station?: string } }>(path, async (request, reply) => {
        const { station = '' } = request.params;
        const query = request.query as Query;
        const { signal } = request;
        const planned = plan({ source, station, query, now: clock(), signal });
        await carryOut(planned, request.raw, reply.raw as OpenResponse);
        reply.hijack();
      });
    }
  }
}

function addDocuments(app: FastifyInstance, { documents }: AppOptions): void {
  for (const [path, make] of Object.entries(documents)) {
    app.get(path, async (_, reply) => {
      const { status = 200, headers, body } = await make();
      return reply.code(status).headers(headers).send(body);
    });
  }
}

function addErrors(app: FastifyInstance, { onDefect }: AppOptions): void {
  app.setNotFoundHandler(() => {
    const paths = Object.keys(ENDPOINTS).map((name) => `/v1/${name}/`);
    throw new RefusedError(`There is nothing here, only at ${paths.join(', ')}.`, 404, 'not_found');
  });
  app.setErrorHandler((error, request, reply) => {
    const { status, headers, body } = answerError(error);
    if (status === 500 && !request.signal.aborted) onDefect?.(error);
    return reply
      .code(status)
      .headers({ ...EVERY_ERROR, ...headers })
      .type(JSON_TYPE)
      .send(JSON.stringify(body));
  });
}
