import { createWriteStream } from 'node:fs';
import { access, chmod, constants, mkdir, readlink, rename, rm, stat } from 'node:fs/promises';
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

/** Paths that name the command's own stdout: it is written as it is, not replaced. */
const STDOUT_PATHS = new Set(['-', '/dev/stdout', '/dev/fd/1', '/proc/self/fd/1']);

/**
 * Where `--output` points to.
 * @throws UsageError for an empty name and one that ends as a folder's does
 */
export function readTarget(output: string | undefined): Target {
  if (output === undefined || STDOUT_PATHS.has(output)) return { path: undefined, isGzip: false };
  if (output === '' || /[/\\]$/.test(output)) {
    throw new UsageError(`--output takes the name of a file, not “${output}”.`);
  }
  return { path: output, isGzip: output.toLowerCase().endsWith('.gz') };
}

/**
 * Finds out before any request whether a file could be written.
 * @throws UsageError for a missing folder, a path that is one, or want of permission
 */
export async function checkTarget({ path }: Target): Promise<void> {
  if (path === undefined) return;
  const existing = await statIfThere(path);
  if (existing?.isDirectory()) throw new UsageError(`${path} is a folder; name a file in it.`);
  if (existing) {
    const isWritable = await access(path, constants.W_OK).then(
      () => true,
      () => false,
    );
    if (!isWritable) throw new UsageError(`${path} may not be written by this user.`);
    return;
  }
  const folder = dirname(await followLink(resolve(path)));
  if (!(await statIfThere(folder))?.isDirectory()) {
    throw new UsageError(`There is no folder ${folder} to write ${path} into; make it first.`);
  }
}

/**
 * Writes text to its target. A file appears whole, in one rename, or stays as it was: the text
 * goes to a temporary file beside it first. Devices and pipes are written as they are.
 * @throws OutputError when it cannot be written; whatever `pieces` throws
 */
export async function writeOutput(
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
  target: Target,
  io: Io,
): Promise<void> {
  const { path, isGzip } = target;
  if (path === undefined) {
    try {
      return await send(pieces, io.stdout, io.signal, { isGzip: false, end: false });
    } catch (error) {
      throw explain(error, 'to stdout', '');
    }
  }
  const existing = await statIfThere(path);
  const isReplaced = existing?.isFile() ?? true;
  try {
    if (isReplaced) await replaceFile(pieces, target, existing?.mode, io);
    else await send(pieces, createWriteStream(path), io.signal, { isGzip, end: true });
  } catch (error) {
    throw explain(error, path, isReplaced ? undefined : '');
  }
}

/**
 * Writes text to a stream that goes on, and waits until it is taken.
 * @throws OutputError when it cannot be written; an EPIPE when nobody reads any more
 */
export async function writeNow(stream: Writable, text: string): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      stream.write(text, (error) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    throw explain(error, 'to stdout', '');
  }
}

async function replaceFile(
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
  { path, isGzip }: Target,
  mode: number | undefined,
  io: Io,
): Promise<void> {
  // A link stays a link: what it points to is replaced.
  const file = await followLink(resolve(path as string));
  const unique = Math.floor(io.random() * 2 ** 48).toString(36);
  const temporary = join(dirname(file), `.vane-${unique}.tmp`);
  try {
    const stream = createWriteStream(temporary, { flags: 'wx', flush: true });
    await send(pieces, stream, io.signal, { isGzip, end: true });
    if (mode !== undefined) await chmod(temporary, mode);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** What a path points to through links, whether or not there is anything. */
async function followLink(path: string, hops = 40): Promise<string> {
  const target = await readlink(path).catch(() => undefined);
  if (target === undefined || hops === 0) return path;
  return followLink(resolve(dirname(path), target), hops - 1);
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

/** @throws OutputError */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    throw explain(error, `into ${path}`, '');
  }
}

const CAUSES: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder',
  EEXIST: 'there is a file where a folder should be',
  ENOTDIR: 'there is a file where a folder should be',
  ENOENT: 'its folder is not there',
  ENOSPC: 'the disk is full',
  ENXIO: 'nobody reads from it',
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
  // That a reader has gone is no failure of the writing.
  if (error instanceof VaneError || code === undefined || code === 'EPIPE') return error;
  const cause = CAUSES[code] ?? (error as Error).message;
  return new OutputError(`Could not write ${path}: ${cause}. ${outcome}`.trimEnd(), {
    cause: error,
  });
}
