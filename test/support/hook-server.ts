import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/**
 * The response to a request: a status, a status with headers, a broken connection (`reset`), no
 * response (`hang`), or the head of a success whose body never ends: a byte now and then
 * (`dribble`), or as much as the client reads (`flood`).
 */
export type HookReply =
  | number
  | readonly [number, Readonly<Record<string, string>>]
  | 'reset'
  | 'hang'
  | keyof typeof ENDLESS;

const ENDLESS = {
  dribble(response: ServerResponse) {
    const timer = setInterval(() => response.write('o'), 20);
    response.write('o');
    response.once('close', () => clearInterval(timer));
  },
  flood(response: ServerResponse) {
    const write = (): void => {
      while (!response.destroyed && response.write('o'.repeat(65_536)));
      response.once('drain', write);
    };
    write();
  },
};

export interface Posted {
  readonly atMs: number;
  readonly method: string | undefined;
  readonly path: string | undefined;
  /** The port of the client; each connection has a port of its own. */
  readonly port: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What undici publishes on its diagnostics channels about a request. */
interface Report {
  readonly request: { readonly origin: string };
  readonly socket: Socket;
}

/**
 * A server that records the requests to it.
 * @param reply the response to a request by its number, from 0
 */
export async function startHookServer(
  reply: (arrival: number) => HookReply = () => 200,
  now: () => number = Date.now,
) {
  const posted: Posted[] = [];
  /** Ports of clients whose response never comes, or begins and never ends. */
  const hanging = new Set<number | undefined>();
  /** Requests of this process that are under way, with the port from which each was sent. */
  const pending = new Map<Report['request'], number | undefined>();
  const isHere = ({ request }: Report): boolean => request.origin === baseUrl;
  const channels: Readonly<Record<string, (report: Report) => void>> = {
    'undici:request:create': ({ request }) => pending.set(request, undefined),
    'undici:client:sendHeaders': ({ request, socket }) => pending.set(request, socket.localPort),
    'undici:request:trailers': ({ request }) => pending.delete(request),
    'undici:request:error': ({ request }) => pending.delete(request),
  };
  const listeners = Object.entries(channels).map(
    ([name, listen]) =>
      [name, (report: unknown) => isHere(report as Report) && listen(report as Report)] as const,
  );
  const server = createServer(async (request, response) => {
    const { method, url: path, headers } = request;
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const scripted = reply(posted.length);
    const { remotePort: port } = request.socket;
    const body = Buffer.concat(pieces).toString();
    posted.push({ atMs: now(), method, path, port, headers, body });
    if (scripted === 'reset') return void request.socket.resetAndDestroy();
    if (typeof scripted === 'string') hanging.add(port);
    if (scripted === 'hang') return;
    if (typeof scripted === 'string') return ENDLESS[scripted](response.writeHead(200));
    const [status, head] = typeof scripted === 'number' ? [scripted, {}] : scripted;
    // Close each connection, so that each request has a port of its own.
    response.writeHead(status, { connection: 'close', ...head });
    response.end('ok');
  });
  const connections = { open: 0, maxOpen: 0 };
  server.on('connection', (socket) => {
    connections.maxOpen = Math.max(connections.maxOpen, ++connections.open);
    socket.once('close', () => connections.open--);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const [name, listener] of listeners) subscribe(name, listener);
  // Load undici now: a virtual clock would not stand still meanwhile.
  await import('../../src/service/http/undiciClient.ts');
  return {
    baseUrl,
    posted,
    /** How many connections are open, and the most that were open at once. */
    connections,
    /**
     * Whether each request of this process to the server is over, or waits for a response that
     * never ends.
     */
    isIdle: () => [...pending.values()].every((port) => hanging.has(port ?? 0)),
    async close() {
      for (const [name, listener] of listeners) unsubscribe(name, listener);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export type HookServer = Awaited<ReturnType<typeof startHookServer>>;
