import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import fresh from 'fresh';
import { POLLING_INTERVAL_MS } from '../domain/period.ts';
import { LONGEST_PAUSE_MS } from '../service/memory/staleWhileRevalidate.ts';
import type { Answer, AnswerStore, Coding, Validity } from './answers.ts';
import { negotiateCoding } from './coding.ts';
import { EVERY_ANSWER, type OpenResponse } from './headers.ts';
import type { Outbox } from './outbox.ts';

/** Bodies smaller than this gain nothing from compression that one packet would not hold as well. */
const LEAST_COMPRESSED_BYTES = 1000;

/** The coding to answer in, by the request's Accept-Encoding. */
function chooseCoding(request: IncomingMessage, { body, isKept }: Answer): Coding {
  const accepted = request.headers['accept-encoding'];
  // Compressing what is sent once costs more than it saves.
  if (typeof accepted !== 'string' || !isKept || body.length < LEAST_COMPRESSED_BYTES) {
    return 'identity';
  }
  return negotiateCoding(accepted);
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
  // By a clock that was set back, more would be left than there ever was.
  const longestMs = isStale ? LONGEST_PAUSE_MS : POLLING_INTERVAL_MS;
  const leftMs = Math.min(freshUntilMs - now, longestMs);
  const leftSeconds = Math.max(0, Math.ceil(leftMs / 1000));
  if (leftSeconds === 0) return { 'cache-control': 'no-cache' };
  const ageSeconds = Math.max(0, Math.floor((now - askedMs) / 1000));
  return {
    'cache-control': `public, max-age=${ageSeconds + leftSeconds}, stale-while-revalidate=${POLLING_INTERVAL_MS / 1000}`,
    age: String(ageSeconds),
    'x-accel-expires': String(leftSeconds),
    // RFC 7234, 5.5; dropped from RFC 9111, and the only word for it that a client may look for.
    ...(isStale && { warning: '110 - "Response is Stale"' }),
  };
}

/** The head of an answer as it stays for up to a second. */
interface Head {
  readonly held: Validity;
  readonly untilMs: number;
  readonly whole: OutgoingHttpHeaders;
  /** Without what says something of a body. */
  readonly notModified: OutgoingHttpHeaders;
}

/** Heads by answer and coding: the same for thousands of clients. */
const HEADS = new WeakMap<Answer, Map<Coding, Head>>();

function headOf(answer: Answer, coding: Coding, bodyBytes: number, now: number): Head {
  let heads = HEADS.get(answer);
  if (heads === undefined) {
    heads = new Map();
    HEADS.set(answer, heads);
  }
  const known = heads.get(coding);
  if (known && known.held === answer.held && now < known.untilMs) return known;
  const head = makeHead(answer, coding, bodyBytes, now);
  heads.set(coding, head);
  return head;
}

function makeHead(answer: Answer, coding: Coding, bodyBytes: number, now: number): Head {
  const { held } = answer;
  const notModified = {
    ...EVERY_ANSWER,
    etag: etagOf(answer, coding),
    vary: 'Accept-Encoding',
    ...validity(answer, now),
    // Made up for each request, it says nothing of when the data changed.
    ...(answer.isKept && { 'last-modified': new Date(held.askedMs).toUTCString() }),
  };
  const whole = {
    ...notModified,
    'content-type': answer.type,
    ...(coding !== 'identity' && { 'content-encoding': coding }),
    'content-length': bodyBytes,
  };
  // Seconds of age and of what is left change at moments of their own.
  const toAge = SECOND_MS - ((now - held.askedMs) % SECOND_MS);
  const toLeft = (held.freshUntilMs - now) % SECOND_MS || SECOND_MS;
  const untilMs = now + Math.min(toAge, Number.isNaN(toLeft) ? SECOND_MS : toLeft);
  return { held, untilMs, whole, notModified };
}

const SECOND_MS = 1000;

/**
 * Sends an answer as HTTP has it: in the coding that suits the client, or not at all where it has
 * the same already. At once, but for an answer that nobody has wanted in that coding before.
 */
export function respond(
  request: IncomingMessage,
  response: OpenResponse,
  key: string,
  answer: Answer,
  { store, outbox }: Way,
  now: number,
): Promise<void> | undefined {
  const coding = chooseCoding(request, answer);
  const sendIn = (chosen: Coding, body: Buffer): void =>
    send(request, response, headOf(answer, chosen, body.length, now), body, outbox);
  const known = coding === 'identity' ? answer.body : answer.coded.get(coding);
  if (coding === 'identity' || known) return void sendIn(coding, known ?? answer.body);
  const encoded = store.encode(key, answer, coding);
  if (encoded === undefined) return void sendIn('identity', answer.body);
  return encoded.then((body) => sendIn(coding, body));
}

/** What an answer comes out of and goes through. */
export interface Way {
  readonly store: AnswerStore;
  readonly outbox: Outbox;
}

function send(
  request: IncomingMessage,
  response: OpenResponse,
  head: Head,
  body: Buffer,
  outbox: Outbox,
): void {
  if (isKnownToClient(request, head.notModified)) {
    response.outcome = 'not_modified';
    response.writeReady(304, head.notModified, 0);
    response.end();
  } else if (request.method === 'HEAD') {
    response.writeReady(200, head.whole, 0);
    response.end();
  } else {
    response.writeReady(200, head.whole, body.length);
    response.end(body);
    // What the system took at once costs nothing more.
    if (response.writableLength > 0) outbox.carry(request, response, body);
  }
}

/** Bytes in another coding are other bytes (RFC 9110, 8.8.3.3). */
function etagOf({ hash }: Answer, coding: Coding): string {
  return coding === 'identity' ? `"${hash}"` : `"${hash}-${coding}"`;
}

function isKnownToClient(
  { headers: asked }: IncomingMessage,
  headers: OutgoingHttpHeaders,
): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since } = asked;
  if (tags === undefined && since === undefined) return false;
  return fresh(asked, headers);
}
