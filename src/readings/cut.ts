/** Consecutive items with the same key. */
interface KeyedPart<T, K> {
  readonly key: K;
  readonly items: AsyncGenerator<T>;
}

/**
 * Cuts a sequence where the key of its items changes, for example at the end of a station or file.
 * Parts must be read in order; unread items of a part are skipped. When the consumer stops, the
 * sequence is closed.
 */
export async function* cutByKey<T, K>(
  items: AsyncIterable<T>,
  keyOf: (item: T) => K,
): AsyncGenerator<KeyedPart<T, K>> {
  const source = items[Symbol.asyncIterator]();
  let next: IteratorResult<T, unknown> | undefined;
  const peek = async (): Promise<IteratorResult<T, unknown>> => {
    next ??= await source.next();
    return next;
  };
  async function* itemsOf(key: K): AsyncGenerator<T> {
    for (let item = await peek(); !item.done && keyOf(item.value) === key; item = await peek()) {
      next = undefined;
      yield item.value;
    }
  }
  try {
    for (let first = await peek(); !first.done; first = await peek()) {
      const key = keyOf(first.value);
      yield { key, items: itemsOf(key) };
      for await (const _ of itemsOf(key));
    }
  } finally {
    await source.return?.(undefined);
  }
}
