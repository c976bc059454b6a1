import { UsageError } from '../../errors.ts';
import type { Io } from '../../io.ts';
import { makeFolder } from '../../makeFolder.ts';
import { cacheTrouble, findAnswersFolder } from '../../service/disk/folder.ts';
import type { Cache } from '../../service/disk/store.ts';
import { pathOf, systemFolder, type UserFolder, userFolder } from './userFolder.ts';
import { readSize } from './values.ts';

const DEFAULT_MAX_SIZE = '1GiB';

/** The folder in the cache folder that holds nothing but vane's answers. */
const ANSWERS = 'answers';

export interface UserCache {
  readonly cache: Cache;
  /** How large it may grow, bytes. */
  readonly maxBytes: number;
}

/**
 * The archive cache of this user.
 * @param folder as {@link openAnswers} gives it; without one nothing is kept
 * @param onTrouble told once that the folder cannot be used
 * @throws UsageError for a `VANE_CACHE_MAX_SIZE` that is no size
 */
export async function openUserCache(
  folder: string | undefined,
  io: Io,
  onTrouble: (sentence: string) => void,
): Promise<UserCache> {
  const maxBytes = readSize('VANE_CACHE_MAX_SIZE', io.env.VANE_CACHE_MAX_SIZE || DEFAULT_MAX_SIZE);
  const { NO_CACHE, openCache } = await import('../../service/disk/store.ts');
  const cache = folder === undefined ? NO_CACHE : openCache({ folder, now: io.now, onTrouble });
  return { cache, maxBytes };
}

/**
 * The folder that this user's answers are kept in, made where it is missing.
 * @param onTrouble told why there is none
 * @throws UsageError for a user without a home
 */
export async function openAnswers(
  io: Io,
  onTrouble: (sentence: string) => void,
): Promise<string | undefined> {
  try {
    return await findAnswers(io, true);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const trouble = cacheTrouble(await cacheFolder(io), 'written', error);
    onTrouble(`${trouble}; going on without it.`);
    return undefined;
  }
}

/**
 * The folder that this user's answers are kept in.
 * @param isMade whether it is made where it is missing; without, undefined says that it is missing
 * @throws UsageError for a user without a home; SharedFolderError for a folder that others control
 *   or use; the error of the system
 */
export async function findAnswers(io: Io, isMade: boolean): Promise<string | undefined> {
  const { within, names } = await findCacheFolder(io);
  if (isMade) makeFolder(within);
  return findAnswersFolder({
    within,
    names: [...names, ANSWERS],
    user: io.runtime.user,
    isMade,
  });
}

/**
 * `VANE_CACHE_DIR`, or vane's folder where the system keeps caches.
 * @throws UsageError for a user without a home
 */
export async function cacheFolder(io: Io): Promise<string> {
  return pathOf(await findCacheFolder(io));
}

async function findCacheFolder(io: Io): Promise<UserFolder> {
  if (io.env.VANE_CACHE_DIR) return { within: io.env.VANE_CACHE_DIR, names: [] };
  try {
    return (await userFolder('cache', io)) ?? { within: await systemFolder('cache'), names: [] };
  } catch {
    throw new UsageError(
      'This user has no home to keep a cache in; set VANE_CACHE_DIR to a folder, or use --no-cache.',
    );
  }
}
