import type { FastifyCorsOptions } from '@fastify/cors';

export const JSON_TYPE = 'application/json; charset=utf-8';
export const PNG_TYPE = 'image/png';

export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

/** Headers that scripts from other origins may read, besides those that browsers always allow. */
const EXPOSED = 'Age, ETag, Retry-After, Warning';

/** CORS: pages from any origin may read every response. A hook answers preflight requests. */
export const CORS_OPTIONS: FastifyCorsOptions = {
  origin: '*',
  exposedHeaders: EXPOSED,
  methods: ALLOWED_METHODS,
  allowedHeaders: '*',
  maxAge: 86_400,
  preflightContinue: true,
  strictPreflight: false,
};

/** Headers of a response that is written directly to a socket, without Fastify's hooks. */
export const RAW_RESPONSE_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
  'x-content-type-options': 'nosniff',
} as const;

/** Errors must not be cached, since the next attempt may succeed. */
export const NO_STORE = { 'cache-control': 'no-store' } as const;

/** A longer Accept-Encoding header is ignored; those of browsers are far shorter. */
const MAX_ACCEPTED_LENGTH = 200;

/** Smaller bodies are not compressed, since they fit in one packet anyway. */
export const MIN_COMPRESSED_BYTES = 1000;

/**
 * The compression that a client prefers by its Accept-Encoding (RFC 9110, 12.5.3).
 * @param codings the available codings, best first
 */
export function chooseCoding<C extends string>(
  accepted: string | undefined,
  codings: readonly C[],
): C | 'identity' {
  if (accepted === undefined || accepted.length > MAX_ACCEPTED_LENGTH) return 'identity';
  const weights = new Map(accepted.toLowerCase().split(',').map(weightedName));
  const weightOf = (coding: string): number => weights.get(coding) ?? weights.get('*') ?? 0;
  // The sort is stable, so among codings of equal weight the best one comes first.
  const [preferred = 'identity'] = codings
    .filter((coding) => weightOf(coding) > 0)
    .sort((one, other) => weightOf(other) - weightOf(one));
  return preferred;
}

/**
 * Parses an item of Accept-Encoding such as `br;q=0.5` (RFC 9110, 12.4.2) to its name and weight.
 */
function weightedName(item: string): [name: string, weight: number] {
  const [name = '', weight = 'q=1'] = item.split(';').map((part) => part.trim());
  return [name, Number(/^q=(\d\.?\d*)$/.exec(weight)?.[1] ?? 0)];
}
