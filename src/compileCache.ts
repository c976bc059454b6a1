import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { findOwnFolder } from './ownFolder.ts';

export interface CompileCachePlace {
  /** The folder of the user's caches; undefined without a home. */
  readonly caches: { readonly within: string; readonly names: readonly string[] } | undefined;
  /** The effective user id; undefined where files have no owner (Windows). */
  readonly user: number | undefined;
  /** The system's temporary folder, which other users write too. */
  readonly temporary: string;
}

/**
 * The folder of Node's compile cache, below the user's own caches. Node runs the code in it, so no
 * other user may be able to write it.
 * @returns undefined where no folder is safe; vane then only starts more slowly
 */
export function compileCacheFolder(place: CompileCachePlace): string | undefined {
  const { caches, user, temporary } = place;
  if (caches === undefined) return undefined;
  try {
    if (isBelow(caches.within, temporary)) return undefined;
    return findOwnFolder({
      within: caches.within,
      names: [...caches.names, 'compiled'],
      user,
      isMade: true,
    });
  } catch {
    return undefined;
  }
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(realpathSync(resolve(folder)), realpathSync(path));
  return !isAbsolute(way) && way.split(sep)[0] !== '..';
}
