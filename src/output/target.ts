import { describeFileError, errorCode, OutputError, UsageError, VaneError } from '../errors.ts';

/** A part of the output: text, or bytes of a binary format. */
export type OutputPiece = string | Uint8Array;

/** Where output goes: a file or stdout. */
export interface OutputTarget {
  /** The file's path; undefined for stdout. */
  readonly path: string | undefined;
  readonly isGzip: boolean;
}

/** Paths that mean stdout. vane would replace a regular file, but must write to these. */
const STDOUT_PATHS = new Set(['-', '/dev/stdout', '/dev/fd/1', '/proc/self/fd/1']);

/**
 * Reads the value of `--output`, or of another flag with a file name.
 * @throws UsageError for an empty name, and for one that ends with a slash
 */
export function readOutputTarget(output: string | undefined, flag = '--output'): OutputTarget {
  if (output === undefined || STDOUT_PATHS.has(output)) return { path: undefined, isGzip: false };
  if (output === '' || /[/\\]$/.test(output)) {
    throw new UsageError(`${flag} takes a file name, not “${output}”.`);
  }
  return { path: output, isGzip: output.toLowerCase().endsWith('.gz') };
}

/**
 * Converts a file system error to an OutputError with its cause. Other errors stay unchanged.
 * @param outcome a sentence about the file's state after the error
 */
export function toOutputError(
  error: unknown,
  path: string,
  outcome = 'It was not changed.',
): unknown {
  const code = errorCode(error);
  // EPIPE only means that the reader has closed the pipe.
  if (error instanceof VaneError || code === undefined || code === 'EPIPE') return error;
  const cause = code === 'ENOENT' ? 'its folder does not exist' : describeFileError(error);
  return new OutputError(`Could not write ${path}: ${cause}. ${outcome}`.trimEnd(), {
    cause: error,
  });
}
