import type { IncomingMessage, ServerResponse } from 'node:http';
import negotiate from '@fastify/accept-negotiator';
import fresh from 'fresh';
import { LRUCache } from 'lru-cache';
import { REFRESH_MS } from '../service/shared/held.ts';
import type { Answer, AnswerStore, Coding } from './answers.ts';

/** Bodies smaller than this gain nothing from compression that one packet would not hold as well. */
const LEAST_COMPRESSED_BYTES = 1000;

/** What browsers and libraries send is few different texts. */
const CHOSEN = new LRUCache<string, Coding>({ max: 500 });

/** The coding to answer in, by the request's Accept-Encoding. */
function chooseCoding(request: IncomingMessage, { body, isKept }: Answer): Coding {
  const accepted = request.headers['accept-encoding'];
  // Compressing what is sent once costs more than it saves.
  if (typeof accepted !== 'string' || !isKept || body.length < LEAST_COMPRESSED_BYTES) {
    return 'identity';
  }
  const known = CHOSEN.get(accepted);
  if (known) return known;
  const chosen = (negotiate.negotiate(accepted, ['br', 'gzip', 'identity']) ??
    'identity') as Coding;
  if (accepted.length < 200) CHOSEN.set(accepted, chosen);
  return chosen;
}

/** A client that has it need not ask again in its lifetime. */
const FOREVER = 'public, max-age=31536000, immutable';

/**
 * How long an answer may be used without asking again, on the way and at its end. `max-age` counts
 * from when the data were asked for, as `Age` does (RFC 9111, 4.2), so what is left of it ends with
 * the next refresh; nginx, which knows no Age, is told what is left.
 */
function validity({ held }: Answer, now: number): Record<string, string> {
  const { askedMs, freshUntilMs, isStale } = held;
  if (freshUntilMs === Number.POSITIVE_INFINITY) return { 'cache-control': FOREVER };
  const leftSeconds = Math.max(0, Math.ceil((freshUntilMs - now) / 1000));
  if (leftSeconds === 0) return { 'cache-control': 'no-cache' };
  const ageSeconds = Math.max(0, Math.floor((now - askedMs) / 1000));
  return {
    'cache-control': `public, max-age=${ageSeconds + leftSeconds}, stale-while-revalidate=${REFRESH_MS / 1000}`,
    age: String(ageSeconds),
    'x-accel-expires': String(leftSeconds),
    // RFC 7234, 5.5; dropped from RFC 9111, and the only word for it that a client may look for.
    ...(isStale && { warning: '110 - "Response is Stale"' }),
  };
}

/** What went out. */
export interface Sent {
  readonly status: 200 | 304;
  /** Length of the body sent. */
  readonly bytes: number;
}

/**
 * Sends an answer as HTTP has it: in the coding that suits the client, or not at all where it has
 * the same already.
 */
export function respond(
  request: IncomingMessage,
  response: ServerResponse,
  key: string,
  answer: Answer,
  store: AnswerStore,
  now: number,
): Sent | Promise<Sent> {
  const coding = chooseCoding(request, answer);
  const headers: Record<string, string | number> = {
    'content-type': answer.type,
    etag: etagOf(answer, coding),
    vary: 'Accept-Encoding',
    ...validity(answer, now),
  };
  // Made up for each request, it says nothing of when the data changed.
  if (answer.isKept) headers['last-modified'] = new Date(answer.held.askedMs).toUTCString();
  if (isKnownToClient(request, headers)) {
    response.writeHead(304, headers).end();
    return { status: 304, bytes: 0 };
  }
  if (coding !== 'identity') headers['content-encoding'] = coding;
  const known = coding === 'identity' ? answer.body : answer.coded.get(coding);
  if (known) return send(request, response, headers, known);
  return store.encode(key, answer, coding).then((body) => send(request, response, headers, body));
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  headers: Record<string, string | number>,
  body: Buffer,
): Sent {
  headers['content-length'] = body.length;
  response.writeHead(200, headers);
  if (request.method === 'HEAD') response.end();
  else response.end(body);
  return { status: 200, bytes: request.method === 'HEAD' ? 0 : body.length };
}

/** Bytes in another coding are other bytes (RFC 9110, 8.8.3.3). */
function etagOf({ hash }: Answer, coding: Coding): string {
  return coding === 'identity' ? `"${hash}"` : `"${hash}-${coding}"`;
}

function isKnownToClient(
  { headers: asked }: IncomingMessage,
  headers: Record<string, string | number>,
): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since } = asked;
  if (tags === undefined && since === undefined) return false;
  return fresh(asked, headers);
}
