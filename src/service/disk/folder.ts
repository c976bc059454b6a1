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
 * The folder of kept answers. Everything in it is vane's: other programs' files keep it from being
 * used.
 * @returns undefined where it is not there and not to be made
 * @throws SharedFolderError for a folder that others control or use; the error of the system
 */
export function findAnswersFolder(options: OwnFolderOptions): string | undefined {
  const folder = findOwnFolder(options);
  if (folder === undefined || isMarked(folder)) return folder;
  if (!isUnused(folder)) {
    // Another vane may have marked it meanwhile.
    if (isMarked(folder)) return folder;
    throw new SharedFolderError(`${folder} holds files of another program`);
  }
  if (options.isMade) mark(folder);
  return folder;
}

/**
 * Makes the folder of kept answers again where somebody removed it while this process runs. Without
 * its marker every later vane would take what is put there for files of another program.
 * @throws the error of the system
 */
export function remakeAnswersFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(folder, 0o700);
  mark(folder);
}

/** The beginning of a sentence that says why kept answers are of no use now. */
export function cacheTrouble(
  folder: string,
  undone: 'read' | 'written' | 'cleared',
  error: unknown,
): string {
  const cause = error instanceof Error ? error.message : String(error);
  return `The cache in ${folder} cannot be ${undone} (${cause})`;
}

function isMarked(folder: string): boolean {
  try {
    return readFileSync(join(folder, MARKER), 'utf8') === MARK;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** A folder without files, or one where the disk was full when the marker was written. */
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
