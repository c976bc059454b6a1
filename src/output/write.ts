import type { Writable } from 'node:stream';
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
  if (path !== undefined) await (await import('./file.ts')).checkFile(path);
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
  // What files take is loaded for them alone.
  if (target.path !== undefined) return (await import('./file.ts')).writeFile(pieces, target, io);
  const { signal } = io;
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
  });
  aborted.catch(() => {});
  signal.addEventListener('abort', abort, { once: true });
  try {
    for await (const piece of pieces) {
      signal.throwIfAborted();
      // A reader that takes nothing more does not keep the command from being ended.
      await Promise.race([writeNow(io.stdout, piece), aborted]);
    }
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/**
 * Writes text to a stream that goes on, and waits until it is taken.
 * @throws OutputError when it cannot be written; an EPIPE when nobody reads any more
 */
export async function writeNow(stream: Writable, text: Piece): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      stream.write(text, (error) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    throw explain(error, 'to stdout', '');
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
