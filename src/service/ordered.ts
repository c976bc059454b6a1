import { setMaxListeners } from 'node:events';
import { pMapIterable } from 'p-map';

export interface OrderedOptions {
  /** How many are under way or wait for their slot to be taken, 1 or more. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

/**
 * Maps items concurrently and yields the results in the items' order. The first failure starts
 * nothing new, aborts what is under way and is thrown; so does a consumer that stops early.
 */
export async function* mapOrdered<T, R>(
  items: Iterable<T>,
  map: (item: T, signal: AbortSignal) => Promise<R>,
  { concurrency, signal }: OrderedOptions,
): AsyncGenerator<R> {
  const end = new AbortController();
  const either = AbortSignal.any([signal, end.signal]);
  // Each request under way listens, and 16 of them are no leak.
  setMaxListeners(0, either);
  const mapOne = async (item: T): Promise<R> => {
    either.throwIfAborted();
    try {
      return await map(item, either);
    } catch (error) {
      // What is aborted by this fails with it, so that the first failure is the one thrown.
      end.abort(error);
      throw error;
    }
  };
  try {
    yield* pMapIterable(items, mapOne as (item: T) => Promise<Awaited<R>>, {
      concurrency,
      backpressure: concurrency,
    });
  } finally {
    end.abort();
  }
}
