/**
 * Single flight: calls with the same key share one piece of work while it runs. A failure of the
 * work goes to all of these calls.
 * @param settle called after successful work, which counts as running until `settle` resolves
 * @returns `share(key, work)`, which calls `work` unless work under that key runs
 */
export function singleFlight<T>(
  settle?: () => Promise<void>,
): (key: string, work: () => Promise<T>) => Promise<T> {
  const flights = new Map<string, Promise<T>>();
  return (key, work) => {
    const running = flights.get(key);
    if (running !== undefined) return running;
    const flight = work();
    flights.set(key, flight);
    const land = () => void flights.delete(key);
    flight.then(settle ? () => settle().then(land, land) : land, land);
    return flight;
  };
}
