import {
  errorCode,
  NotInterfaceError,
  UnavailableError,
  type UnavailableOptions,
} from '../../errors.ts';

/** A request got no usable answer. The message is the cause alone: “the connection was refused”. */
export class TransportFailure extends UnavailableError {
  /** Whether the same request may succeed in a moment. */
  readonly mayPass: boolean;

  constructor(message: string, options: UnavailableOptions & { mayPass?: boolean } = {}) {
    super(message, options);
    this.mayPass = options.mayPass ?? true;
  }
}

/**
 * Largest body of an answer, bytes. The list of all stations is under 1 MB, and an archive of 31
 * days about as large. To parse a body of nothing but brackets takes fifty times its length in
 * memory, and 0.1 s for each MB.
 */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;

export function tooLarge(): NotInterfaceError {
  return new NotInterfaceError(`The answer is larger than ${MAX_BODY_BYTES / 1024 ** 2} MiB.`);
}

/** Causes of failures that may be over at a retry, by the error code of Node, undici or zlib. */
const PASSING_CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection broke off',
  EPIPE: 'the connection broke off',
  ERR_STREAM_PREMATURE_CLOSE: 'the connection broke off',
  UND_ERR_SOCKET: 'the connection broke off',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  EAI_AGAIN: 'the host name could not be looked up',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer was cut short',
  Z_DATA_ERROR: 'the compressed answer is damaged',
  Z_BUF_ERROR: 'the compressed answer is cut short',
};

/** Causes of failures that every retry would meet again, by the error code of Node. */
const LASTING_CAUSES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no host of that name',
  EPROTO: 'it does not speak TLS there',
  CERT_HAS_EXPIRED: 'its TLS certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its TLS certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its TLS certificate is signed by nobody this machine trusts',
  SELF_SIGNED_CERT_IN_CHAIN: 'its TLS certificate is signed by nobody this machine trusts',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its TLS certificate is signed by nobody this machine trusts',
};

/** Error codes of failures to connect, after which no request was sent. */
const UNSENT = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  ...Object.keys(LASTING_CAUSES),
]);

/** Turns an error of Node, undici or zlib into a TransportFailure or NotInterfaceError. */
export function explainFailure(error: unknown, timeoutMs: number): Error {
  if (error instanceof NotInterfaceError) return error;
  const code = errorCode(error) ?? errorCode((error as Error | undefined)?.cause) ?? '';
  if (code === 'ERR_BUFFER_TOO_LARGE') return tooLarge();
  if (code.startsWith('HPE_')) return new NotInterfaceError('The answer is not HTTP.');
  const lasting = LASTING_CAUSES[code];
  return new TransportFailure(lasting ?? passingCause(code, error, timeoutMs), {
    mayPass: lasting === undefined,
    wasSent: !UNSENT.has(code),
    cause: error,
  });
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
  return PASSING_CAUSES[code] ?? (error instanceof Error ? error.message : String(error));
}
