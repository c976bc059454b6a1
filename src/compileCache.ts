import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { findOwnFolder } from './ownFolder.ts';

export interface CompileCachePlace {
  /** Where the user's caches are; undefined without a home. */
  readonly caches: { readonly within: string; readonly names: readonly string[] } | undefined;
  /** The effective user id; undefined where files have no owner (Windows). */
  readonly user: number | undefined;
  /** The system's temporary folder, which other users write too. */
  readonly temporary: string;
}

/**
 * The folder where Node may keep compiled code between starts: below the user's own caches. Node
 * runs what lies there, so no other user may be able to write it.
 * @returns undefined where there is no such folder; starting then takes longer and nothing else
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
