import { type IncomingMessage, ServerResponse } from 'node:http';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Every answer has these: any page may read it, and no browser takes it for another type. */
export const EVERY_ANSWER = {
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
} as const;

/** Has its headers from the start, so that also the answers Node gives by itself have them. */
export class OpenResponse extends ServerResponse {
  constructor(request: IncomingMessage) {
    super(request);
    for (const [name, value] of Object.entries(EVERY_ANSWER)) this.setHeader(name, value);
  }
}

export const METHODS = 'GET, HEAD, OPTIONS';

/** What a browser asks before a request with headers of its own. */
export const PREFLIGHT = {
  'access-control-allow-methods': METHODS,
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
} as const;
