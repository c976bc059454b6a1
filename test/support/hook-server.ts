import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type ClientRequest, createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The answer to a request: a status, a status with headers, a broken connection (`reset`), no
 * answer (`hang`), or the head of a success whose body never ends (`stall`).
 */
export type HookReply =
  | number
  | readonly [number, Readonly<Record<string, string>>]
  | 'reset'
  | 'hang'
  | 'stall';

export interface Posted {
  readonly atMs: number;
  readonly method: string | undefined;
  readonly path: string | undefined;
  /** The port of the client; each connection has a port of its own. */
  readonly port: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Node's diagnostics channel on which its HTTP client reports each request that it sends. */
const SENT = 'http.client.request.start';

/**
 * A server that records the requests to it.
 * @param reply the answer to a request by its number, from 0
 */
export async function startHookServer(
  reply: (arrival: number) => HookReply = () => 200,
  now: () => number = Date.now,
) {
  const posted: Posted[] = [];
  /** Ports of clients whose answer never comes, or begins and never ends. */
  const hanging = new Set<number | undefined>();
  const pending = new Set<ClientRequest>();
  const onSent = (message: unknown): void => {
    const { request } = message as { readonly request: ClientRequest };
    if (request.getHeader('host') !== new URL(baseUrl).host) return;
    pending.add(request);
    request.once('close', () => pending.delete(request));
  };
  const server = createServer(async (request, response) => {
    const { method, url: path, headers } = request;
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const answer = reply(posted.length);
    const { remotePort: port } = request.socket;
    const body = Buffer.concat(pieces).toString();
    posted.push({ atMs: now(), method, path, port, headers, body });
    if (answer === 'reset') return void request.socket.resetAndDestroy();
    if (answer === 'hang' || answer === 'stall') hanging.add(port);
    if (answer === 'hang') return;
    if (answer === 'stall') return void response.writeHead(200).write('o');
    const [status, head] = typeof answer === 'number' ? [answer, {}] : answer;
    // Close each connection, so that each request has a port of its own.
    response.writeHead(status, { connection: 'close', ...head });
    response.end('ok');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  subscribe(SENT, onSent);
  return {
    baseUrl,
    posted,
    /**
     * Whether each request of this process to the server is over, or waits for an answer that never
     * ends.
     */
    isIdle: () => [...pending].every(({ socket }) => hanging.has(socket?.localPort ?? 0)),
    async close() {
      unsubscribe(SENT, onSent);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export type HookServer = Awaited<ReturnType<typeof startHookServer>>;
