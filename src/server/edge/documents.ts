import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { chooseCoding, LEAST_COMPRESSED_BYTES } from './coding.ts';

/** A document of the server's own, beside the interface. */
export interface Document {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** All clients share a buffer, which is compressed once; a text is copied for each. */
  readonly body: string | Buffer;
}

/** Documents by path. */
export type Documents = Readonly<Record<string, () => Document | Promise<Document>>>;

const gzipped = new WeakMap<Buffer, Promise<Buffer>>();

/** The body in a coding that the client accepts, with the headers that say so. */
async function encode({ headers, body }: Document, accepted: string | undefined) {
  if (typeof body === 'string' || body.length < LEAST_COMPRESSED_BYTES) return { headers, body };
  const vary = { ...headers, vary: 'Accept-Encoding' };
  if (chooseCoding(accepted, ['gzip']) === 'identity') return { headers: vary, body };
  const made = gzipped.get(body) ?? promisify(gzip)(body);
  gzipped.set(body, made);
  return { headers: { ...vary, 'content-encoding': 'gzip' }, body: await made };
}

export function addDocuments(
  app: FastifyInstance,
  documents: Documents,
  { isPrivate = false } = {},
): void {
  for (const [path, make] of Object.entries(documents)) {
    // The route takes every method, so that refusals of private documents are private too.
    app.all(path, { config: isPrivate ? { cors: false } : {} }, async (request, reply) => {
      const document = await make();
      const { status = 200 } = document;
      const { headers, body } = await encode(document, request.headers['accept-encoding']);
      return reply.code(status).headers(headers).send(body);
    });
  }
}
