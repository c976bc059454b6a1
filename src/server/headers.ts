import { type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Outcome } from './answers.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Every answer has these: any page may read it, and no browser takes it for another type. */
export const EVERY_ANSWER = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Age, ETag, Retry-After, Warning',
  'x-content-type-options': 'nosniff',
} as const;

/** What the operator alone may read; no page of another origin is allowed to. */
const PRIVATE_ANSWER = { 'x-content-type-options': 'nosniff' } as const;

/** Has the headers of every answer, so that also those that Node gives by itself have them. */
export class OpenResponse extends ServerResponse {
  /** Whether the answer is one of the operator's. */
  isPrivate = false;
  /** How the answer was come by, where it is one of data. */
  outcome: Outcome | 'not_modified' | undefined;
  /** Length of the body announced. */
  bodyBytes = 0;

  // Not set in the constructor, which would cost every answer Node's slower way with headers.
  override writeHead(
    status: number,
    reason?: string | OutgoingHttpHeaders | OutgoingHttpHeader[],
    headers?: OutgoingHttpHeaders | OutgoingHttpHeader[],
  ): this {
    const fields = typeof reason === 'object' ? reason : headers;
    const always = this.isPrivate ? PRIVATE_ANSWER : EVERY_ANSWER;
    for (const [name, value] of Object.entries(always)) this.setHeader(name, value);
    if (fields !== undefined && !Array.isArray(fields)) {
      this.bodyBytes = Number(fields['content-length'] ?? 0);
    }
    if (typeof reason === 'string') return super.writeHead(status, reason, headers);
    return fields === undefined ? super.writeHead(status) : super.writeHead(status, fields);
  }

  /** Sends a head that has the headers of every answer already. */
  writeReady(status: number, headers: OutgoingHttpHeaders, bodyBytes: number): void {
    this.bodyBytes = bodyBytes;
    super.writeHead(status, headers);
  }
}

/** What failed may go well in a moment, so nobody on the way keeps it. */
export const EVERY_ERROR = { 'cache-control': 'no-store' } as const;

export const METHODS = 'GET, HEAD, OPTIONS';

/** What a browser asks before a request with headers of its own. */
export const PREFLIGHT = {
  'access-control-allow-methods': METHODS,
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
} as const;
