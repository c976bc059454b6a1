import { request } from 'node:http';
import { connect } from 'node:net';

export interface Reply {
  readonly status: number;
  /** Header fields by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Address of this machine from which the request is sent, such as 127.0.0.2. */
  readonly localAddress?: string;
}

/** Sends a request with its target unchanged, and reads the whole response. */
export function sendRequest(
  baseUrl: string,
  target: string,
  options: RequestOptions = {},
): Promise<Reply> {
  const { hostname, port } = new URL(baseUrl);
  const { body, ...rest } = options;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: hostname.replace(/^\[|\]$/g, ''), port, path: target, agent: false, ...rest },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode as number,
            headers: response.headers as Reply['headers'],
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Sends bytes unchanged and reads until the server closes the connection. */
export function sendRawRequest(baseUrl: string, bytes: string): Promise<Reply> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ''), () =>
      socket.write(bytes),
    );
    socket.on('data', (chunk) => chunks.push(chunk));
    // A server that responds before the end of a request may reset the connection after its
    // response.
    socket.on('error', (error) => chunks.length === 0 && reject(error));
    socket.on('close', () => resolve(readReply(Buffer.concat(chunks).toString('utf8'))));
  });
}

function readReply(text: string): Reply {
  const [head = '', ...body] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const fields = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(fields),
    body: body.join('\r\n\r\n'),
  };
}
