import { setMaxListeners } from 'node:events';
import { pMapIterable } from 'p-map';

export interface OrderedOptions {
  /** Maximum number of items mapped at once, 1 or more. */
  readonly concurrency: number;
  /**
   * Maximum number of items that are being mapped or wait for the consumer; by default
   * `concurrency`.
   */
  readonly backpressure?: number;
  readonly signal: AbortSignal;
}

/**
 * Maps items concurrently and yields the results in order. The first failure aborts all other items
 * and is thrown. A consumer that stops early also aborts them.
 */
export async function* mapOrdered<T, R>(
  items: Iterable<T>,
  map: (item: T, signal: AbortSignal) => Promise<R>,
  { signal, ...limits }: OrderedOptions,
): AsyncGenerator<R> {
  const end = new AbortController();
  const anySignal = AbortSignal.any([signal, end.signal]);
  // Allow many listeners: each running request has one, so more than ten are no leak.
  setMaxListeners(0, anySignal);
  const mapOne = async (item: T): Promise<R> => {
    anySignal.throwIfAborted();
    try {
      return await map(item, anySignal);
    } catch (error) {
      // Aborted items fail with the first error, so that error is thrown whichever item fails here.
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
