import { setMaxListeners } from 'node:events';
import { pMapIterable } from 'p-map';

export interface OrderedOptions {
  /** Highest number of items that are mapped at once, 1 or more. */
  readonly concurrency: number;
  /** Highest number of items that are mapped or wait for the consumer; by default `concurrency`. */
  readonly backpressure?: number;
  readonly signal: AbortSignal;
}

/**
 * Maps items concurrently and yields the results in order. The first failure aborts the other items
 * and is thrown. A consumer that stops early aborts the items too.
 */
export async function* mapOrdered<T, R>(
  items: Iterable<T>,
  map: (item: T, signal: AbortSignal) => Promise<R>,
  { signal, ...limits }: OrderedOptions,
): AsyncGenerator<R> {
  const end = new AbortController();
  const anySignal = AbortSignal.any([signal, end.signal]);
  // Each running request listens to the signal: more than ten listeners are no leak to warn of.
  setMaxListeners(0, anySignal);
  const mapOne = async (item: T): Promise<R> => {
    anySignal.throwIfAborted();
    try {
      return await map(item, anySignal);
    } catch (error) {
      // Aborted items fail with the error of the first failed item, so any error that is thrown
      // here is the first.
      end.abort(error);
      throw error;
    }
  };
  try {
    yield* pMapIterable(items, mapOne as (item: T) => Promise<Awaited<R>>, limits);
  } finally {
    end.abort();
  }
}
