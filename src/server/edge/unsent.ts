/** Bytes of memory that an open request takes beside the body of its response. */
const REQUEST_BYTES = 5000;

/** An open request of a client, and the body of its response while that is not sent. */
export interface UnsentRequest {
  readonly client: string;
  body?: Buffer;
}

interface Holder<R> {
  readonly tally: ByteTally;
  /** The open requests, the earliest first. */
  readonly requests: Set<R>;
  /** Those of the requests whose responses have a body, the oldest response first. */
  readonly responses: Set<R>;
}

/** The bytes of requests and their bodies; a body of several requests counts once. */
interface ByteTally {
  readonly bytes: number;
  addRequest(): void;
  addBody(body: Buffer): void;
  remove(request: UnsentRequest): void;
}

function createTally(): ByteTally {
  const receivers = new Map<Buffer, number>();
  let bytes = 0;
  return {
    get bytes() {
      return bytes;
    },
    addRequest(): void {
      bytes += REQUEST_BYTES;
    },
    addBody(body: Buffer): void {
      const others = receivers.get(body) ?? 0;
      if (others === 0) bytes += body.length;
      receivers.set(body, others + 1);
    },
    remove({ body }: UnsentRequest): void {
      bytes -= REQUEST_BYTES;
      if (!body) return;
      const others = (receivers.get(body) ?? 0) - 1;
      if (others > 0) receivers.set(body, others);
      else if (receivers.delete(body)) bytes -= body.length;
    },
  };
}

/**
 * Counts the open requests and unsent bodies of all clients, and finds the request to drop when
 * they use more than `maxBytes`. A body that several clients receive counts once in all, and in
 * full for each of these clients.
 */
export function createUnsentLimiter<R extends UnsentRequest>(maxBytes: number) {
  const all = createTally();
  const holders = new Map<string, Holder<R>>();

  function holderOf({ client }: R): Holder<R> {
    const known = holders.get(client);
    if (known) return known;
    const made = { tally: createTally(), requests: new Set<R>(), responses: new Set<R>() };
    holders.set(client, made);
    return made;
  }

  /** The client that takes the most bytes, among those with another request than this one. */
  function largestBut(request: R): Holder<R> | undefined {
    let largest: Holder<R> | undefined;
    for (const holder of holders.values()) {
      if (holder.requests.size === 1 && holder.requests.has(request)) continue;
      if (!largest || holder.tally.bytes > largest.tally.bytes) largest = holder;
    }
    return largest;
  }

  return {
    get bytes() {
      return all.bytes;
    },

    add(request: R): void {
      const { tally, requests } = holderOf(request);
      requests.add(request);
      for (const one of [all, tally]) one.addRequest();
    },

    addBody(request: R, body: Buffer): void {
      const { tally, responses } = holderOf(request);
      request.body = body;
      responses.add(request);
      for (const one of [all, tally]) one.addBody(body);
    },

    remove(request: R): void {
      const { tally, requests, responses } = holderOf(request);
      requests.delete(request);
      responses.delete(request);
      for (const one of [all, tally]) one.remove(request);
      if (requests.size === 0) holders.delete(request.client);
    },

    /**
     * The request to drop so that another one fits: the oldest unsent response of the client that
     * takes the most. Visitors of a proxy that is not trusted are one client, and the oldest
     * response is that of the visitor who reads slowest, so the others stay.
     * @returns undefined if the request fits, or is the only one
     */
    requestToDropFor(request: R): R | undefined {
      const holder = all.bytes > maxBytes ? largestBut(request) : undefined;
      for (const byAge of holder ? [holder.responses, holder.requests] : []) {
        for (const one of byAge) if (one !== request) return one;
      }
      return undefined;
    },
  };
}
