interface Flight<T> {
  readonly result: Promise<T>;
  /** Aborts the work when its last caller has left. */
  readonly end: AbortController;
  callers: number;
}

/**
 * Single flight: calls with the same key share one piece of work while it runs. A failure of the
 * work goes to all of these calls.
 * @param settle called after successful work, which counts as running until `settle` resolves
 * @returns `share(key, work, signal)`, which calls `work` unless work under that key runs. A caller
 *   leaves by its `signal`. The signal that `work` gets aborts when the last caller has left.
 */
export function singleFlight<T>(settle?: () => Promise<void>) {
  const flights = new Map<string, Flight<T>>();

  function begin(key: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const end = new AbortController();
    const flight = { result: work(end.signal), end, callers: 0 };
    flights.set(key, flight);
    const land = () => void flights.delete(key);
    flight.result.then(settle ? () => settle().then(land, land) : land, land);
    return flight;
  }

  return async function share(
    key: string,
    work: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    signal.throwIfAborted();
    const flight = flights.get(key) ?? begin(key, work);
    const { result, end } = flight;
    const wasEnded = end.signal.aborted;
    flight.callers++;
    try {
      return await new Promise<T>((resolve, reject) => {
        const leave = (): void => {
          reject(signal.reason);
          if (--flight.callers === 0) end.abort();
        };
        signal.addEventListener('abort', leave, { once: true });
        const stay = (): void => signal.removeEventListener('abort', leave);
        result.then(resolve, reject).finally(stay);
      });
    } catch (error) {
      // Aborted work may still succeed; if it fails, a later caller begins it anew.
      if (wasEnded && error === end.signal.reason) return share(key, work, signal);
      throw error;
    }
  };
}
