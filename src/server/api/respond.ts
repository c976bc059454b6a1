import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fresh from 'fresh';
import { POLLING_INTERVAL_MS } from '../../domain/period.ts';
import { LONGEST_PAUSE_MS } from '../../service/memory/staleWhileRevalidate.ts';
import {
  type Answer,
  type AnswerStore,
  CODINGS,
  type Coding,
  type Plan,
} from '../cache/answers.ts';
import { chooseCoding, LEAST_COMPRESSED_BYTES } from '../edge/coding.ts';
import type { Connections } from '../edge/connections.ts';
import { PNG_TYPE } from '../edge/headers.ts';

export interface Tools {
  readonly store: AnswerStore;
  readonly connections: Connections;
  readonly now: () => number;
}

/** Goes on at once with a value that is there: to wait for a promise costs as much as an answer. */
function andThen<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Sends the answer of a plan in the coding that suits the client, or 304 for one that it has. */
export function respond(
  plan: Plan,
  request: FastifyRequest,
  reply: FastifyReply,
  { store, connections, now }: Tools,
): void | Promise<void> {
  return andThen(store.answer(plan), ({ answer, outcome }) =>
    andThen(store.encode(plan.key, answer, codingFor(request, answer)), ({ coding, body }) => {
      const head = headOf(answer, coding, now());
      reply.headers(head);
      if (isKnownToClient(request.headers, head)) {
        request.outcome = 'not_modified';
        reply.code(304).send();
        return;
      }
      request.outcome = outcome;
      reply.type(answer.type);
      if (coding !== 'identity') reply.header('content-encoding', coding);
      reply.send(body);
      // Bytes that the system took at once need no memory here.
      if (reply.raw.writableLength > 0) connections.carry(request.raw, reply.raw, body);
    }),
  );
}

/** The coding of an answer for a client. */
function codingFor({ headers }: FastifyRequest, { type, body, isCached }: Answer): Coding {
  // To compress an answer for one client costs more than it saves; a picture of pixels is compressed.
  if (!isCached || body.length < LEAST_COMPRESSED_BYTES || type === PNG_TYPE) return 'identity';
  return chooseCoding(headers['accept-encoding'], CODINGS);
}

/** A client that has the answer need not ask again in its lifetime. */
const FOREVER = 'public, max-age=31536000, immutable';

/**
 * The headers of an answer and of its 304, with how long clients and proxies may use it without
 * asking again. `max-age` counts from when the data were asked for, as `Age` does (RFC 9111, 4.2),
 * so the rest of it ends with the next refresh; nginx, which ignores Age, gets the rest.
 */
function headOf(answer: Answer, coding: Coding, now: number): Record<string, string> {
  const { askedMs, freshUntilMs, isStale } = answer.validity;
  // Bytes in another coding are other bytes (RFC 9110, 8.8.3.3).
  const tag = coding === 'identity' ? answer.hash : `${answer.hash}-${coding}`;
  const head: Record<string, string> = { etag: `"${tag}"`, vary: 'Accept-Encoding' };
  // The time of the last change is unknown for data that are not cached.
  if (answer.isCached) head['last-modified'] = new Date(askedMs).toUTCString();
  if (freshUntilMs === Number.POSITIVE_INFINITY) {
    head['cache-control'] = FOREVER;
    return head;
  }
  // After the clock was set back, the remaining time would exceed the whole lifetime.
  const longestMs = isStale ? LONGEST_PAUSE_MS : POLLING_INTERVAL_MS;
  const leftSeconds = Math.ceil(Math.min(freshUntilMs - now, longestMs) / 1000);
  if (leftSeconds <= 0) {
    head['cache-control'] = 'no-cache';
    return head;
  }
  const ageSeconds = Math.max(0, Math.floor((now - askedMs) / 1000));
  head['cache-control'] =
    `public, max-age=${ageSeconds + leftSeconds}, stale-while-revalidate=${POLLING_INTERVAL_MS / 1000}`;
  head.age = String(ageSeconds);
  head['x-accel-expires'] = String(leftSeconds);
  // RFC 7234, 5.5. RFC 9111 drops it, without another sign that a client could look for.
  if (isStale) head.warning = '110 - "Response is Stale"';
  return head;
}

function isKnownToClient(asked: IncomingHttpHeaders, head: Record<string, string>): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since } = asked;
  return (tags !== undefined || since !== undefined) && fresh(asked, head);
}

/** The longest Cache-Control that is read; those of browsers are far shorter. */
const MAX_HEADER_LENGTH = 200;

/**
 * Whether a client insists on an answer that comes from the service itself: `no-cache`, which old
 * clients send in Pragma (RFC 9111, 5.2.1.4 and 5.4).
 */
export function asksAfresh({ 'cache-control': control, pragma }: IncomingHttpHeaders): boolean {
  const text = control ?? pragma ?? '';
  if (text.length > MAX_HEADER_LENGTH) return false;
  return text.split(',').some((directive) => directive.trim().toLowerCase() === 'no-cache');
}
