import type { FastifyInstance } from 'fastify';

/** A document of the server's own, beside the interface. */
export interface Document {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** All clients share a buffer; a text is copied for each. */
  readonly body: string | Buffer;
}

/** Documents by path. */
export type Documents = Readonly<Record<string, () => Document | Promise<Document>>>;

export function addDocuments(
  app: FastifyInstance,
  documents: Documents,
  { isPrivate = false } = {},
): void {
  for (const [path, make] of Object.entries(documents)) {
    // The route takes every method, so that refusals of private documents are private too.
    app.all(path, { config: isPrivate ? { cors: false } : {} }, async (_, reply) => {
      const { status = 200, headers, body } = await make();
      return reply.code(status).headers(headers).send(body);
    });
  }
}
