import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import { errorCode, NotInterfaceError } from '../../errors.ts';
import { TransportFailure } from './retry.ts';

export interface TransportOptions {
  /** Longest wait for a connection, for the head of an answer, and between pieces of its body. */
  readonly timeoutMs: number;
  readonly userAgent: string;
  /** Proxy variables are read from here; undefined asks no proxy. */
  readonly proxyEnv: Readonly<Record<string, string | undefined>> | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Length of the body as it came, compressed or not. */
  readonly bytes: number;
}

/** One GET across the network, whole: no retry, no redirect, no meaning. */
export interface Transport {
  /**
   * @throws TransportFailure when no whole answer came; NotInterfaceError for one that is too
   * large; the reason of `signal` when it aborts
   */
  get(url: string, signal: AbortSignal | undefined): Promise<Answer>;
  close(): Promise<void>;
}

/** The list of all stations is under 1 MB and 31 days of one about as much: far from this. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

export function createTransport(options: TransportOptions): Transport {
  const { timeoutMs, userAgent, proxyEnv } = options;
  const agent = createAgent(timeoutMs, proxyEnv);
  const headers = {
    'user-agent': userAgent,
    accept: '*/*',
    'accept-encoding': 'gzip, br, deflate',
  };
  return {
    async get(url, signal) {
      try {
        const response = await request(url, { dispatcher: agent, headers, signal: signal ?? null });
        const fields = singleFields(response.headers);
        const bytes = Buffer.from(await response.body.arrayBuffer());
        const body = await decompress(bytes, fields['content-encoding']);
        const text = body.toString('utf8');
        return { status: response.statusCode, headers: fields, text, bytes: bytes.length };
      } catch (error) {
        throw signal?.aborted ? signal.reason : explain(error, timeoutMs);
      }
    },
    // Everything asked for has been answered or given up by now.
    close: () => agent.destroy(),
  };
}

function createAgent(timeoutMs: number, proxyEnv: TransportOptions['proxyEnv']): Dispatcher {
  const options: Agent.Options = {
    connect: { timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: MAX_BODY_BYTES,
  };
  if (proxyEnv === undefined) return new Agent(options);
  const proxy = (name: string): string => proxyEnv[name] ?? proxyEnv[name.toUpperCase()] ?? '';
  return new EnvHttpProxyAgent({
    ...options,
    httpProxy: proxy('http_proxy'),
    httpsProxy: proxy('https_proxy'),
    noProxy: proxy('no_proxy'),
    // Plain HTTP goes in absolute form, as by curl: many proxies tunnel to port 443 only.
    proxyTunnel: false,
  });
}

function singleFields(headers: Record<string, string | string[] | undefined>) {
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) fields[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return fields;
}

const DECODERS = {
  gzip: promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip),
  'x-gzip': promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip),
  br: promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress),
  deflate: promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate),
};

async function decompress(bytes: Buffer, encoding = 'identity'): Promise<Buffer> {
  const name = encoding.trim().toLowerCase();
  if (name === 'identity' || bytes.length === 0) return bytes;
  if (!Object.hasOwn(DECODERS, name)) {
    throw new NotInterfaceError(`The answer is compressed as ${name}, which nobody asked for.`);
  }
  return DECODERS[name as keyof typeof DECODERS](bytes, { maxOutputLength: MAX_BODY_BYTES });
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

function explain(error: unknown, timeoutMs: number): Error {
  if (error instanceof NotInterfaceError) return error;
  const code = errorCode(error) ?? errorCode((error as Error | undefined)?.cause) ?? '';
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE' || code === 'ERR_BUFFER_TOO_LARGE') {
    return new NotInterfaceError(`The answer is larger than ${MAX_BODY_BYTES / 1024 ** 2} MiB.`);
  }
  if (code.startsWith('HPE_')) return new NotInterfaceError('What answered does not speak HTTP.');
  const lasting = LASTING_CAUSES[code];
  const cause = lasting ?? passingCause(code, error, timeoutMs);
  return new TransportFailure(cause, { mayPass: lasting === undefined, cause: error });
}

function passingCause(code: string, error: unknown, timeoutMs: number): string {
  const seconds = `${timeoutMs / 1000} s`;
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return `no connection within ${seconds}`;
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return `nothing came within ${seconds}`;
  if (code === 'UND_ERR_BODY_TIMEOUT') return `the answer stalled for ${seconds}`;
  if (code.includes('BROTLI')) return 'the compressed answer is damaged';
  return CAUSES[code] ?? (error instanceof Error ? error.message : String(error));
}
