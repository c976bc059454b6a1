import { type IncomingMessage, maxHeaderSize, type RequestListener, type Server } from 'node:http';
import { type FastifyContextConfig, type FastifyInstance, fastify } from 'fastify';
import { RefusedError } from '../errors.ts';
import type { Source } from '../service/memory/source.ts';
import type { Query } from '../wire/requests.ts';
import { asksAfresh } from './afresh.ts';
import type { Plan } from './answers.ts';
import { answerBroken, methodNotAllowed } from './broken.ts';
import { answerError } from './errors.ts';
import { EVERY_ERROR, JSON_TYPE, METHODS, type OpenResponse, PREFLIGHT } from './headers.ts';
import { ENDPOINTS } from './routes.ts';

/** A document of the server's own, beside the interface. */
export interface Document {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A buffer is shared by all clients, a text copied for each. */
  readonly body: string | Buffer;
}

/** Documents by path. */
export type Documents = Readonly<Record<string, () => Document | Promise<Document>>>;

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
  /** What else there is for everybody. */
  readonly documents: Documents;
  /** What there is for the operator alone, which no page of another origin may read. */
  readonly privateDocuments: Documents;
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
  markPrivate(app);
  refuseOtherMethods(app);
  addEndpoints(app, options);
  addDocuments(app, options.documents);
  addDocuments(app, options.privateDocuments, { isPrivate: true });
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

declare module 'fastify' {
  interface FastifyContextConfig {
    isPrivate?: boolean;
  }
}

function markPrivate(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ routeOptions }, { raw }) => {
    if (routeOptions.config?.isPrivate) (raw as OpenResponse).isPrivate = true;
  });
}

/** Before the body is read, so that no body can bring up an error of its own. */
export function refuseOtherMethods(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ method }, reply) => {
    if (method === 'GET' || method === 'HEAD') return;
    reply.header('allow', METHODS);
    if (method !== 'OPTIONS') throw methodNotAllowed();
    const { isPrivate } = reply.raw as OpenResponse;
    return reply
      .code(204)
      .headers(isPrivate ? {} : PREFLIGHT)
      .send();
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
        const isAfresh = asksAfresh(request.raw.headers);
        const planned = plan({ source, station, query, now: clock(), signal, isAfresh });
        await carryOut(planned, request.raw, reply.raw as OpenResponse);
        reply.hijack();
      });
    }
  }
}

/** @param config of the routes, which answer every method so that it holds for refusals too */
export function addDocuments(
  app: FastifyInstance,
  documents: Documents,
  config: FastifyContextConfig = {},
): void {
  for (const [path, make] of Object.entries(documents)) {
    app.all(path, { config }, async (_, reply) => {
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
