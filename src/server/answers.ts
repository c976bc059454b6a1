import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, type ZlibOptions } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { Cached } from '../service/memory/cached.ts';

/** The body of a 200 answer and its content type. */
export interface Written {
  readonly type: string;
  readonly body: string | Buffer;
}

/** How to answer one request: what it is about, and how to come by it. */
export interface Plan<T extends object = object> {
  /** The same for all requests that are answered with the same bytes. */
  readonly key: string;
  readonly hold: () => Promise<Cached<T>>;
  /** Whether the client insists that the service is asked again. */
  readonly isAfresh?: boolean;
  readonly write: (data: T) => Written;
}

/** A plan as the store takes it: what it holds is what it writes. */
export function planOf<T extends object>(plan: Plan<T>): Plan {
  return plan as unknown as Plan;
}

export const CODINGS = ['br', 'gzip', 'identity'] as const;
export type Coding = (typeof CODINGS)[number];

/** An answer as it goes out, however often. */
export interface Answer {
  readonly type: string;
  readonly body: Buffer;
  /** Of the body, without quotes; a coding adds its own mark. */
  readonly hash: string;
  /** Whether it is kept, so that the work of compressing it is done once. */
  readonly isKept: boolean;
  /** In codings it was asked for in. */
  readonly coded: Map<Coding, Buffer>;
  /** What the body was made of, for as long as somebody else has it: it may be far larger. */
  readonly data: WeakRef<object>;
  /** What is said of the data now. */
  held: Validity;
}

/** For how long data hold. */
export type Validity = Omit<Cached<object>, 'data'>;

/** How an answer was come by. */
export type Outcome = 'hit' | 'miss' | 'coalesced' | 'stale';

export interface AnswerStore {
  /** A kept answer that holds still, at once; none that can be mended for a client that insists. */
  find(key: string, isAfresh: boolean): Answer | undefined;
  /** An answer, made if there is none that holds; requests for the same one wait together. */
  answer(plan: Plan): Promise<{ readonly answer: Answer; readonly outcome: Outcome }>;
  /** A body in a coding, computed once; undefined while too much is being compressed already. */
  encode(key: string, answer: Answer, coding: 'br' | 'gzip'): Promise<Buffer> | undefined;
  /** Bytes kept in memory. */
  readonly bytes: number;
}

/** What keeping an answer costs beside its bytes. */
const OVERHEAD_BYTES = 1000;

/** Bodies that are being compressed at once. */
const MAX_ENCODING = 16;

/** Brotli's highest levels take seconds for the list of all stations; this one takes what gzip does. */
const BROTLI_QUALITY = 5;

const compressors = {
  gzip: (body: Buffer) => promisify<Buffer, ZlibOptions, Buffer>(gzip)(body, { level: 6 }),
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
};

/**
 * Answers that hold for a while, as bytes. The longest unused go first when they take more than
 * `maxBytes`; one that is larger than that is not kept.
 */
export function createAnswerStore(maxBytes: number, now: () => number): AnswerStore {
  const kept = new LRUCache<string, Answer>({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: sizeOf,
  });
  const making = new Map<string, Promise<Answer>>();
  const encoding = new Map<string, Promise<Buffer>>();
  const inTurn = pLimit(1);

  async function make({ key, hold, write }: Plan): Promise<Answer> {
    const { data, ...held } = await hold();
    const known = kept.peek(key);
    if (known?.data.deref() === data) {
      known.held = held;
      return known;
    }
    // A list of all stations takes milliseconds, and one connection may ask for many at once: between
    // any two, others get their answers.
    const { type, body: text } = await inTurn(async () => {
      await setImmediate();
      return write(data);
    });
    const body = Buffer.from(text);
    const isKept = held.freshUntilMs > now();
    const hash = hashOf(body);
    // Data may have been asked for again and be the same; then their codings are too.
    const coded = known?.hash === hash && known.type === type ? known.coded : new Map();
    const answer = { type, body, hash, isKept, coded, held, data: new WeakRef(data) };
    if (isKept) kept.set(key, answer);
    return answer;
  }

  async function compress(answer: Answer, coding: 'br' | 'gzip'): Promise<Buffer> {
    const bytes = await compressors[coding](answer.body);
    answer.coded.set(coding, bytes);
    return bytes;
  }

  return {
    find(key, isAfresh) {
      const answer = kept.get(key);
      if (answer === undefined || !holdsStill(answer.held, now())) return undefined;
      return isAfresh && answer.held.edition?.isMendable() ? undefined : answer;
    },

    async answer(plan) {
      const found = this.find(plan.key, plan.isAfresh ?? false);
      if (found) return { answer: found, outcome: found.held.isStale ? 'stale' : 'hit' };
      // What is asked for one client alone ends with it.
      if (maxBytes === 0) return { answer: await make(plan), outcome: 'miss' };
      const underWay = making.get(plan.key);
      if (underWay) return { answer: await underWay, outcome: 'coalesced' };
      const made = make(plan).finally(() => making.delete(plan.key));
      making.set(plan.key, made);
      const answer = await made;
      return { answer, outcome: answer.held.isStale ? 'stale' : 'miss' };
    },

    encode(key, answer, coding) {
      const name = `${coding} ${answer.hash} ${key}`;
      const underWay = encoding.get(name);
      // Each waits with its whole body.
      if (underWay || encoding.size >= MAX_ENCODING) return underWay;
      const made = compress(answer, coding)
        .then((bytes) => {
          // Its size has changed.
          if (kept.peek(key) === answer) kept.set(key, answer);
          return bytes;
        })
        .finally(() => encoding.delete(name));
      encoding.set(name, made);
      return made;
    },

    get bytes() {
      return kept.calculatedSize;
    },
  };
}

/** What was asked for in the future was so by a clock that was set back since. */
function holdsStill({ askedMs, freshUntilMs, edition }: Validity, now: number): boolean {
  if (edition?.isCurrent() === false) return false;
  return freshUntilMs > now && (askedMs <= now || freshUntilMs === Number.POSITIVE_INFINITY);
}

function sizeOf({ body, coded }: Answer): number {
  let bytes = OVERHEAD_BYTES + body.length;
  for (const one of coded.values()) bytes += one.length;
  return bytes;
}

function hashOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, 27);
}
