import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../errors.ts';
import { makeFolder } from '../../makeFolder.ts';
import { findOwnFolder, type OwnFolderOptions, SharedFolderError } from '../../ownFolder.ts';

/** Marks a folder as a cache that backups may skip (Cache Directory Tagging Specification). */
const MARKER = 'CACHEDIR.TAG';
const MARK = `Signature: 8a477f597d28d172789f06886806bc55
# Answers that vane keeps. vane removes whatever is in this folder.
`;

/**
 * The folder of the cache. vane deletes files in it, so a folder with files of another program is
 * refused.
 * @returns undefined where the folder is missing and `isMade` is false
 * @throws SharedFolderError for a folder that another user controls or another program uses; the
 *   error of the system
 */
export function findAnswersFolder(options: OwnFolderOptions): string | undefined {
  const folder = findOwnFolder(options);
  if (folder === undefined || isMarked(folder)) return folder;
  if (!isUnused(folder)) {
    // Another vane process may have marked the folder meanwhile.
    if (isMarked(folder)) return folder;
    throw new SharedFolderError(`${folder} holds files of another program`);
  }
  if (options.isMade) mark(folder);
  return folder;
}

/**
 * Makes the cache folder and its marker again if it was removed while this process runs. Without
 * the marker, later commands would take new answers for files of another program.
 * @throws the error of the system
 */
export function remakeAnswersFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(folder, 0o700);
  mark(folder);
}

/** The beginning of a sentence: why the cache cannot be used. */
export function cacheTrouble(
  folder: string,
  action: 'read' | 'written' | 'cleared',
  error: unknown,
): string {
  const cause = error instanceof Error ? error.message : String(error);
  return `The cache in ${folder} cannot be ${action} (${cause})`;
}

/**
 * Makes a function that reports the first trouble with the cache; vane goes on without the cache.
 */
export function troubleReporter(folder: string, onTrouble: (sentence: string) => void) {
  let isTroubled = false;
  return (error: unknown, action: Parameters<typeof cacheTrouble>[1]): void => {
    if (!isTroubled) onTrouble(`${cacheTrouble(folder, action, error)}; going on without it.`);
    isTroubled = true;
  };
}

function isMarked(folder: string): boolean {
  try {
    return readFileSync(join(folder, MARKER), 'utf8') === MARK;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Whether a folder is empty or holds only a marker that a full disk cut short. */
function isUnused(folder: string): boolean {
  return readdirSync(folder).every(
    (name) => name === MARKER && MARK.startsWith(readFileSync(join(folder, name), 'utf8')),
  );
}

function mark(folder: string): void {
  const path = join(folder, MARKER);
  try {
    writeFileSync(path, MARK);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}
