import { homedir } from 'node:os';
import { UsageError } from '../errors.ts';
import { readSize } from '../flags/values.ts';
import type { Io } from '../io.ts';
import { makeFolder } from '../makeFolder.ts';
import { cacheTrouble, findAnswersFolder } from '../service/disk/folder.ts';
import { NO_CACHE, openCache } from '../service/disk/store.ts';
import { pathOf, type UserFolder, userFolder } from '../userFolder.ts';

/** The folder, within the cache folder, that holds answers of services and nothing else. */
const ANSWERS = 'answers';

/**
 * Opens the archive cache of this user, and reads its largest size in bytes.
 * @param folder as {@link openAnswers} gives it; undefined for a cache that keeps nothing
 * @param onTrouble called once if the folder cannot be used
 * @throws UsageError for a wrong `VANE_CACHE_MAX_SIZE`
 */
export function openUserCache(
  folder: string | undefined,
  io: Io,
  onTrouble: (sentence: string) => void,
) {
  const maxBytes = readSize('VANE_CACHE_MAX_SIZE', io.env.VANE_CACHE_MAX_SIZE || '1GiB');
  const cache = folder === undefined ? NO_CACHE : openCache({ folder, now: io.now, onTrouble });
  return { cache, maxBytes };
}

/**
 * Finds the folder of this user's cached answers.
 * @param isMade whether to make a missing folder
 * @param onTrouble called with the reason why the folder cannot be used
 * @returns undefined where the folder is missing or cannot be used
 * @throws UsageError for a user without a home
 */
export function openAnswers(
  io: Io,
  isMade: boolean,
  onTrouble: (trouble: string) => void,
): string | undefined {
  const folder = cacheFolder(io);
  const { within } = folder;
  const names = [...folder.names, ANSWERS];
  try {
    if (isMade) makeFolder(within);
    return findAnswersFolder({ within, names, user: io.runtime.user, isMade });
  } catch (error) {
    onTrouble(cacheTrouble(pathOf(folder), isMade ? 'written' : 'read', error));
    return undefined;
  }
}

/**
 * The folder of this user's cache: `VANE_CACHE_DIR`, or vane's among the caches of the system.
 * @throws UsageError for a user without a home
 */
export function cacheFolder({ env, runtime }: Io): UserFolder {
  if (env.VANE_CACHE_DIR) return { within: env.VANE_CACHE_DIR, names: [] };
  try {
    const folder = userFolder('cache', env, runtime.platform);
    if (folder !== undefined) return folder;
    // Without a home in the environment, take the one in the system's list of users.
    const home = { HOME: homedir(), USERPROFILE: homedir() };
    return userFolder('cache', home, runtime.platform) as UserFolder;
  } catch {
    throw new UsageError(
      'This user has no home to keep a cache in; set VANE_CACHE_DIR to a folder, or use --no-cache.',
    );
  }
}
