/** Memory of an open request, not counting the body of its response, bytes. */
const REQUEST_BYTES = 5000;

/** An open request of a client, and the unsent body of its response. */
export interface UnsentRequest {
  readonly client: string;
  body?: Buffer;
}

interface Holder<R> {
  readonly tally: ByteTally;
  /** The open requests of the client, earliest first. */
  readonly requests: Set<R>;
  /** The requests whose responses have an unsent body, oldest response first. */
  readonly responses: Set<R>;
}

/** The memory of requests and their bodies. A body for several requests counts once. */
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
 * Limits the memory of unsent bodies. Above `maxBytes` it names the request to drop. A body that several
 * clients share is added once to the total, and in full to each client's own total.
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

  /**
   * The client that uses the most memory, not counting clients without any request other than this
   * one.
   */
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
     * The request to drop so that another fits: the oldest unsent response of the client with the
     * most memory. Visitors behind an untrusted proxy count as one client. The oldest response then
     * belongs to the slowest reader among them, so the others stay.
     * @returns undefined if the request fits, or if it is the only one
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
