import type { Caller } from './queue.ts';

interface Flight<T> {
  readonly result: Promise<T>;
  /** Aborts the work when its last caller has left. */
  readonly end: AbortController;
  readonly callers: Set<Caller>;
  /** Tells the work that a client has joined or left. */
  readonly changed: () => void;
}

/**
 * Single flight: calls with the same key share one piece of work while it runs. A failure of the
 * work goes to all of these calls.
 * @param settle called after successful work, which counts as running until `settle` resolves
 * @returns `share(key, work, caller)`, which calls `work` unless work under that key runs. A caller
 *   leaves by its signal. `work` gets all callers, as one whose signal aborts when the last of them
 *   has left.
 */
export function singleFlight<T>(settle?: () => Promise<void>) {
  const flights = new Map<string, Flight<T>>();

  function begin(key: string, work: (all: Caller) => Promise<T>, first: Caller): Flight<T> {
    const end = new AbortController();
    const callers = new Set([first]);
    const listeners = new Set<() => void>();
    const all: Caller = {
      signal: end.signal,
      *clients() {
        for (const { clients } of callers) yield* clients();
      },
      onChange: (changed) => void listeners.add(changed),
    };
    const changed = (): void => {
      for (const listener of listeners) listener();
    };
    const flight = { result: work(all), end, callers, changed };
    flights.set(key, flight);
    const land = () => void flights.delete(key);
    flight.result.then(settle ? () => settle().then(land, land) : land, land);
    return flight;
  }

  return async function share(
    key: string,
    work: (all: Caller) => Promise<T>,
    caller: Caller,
  ): Promise<T> {
    const { signal } = caller;
    signal.throwIfAborted();
    const flight = flights.get(key) ?? begin(key, work, caller);
    const { result, end, callers, changed } = flight;
    const wasEnded = end.signal.aborted;
    callers.add(caller);
    caller.onChange(changed);
    changed();
    try {
      return await new Promise<T>((resolve, reject) => {
        const leave = (): void => {
          reject(signal.reason);
          callers.delete(caller);
          if (callers.size === 0) end.abort();
          else changed();
        };
        signal.addEventListener('abort', leave, { once: true });
        const stay = (): void => signal.removeEventListener('abort', leave);
        result.then(resolve, reject).finally(stay);
      });
    } catch (error) {
      // Aborted work may still succeed; if it fails, a later caller begins it anew.
      if (wasEnded && error === end.signal.reason) return share(key, work, caller);
      throw error;
    }
  };
}
