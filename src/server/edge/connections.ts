import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Bytes of memory that an open request takes beside the body of its answer. */
const REQUEST_BYTES = 5000;

/** How many requests of one connection are answered at once; further requests wait. */
const MAX_AT_ONCE = 32;

/** A connection and its open requests, the earliest first, each with its unsent body. */
interface Lane {
  readonly socket: Socket;
  readonly open: Map<ServerResponse, Buffer | undefined>;
  readonly waiting: (() => void)[];
}

export type Connections = ReturnType<typeof createConnections>;

/**
 * Bounds the memory that open requests and unsent bodies take.
 * @param maxBytes of requests and bodies together; a single body is sent however large it is
 */
export function createConnections(maxBytes: number) {
  const lanes = new Map<Socket, Lane>();
  /** Unsent bodies with the responses that still send them, the latest requested body last. */
  const carriers = new Map<Buffer, Map<ServerResponse, Lane>>();
  let bytes = 0;

  function openLane(socket: Socket): Lane {
    const lane: Lane = { socket, open: new Map(), waiting: [] };
    lanes.set(socket, lane);
    socket.once('close', () => drop(lane));
    return lane;
  }

  function drop(lane: Lane): void {
    lanes.delete(lane.socket);
    lane.waiting.length = 0;
    for (const response of lane.open.keys()) forget(lane, response);
    lane.socket.destroy();
  }

  function forget({ open }: Lane, response: ServerResponse): void {
    const body = open.get(response);
    if (!open.delete(response)) return;
    bytes -= REQUEST_BYTES;
    const clients = body && carriers.get(body);
    if (!body || !clients?.delete(response) || clients.size > 0) return;
    carriers.delete(body);
    bytes -= body.length;
  }

  function startNext({ open, waiting, socket }: Lane): void {
    while (waiting.length > 0 && open.size - waiting.length < MAX_AT_ONCE) {
      waiting.shift()?.();
      if (waiting.length === 0) socket.resume();
    }
  }

  function makeRoom(): void {
    for (const clients of carriers.values()) {
      // Keep the last body in the list: a client has just requested it.
      if (bytes <= maxBytes || carriers.size === 1) return;
      for (const lane of clients.values()) drop(lane);
    }
  }

  const isFull = (): boolean => bytes + REQUEST_BYTES > maxBytes && bytes > 0;

  function dropGreediest(): void {
    while (isFull()) {
      let greediest: Lane | undefined;
      for (const lane of lanes.values()) {
        if (lane.open.size > (greediest?.open.size ?? 1)) greediest = lane;
      }
      if (greediest === undefined) return;
      drop(greediest);
    }
  }

  return {
    /** Bytes that open requests and unsent bodies take; a body for many clients counts once. */
    get unsentBytes() {
      return bytes;
    },

    /**
     * Starts a request, at once or when earlier requests of its connection are over; a connection
     * with a waiting request is not read. If memory is short, connections with several requests
     * are closed, those with the most first: a few clients that read nothing must not keep all
     * others out.
     * @returns false where there is no room for the request
     */
    admit({ socket }: IncomingMessage, response: ServerResponse, start: () => void): boolean {
      if (socket.destroyed) return true;
      dropGreediest();
      if (socket.destroyed) return true;
      if (isFull()) return false;
      const lane = lanes.get(socket) ?? openLane(socket);
      const { open, waiting } = lane;
      open.set(response, undefined);
      bytes += REQUEST_BYTES;
      if (open.size - waiting.length > MAX_AT_ONCE || waiting.length > 0) {
        waiting.push(start);
        socket.pause();
      } else start();
      return true;
    },

    /** Ends a request whose response has closed, and starts the next one of its connection. */
    release({ socket }: IncomingMessage, response: ServerResponse): void {
      const lane = lanes.get(socket);
      if (!lane) return;
      forget(lane, response);
      startNext(lane);
    },

    /**
     * Counts the body of an answer until it is sent. When requests and bodies take more than the
     * maximum, the least recently requested body is dropped, and the connections that still receive
     * it are closed.
     */
    carry({ socket }: IncomingMessage, response: ServerResponse, body: Buffer): void {
      const lane = lanes.get(socket);
      if (!lane?.open.has(response)) return;
      const clients = carriers.get(body) ?? new Map<ServerResponse, Lane>();
      if (clients.size === 0) bytes += body.length;
      lane.open.set(response, body);
      // Delete the body first, so that `set` puts it at the end of the map.
      carriers.delete(body);
      carriers.set(body, clients.set(response, lane));
      makeRoom();
    },

    /** Makes each connection end after its latest request; earlier answers are still sent first. */
    end(): void {
      for (const { open } of lanes.values()) {
        const latest = [...open.keys()].at(-1);
        if (latest) latest.shouldKeepAlive = false;
      }
    },
  };
}
