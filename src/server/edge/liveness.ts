import type { ServerDocuments } from './documents.ts';
import { JSON_TYPE, NO_STORE } from './headers.ts';

/** A path that has no limit of requests: a supervisor may share its address with busy clients. */
export const LIVENESS_PATH = '/livez';

/** The document that says that the process responds, whatever the state of its data. */
export const LIVENESS_DOCUMENT = {
  [LIVENESS_PATH]: () => ({
    headers: { 'content-type': JSON_TYPE, ...NO_STORE },
    body: JSON.stringify({ status: 'ok' }),
  }),
} satisfies ServerDocuments;
