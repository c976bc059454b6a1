import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { ZlibOptions } from 'node:zlib';
import { hideUser } from '../../domain/text.ts';
import { errorCode, NotInterfaceError, UsageError } from '../../errors.ts';
import { LONGEST_TIMER_MS } from '../../io.ts';
import { type Connections, type Lifetime, type Proxies, RequestFailure } from './connections.ts';
import { TransportFailure } from './retry.ts';

export interface TransportOptions {
  /** Longest wait for a connection, for the head of an answer, and between pieces of its body. */
  readonly timeoutMs: number;
  readonly userAgent: string;
  /** Proxy variables are read from here; undefined asks no proxy. */
  readonly proxyEnv: Readonly<Record<string, string | undefined>> | undefined;
  /** What only pays later is left out of what ends soon; by default it is there. */
  readonly lifetime?: Lifetime;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Length of the body as it came, compressed or not. */
  readonly bytes: number;
  /**
   * Decompresses the body, which need not be waited for before something else is asked for.
   * @throws TransportFailure for a damaged one; NotInterfaceError for one that is too large
   */
  body(): Promise<Buffer>;
}

export interface GetOptions {
  readonly signal: AbortSignal | undefined;
  /** An answer of a packet or less gains nothing from compression, which takes 3 ms to undo. */
  readonly isBrief: boolean;
  /** Caches on the way are to ask the service again. */
  readonly isAfresh?: boolean | undefined;
}

/** One GET across the network, whole: no retry, no redirect, no meaning. */
export interface Transport {
  /**
   * @throws TransportFailure when no whole answer came; NotInterfaceError for one that is too
   * large; the reason of `signal` when it aborts
   */
  get(url: string, options: GetOptions): Promise<Answer>;
  close(): Promise<void>;
}

/**
 * The list of all stations is under 1 MB and 31 days of one about as much: far from this. JSON of
 * nothing but brackets takes fifty times its length in memory, and 0.1 s for each MB.
 */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** @throws UsageError for a proxy variable that is no address */
export function createTransport(options: TransportOptions): Transport {
  const { timeoutMs, userAgent, proxyEnv, lifetime = 'service' } = options;
  const proxies = proxyEnv && readProxies(proxyEnv);
  // A command that is answered from the cache needs none of it.
  let opened: Promise<Connections> | undefined;
  const open = async (url: string): Promise<Connections> => {
    if (lifetime === 'command' && proxies === undefined) {
      return (await import('./nodeClient.ts')).openNodeClient(url, timeoutMs);
    }
    return (await import('./undiciClient.ts')).openUndici({ timeoutMs, proxies, lifetime });
  };
  return {
    async get(url, { signal: outer, isBrief, isAfresh }) {
      const headers = {
        'user-agent': userAgent,
        accept: '*/*',
        'accept-encoding': isBrief ? 'identity' : 'gzip, br, deflate',
        ...(isAfresh && { 'cache-control': 'no-cache' }),
      };
      // The clients' own time-outs cover neither a proxy that never answers to CONNECT, nor an answer
      // that trickles.
      const guard = AbortSignal.timeout(Math.min(2 * timeoutMs + GUARD_SLACK_MS, LONGEST_TIMER_MS));
      const signal = outer === undefined ? guard : AbortSignal.any([outer, guard]);
      try {
        opened ??= open(url);
        const { get } = await opened;
        const response = await abortable(get(url, { headers, signal }), signal);
        const fields = singleFields(response.headers);
        const bytes = await readBody(response.body);
        return {
          status: response.statusCode,
          headers: fields,
          bytes: bytes.length,
          body: () =>
            decompress(bytes, fields['content-encoding']).catch((error) => {
              throw explain(error, timeoutMs);
            }),
        };
      } catch (error) {
        if (outer?.aborted) throw outer.reason;
        // Whatever became of the request then, it is that nothing more was waited for.
        throw explain(guard.aborted ? guard.reason : error, timeoutMs);
      }
    },
    // Everything asked for has been answered or given up by now, so nobody waits for the sockets.
    close: async () => {
      (await opened)?.destroy();
    },
  };
}

/** How much later than a client the guard gives up, so that the client's word comes first. */
const GUARD_SLACK_MS = 2000;

/** Settles with `promise`, or rejects as soon as the signal aborts, however long that one takes. */
async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  promise.catch(() => {});
  return Promise.race([promise, aborted]).finally(() =>
    signal.removeEventListener('abort', onAbort),
  );
}

/**
 * Reads a body as far as it may go: through a proxy undici does not bound it. By its events, since
 * an iterator takes longer to set up than a short body takes to come.
 */
function readBody(body: Readable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    body.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length > MAX_BODY_BYTES) body.destroy(tooLarge());
      else pieces.push(piece);
    });
    body.on('end', () => resolve(Buffer.concat(pieces, length)));
    body.on('error', reject);
    body.on('close', () => {
      if (!body.readableEnded) reject(new RequestFailure('ECONNRESET'));
    });
  });
}

