import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, type ZlibOptions } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { UnavailableError } from '../../errors.ts';
import { abortable } from '../../io.ts';
import { FULL_QUEUE_RETRY_MS, type WaitingClients } from './queue.ts';
import { singleFlight } from './singleFlight.ts';
import { isFinalData, isWithinAge, type ResponseValidity } from './source.ts';

/** The body of a 200 response and its content type. */
export interface ResponseBody {
  readonly type: string;
  readonly body: string | Buffer;
}

/** The data of a response, and how to write them as text. */
interface LoadedData extends ResponseValidity {
  readonly write: () => ResponseBody;
}

/** How to create the response to a request. */
export interface ResponsePlan {
  /** The cache key of the response. Requests with the same key get the same bytes. */
  readonly key: string;
  /**
   * The key of a series of responses that replace each other, such as pictures up to now. While the
   * service fails, the latest of the series is sent.
   */
  readonly series?: string;
  /**
   * Loads the data of the response.
   * @param caller all clients that wait for the response
   * @param hasOlder whether an older response is sent if this throws UnavailableError
   */
  readonly load: (caller: WaitingClients, hasOlder: boolean) => Promise<LoadedData>;
}

export const CONTENT_CODINGS = ['br', 'gzip', 'identity'] as const;
export type ContentCoding = (typeof CONTENT_CODINGS)[number];

/** A response as bytes, for any number of clients. */
export interface SharedResponse {
  readonly type: string;
  readonly body: Buffer;
  /** Hash of the uncompressed body, for the ETag, which adds quotes and the coding. */
  readonly hash: string;
  /** Whether many clients get the response, so that compressing it pays off. */
  readonly isCached: boolean;
  /** Compressed forms of the body by coding, as clients requested them. */
  readonly coded: Map<ContentCoding, Buffer>;
  /** When the data were requested, and how long they are fresh. */
  readonly validity: ResponseValidity;
  /** When the data were requested, as an HTTP date. */
  readonly lastModified: string;
}

export const CACHE_OUTCOMES = ['hit', 'miss', 'coalesced', 'stale', 'not_modified'] as const;

/**
 * Where a response came from, for metrics and the access log. For example, `hit` means the cache.
 */
export type CacheOutcome = (typeof CACHE_OUTCOMES)[number];

type ServedResponse = Readonly<{ response: SharedResponse; outcome: CacheOutcome }>;
type Encoded = Readonly<{ coding: ContentCoding; body: Buffer }>;

export interface ResponseCache {
  /** Finds a fresh response in the cache. */
  find(plan: ResponsePlan): ServedResponse | undefined;
  /** Creates a response once for all waiting clients. */
  make(plan: ResponsePlan, caller: WaitingClients): Promise<ServedResponse>;
  /** Compresses the body once. If too many bodies are being compressed, returns it uncompressed. */
  encode(key: string, response: SharedResponse, coding: ContentCoding): Promise<Encoded>;
  /** Memory of the cached responses, bytes. */
  readonly bytes: number;
}

/** Memory of a cached response in addition to its key and body, bytes. */
const OVERHEAD_BYTES = 1000;

/** Maximum number of series whose latest response is remembered. */
const MAX_SERIES = 10_000;

/** Maximum number of bodies that are compressed at once, since each needs memory. */
const MAX_ENCODING = 16;

/** Level 5 is as fast as gzip. The highest level takes seconds for the list of all stations. */
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
 * Creates a cache of responses as bytes. Above `maxBytes`, the least recently used are dropped
 * first. A single response above `maxBytes` is not cached.
 * @param staleMs maximum age of a series' latest response while the service fails
 */
