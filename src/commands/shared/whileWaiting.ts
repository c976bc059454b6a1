/**
 * Does what is needed once an answer is there, as soon as whatever was begun before is on its way:
 * to load and open things takes about as long as an answer that is near.
 */
export function whileWaiting<T>(prepare: () => T | Promise<T>): Promise<T> {
  return new Promise<void>((resolve) => setImmediate(resolve)).then(prepare);
}
