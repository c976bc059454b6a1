import { findCacheFolder } from '../../src/service/disk/cacheFolder.ts';
import { fakeIo } from './fake-io.ts';

/**
 * The folder where vane keeps cached responses, below the folder that `VANE_CACHE_DIR` names; a
 * missing folder is made. Throws where vane would not use the folder.
 */
export function cacheFolderIn(cacheFolder: string, isMade = true): string {
  const io = fakeIo({ env: { VANE_CACHE_DIR: cacheFolder } });
  return findCacheFolder(io, isMade, (error) => {
    throw error;
  }) as string;
}
