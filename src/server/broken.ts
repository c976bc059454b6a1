import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorCode, RefusedError } from '../errors.ts';
import { answerError, retryAfter } from './errors.ts';
import { EVERY_ANSWER, EVERY_ERROR, JSON_TYPE } from './headers.ts';

/** Answers bytes that are no HTTP request, where there is no response object to do it with. */
export function answerBroken(error: unknown, socket: Duplex): void {
  if (socket.writable) endWith(socket, explainBroken(error));
  else socket.destroy();
}

function explainBroken(error: unknown): RefusedError {
  switch (errorCode(error)) {
    case 'HPE_HEADER_OVERFLOW':
      return new RefusedError('The head of the request is too large.', 431, 'headers_too_large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new RefusedError('The request did not arrive in time.', 408, 'request_timeout');
    default:
      return new RefusedError('This is not an HTTP request.', 400, 'bad_request');
  }
}

export const methodNotAllowed = (): RefusedError =>
  new RefusedError('Everything here is read with GET or HEAD.', 405, 'method_not_allowed');

/** Refuses a request that nobody has read. */
export function refuse(response: ServerResponse, error: RefusedError, waitMs?: number): void {
  const { status, body } = answerError(error);
  const text = JSON.stringify(body);
  response.writeHead(status, {
    ...EVERY_ERROR,
    ...(waitMs !== undefined && retryAfter(waitMs)),
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

/** Writes an error answer straight to a connection and closes it. */
export function endWith(
  socket: Duplex,
  error: RefusedError,
  headers: Readonly<Record<string, string>> = {},
): void {
  const { status, body } = answerError(error);
  const text = JSON.stringify(body);
  const head = {
    ...EVERY_ANSWER,
    ...headers,
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  // Node leaves a connection it hands over without a listener, and an unheard error ends everything.
  socket.once('error', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`,
    // Not left half-open, which would let a client that never closes hold up the server's end.
    () => socket.destroy(),
  );
}
