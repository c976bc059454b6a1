import { openapiDocument } from '../api/openapi.ts';
import type { Documents } from '../edge/documents.ts';
import { JSON_TYPE } from '../edge/headers.ts';
import { PAGE, PAGE_HEADERS } from './page.ts';

/**
 * The documents for everybody: a page, and a description of the interface.
 * @param version of vane
 */
export function createDocuments(version: string) {
  const description = Buffer.from(JSON.stringify(openapiDocument(version)));
  const page = Buffer.from(PAGE);
  const aDay = { 'cache-control': 'public, max-age=86400' };
  return {
    '/': () => ({ headers: { ...PAGE_HEADERS, ...aDay }, body: page }),
    '/openapi.json': () => ({
      headers: { 'content-type': JSON_TYPE, ...aDay },
      body: description,
    }),
  } satisfies Documents;
}
