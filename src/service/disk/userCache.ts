import { join } from 'node:path';
import type { Io } from '../../io.ts';
import { cacheFolder } from '../../userFolder.ts';
import { findCacheFolder, type ReportCacheTrouble } from './cacheFolder.ts';
import { type DiskCache, EMPTY_CACHE, openDiskCache } from './store.ts';

/**
 * Opens this user's cache on disk.
 * @param isMade whether to create a missing folder
 * @param reportTrouble called if the folder cannot be used; the cache then stays empty
 * @throws UsageError for a user without a home folder
 */
export function openUserCache(
  io: Pick<Io, 'env' | 'runtime' | 'now' | 'random'>,
  isMade: boolean,
  reportTrouble: ReportCacheTrouble,
): DiskCache {
  const folder = findCacheFolder(io, isMade, reportTrouble);
  if (folder === undefined) return EMPTY_CACHE;
  const { now, random } = io;
  return openDiskCache({
    folder,
    abandonedFolder: abandonedFolder(io, folder),
    now,
    random,
    reportTrouble,
  });
}

/**
 * The folder beside the responses in which vane 1.0 kept compiled code. Never one within
 * `VANE_CACHE_DIR`, where it might belong to another program.
 */
function abandonedFolder(io: Pick<Io, 'env' | 'runtime'>, folder: string): string | undefined {
  return cacheFolder(io).names.length === 0 ? undefined : join(folder, '..', 'compiled');
}
