import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../errors.ts';
import type { Io } from '../../io.ts';
import { cacheFolder, findPrivateFolder, makeFolder, userFolderPath } from '../../userFolder.ts';

type CacheIo = Pick<Io, 'env' | 'runtime'>;

/**
 * The folder, within the user's cache folder, that holds responses of services and nothing else.
 */
const RESPONSES = 'answers';

/**
 * The folder in it for the entries of this version. Its number is that of the format of entries and
 * of their content: a new format gets the next number, so that no version reads those of another.
 */
export const ENTRIES_FOLDER = 'responses-v1';

/** Marks a folder as a cache that backups may skip (Cache Directory Tagging Specification). */
export const CACHE_MARKER_FILE = 'CACHEDIR.TAG';
/** vane 1.0 does not use a folder with another text in its marker, so the text never changes. */
const MARK = `Signature: 8a477f597d28d172789f06886806bc55
# Answers that vane keeps. vane removes whatever is in this folder.
`;

/**
 * Finds the folder of this user's cached responses. vane deletes files in it, so a folder that
 * another user controls, or that contains files of another program, is not used.
 * @param isMade whether to make a missing folder
 * @param reportTrouble called when the folder cannot be used
 * @returns undefined where the folder is missing or cannot be used
 * @throws UsageError for a user without a home
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
    // Look at the marker again: another vane process may have marked the folder meanwhile.
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
 * Makes the folder and its marker again if it was removed while this process runs. Without the
 * marker, later commands would take new responses for files of another program.
 * @throws the error of the system
 */
export function remakeCacheFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(folder, 0o700);
  mark(folder);
}

type Action = 'read' | 'written' | 'cleared';

/** Reports that the cache cannot be used, with the error of the attempt. */
export type ReportCacheTrouble = (error: unknown, action: Action) => void;

/** The beginning of a sentence: why this user's cache cannot be used. */
export function describeCacheTrouble(io: CacheIo, error: unknown, action: Action): string {
  const cause = error instanceof Error ? error.message : String(error);
  return `The cache in ${userFolderPath(cacheFolder(io))} cannot be ${action} (${cause})`;
}

/** Passes a sentence about the first trouble to `note`; vane goes on without the cache. */
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

/** Whether a folder is empty or holds only a marker that a full disk cut short. */
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
