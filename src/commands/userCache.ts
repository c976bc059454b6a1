import { parseSize } from '../domain/sizes.ts';
import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import type { Reporter } from '../output/reporter.ts';
import { type Cache, openCache } from '../service/cache.ts';

const DEFAULT_MAX_SIZE = '1GiB';

export interface UserCache {
  readonly cache: Cache;
  readonly folder: string;
  /** How large it may grow. */
  readonly maxBytes: number;
}

/**
 * The cache of this user: `VANE_CACHE_DIR`, or vane's folder where the system keeps caches.
 * @throws UsageError for a `VANE_CACHE_MAX_SIZE` that is no size
 */
export async function openUserCache(io: Io, reporter: Reporter): Promise<UserCache> {
  const folder = io.env.VANE_CACHE_DIR || (await systemFolder());
  const maxBytes = readSize('VANE_CACHE_MAX_SIZE', io.env.VANE_CACHE_MAX_SIZE || DEFAULT_MAX_SIZE);
  return { cache: openCache({ folder, now: io.now, onTrouble: reporter.note }), folder, maxBytes };
}

async function systemFolder(): Promise<string> {
  const { default: envPaths } = await import('env-paths');
  return envPaths('vane', { suffix: '' }).cache;
}

/** @throws UsageError */
export function readSize(name: string, text: string): number {
  const bytes = parseSize(text);
  if (bytes !== undefined) return bytes;
  throw new UsageError(`${name} takes a size such as 500MB or 1GiB, not “${text}”.`);
}
