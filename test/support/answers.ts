import { findAnswersFolder } from '../../src/service/disk/answersFolder.ts';
import { fakeIo } from './fake-io.ts';

/**
 * The folder where vane keeps cached answers, below the folder that `VANE_CACHE_DIR` names; a
 * missing folder is made. Throws where vane would not use the folder.
 */
export function answersIn(cacheFolder: string, isMade = true): string {
  const io = fakeIo({ env: { VANE_CACHE_DIR: cacheFolder } });
  return findAnswersFolder(io, isMade, (error) => {
    throw error;
  }) as string;
}