function tooLarge(): NotInterfaceError {
  return new NotInterfaceError(`The answer is larger than ${MAX_BODY_BYTES / 1024 ** 2} MiB.`);
}

function readProxies(env: Readonly<Record<string, string | undefined>>): Proxies | undefined {
  const httpProxy = readProxy(env, 'HTTP_PROXY');
  const httpsProxy = readProxy(env, 'HTTPS_PROXY');
  if (httpProxy === '' && httpsProxy === '') return undefined;
  return { httpProxy, httpsProxy, noProxy: env.no_proxy ?? env.NO_PROXY ?? '' };
}

/** A proxy's address, without a scheme taken for HTTP as curl does; empty for none. */
function readProxy(env: Readonly<Record<string, string | undefined>>, name: string): string {
  const text = env[name.toLowerCase()] ?? env[name] ?? '';
  if (text === '') return '';
  const address = text.includes('://') ? text : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain = url?.pathname === '/' && url.search === '' && url.hash === '';
  if (url && isPlain && /^https?:$/.test(url.protocol)) return address;
  throw new UsageError(
    `${name} takes the address of an HTTP proxy such as http://proxy:3128, not “${hideUser(text)}”.`,
  );
}

function singleFields(headers: Record<string, string | string[] | undefined>) {
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) fields[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return fields;
}

/** What a body may be compressed by, and what of Node undoes it. */
const DECODERS = {
  gzip: 'gunzip',
  'x-gzip': 'gunzip',
  br: 'brotliDecompress',
  deflate: 'inflate',
} as const;

/** Room for a whole answer: by Node's 16 kB at a time it takes twice as long. */
const CHUNK_BYTES = 1024 * 1024;

async function decompress(bytes: Buffer, encoding = 'identity'): Promise<Buffer> {
  const name = encoding.trim().toLowerCase();
  if (name === 'identity' || bytes.length === 0) return bytes;
  if (!Object.hasOwn(DECODERS, name)) {
    throw new NotInterfaceError(`The answer is compressed as ${name}, which nobody asked for.`);
  }
  // Loaded for the first answer that needs it.
  const zlib = createRequire(import.meta.url)('node:zlib') as typeof import('node:zlib');
  const decode = promisify<Buffer, ZlibOptions, Buffer>(
    zlib[DECODERS[name as keyof typeof DECODERS]],
  );
  return decode(bytes, { maxOutputLength: MAX_BODY_BYTES, chunkSize: CHUNK_BYTES });
}

/** What went wrong, for people, by the code of Node's or undici's error. */
const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection broke off',
  EPIPE: 'the connection broke off',
  UND_ERR_SOCKET: 'the connection broke off',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  EAI_AGAIN: 'the host name could not be looked up',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer was cut short',
  Z_DATA_ERROR: 'the compressed answer is damaged',
  Z_BUF_ERROR: 'the compressed answer is cut short',
};

/** Causes that the next attempt would meet again. */
const LASTING_CAUSES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no host of that name',
  EPROTO: 'it does not speak TLS there',
  CERT_HAS_EXPIRED: 'its TLS certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its TLS certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its TLS certificate is signed by nobody this machine trusts',
  SELF_SIGNED_CERT_IN_CHAIN: 'its TLS certificate is signed by nobody this machine trusts',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its TLS certificate is signed by nobody this machine trusts',
};

/** Causes that come before there is a connection to send anything on. */
const UNSENT = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  ...Object.keys(LASTING_CAUSES),
]);

function explain(error: unknown, timeoutMs: number): Error {
  if (error instanceof NotInterfaceError) return error;
  const code = errorCode(error) ?? errorCode((error as Error | undefined)?.cause) ?? '';
  if (code === 'ERR_BUFFER_TOO_LARGE') {
    return tooLarge();
  }
  if (code.startsWith('HPE_')) return new NotInterfaceError('What answered does not speak HTTP.');
  const lasting = LASTING_CAUSES[code];
  const cause = lasting ?? passingCause(code, error, timeoutMs);
  const wasSent = !UNSENT.has(code);
  return new TransportFailure(cause, { mayPass: lasting === undefined, wasSent, cause: error });
}

function passingCause(code: string, error: unknown, timeoutMs: number): string {
  const seconds = `${timeoutMs / 1000} s`;
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return `nothing came within ${(2 * timeoutMs) / 1000} s`;
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return `no connection within ${seconds}`;
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return `nothing came within ${seconds}`;
  if (code === 'UND_ERR_BODY_TIMEOUT') return `the answer stalled for ${seconds}`;
  if (code.includes('BROTLI')) return 'the compressed answer is damaged';
  return CAUSES[code] ?? (error instanceof Error ? error.message : String(error));
}
