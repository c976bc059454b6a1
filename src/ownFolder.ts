import { lstatSync, mkdirSync, realpathSync, type Stats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { errorCode } from './errors.ts';

/** Thrown for a folder that another user controls; the message gives the reason. */
export class SharedFolderError extends Error {}

export interface OwnFolderOptions {
  /** An existing folder above vane's own folder, such as the user's home. */
  readonly within: string;
  /** Names of the folders below `within`, the outermost first; only the user may write to each. */
  readonly names: readonly string[];
  /** The effective user id; undefined where files have no owner (Windows). */
  readonly user: number | undefined;
  /** Whether missing folders are made, with mode 0700. */
  readonly isMade: boolean;
}

/**
 * The path of a folder that no other user can write to, rename or replace by a link: each folder of
 * `names` is a real folder that only the user may write to. The folders above belong to the user or
 * to root; one that others may write to has the sticky bit, as /tmp has.
 * @returns undefined where the folder is missing and `isMade` is false
 * @throws SharedFolderError for a folder that others control; the error of the system
 */
export function findOwnFolder(options: OwnFolderOptions): string | undefined {
  const { names, user, isMade } = options;
  const within = resolve(options.within);
  // Check the given path as well as the real one: another user might replace a link in the path.
  const real = realpathIfThere(within);
  if (real === undefined && !isMade) return undefined;
  for (const path of new Set([within, real ?? within])) refuseSharedParents(path, user);
  let folder = real ?? within;
  for (const name of names) {
    folder = join(folder, name);
    const status = isMade ? statMade(folder) : lstatSync(folder, { throwIfNoEntry: false });
    if (status === undefined) return undefined;
    refuseShared(folder, status, user);
  }
  return folder;
}

function realpathIfThere(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function statMade(path: string): Stats {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  return lstatSync(path);
}

const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;
const ROOT = 0;

function refuseShared(path: string, status: Stats, user: number | undefined): void {
  if (status.isSymbolicLink()) throw new SharedFolderError(`${path} is a link`);
  if (!status.isDirectory()) throw new SharedFolderError(`${path} is not a folder`);
  if (user === undefined) return;
  if (status.uid !== user) throw new SharedFolderError(`${path} belongs to another user`);
  if ((status.mode & WRITABLE_BY_OTHERS) !== 0) {
    throw new SharedFolderError(`other users may write ${path}; chmod go-w ends that`);
  }
}

function refuseSharedParents(path: string, user: number | undefined): void {
  if (user === undefined) return;
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (status !== undefined) {
    if (status.uid !== user && status.uid !== ROOT) {
      throw new SharedFolderError(`${path} belongs to another user`);
    }
    const isOpen = (status.mode & WRITABLE_BY_OTHERS) !== 0 && (status.mode & STICKY) === 0;
    // A link's own permissions mean nothing: who may write to its folder may replace it.
    if (isOpen && !status.isSymbolicLink()) {
      throw new SharedFolderError(`other users may write ${path}`);
    }
  }
  if (dirname(path) !== path) refuseSharedParents(dirname(path), user);
}
