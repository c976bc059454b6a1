import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What a request takes beside the body of its answer, while it is not over. */
const OPEN_BYTES = 5000;

/** Requests of one connection that are worked at together; those behind them wait. */
const MAX_AT_ONCE = 32;

/** What is on its way to clients, however slow they read. */
export interface Outbox {
  /** Bytes that open requests and bodies not sent yet take; one for many counts once. */
  readonly bytes: number;
  /**
   * Starts a request, at once or when earlier ones of its connection are over; until then no more
   * is read of that. When there is no room, connections with several requests lose them, those with
   * the most first: a few that read nothing must not keep everybody else out.
   * @returns whether there is room for it
   */
  admit(request: IncomingMessage, response: ServerResponse, start: () => void): boolean;
  /**
   * Counts the body of an answer until it is sent. When it does not fit, clients of the body that
   * was asked for least lately lose their connections.
   */
  carry(request: IncomingMessage, response: ServerResponse, body: Buffer): void;
}

/** A request that is not over. */
interface Open {
  readonly lane: Lane;
  /** Undefined for one that has been started. */
  start?: (() => void) | undefined;
  body?: Buffer | undefined;
}

/** A connection's requests, the earliest first. */
interface Lane {
  readonly socket: Socket;
  readonly open: Map<ServerResponse, Open>;
  waiting: number;
}

/** @param maxBytes what all may take together; a single body is sent however large it is */
export function createOutbox(maxBytes: number): Outbox {
  const lanes = new WeakMap<Socket, Lane>();
  /** The body asked for least lately first. */
  const carriers = new Map<Buffer, Set<Open>>();
  /** Connections with requests that are not over. */
  const busy = new Set<Lane>();
  let bytes = 0;

  function laneOf(socket: Socket): Lane {
    const known = lanes.get(socket);
    if (known) return known;
    const lane = { socket, open: new Map(), waiting: 0 };
    lanes.set(socket, lane);
    socket.once('close', () => releaseAll(lane));
    return lane;
  }

  function enter({ socket }: IncomingMessage, response: ServerResponse): Open {
    const lane = laneOf(socket);
    const known = lane.open.get(response);
    if (known) return known;
    const open: Open = { lane };
    lane.open.set(response, open);
    busy.add(lane);
    bytes += OPEN_BYTES;
    response.once('close', () => {
      release(response, open);
      startNext(lane);
    });
    return open;
  }

  function release(response: ServerResponse, open: Open): void {
    if (!open.lane.open.delete(response)) return;
    if (open.lane.open.size === 0) busy.delete(open.lane);
    bytes -= OPEN_BYTES;
    if (open.start) open.lane.waiting--;
    putDown(open);
  }

  function releaseAll({ open }: Lane): void {
    for (const [response, one] of open) release(response, one);
  }

  function startNext(lane: Lane): void {
    if (lane.waiting === 0) return;
    for (const open of lane.open.values()) {
      if (lane.open.size - lane.waiting >= MAX_AT_ONCE) return;
      const { start } = open;
      if (start === undefined) continue;
      open.start = undefined;
      lane.waiting--;
      start();
    }
    lane.socket.resume();
  }

  function putDown(open: Open): void {
    const { body } = open;
    const holders = body && carriers.get(body);
    open.body = undefined;
    if (!body || !holders?.delete(open) || holders.size > 0) return;
    carriers.delete(body);
    bytes -= body.length;
  }

  function makeRoom(): void {
    for (const holders of carriers.values()) {
      // The last one is what has just been asked for.
      if (bytes <= maxBytes || carriers.size === 1) return;
      for (const { lane } of holders) drop(lane);
    }
  }

  function drop(lane: Lane): void {
    releaseAll(lane);
    lane.socket.destroy();
  }

  const isFull = (): boolean => bytes + OPEN_BYTES > maxBytes && bytes > 0;

  function dropGreediest(): void {
    while (isFull()) {
      let greediest: Lane | undefined;
      for (const lane of busy) {
        if (lane.open.size > (greediest?.open.size ?? 1)) greediest = lane;
      }
      if (greediest === undefined) return;
      drop(greediest);
    }
  }

  return {
    get bytes() {
      return bytes;
    },

    admit(request, response, start) {
      if (request.socket.destroyed) return true;
      dropGreediest();
      if (request.socket.destroyed) return true;
      if (isFull()) return false;
      const open = enter(request, response);
      const { lane } = open;
      if (lane.open.size - lane.waiting <= MAX_AT_ONCE && lane.waiting === 0) start();
      else {
        open.start = start;
        lane.waiting++;
        lane.socket.pause();
      }
      return true;
    },

    carry(request, response, body) {
      // Nothing would tell when it is over.
      if (request.socket.destroyed) return;
      const open = enter(request, response);
      if (open.body !== body) putDown(open);
      const holders = carriers.get(body) ?? new Set();
      if (holders.size === 0) bytes += body.length;
      open.body = body;
      carriers.delete(body);
      carriers.set(body, holders.add(open));
      makeRoom();
    },
  };
}
