import type { Readable } from 'node:stream';
import { firstCharacters } from '../../domain/text.ts';
import { errorCode, UnexpectedResponseError } from '../../errors.ts';
import { abortable, anySignal, type Io, MAX_TIMER_MS } from '../../io.ts';
import { decompress, isResponseCoding, type ResponseCoding } from '../compression.ts';
import { createBodyDiscarder } from './discard.ts';
import { TransportFailure, tooSlowFailure } from './failure.ts';
import { type HttpClient, openNodeClient } from './nodeClient.ts';
import { type ProxyEnvironment, type ProxySettings, readProxies } from './proxies.ts';

export interface TransportOptions extends Pick<Io, 'now'> {
  /**
   * Maximum wait for a connection, for the head of a response, and between two pieces of a body.
   */
  readonly timeoutMs: number;
  /**
   * A request is aborted this long after two timeouts, so that the HTTP client's own timeouts
   * report first; 2000 by default.
   */
  readonly slackMs?: number;
  readonly userAgent: string;
  /** The environment variables for proxies; empty for no proxy. */
  readonly proxyEnv: ProxyEnvironment;
  /** `node` selects Node's own client, which starts faster than undici, unless a proxy is set. */
  readonly client?: 'node' | 'undici';
  /** Writes a log line for each request. */
  readonly log?: (line: string) => void;
}

export interface HttpResponse {
  readonly status: number;
  /** A header of the response by its lower-case name. */
  header(name: string): string | undefined;
  /** Size of the received body, before decompression, bytes. */
  readonly bytes: number;
  /** The decompressed body; empty after a POST. */
  readonly body: Buffer;
}

export interface SendOptions {
  readonly signal: AbortSignal | undefined;
  /** A document to POST; the body of the response is then dropped. Undefined for a GET. */
  readonly document?: PostDocument;
}

/** A text to send, with headers that describe it. Header names are in lower case. */
export interface PostDocument {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Maximum size of a response's body, bytes. The list of all stations has less than 1 MB, and an
 * archive of 31 days about as much. Parsing hostile JSON, such as only brackets, takes fifty times
 * its length in memory and 0.1 s per MB.
 */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/**
 * Creates a sender of requests. It neither retries nor follows redirects.
 * @throws UsageError for a proxy variable that is not an address
 */
export function createTransport(options: TransportOptions) {
  const { timeoutMs, slackMs = 2000, userAgent, now, log } = options;
  const proxies = readProxies(options.proxyEnv);
  const isNodes = options.client === 'node' && !proxies.httpProxy && !proxies.httpsProxy;
  const discard = createBodyDiscarder(timeoutMs);
  let opened: Promise<HttpClient> | HttpClient | undefined;

  async function exchange(
    client: HttpClient,
    url: string,
    { signal: outer, document }: SendOptions,
  ): Promise<HttpResponse> {
    const headers = {
      'user-agent': userAgent,
      accept: '*/*',
      'accept-encoding': 'gzip, deflate',
      ...document?.headers,
    };
    const method = document ? 'POST' : 'GET';
    // The timeouts of Node and undici do not cover a proxy that never responds to CONNECT, or a
    // body that trickles.
    const limitMs = Math.min(2 * timeoutMs + slackMs, MAX_TIMER_MS);
    const guard = AbortSignal.timeout(limitMs);
    const received: Received = {};
    using ended = anySignal(guard, ...(outer ? [outer] : []));
    const { signal } = ended;
    try {
      const request = { url, method, headers, body: document?.body, signal } as const;
      const response = await abortable(client.send(request), signal);
      const header = (name: string) => response.headers[name]?.toString();
      const coding = document ? undefined : readCoding(header('content-encoding'), response.body);
      if (document) discard(response.body);
      const bytes = document ? Buffer.alloc(0) : await readBody(response.body, received);
      // Node ends the body of an aborted request as if it were complete.
      signal.throwIfAborted();
      const body = await decode(bytes, coding);
      return { status: response.statusCode, header, bytes: bytes.length, body };
    } catch (error) {
      if (outer?.aborted) throw outer.reason;
      throw guard.aborted ? tooSlowFailure(limitMs, received.bytes) : client.explain(error);
    }
  }

  return {
    /**
     * Sends a request once.
     * @throws TransportFailure if no complete response arrived; UnexpectedResponseError if the
     *   response is too large or in an unrequested coding; the reason of `signal` when it aborts
     */
    async send(url: string, query: SendOptions): Promise<HttpResponse> {
      // Open the client at the first request: with cached responses, it may never be needed.
      opened ??= isNodes ? openNodeClient(timeoutMs) : loadUndici(proxies, timeoutMs);
      const client = await opened;
      const begunMs = now();
      // The address of a webhook may contain a secret in its path and query.
      const request = query.document ? `POST ${new URL(url).origin}` : `GET ${url}`;
      const note = (outcome: string) => log?.(`${request} ${outcome}, ${now() - begunMs} ms`);
      try {
        const response = await exchange(client, url, query);
        note(query.document ? `${response.status}` : `${response.status}, ${response.bytes} bytes`);
        return response;
      } catch (error) {
        note((error as Error).message);
        throw error;
      }
    },
    close: async (): Promise<void> => (await opened)?.close(),
  };
}

async function loadUndici(proxies: ProxySettings, timeoutMs: number): Promise<HttpClient> {
  const { openUndiciClient } = await import('./undiciClient.ts');
  return openUndiciClient(proxies, timeoutMs);
}

/** The length of the body so far; undefined before the body begins. */
interface Received {
  bytes?: number;
}

/** Reads a body of at most MAX_BODY_BYTES, since undici does not limit a body from a proxy. */
async function readBody(body: Readable, received: Received): Promise<Buffer> {
  const pieces: Buffer[] = [];
  received.bytes = 0;
  for await (const piece of body) {
    received.bytes += piece.length;
    if (received.bytes > MAX_BODY_BYTES) throw tooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces, received.bytes);
}

/**
 * Reads the coding of a body.
 * @returns undefined for a plain body
 * @throws UnexpectedResponseError for an unrequested coding
 */
function readCoding(encoding = 'identity', body: Readable): ResponseCoding | undefined {
  const name = encoding.trim().toLowerCase();
  if (name === 'identity' || name === '') return undefined;
  if (isResponseCoding(name)) return name;
  body.on('error', () => {}).destroy();
  throw new UnexpectedResponseError(
    `The response is compressed with ${firstCharacters(name, 40)}; vane accepts only gzip and deflate.`,
  );
}

/**
 * Decompresses a body. undici's interceptor for this is experimental, and prints warnings on
 * stderr.
 */
async function decode(bytes: Buffer, coding: ResponseCoding | undefined): Promise<Buffer> {
  if (coding === undefined || bytes.length === 0) return bytes;
  try {
    return await decompress(bytes, coding, MAX_BODY_BYTES);
  } catch (cause) {
    const code = errorCode(cause);
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    const damage = code === 'Z_BUF_ERROR' ? 'cut short' : 'damaged';
    throw new TransportFailure(`the compressed response is ${damage}`, { cause });
  }
}

function tooLarge(): UnexpectedResponseError {
  return new UnexpectedResponseError(
    `The response is larger than ${MAX_BODY_BYTES / 1024 ** 2} MiB.`,
  );
}
