import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  errorCode,
  NotFoundError,
  RefusedError,
  UnavailableError,
  UnexpectedResponseError,
} from '../../errors.ts';
import { ERROR_STATUS, type ErrorBody } from '../../wire/errorBody.ts';
import { RequestError } from '../../wire/requests.ts';
import { FULL_QUEUE_RETRY_MS } from '../cache/queue.ts';
import { ALLOWED_METHODS, JSON_TYPE, RAW_RESPONSE_HEADERS } from './headers.ts';

/** Additional error codes of this server, with their HTTP statuses. */
export const SERVER_ERROR_STATUS = {
  bad_request: 400,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  expectation_failed: 417,
  too_many_requests: 429,
  headers_too_large: 431,
  internal_error: 500,
  overloaded: 503,
  upstream_unavailable: 503,
} as const;

type ServerErrorCode = keyof typeof SERVER_ERROR_STATUS;

/** Additional headers for some error codes. */
const ERROR_HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  method_not_allowed: { allow: ALLOWED_METHODS },
  // Close the connection of a refused client, so that connections remain for others.
  too_many_requests: { connection: 'close' },
  overloaded: { connection: 'close', ...retryAfter(FULL_QUEUE_RETRY_MS) },
} satisfies Partial<Record<ServerErrorCode, object>>;

/** Creates an error with one of this server's own codes. */
export function createRefusal(code: ServerErrorCode, message: string): RefusedError {
  return new RefusedError(message, SERVER_ERROR_STATUS[code], code);
}

export const methodNotAllowed = (): RefusedError =>
  createRefusal('method_not_allowed', 'Use GET or HEAD.');

/** The response to an error. An unexpected error is not described to the client. */
export function errorResponse(error: unknown) {
  const response = (status: number, code: string, message: string, waitMs?: number) => ({
    status,
    headers: { ...ERROR_HEADERS[code], ...(waitMs !== undefined && retryAfter(waitMs)) },
    body: { error_code: code, error_message: message } satisfies ErrorBody,
  });
  const own = (code: ServerErrorCode, message: string, waitMs?: number) =>
    response(SERVER_ERROR_STATUS[code], code, message, waitMs);
  if (error instanceof RequestError) {
    return response(ERROR_STATUS[error.code], error.code, error.message);
  }
  if (error instanceof NotFoundError) {
    return response(ERROR_STATUS.station_not_found, 'station_not_found', error.message);
  }
  if (error instanceof RefusedError) {
    return response(error.status, error.errorCode ?? 'refused', error.message);
  }
  if (error instanceof UnavailableError || error instanceof UnexpectedResponseError) {
    const waitMs = error instanceof UnavailableError ? error.retryAfterMs : undefined;
    return own('upstream_unavailable', error.message, waitMs);
  }
  if (errorCode(error) === 'FST_ERR_HANDLER_TIMEOUT') {
    return own(
      'upstream_unavailable',
      'The response takes too long; try again later.',
      FULL_QUEUE_RETRY_MS,
    );
  }
  return own('internal_error', 'The server failed while handling this request.');
}

function retryAfter(waitMs: number): { readonly 'retry-after': string } {
  return { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) };
}

/** Responds to bytes that Node cannot parse as an HTTP request. */
export function refuseMalformed(error: unknown, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const code = errorCode(error);
  if (code === 'HPE_HEADER_OVERFLOW') {
    endSocket(
      socket,
      createRefusal('headers_too_large', 'The header of the request is too large.'),
    );
  } else if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    endSocket(socket, createRefusal('request_timeout', 'The request did not arrive in time.'));
  } else endSocket(socket, createRefusal('bad_request', 'This is not an HTTP request.'));
}

/** Responds to CONNECT, for which Node passes the bare connection. */
export function refuseConnect(socket: Duplex): void {
  endSocket(socket, methodNotAllowed());
}

/** Writes an error directly to a socket, without a response object. */
function endSocket(socket: Duplex, error: RefusedError): void {
  const { status, headers, body } = errorResponse(error);
  const text = JSON.stringify(body);
  const head = {
    ...RAW_RESPONSE_HEADERS,
    ...headers,
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  // Node has removed its error listener, and an unhandled error would end vane.
  socket.once('error', () => socket.destroy());
  // Destroy the socket once the error is sent. Otherwise, a client that keeps its side open keeps
  // the server running.
  const destroy = () => socket.destroy();
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`, destroy);
}
