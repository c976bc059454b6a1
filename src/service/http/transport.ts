import type { Readable } from 'node:stream';
import { NotInterfaceError } from '../../errors.ts';
import { abortable, LONGEST_TIMER_MS } from '../../io.ts';
import { decompress, isCoding } from '../compression.ts';
import { type HttpClient, openNodeClient } from './client.ts';
import { explainFailure, MAX_BODY_BYTES, tooLarge } from './failure.ts';
import { type Env, openProxyClient, readProxies } from './proxies.ts';

export interface TransportOptions {
  /** Longest wait for a connection, for the head of an answer, and between two pieces of a body. */
  readonly timeoutMs: number;
  readonly userAgent: string;
  /**
   * Attempts after the first. With 0, a request is not repeated even where the service had closed
   * the kept connection.
   */
  readonly retries: number;
  /** The environment to read proxy variables from; empty for no proxy. */
  readonly proxyEnv: Env;
}

export interface Answer {
  readonly status: number;
  /** A header of the answer by its name in lower case. */
  header(name: string): string | undefined;
  /** Length of the body as received, compressed or not. */
  readonly bytes: number;
  /**
   * Reads the body of the answer.
   * @throws TransportFailure for a damaged body; NotInterfaceError for one that is too large
   */
  body(): Promise<Buffer>;
}

export interface QueryOptions {
  readonly signal: AbortSignal | undefined;
  /** Whether to ask for no compression: an answer in a single packet gains nothing from it. */
  readonly isBrief: boolean;
  /** A document to POST; the body of the answer is then not read. Undefined for a GET. */
  readonly document?: Document;
}

/** A text to send, with the headers that describe the text, their names in lower case. */
export interface Document {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * A request is aborted this long after two timeouts, so that the timeouts of the HTTP client itself
 * report first.
 */
const GUARD_SLACK_MS = 2000;

/**
 * Makes a sender of requests, which neither retries nor follows redirects.
 * @throws UsageError for a proxy variable that is not an address
 */
export function createTransport(options: TransportOptions) {
  const { timeoutMs, userAgent, retries, proxyEnv } = options;
  const proxies = readProxies(proxyEnv);
  let client: Promise<HttpClient> | HttpClient | undefined;

  return {
    /**
     * Sends a request once, and waits for the head of its answer.
     * @throws TransportFailure when no whole answer came; NotInterfaceError for an answer that is
     *   too large; the reason of `signal` when it aborts
     */
    async send(url: string, { signal: outer, isBrief, document }: QueryOptions): Promise<Answer> {
      const headers = {
        'user-agent': userAgent,
        accept: '*/*',
        'accept-encoding': isBrief ? 'identity' : 'gzip, br, deflate',
        ...document?.headers,
      };
      // The timeouts of Node's and undici's clients cover neither a proxy that leaves CONNECT
      // unanswered nor a body that trickles.
      const guard = AbortSignal.timeout(Math.min(2 * timeoutMs + GUARD_SLACK_MS, LONGEST_TIMER_MS));
      const signal = outer === undefined ? guard : AbortSignal.any([outer, guard]);
      try {
        // The client is opened for the first request, since the cache may make a client needless.
        client ??= proxies
          ? openProxyClient(proxies, timeoutMs)
          : openNodeClient(url, timeoutMs, retries > 0);
        const { send } = await client;
        const request = {
          ...(document && { method: 'POST' as const, body: document.body }),
          headers,
          signal,
        };
        const response = await abortable(send(url, request), signal);
        const header = (name: string) => response.headers[name]?.toString();
        const bytes = document ? dropBody(response.body) : await readBody(response.body);
        return {
          status: response.statusCode,
          header,
          bytes: bytes.length,
          body: () =>
            decode(bytes, header('content-encoding')).catch((error) => {
              throw explainFailure(error, timeoutMs);
            }),
        };
      } catch (error) {
        if (outer?.aborted) throw outer.reason;
        throw explainFailure(guard.aborted ? guard.reason : error, timeoutMs);
      }
    },
    close: async (): Promise<void> => (await client)?.destroy(),
  };
}

/** Reads a body of at most MAX_BODY_BYTES: undici sets no bound to a body from a proxy. */
async function readBody(body: Readable): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > MAX_BODY_BYTES) throw tooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces, length);
}

/** Reads a body without keeping it, so that its connection can be used again. */
function dropBody(body: Readable): Buffer {
  body.on('error', () => {}).resume();
  return Buffer.alloc(0);
}

async function decode(bytes: Buffer, encoding = 'identity'): Promise<Buffer> {
  const name = encoding.trim().toLowerCase();
  if (name === 'identity' || bytes.length === 0) return bytes;
  if (isCoding(name)) return decompress(bytes, name, MAX_BODY_BYTES);
  throw new NotInterfaceError(`The answer is compressed as ${name}, which vane did not ask for.`);
}
