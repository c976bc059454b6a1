import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { findOwnFolder, type OwnFolderOptions } from './ownFolder.ts';

/**
 * The folder of Node's compile cache, below the user's own caches. Node runs code from this folder,
 * so no other user may be able to write to it.
 * @param caches the folder of the user's caches
 * @param user the effective user id; undefined where files have no owner (Windows)
 * @param temporary the system's temporary folder, which other users write too
 * @returns undefined where no folder is safe; vane then only starts more slowly
 */
export function compileCacheFolder(
  { within, names }: Pick<OwnFolderOptions, 'within' | 'names'>,
  user: number | undefined,
  temporary: string,
): string | undefined {
  try {
    if (isBelow(within, temporary)) return undefined;
    return findOwnFolder({ within, names: [...names, 'compiled'], user, isMade: true });
  } catch {
    return undefined;
  }
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(realpathSync(resolve(folder)), realpathSync(path));
  return !isAbsolute(way) && way.split(sep)[0] !== '..';
}
