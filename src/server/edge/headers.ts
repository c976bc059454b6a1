import type { FastifyCorsOptions } from '@fastify/cors';

export const JSON_TYPE = 'application/json; charset=utf-8';
export const PNG_TYPE = 'image/png';

export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

/** Headers that scripts of another origin may read, besides those that browsers always allow. */
const EXPOSED = 'Age, ETag, Retry-After, Warning';

/** CORS: pages of any origin may read every response; a hook responds to the preflight request. */
export const CORS_OPTIONS: FastifyCorsOptions = {
  origin: '*',
  exposedHeaders: EXPOSED,
  methods: ALLOWED_METHODS,
  allowedHeaders: '*',
  maxAge: 86_400,
  preflightContinue: true,
  strictPreflight: false,
};

/** Headers of a response that is written straight to a socket, without Fastify's hooks. */
export const RAW_RESPONSE_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
  'x-content-type-options': 'nosniff',
} as const;

/** No cache keeps an error, because the next attempt may succeed. */
export const NO_STORE = { 'cache-control': 'no-store' } as const;

/** An Accept-Encoding header of more characters is ignored; those of browsers are far shorter. */
const MAX_ACCEPTED_LENGTH = 200;

/** Bodies below this size are not compressed: they fit in one packet anyway. */
export const MIN_COMPRESSED_BYTES = 1000;

/**
 * The compression that a client prefers by its Accept-Encoding (RFC 9110, 12.5.3).
 * @param codings the codings that the server has, the best first
 */
export function chooseCoding<C extends string>(
  accepted: string | undefined,
  codings: readonly C[],
): C | 'identity' {
  if (accepted === undefined || accepted.length > MAX_ACCEPTED_LENGTH) return 'identity';
  const weights = new Map(accepted.toLowerCase().split(',').map(weightedName));
  const weightOf = (coding: string): number => weights.get(coding) ?? weights.get('*') ?? 0;
  // The sort is stable, so the best of several codings of one weight stays the first.
  const [preferred = 'identity'] = codings
    .filter((coding) => weightOf(coding) > 0)
    .sort((one, other) => weightOf(other) - weightOf(one));
  return preferred;
}

/** The name and weight of an item of Accept-Encoding such as `br;q=0.5` (RFC 9110, 12.4.2). */
function weightedName(item: string): [name: string, weight: number] {
  const [name = '', weight = 'q=1'] = item.split(';').map((part) => part.trim());
  return [name, Number(/^q=(\d\.?\d*)$/.exec(weight)?.[1] ?? 0)];
}
