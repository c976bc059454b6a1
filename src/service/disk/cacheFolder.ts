import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../errors.ts';
import type { Io } from '../../io.ts';
import { cacheFolder, findPrivateFolder, makeFolder, userFolderPath } from '../../userFolder.ts';

type CacheIo = Pick<Io, 'env' | 'runtime'>;

/** The folder within the user's cache folder that only contains responses of services. */
const RESPONSES = 'answers';

/**
 * The subfolder for entries of this version. Its number belongs to the format of entries. A new
 * format gets the next number, so that no version reads entries of another.
 */
export const ENTRIES_FOLDER = 'responses-v1';

/**
 * The name of a file that marks a folder as a cache, which backups may skip (Cache Directory
 * Tagging Specification).
 */
export const CACHE_MARKER_FILE = 'CACHEDIR.TAG';
/**
 * The content of the marker. It must never change, since vane 1.0 refuses folders with a different
 * text.
 */
const MARK = `Signature: 8a477f597d28d172789f06886806bc55
# Answers that vane keeps. vane removes whatever is in this folder.
`;

/**
 * Finds the folder of this user's cached responses. Since vane deletes files in it, it must not be
 * a folder that another user controls, or that contains files of another program.
 * @param isMade whether to create a missing folder
 * @param reportTrouble called if the folder cannot be used
 * @returns undefined if the folder is missing or cannot be used
 * @throws UsageError for a user without a home folder
 */
export function findCacheFolder(
  io: CacheIo,
  isMade: boolean,
  reportTrouble: ReportCacheTrouble,
): string | undefined {
  const place = cacheFolder(io);
  const names = [...place.names, RESPONSES];
  try {
    const folder = findPrivateFolder({ ...place, names }, io.runtime.user, isMade);
    if (folder === undefined || isMarked(folder)) return folder;
    // Check the marker again: another vane process may have written it meanwhile.
    if (!isUnused(folder) && !isMarked(folder)) {
      throw new Error(`${folder} contains files of another program`);
    }
    if (isMade) mark(folder);
    return folder;
  } catch (error) {
    reportTrouble(error, isMade ? 'written' : 'read');
    return undefined;
  }
}

/**
 * Creates the folder and its marker again if they were removed while vane runs. Without the marker,
 * later commands would refuse the folder as one of another program.
 * @throws the error of the system
 */
export function remakeCacheFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(folder, 0o700);
  mark(folder);
}

type Action = 'read' | 'written' | 'cleared';

/** Reports that the cache cannot be used, and why. */
export type ReportCacheTrouble = (error: unknown, action: Action) => void;

/** The beginning of a sentence that says why this user's cache cannot be used. */
export function describeCacheTrouble(io: CacheIo, error: unknown, action: Action): string {
  const cause = error instanceof Error ? error.message : String(error);
  return `The cache in ${userFolderPath(cacheFolder(io))} cannot be ${action} (${cause})`;
}

/**
 * Creates a reporter that passes a sentence about the first problem to `note`. vane continues
 * without the cache.
 */
export function cacheTroubleReporter(
  io: CacheIo,
  note: (sentence: string) => void,
): ReportCacheTrouble {
  let isTroubled = false;
  return (error, action) => {
    if (!isTroubled) note(`${describeCacheTrouble(io, error, action)}; continuing without it.`);
    isTroubled = true;
  };
}

function isMarked(folder: string): boolean {
  try {
    return readFileSync(join(folder, CACHE_MARKER_FILE), 'utf8') === MARK;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Whether a folder is empty, or only contains a marker that a full disk cut short. */
function isUnused(folder: string): boolean {
  return readdirSync(folder).every(
    (name) =>
      name === CACHE_MARKER_FILE && MARK.startsWith(readFileSync(join(folder, name), 'utf8')),
  );
}

function mark(folder: string): void {
  const path = join(folder, CACHE_MARKER_FILE);
  try {
    writeFileSync(path, MARK);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}
