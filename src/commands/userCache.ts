import { parseSize } from '../domain/sizes.ts';
import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import type { Cache } from '../service/cache.ts';
import { systemFolder, userFolder } from './userFolder.ts';

const DEFAULT_MAX_SIZE = '1GiB';

export interface UserCache {
  readonly cache: Cache;
  readonly folder: string;
  /** How large it may grow. */
  readonly maxBytes: number;
}

/**
 * The cache of this user, in {@link cacheFolder}.
 * @param onTrouble told once that the folder cannot be used
 * @throws UsageError for a `VANE_CACHE_MAX_SIZE` that is no size
 */
export async function openUserCache(
  io: Io,
  onTrouble: (sentence: string) => void,
): Promise<UserCache> {
  const folder = await cacheFolder(io);
  const maxBytes = readSize('VANE_CACHE_MAX_SIZE', io.env.VANE_CACHE_MAX_SIZE || DEFAULT_MAX_SIZE);
  const { openCache } = await import('../service/cache.ts');
  return { cache: openCache({ folder, now: io.now, onTrouble }), folder, maxBytes };
}

/**
 * `VANE_CACHE_DIR`, or vane's folder where the system keeps caches.
 * @throws UsageError for a user without a home
 */
export async function cacheFolder(io: Io): Promise<string> {
  if (io.env.VANE_CACHE_DIR) return io.env.VANE_CACHE_DIR;
  try {
    return (await userFolder('cache', io)) ?? (await systemFolder('cache'));
  } catch {
    throw new UsageError(
      'This user has no home to keep a cache in; set VANE_CACHE_DIR to a folder, or use --no-cache.',
    );
  }
}

/** @throws UsageError */
export function readSize(name: string, text: string): number {
  const bytes = parseSize(text);
  if (bytes !== undefined) return bytes;
  throw new UsageError(`${name} takes a size such as 500MB or 1GiB, not “${text}”.`);
}
