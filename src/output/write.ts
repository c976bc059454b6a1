import { createWriteStream } from 'node:fs';
import { chmod, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { errorCode, OutputError, UsageError, VaneError } from '../errors.ts';
import type { Io } from '../io.ts';

/** Text, or bytes where a format is not text. */
export type Piece = string | Uint8Array;

/** Where bytes go. */
export interface Target {
  /** A file's path; undefined for stdout. */
  readonly path: string | undefined;
  readonly isGzip: boolean;
}

/**
 * Finds out before any request whether a file could be written.
 * @throws UsageError for a missing folder or a path that is one
 */
export async function checkTarget({ path }: Target): Promise<void> {
  if (path === undefined) return;
  const existing = await statIfThere(path);
  if (existing?.isDirectory()) throw new UsageError(`${path} is a folder; name a file in it.`);
  if (existing) return;
  const folder = dirname(resolve(path));
  if (!(await statIfThere(folder))?.isDirectory()) {
    throw new UsageError(`There is no folder ${folder} to write ${path} into; make it first.`);
  }
}

/**
 * Writes text to its target. A file appears whole, in one rename, or stays as it was: the text
 * goes to a temporary file beside it first. Devices and pipes are written as they are.
 * @throws OutputError when the file cannot be written; whatever `pieces` throws
 */
export async function writeOutput(
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
  target: Target,
  io: Io,
): Promise<void> {
  if (target.path === undefined)
    return send(pieces, io.stdout, io.signal, { isGzip: false, end: false });
  try {
    await writeFile(pieces, target.path, target.isGzip, io);
  } catch (error) {
    throw explain(error, target.path);
  }
}

async function writeFile(
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
  path: string,
  isGzip: boolean,
  io: Io,
): Promise<void> {
  const existing = await statIfThere(path);
  if (existing && !existing.isFile()) {
    return send(pieces, createWriteStream(path), io.signal, { isGzip, end: true });
  }
  // A link stays a link: what it points to is replaced.
  const file = existing ? await realpath(path) : resolve(path);
  const unique = Math.floor(io.random() * 2 ** 48).toString(36);
  const temporary = join(dirname(file), `.vane-${unique}.tmp`);
  try {
    const stream = createWriteStream(temporary, { flags: 'wx', flush: true });
    await send(pieces, stream, io.signal, { isGzip, end: true });
    if (existing) await chmod(temporary, existing.mode);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function send(
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
  stream: Writable,
  signal: AbortSignal,
  { isGzip, end }: { isGzip: boolean; end: boolean },
): Promise<void> {
  // A piece may be a whole chunk of rows; more than one ahead would only fill memory.
  const source = Readable.from(pieces, { highWaterMark: 1 });
  try {
    if (isGzip) await pipeline(source, createGzip(), stream, { signal, end });
    else await pipeline(source, stream, { signal, end });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

export async function statIfThere(path: string) {
  return stat(path).catch(() => undefined);
}

const CAUSES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'the file system is read-only',
  EFBIG: 'it would be too large',
  ENAMETOOLONG: 'its name is too long',
};

/**
 * An error of the file system as an OutputError that says why; any other as it is.
 * @param outcome a sentence that says what became of the file
 */
export function explain(
  error: unknown,
  path: string,
  outcome = 'Nothing of it was changed.',
): unknown {
  const code = errorCode(error);
  if (error instanceof VaneError || code === undefined) return error;
  const cause = CAUSES[code] ?? (error as Error).message;
  return new OutputError(`Could not write ${path}: ${cause}. ${outcome}`, { cause: error });
}
