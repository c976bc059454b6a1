import { errorCode, OutputError, UsageError, VaneError } from '../errors.ts';

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
