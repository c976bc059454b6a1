import type { ServerDocuments } from './documents.ts';
import { JSON_TYPE, NO_STORE } from './headers.ts';

/** This path has no rate limit, since a supervisor may share its address with busy clients. */
export const LIVENESS_PATH = '/livez';

/** A document that only shows that the process responds. It says nothing about the data. */
export const LIVENESS_DOCUMENT = {
  [LIVENESS_PATH]: () => ({
    headers: { 'content-type': JSON_TYPE, ...NO_STORE },
    body: JSON.stringify({ status: 'ok' }),
  }),
} satisfies ServerDocuments;
