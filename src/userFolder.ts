import { existsSync, lstatSync, mkdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { homedir, platform as systemPlatform } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { errorCode, UsageError } from './errors.ts';
import type { Io } from './io.ts';

/** A folder of vane. Its path is `within`, such as the home folder, followed by `names`. */
interface UserFolder {
  readonly within: string;
  /** Folder names, the outermost first; none if the user chose the folder itself. */
  readonly names: readonly string[];
}

export function userFolderPath({ within, names }: UserFolder): string {
  return join(within, ...names);
}

/** vane's folders on macOS and Windows, as env-paths finds them. */
const systemPaths = ['darwin', 'win32'].includes(systemPlatform())
  ? (await import('env-paths')).default('vane', { suffix: '' })
  : undefined;

/**
 * Folders of the XDG Base Directory Specification: the variable, and the default below the home
 * folder.
 */
const XDG = {
  cache: { variable: 'XDG_CACHE_HOME', inHome: '.cache' },
  config: { variable: 'XDG_CONFIG_HOME', inHome: '.config' },
} as const;

/**
 * vane's folder for its cache or configuration; undefined if the environment names no home folder.
 */
export function userFolder(
  kind: keyof typeof XDG,
  env: Io['env'],
  platform: NodeJS.Platform,
): UserFolder | undefined {
  if (platform === 'darwin' || platform === 'win32') {
    const home = env.HOME || env.USERPROFILE;
    return home && systemPaths ? belowHome(home, systemPaths[kind]) : undefined;
  }
  // Do not use env-paths here: it would read the environment of the process instead of `env`.
  const { variable, inHome } = XDG[kind];
  const named = env[variable];
  if (named) return { within: named, names: ['vane'] };
  return env.HOME ? { within: env.HOME, names: [inHome, 'vane'] } : undefined;
}

function belowHome(home: string, path: string): UserFolder {
  return isBelow(path, home)
    ? { within: home, names: relative(home, path).split(sep) }
    : { within: path, names: [] };
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way.split(sep)[0] !== '..';
}

/**
 * The folder of this user's cache: `VANE_CACHE_DIR`, or vane's folder among the system's caches.
 * @throws UsageError for a user without a home folder
 */
export function cacheFolder({ env, runtime }: Pick<Io, 'env' | 'runtime'>): UserFolder {
  if (env.VANE_CACHE_DIR) return { within: env.VANE_CACHE_DIR, names: [] };
  try {
    const folder = userFolder('cache', env, runtime.platform);
    if (folder !== undefined) return folder;
    // If the environment names no home folder, use the one in the system's list of users.
    const home = { HOME: homedir(), USERPROFILE: homedir() };
    return userFolder('cache', home, runtime.platform) as UserFolder;
  } catch {
    throw new UsageError(
      'This user has no home folder for the cache; set VANE_CACHE_DIR to a folder, or use --no-cache.',
    );
  }
}

/**
 * Finds a folder that no other user can write to, rename or replace. Each folder of `names` must be
 * a real folder that only the user may write to. The folders above must belong to the user or root;
 * those that others may write to need the sticky bit, as /tmp has.
 * @param user the effective user id; undefined if files have no owner (Windows)
 * @param isMade whether to create missing folders, with mode 0700
 * @returns the real path; undefined if the folder is missing and `isMade` is false
 * @throws Error for a folder that others control; the error of the system
 */
export function findPrivateFolder(
  { within, names }: UserFolder,
  user: number | undefined,
  isMade: boolean,
): string | undefined {
  if (statSync(within, { throwIfNoEntry: false }) === undefined) {
    if (!isMade) return undefined;
    // Check existing folders first, so that no folder is created below one that is refused.
    refuseSharedParents(realpathSync(nearestExistingFolder(within)), user);
    refuseSharedParents(resolve(within), user);
    makeFolder(within, 0o700);
  }
  let folder = realpathSync(within);
  // Check the given path as well as the real one, since another user might replace a link in the
  // path.
  for (const path of new Set([resolve(within), folder])) refuseSharedParents(path, user);
  for (const name of names) {
    folder = join(folder, name);
    if (isMade) makeFolder(folder, 0o700);
    const status = lstatSync(folder, { throwIfNoEntry: false });
    if (status === undefined) return undefined;
    refuseShared(folder, status, user);
  }
  return folder;
}

/** The folder itself, or the nearest existing folder above it. */
export function nearestExistingFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExistingFolder(dirname(path));
}

/**
 * Refuses a file that belongs neither to the user nor to root, or that others may write to.
 * Symbolic links are followed.
 * @param user the effective user id; undefined if files have no owner (Windows)
 * @throws Error that says why; the error of the system
 */
export function refuseForeignFile(path: string, user: number | undefined): void {
  const { uid, mode } = statSync(path);
  if (user === undefined) return;
  if (uid !== user && uid !== ROOT) throw new Error(`${path} belongs to another user`);
  refuseWritable(path, mode);
}

const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;
const ROOT = 0;

function refuseShared(path: string, status: Stats, user: number | undefined): void {
  if (status.isSymbolicLink()) throw new Error(`${path} is a link`);
  if (!status.isDirectory()) throw new Error(`${path} is not a folder`);
  if (user === undefined) return;
  if (status.uid !== user) throw new Error(`${path} belongs to another user`);
  refuseWritable(path, status.mode);
}

function refuseWritable(path: string, mode: number): void {
  if ((mode & WRITABLE_BY_OTHERS) === 0) return;
  throw new Error(`other users may write to ${path}; chmod go-w prevents that`);
}

function refuseSharedParents(path: string, user: number | undefined): void {
  if (user === undefined) return;
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (status !== undefined && status.uid !== user && status.uid !== ROOT) {
    throw new Error(`${path} belongs to another user`);
  }
  // Ignore the permissions of a link itself: whoever may write to its folder can replace it.
  const mode = status === undefined || status.isSymbolicLink() ? 0 : status.mode;
  if ((mode & WRITABLE_BY_OTHERS) !== 0 && (mode & STICKY) === 0) {
    throw new Error(`other users may write to ${path}`);
  }
  if (dirname(path) !== path) refuseSharedParents(dirname(path), user);
}

/**
 * Creates a folder and its missing parents. Node's `recursive` option never returns if mkdir keeps
 * failing with ENOENT, as in /proc or in a removed working directory.
 * @param mode the mode of the created folders
 * @returns the created folders, the outermost first
 * @throws the error of the system
 */
export function makeFolder(path: string, mode?: number): readonly string[] {
  try {
    return makeOne(path, mode);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    return [...makeFolder(dirname(path), mode), ...makeOne(path, mode)];
  }
}

function makeOne(path: string, mode: number | undefined): readonly string[] {
  try {
    mkdirSync(path, { mode });
    return [path];
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [];
    throw error;
  }
}
