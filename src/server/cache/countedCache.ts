import { LRUCache } from 'lru-cache';

/**
 * A cache that drops the entry used longest ago when there are too many. The option `max` of
 * LRUCache has the same effect, but allocates memory for all entries when the server starts.
 */
export function createCountedCache<K extends {}, V extends {}>(maxEntries: number): LRUCache<K, V> {
  return new LRUCache<K, V>({ maxSize: maxEntries, sizeCalculation: () => 1 });
}
