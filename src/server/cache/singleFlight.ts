import type { QueueFollower, WaitingClients } from './queue.ts';

interface Flight<T> {
  readonly result: Promise<T>;
  /** Aborts the work when the last client has left. */
  readonly end: AbortController;
  callers: number;
  /** Called with the clients of each call. */
  readonly follower: QueueFollower;
}

/**
 * Creates a single flight: calls with the same key share one piece of work while it runs. If the
 * work fails, all of these calls fail.
 * @param settle called after successful work, which counts as running until `settle` resolves
 * @returns `share(key, work, caller)`, which calls `work` unless work with that key is running.
 *   Aborting a caller's signal only ends its own wait. `work` gets one combined caller, whose
 *   signal aborts when all callers have left.
 */
export function singleFlight<T>(settle?: () => Promise<void>) {
  const flights = new Map<string, Flight<T>>();

  function begin(key: string, work: (all: WaitingClients) => Promise<T>): Flight<T> {
    const end = new AbortController();
    const { all, follower } = gather(end.signal);
    // Wait for a microtask, so that the first caller has joined.
    const result = Promise.resolve(all).then(work);
    const flight = { result, end, callers: 0, follower };
    flights.set(key, flight);
    const land = () => void flights.delete(key);
    flight.result.then(settle ? () => settle().then(land, land) : land, land);
    return flight;
  }

  return async function share(
    key: string,
    work: (all: WaitingClients) => Promise<T>,
    caller: WaitingClients,
  ): Promise<T> {
    const { signal } = caller;
    signal.throwIfAborted();
    const flight = flights.get(key) ?? begin(key, work);
    const { result, end, follower } = flight;
    const wasEnded = end.signal.aborted;
    flight.callers++;
    const unfollow = caller.follow(follower);
    try {
      return await new Promise<T>((resolve, reject) => {
        const leave = (): void => {
          reject(signal.reason);
          if (--flight.callers === 0) end.abort();
          else unfollow();
        };
        signal.addEventListener('abort', leave, { once: true });
        const stay = (): void => signal.removeEventListener('abort', leave);
        result.then(resolve, reject).finally(stay);
      });
    } catch (error) {
      // Aborted work may still succeed. If it fails, a later caller starts it again.
      if (wasEnded && error === end.signal.reason) return share(key, work, caller);
      throw error;
    }
  };
}

/** Combines several callers, who may have clients in common, into one. */
function gather(signal: AbortSignal): {
  readonly all: WaitingClients;
  readonly follower: QueueFollower;
} {
  const counts = new Map<string, number>();
  const followers = new Set<QueueFollower>();
  return {
    all: {
      signal,
      follow(follower) {
        followers.add(follower);
        for (const client of counts.keys()) follower(client, true);
        return () => {
          followers.delete(follower);
          for (const client of counts.keys()) follower(client, false);
        };
      },
    },
    follower(client, isWaiting) {
      const before = counts.get(client) ?? 0;
      const count = before + (isWaiting ? 1 : -1);
      if (count > 0) counts.set(client, count);
      else counts.delete(client);
      if (before > 0 && count > 0) return;
      for (const follower of followers) follower(client, isWaiting);
    },
  };
}
