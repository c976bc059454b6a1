import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A response with its header fields by lower-case name; repeated fields are joined. */
export interface RawReply {
  readonly status: number;
  readonly version: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  /** Length of the whole response in bytes, head included. */
  readonly bytes: number;
}

export interface RawConnection {
  readonly socket: Socket;
  /**
   * Sends bytes unchanged.
   * @param methods the HTTP methods of the requests in these bytes, in order
   */
  send(bytes: string | Buffer, methods?: readonly string[]): void;
  /** The next response; undefined if the server closed the connection without one. */
  next(): Promise<RawReply | undefined>;
  /** Reads all further responses, until the server closes the connection. */
  rest(): Promise<RawReply[]>;
  readonly closed: Promise<void>;
}

/**
 * Opens a connection for requests of arbitrary bytes.
 * @param options.localAddress address of this machine to connect from, such as 127.0.0.2
 */
export async function openRaw(
  baseUrl: string,
  options: { readonly allowHalfOpen?: boolean; readonly localAddress?: string } = {},
): Promise<RawConnection> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, ...options });
  const methods: string[] = [];
  const replies: RawReply[] = [];
  const waiting: ((reply: RawReply | undefined) => void)[] = [];
  /** Bytes received of a response that is not complete yet. */
  let pieces: Buffer[] = [];
  let length = 0;
  let needed = 0;
  let isClosed = false;

  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      isClosed = true;
      for (const wake of waiting.splice(0)) wake(undefined);
      resolve();
    });
  });
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    pieces.push(chunk);
    length += chunk.length;
    if (length < needed) return;
    let pending = pieces.length === 1 ? chunk : Buffer.concat(pieces, length);
    for (;;) {
      const reply = parseReply(pending, methods[0]);
      if (typeof reply === 'number') {
        pieces = [pending];
        length = pending.length;
        needed = reply;
        return;
      }
      pending = pending.subarray(reply.bytes);
      // An interim response (1xx) is followed by the final one.
      if (reply.status >= 200) methods.shift();
      const wake = waiting.shift();
      if (wake) wake(reply);
      else replies.push(reply);
    }
  });
  await once(socket, 'connect');

  const next = (): Promise<RawReply | undefined> => {
    const reply = replies.shift();
    if (reply !== undefined || isClosed) return Promise.resolve(reply);
    return new Promise((resolve) => waiting.push(resolve));
  };
  return {
    socket,
    closed,
    next,
    send(bytes, ofMethods = ['GET']) {
      methods.push(...ofMethods);
      socket.write(bytes);
    },
    async rest() {
      const all: RawReply[] = [];
      for (let reply = await next(); reply; reply = await next()) all.push(reply);
      return all;
    },
  };
}

/**
 * @returns the response, or the least length in bytes of one that is not complete yet; 0 if unknown
 */
function parseReply(bytes: Buffer, method: string | undefined): RawReply | number {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return 0;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const [, version = '', code] = /^HTTP\/(\d\.\d) (\d{3})/.exec(statusLine) ?? [];
  if (code === undefined) throw new Error(`not a response: ${statusLine.slice(0, 80)}`);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  const status = Number(code);
  const begin = end + 4;
  const hasNoBody = method === 'HEAD' || status < 200 || status === 204 || status === 304;
  if (!hasNoBody && headers['transfer-encoding'] === 'chunked') {
    const last = bytes.indexOf('0\r\n\r\n', begin, 'latin1');
    if (last < 0) return 0;
    const body = bytes.subarray(begin, last);
    return { status, version, headers, body, bytes: last + 5 };
  }
  const length = hasNoBody ? 0 : Number(headers['content-length'] ?? 0);
  if (bytes.length < begin + length) return begin + length;
  const body = bytes.subarray(begin, begin + length);
  return { status, version, headers, body, bytes: begin + length };
}

/** The bytes of an HTTP request. */
export function requestBytes(
  target: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): string {
  const lines = Object.entries({ host: 'a', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}
