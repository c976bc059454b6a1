import { type FileHandle, open, truncate } from 'node:fs/promises';
import { OutputError } from '../../../errors.ts';
import type { Io } from '../../../io.ts';
import { followLinks } from '../../../output/file.ts';
import type { FileLocks } from '../../../output/lockFiles.ts';
import { isFileAtPath } from '../../../output/openedFile.ts';
import { toOutputError } from '../../../output/target.ts';
import { type ContinuedFile, HEADER_LINES } from './continuedFile.ts';

/**
 * Appends text to a file. Each piece is written completely or not at all. A missing file is
 * created, and a last line that a crash cut off is replaced. Pieces written before a failure stay.
 * @returns the number of rows appended
 * @throws OutputError if the file cannot be written, or if another program writes or replaces it;
 *   UsageError for a symbolic link of another user; the reason of an aborted `signal`; errors of
 *   `pieces`
 */
export async function appendToFile(
  { path, layout, size: sizeBefore, kept }: ContinuedFile,
  pieces: AsyncIterable<string>,
  io: Pick<Io, 'runtime' | 'signal'>,
  locks?: FileLocks,
): Promise<number> {
  let file: FileHandle | undefined;
  let size = sizeBefore;
  let lines = 0;
  const openFile = async (): Promise<FileHandle> => {
    file = await open(path, 'a');
    await checkUnchanged(file, size, path, io);
    // Truncate the file by its path: Windows does not truncate a file that is open for appending.
    if (kept < size) await truncate(path, kept);
    size = kept;
    return file;
  };
  try {
    await followLinks(path, io);
    for await (const piece of pieces) {
      io.signal.throwIfAborted();
      locks?.check(path);
      file ??= await openFile();
      await checkUnchanged(file, size, path, io);
      try {
        await file.appendFile(piece);
      } catch (error) {
        // A full disk may accept only part of the piece: truncate that part.
        if (await isFileAtPath(file, path, io)) await truncate(path, size).catch(() => {});
        throw error;
      }
      size += Buffer.byteLength(piece);
      lines += piece.split('\n').length - 1;
    }
    file ??= await openFile();
    await file.sync();
    await checkUnchanged(file, size, path, io);
    return kept === 0 ? lines - HEADER_LINES[layout.header].count : lines;
  } catch (error) {
    throw toOutputError(
      error,
      path,
      'What it already has is kept. Run the same command again to continue.',
    );
  } finally {
    await file?.close();
  }
}

/**
 * Checks that the path still names the open file, and that its size did not change.
 * @throws OutputError if another program changed or replaced the file
 */
async function checkUnchanged(
  file: FileHandle,
  expected: number,
  path: string,
  io: Pick<Io, 'runtime'>,
): Promise<void> {
  if (!(await isFileAtPath(file, path, io))) {
    throw new OutputError(
      `Another program replaced or removed ${path} at the same time, so rows of this run are not ` +
        'in it. vane stopped appending; once that program has ended, run the same command again.',
    );
  }
  const { size } = await file.stat();
  if (size === expected) return;
  throw new OutputError(
    `Another program is writing ${path} at the same time: it has ${size} bytes instead of ` +
      `${expected}. vane stopped appending; once that program has ended, run the same command again.`,
  );
}
