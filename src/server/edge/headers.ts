import type { FastifyCorsOptions } from '@fastify/cors';

export const JSON_TYPE = 'application/json; charset=utf-8';
export const PNG_TYPE = 'image/png';

export const METHODS = 'GET, HEAD, OPTIONS';

/** Headers that scripts of another origin may read, besides those that browsers always allow. */
const EXPOSED = 'Age, ETag, Retry-After, Warning';

/** CORS: pages of any origin may read every answer; a hook answers the preflight request. */
export const CORS: FastifyCorsOptions = {
  origin: '*',
  exposedHeaders: EXPOSED,
  methods: METHODS,
  allowedHeaders: '*',
  maxAge: 86_400,
  preflightContinue: true,
  strictPreflight: false,
};

/** Headers of an answer that is written straight to a socket, without Fastify's hooks. */
export const RAW_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
  'x-content-type-options': 'nosniff',
} as const;

/** No cache keeps an error, because the next attempt may succeed. */
export const NO_STORE = { 'cache-control': 'no-store' } as const;
