import { describeFileError, errorCode, OutputError, UsageError, VaneError } from '../errors.ts';

/** A part of the output: text, or bytes in a format that is not text. */
export type OutputPiece = string | Uint8Array;

/** Where output goes: to a file or to stdout. */
export interface OutputTarget {
  /** A file's path; undefined for stdout. */
  readonly path: string | undefined;
  readonly isGzip: boolean;
}

/** Paths that mean stdout: vane writes to them, whereas it would replace a file at another path. */
const STDOUT_PATHS = new Set(['-', '/dev/stdout', '/dev/fd/1', '/proc/self/fd/1']);

/**
 * Reads the value of `--output`, or of another flag that names a file.
 * @throws UsageError for an empty name and one that ends in a slash
 */
export function readOutputTarget(output: string | undefined, flag = '--output'): OutputTarget {
  if (output === undefined || STDOUT_PATHS.has(output)) return { path: undefined, isGzip: false };
  if (output === '' || /[/\\]$/.test(output)) {
    throw new UsageError(`${flag} takes a file name, not “${output}”.`);
  }
  return { path: output, isGzip: output.toLowerCase().endsWith('.gz') };
}

/**
 * Turns an error of the file system into an OutputError that names the cause; others stay as they
 * are.
 * @param outcome a sentence about the state of the file after the error
 */
export function toOutputError(
  error: unknown,
  path: string,
  outcome = 'It was not changed.',
): unknown {
  const code = errorCode(error);
  // EPIPE only says that the reader has closed the pipe.
  if (error instanceof VaneError || code === undefined || code === 'EPIPE') return error;
  const cause = code === 'ENOENT' ? 'its folder does not exist' : describeFileError(error);
  return new OutputError(`Could not write ${path}: ${cause}. ${outcome}`.trimEnd(), {
    cause: error,
  });
}
