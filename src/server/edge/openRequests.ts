import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Bytes of memory that an open request takes beside the body of its answer. */
const REQUEST_BYTES = 5000;

/** How many requests of one connection are answered at once; further requests wait. */
const MAX_AT_ONCE = 32;

interface OpenRequest {
  /** Reports the request: its answer is sent, or its connection is closed. */
  readonly over: () => void;
  body?: Buffer;
  deadline?: NodeJS.Timeout;
}

interface Connection {
  /** The open requests, the earliest first. */
  readonly open: Map<ServerResponse, OpenRequest>;
  /** Starts the latest of these requests, which wait for earlier ones. */
  readonly waiting: (() => void)[];
}

export type OpenRequests = ReturnType<typeof createOpenRequests>;

/**
 * Counts the open requests and their unsent bodies.
 * @param maxBytes bytes that both may take before further requests are refused
 * @param takeTimeoutMs the longest time in which a client may receive an answer
 */
export function createOpenRequests(maxBytes: number, takeTimeoutMs: number) {
  const connections = new Map<Socket, Connection>();
  /** How many clients still receive each body. */
  const receivers = new Map<Buffer, number>();
  let bytes = 0;

  function connect(socket: Socket): Connection {
    const connection: Connection = { open: new Map(), waiting: [] };
    connections.set(socket, connection);
    // A response that waits for the answers to earlier requests does not tell that it is closed.
    socket.once('close', () => {
      connections.delete(socket);
      connection.waiting.length = 0;
      for (const response of connection.open.keys()) end(connection, response);
    });
    return connection;
  }

  function end({ open }: Connection, response: ServerResponse): void {
    const request = open.get(response);
    if (!request) return;
    open.delete(response);
    bytes -= REQUEST_BYTES;
    clearTimeout(request.deadline);
    if (request.body) uncount(request.body);
    request.over();
  }

  function uncount(body: Buffer): void {
    const others = (receivers.get(body) ?? 0) - 1;
    if (others > 0) receivers.set(body, others);
    else if (receivers.delete(body)) bytes -= body.length;
  }

  function startNext({ open, waiting }: Connection, socket: Socket): void {
    while (waiting.length > 0 && open.size - waiting.length < MAX_AT_ONCE) {
      waiting.shift()?.();
      if (waiting.length === 0) socket.resume();
    }
  }

  return {
    /** Bytes that open requests and unsent bodies take; a body for many clients counts once. */
    get bytes() {
      return bytes;
    },

    /** Whether further requests are refused; a single one never is. */
    get isFull() {
      return bytes > Math.max(maxBytes, REQUEST_BYTES);
    },

    /**
     * Starts a request, at once or when earlier requests of its connection are over; a connection
     * with a waiting request is not read.
     * @param over called once the answer is sent or the connection is closed
     */
    begin(
      { socket }: IncomingMessage,
      response: ServerResponse,
      start: () => void,
      over: () => void,
    ): void {
      if (socket.destroyed) {
        over();
        return;
      }
      const connection = connections.get(socket) ?? connect(socket);
      const { open, waiting } = connection;
      open.set(response, { over });
      bytes += REQUEST_BYTES;
      response.once('close', () => {
        end(connection, response);
        startNext(connection, socket);
      });
      if (open.size - waiting.length > MAX_AT_ONCE || waiting.length > 0) {
        waiting.push(start);
        socket.pause();
      } else start();
    },

    /** Counts the body of an answer until it is sent; a client that is too slow is cut off. */
    carry({ socket }: IncomingMessage, response: ServerResponse, body: Buffer): void {
      const request = connections.get(socket)?.open.get(response);
      if (!request) return;
      const others = receivers.get(body) ?? 0;
      if (others === 0) bytes += body.length;
      receivers.set(body, others + 1);
      request.body = body;
      request.deadline = setTimeout(() => socket.destroy(), takeTimeoutMs);
    },

    /** Makes each connection end after its latest request; earlier answers are still sent first. */
    endConnections(): void {
      for (const { open } of connections.values()) {
        const latest = [...open.keys()].at(-1);
        if (latest) latest.shouldKeepAlive = false;
      }
    },
  };
}
