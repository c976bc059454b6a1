import { formatCount } from '../../domain/text.ts';
import {
  errorCode,
  UnavailableError,
  type UnavailableOptions,
  UnexpectedResponseError,
  VaneError,
} from '../../errors.ts';

/**
 * A request got no usable response. The message is only the cause: “the connection was refused”.
 */
export class TransportFailure extends UnavailableError {
  /** Whether the same request may soon succeed. */
  readonly mayPass: boolean;

  constructor(message: string, options: UnavailableOptions & { mayPass?: boolean } = {}) {
    super(message, options);
    this.mayPass = options.mayPass ?? true;
  }
}

const WAITS = {
  connection: 'no connection within',
  head: 'no response within',
  body: 'the response stalled for',
} as const;

/** The failure after `timeoutMs` without a connection, a head, or the next piece of a body. */
export function timeoutFailure(awaited: keyof typeof WAITS, timeoutMs: number): TransportFailure {
  const wasSent = awaited !== 'connection';
  return new TransportFailure(`${WAITS[awaited]} ${timeoutMs / 1000} s`, { wasSent });
}

/**
 * The failure of a request that was aborted after `limitMs`, although data kept arriving.
 * @param bytes length of the received body; undefined without a complete head
 */
export function tooSlowFailure(limitMs: number, bytes: number | undefined): TransportFailure {
  if (bytes === undefined) return timeoutFailure('head', limitMs);
  const came = `${formatCount(bytes, 'byte')} received`;
  return new TransportFailure(`the response was not complete within ${limitMs / 1000} s (${came})`);
}

/** The failure of a connection that ended before the response was complete. */
export function brokenOffFailure(cause?: unknown): TransportFailure {
  return new TransportFailure('the connection was lost', { cause });
}

/** The error for a response that is not HTTP, or whose head is too large. */
export const notHttpError = (): UnexpectedResponseError =>
  new UnexpectedResponseError('The response is not HTTP.');

const BROKEN_OFF = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Connection failures that a retry may overcome, by Node's error code. */
const PASSING: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  EAI_AGAIN: 'the host name could not be looked up',
};

/** Connection failures that a retry cannot overcome, by Node's error code. */
const LASTING: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no host with that name',
  EPROTO: 'it does not speak TLS there',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS there',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS there',
  CERT_HAS_EXPIRED: 'its TLS certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its TLS certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'its TLS certificate is not signed by anyone that this machine trusts',
  SELF_SIGNED_CERT_IN_CHAIN: 'its TLS certificate is not signed by anyone that this machine trusts',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its TLS certificate is not signed by anyone that this machine trusts',
};

/** Whether a connection failed because the host name was not found. */
export const isHostMissing = ({ cause }: TransportFailure): boolean =>
  ['ENOTFOUND', 'EAI_AGAIN'].includes(errorCode(cause) ?? '');

/**
 * Converts an error of Node's sockets, name resolution, TLS or HTTP parser to a TransportFailure or
 * UnexpectedResponseError. A VaneError stays unchanged.
 */
export function explainFailure(error: unknown): Error {
  if (error instanceof VaneError) return error;
  const code = errorCode(error) ?? '';
  if (code.startsWith('HPE_')) return notHttpError();
  if (BROKEN_OFF.has(code)) return brokenOffFailure(error);
  const cause = PASSING[code] ?? LASTING[code];
  return new TransportFailure(cause ?? (error instanceof Error ? error.message : String(error)), {
    mayPass: LASTING[code] === undefined,
    wasSent: cause === undefined,
    cause: error,
  });
}
