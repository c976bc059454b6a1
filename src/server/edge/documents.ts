import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { chooseCoding, MIN_COMPRESSED_BYTES } from './headers.ts';

/**
 * A document that the server offers besides the interface of station services, such as its web
 * page.
 */
export interface ServerDocument {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The content. A Buffer is shared by all clients and compressed once; a string is sent
   * uncompressed.
   */
  readonly body: string | Buffer;
}

/** The server's own documents by URL path. */
export type ServerDocuments = Readonly<
  Record<string, () => ServerDocument | Promise<ServerDocument>>
>;

const gzipped = new WeakMap<Buffer, Promise<Buffer>>();

/** The body in a coding that the client accepts, and the headers of that coding. */
async function encode({ headers, body }: ServerDocument, accepted: string | undefined) {
  if (typeof body === 'string' || body.length < MIN_COMPRESSED_BYTES) return { headers, body };
  const vary = { ...headers, vary: 'Accept-Encoding' };
  if (chooseCoding(accepted, ['gzip']) === 'identity') return { headers: vary, body };
  const made = gzipped.get(body) ?? promisify(gzip)(body);
  gzipped.set(body, made);
  return { headers: { ...vary, 'content-encoding': 'gzip' }, body: await made };
}

export function addDocuments(
  app: FastifyInstance,
  documents: ServerDocuments,
  { isPrivate = false } = {},
): void {
  for (const [path, make] of Object.entries(documents)) {
    // The route accepts every HTTP method: the refusal by an unknown route has CORS headers, which
    // a private document must not send to other origins.
    app.all(path, { config: isPrivate ? { cors: false } : {} }, async (request, reply) => {
      const document = await make();
      const { status = 200 } = document;
      const { headers, body } = await encode(document, request.headers['accept-encoding']);
      return reply.code(status).headers(headers).send(body);
    });
  }
}
