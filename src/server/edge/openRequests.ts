import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createUnsentLimiter, type UnsentRequest } from './unsent.ts';

/** Maximum number of concurrent requests of one connection. Further ones wait. */
const MAX_AT_ONCE = 32;

interface OpenRequest extends UnsentRequest {
  readonly socket: Socket;
  /** Ends the tracking of the request: its response was sent, or its connection closed. */
  readonly over: () => void;
  deadline?: NodeJS.Timeout;
}

interface Connection {
  /** The open requests of the connection, earliest first. */
  readonly open: Map<ServerResponse, OpenRequest>;
  /** Functions that start the waiting requests. */
  readonly waiting: (() => void)[];
}

export interface OpenRequests {
  /** Memory of open requests and unsent bodies, bytes. A body for several clients counts once. */
  readonly bytes: number;
  /**
   * Starts a request, or lets it wait for earlier requests of its connection; a connection with a
   * waiting request is not read. If memory is short, other connections are closed.
   * @param client the key of the client
   * @param callbacks `over` is called once the response is sent or the connection is closed
   */
  begin(
    request: IncomingMessage,
    response: ServerResponse,
    client: string,
    callbacks: { readonly start: () => void; readonly over: () => void },
  ): void;
  /**
   * Counts the body of a response until it is sent. Closes other connections if memory is short,
   * and this one if its client is too slow.
   */
  carry(request: IncomingMessage, response: ServerResponse, body: Buffer): void;
  /** Closes each connection after its latest request, once earlier responses are sent. */
  endConnections(): void;
}

/**
 * Limits the memory of open requests and their unsent bodies by closing connections.
 * @param maxBytes maximum memory of all requests and bodies, or of a single request and its body
 * @param receiveTimeoutMs maximum time for a client to receive a response
 */
export function createOpenRequests(maxBytes: number, receiveTimeoutMs: number): OpenRequests {
  const connections = new Map<Socket, Connection>();
  const unsent = createUnsentLimiter<OpenRequest>(maxBytes);

  function connect(socket: Socket): Connection {
    const connection: Connection = { open: new Map(), waiting: [] };
    connections.set(socket, connection);
    // A response that waits for earlier ones emits no event when its connection closes.
    socket.once('close', () => forget(socket));
    return connection;
  }

  function forget(socket: Socket): void {
    const connection = connections.get(socket);
    if (!connection) return;
    connections.delete(socket);
    connection.waiting.length = 0;
    for (const response of connection.open.keys()) end(connection, response);
  }

  function end({ open }: Connection, response: ServerResponse): void {
    const request = open.get(response);
    if (!request) return;
    open.delete(response);
    unsent.remove(request);
    clearTimeout(request.deadline);
    request.over();
  }

  function cutOff({ socket }: OpenRequest): void {
    socket.destroy();
    // The socket emits its event later, but its memory is needed now.
    forget(socket);
  }

  function makeRoomFor(request: OpenRequest): void {
    for (;;) {
      const other = request.socket.destroyed ? undefined : unsent.requestToDropFor(request);
      if (!other) return;
      cutOff(other);
    }
  }

  function startNext({ open, waiting }: Connection, socket: Socket): void {
    while (waiting.length > 0 && open.size - waiting.length < MAX_AT_ONCE) {
      waiting.shift()?.();
      if (waiting.length === 0) socket.resume();
    }
  }

  return {
    get bytes() {
      return unsent.bytes;
    },

    begin(
      { socket }: IncomingMessage,
      response: ServerResponse,
      client: string,
      { start, over }: { readonly start: () => void; readonly over: () => void },
    ): void {
      if (socket.destroyed) {
        over();
        return;
      }
      const connection = connections.get(socket) ?? connect(socket);
      const { open, waiting } = connection;
      const request = { socket, client, over };
      open.set(response, request);
      unsent.add(request);
      response.once('close', () => {
        end(connection, response);
        startNext(connection, socket);
      });
      makeRoomFor(request);
      if (socket.destroyed) return;
      if (open.size - waiting.length > MAX_AT_ONCE || waiting.length > 0) {
        waiting.push(start);
        socket.pause();
      } else start();
    },

    carry({ socket }: IncomingMessage, response: ServerResponse, body: Buffer): void {
      const request = connections.get(socket)?.open.get(response);
      if (!request) return;
      unsent.addBody(request, body);
      request.deadline = setTimeout(() => cutOff(request), receiveTimeoutMs);
      makeRoomFor(request);
    },

    endConnections(): void {
      for (const { open } of connections.values()) {
        const latest = [...open.keys()].at(-1);
        if (latest) latest.shouldKeepAlive = false;
      }
    },
  };
}
