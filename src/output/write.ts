import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { UsageError } from '../errors.ts';
import { abortable, type Io } from '../io.ts';
import { nearestExistingFolder } from '../userFolder.ts';
import { followLinks, makeOutputFolder, statIfThere, writeFile } from './file.ts';
import { type OutputPiece, type OutputTarget, toOutputError } from './target.ts';

/**
 * Checks, before any request, that a file can be written.
 * @throws UsageError for a missing permission, a path that is a folder or below a file, and a link
 *   of another user
 */
export async function checkOutputTarget(
  { path }: OutputTarget,
  io: Pick<Io, 'runtime'>,
): Promise<void> {
  if (path === undefined) return;
  const end = await followLinks(path, io);
  const existing = await statIfThere(path);
  if (existing?.isDirectory()) throw new UsageError(`${path} is a folder; name a file in it.`);
  if (existing) {
    return access(path, constants.W_OK).catch(() => {
      throw new UsageError(`${path} cannot be written: permission is denied.`);
    });
  }
  // Missing folders are created when the file is written.
  const folder = nearestExistingFolder(dirname(end));
  if (!(await statIfThere(folder))?.isDirectory()) {
    throw new UsageError(`${folder} is not a folder, so ${path} cannot be written into it.`);
  }
  await access(folder, constants.W_OK | constants.X_OK).catch(() => {
    throw new UsageError(`${path} cannot be written: permission is denied in ${folder}.`);
  });
}

/**
 * Creates the missing folders of a file that stays open.
 * @throws OutputError
 */
export async function makeParentFolders(path: string, io: Pick<Io, 'runtime'>): Promise<void> {
  makeOutputFolder(dirname(await followLinks(path, io)));
}

/**
 * Writes output to its target.
 * @throws OutputError if the target cannot be written; errors of `pieces` unchanged
 */
export async function writeOutput(
  pieces: Iterable<OutputPiece> | AsyncIterable<OutputPiece>,
  { path, isGzip }: OutputTarget,
  io: Io,
): Promise<void> {
  if (path !== undefined) return writeFile(pieces, path, isGzip, io);
  for await (const piece of pieces) {
    io.signal.throwIfAborted();
    // A signal ends the command even if a stuck reader blocks the write.
    await abortable(writeToStream(io.stdout, piece), io.signal);
  }
}

/**
 * Writes to a stream that stays open, and waits until the text is written.
 * @throws OutputError; EPIPE if the reader has closed the pipe
 */
export async function writeToStream(stream: Writable, text: OutputPiece): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      stream.write(text, (error) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    throw toOutputError(error, 'to stdout', '');
  }
}