export function createResponseCache(
  maxBytes: number,
  now: () => number,
  staleMs = 0,
): ResponseCache {
  /** The key of the latest response of each series. */
  const latest = new LRUCache<string, string>({ max: MAX_SERIES });
  const cached = new LRUCache<string, SharedResponse>({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: sizeOf,
  });
  const shareMaking = singleFlight<SharedResponse>();
  const encoding = new Map<string, Promise<Encoded>>();
  const oneAtATime = pLimit(1);

  async function makeAlone(plan: ResponsePlan, caller: WaitingClients): Promise<SharedResponse> {
    const { key, load } = plan;
    const hasOlder = latestOf(plan) !== undefined;
    // Without a cache, load the data while writing: each request has its own.
    const shared = maxBytes > 0 ? await load(caller, hasOlder) : undefined;
    // Write one body at a time, with pauses for other requests: one connection can request many
    // variants of the list of all stations, and each takes milliseconds to write.
    const { type, text, requestedMs, freshUntilMs, isStale } = await oneAtATime(async () => {
      await setImmediate();
      caller.signal.throwIfAborted();
      const { write, ...validity } = shared ?? (await load(caller, hasOlder));
      const { type, body } = write();
      return { ...validity, type, text: body };
    });
    const body = Buffer.from(text);
    const isCached = freshUntilMs > now();
    const hash = createHash('sha256').update(body).digest('base64url').slice(0, 27);
    // If new data result in the same body, keep its compressed forms.
    const known = cached.peek(key);
    const coded = known?.hash === hash ? known.coded : new Map();
    const validity = { requestedMs, freshUntilMs, isStale };
    const lastModified = new Date(requestedMs).toUTCString();
    const response = { type, body, hash, isCached, coded, validity, lastModified };
    if (isCached) cached.set(key, response);
    return response;
  }

  /** The latest response of a series, marked as stale; undefined if it is too old. */
  function latestOf({ series }: ResponsePlan): ServedResponse | undefined {
    const response = cached.get((series && latest.get(series)) || '');
    if (!response || !isWithinAge(response.validity.requestedMs, staleMs, now())) return undefined;
    const validity = {
      ...response.validity,
      freshUntilMs: now() + FULL_QUEUE_RETRY_MS,
      isStale: true,
    };
    return { response: { ...response, validity }, outcome: 'stale' };
  }

  async function compress(
    key: string,
    response: SharedResponse,
    coding: 'br' | 'gzip',
  ): Promise<Encoded> {
    const body = await compressors[coding](response.body);
    response.coded.set(coding, body);
    // Add the response again, so that the cache counts the new compressed form.
    if (cached.peek(key) === response) {
      cached.delete(key);
      cached.set(key, response);
    }
    return { coding, body };
  }

  return {
    find({ key }: ResponsePlan): ServedResponse | undefined {
      const response = cached.get(key);
      if (!response || !isFresh(response.validity, now())) return undefined;
      return { response, outcome: response.validity.isStale ? 'stale' : 'hit' };
    },

    async make(plan: ResponsePlan, caller: WaitingClients): Promise<ServedResponse> {
      // Without a cache, no work is shared: a request to the service ends when its client leaves.
      if (maxBytes === 0) {
        const response = await abortable(makeAlone(plan, caller), caller.signal);
        return { response, outcome: 'miss' };
      }
      let isFirst = false;
      const make = (all: WaitingClients): Promise<SharedResponse> => {
        isFirst = true;
        return makeAlone(plan, all);
      };
      let response: SharedResponse;
      try {
        response = await shareMaking(plan.key, make, caller);
      } catch (error) {
        const older = error instanceof UnavailableError ? latestOf(plan) : undefined;
        if (older) return older;
        throw error;
      }
      if (plan.series !== undefined) latest.set(plan.series, plan.key);
      if (!isFirst) return { response, outcome: 'coalesced' };
      return { response, outcome: response.validity.isStale ? 'stale' : 'miss' };
    },

    async encode(key: string, response: SharedResponse, coding: ContentCoding): Promise<Encoded> {
      const identity: Encoded = { coding: 'identity', body: response.body };
      if (coding === 'identity') return identity;
      const body = response.coded.get(coding);
      if (body) return { coding, body };
      const name = `${coding} ${response.hash} ${key}`;
      const pending = encoding.get(name);
      if (pending) return pending;
      if (encoding.size >= MAX_ENCODING) return identity;
      const made = compress(key, response, coding).finally(() => encoding.delete(name));
      encoding.set(name, made);
      return made;
    },

    get bytes() {
      return cached.calculatedSize;
    },
  };
}

/**
 * Whether data are still fresh. If their date is in the future, the clock was set back, and they
 * are not.
 */
function isFresh(validity: ResponseValidity, now: number): boolean {
  return isFinalData(validity) || (validity.requestedMs <= now && now < validity.freshUntilMs);
}

function sizeOf({ body, coded }: SharedResponse, key: string): number {
  let bytes = OVERHEAD_BYTES + key.length + body.length;
  for (const one of coded.values()) bytes += one.length;
  return bytes;
}
