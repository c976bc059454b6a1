import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Outcome } from './answers.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Every answer has these: any page may read it, and no browser takes it for another type. */
export const EVERY_ANSWER = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Age, ETag, Retry-After, Warning',
  'x-content-type-options': 'nosniff',
} as const;

/** Has its headers from the start, so that also the answers Node gives by itself have them. */
export class OpenResponse extends ServerResponse {
  /** How the answer was come by, where it is one of data. */
  outcome: Outcome | 'not_modified' | undefined;

  constructor(request: IncomingMessage) {
    super(request);
    for (const [name, value] of Object.entries(EVERY_ANSWER)) this.setHeader(name, value);
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
