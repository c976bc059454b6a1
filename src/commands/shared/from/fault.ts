import { printable } from '../../../domain/text.ts';
import { errorCode, FILE_CAUSES, UsageError, VaneError } from '../../../errors.ts';

/** A file of `--from` in messages. */
export const nameOf = (path: string): string => (path === '-' ? 'stdin' : path);

/** A value from a file, cut to the room of a message. */
export function excerpt(text: unknown): string {
  const line = printable(String(text));
  return `“${line.length > 60 ? `${line.slice(0, 60)}…` : line}”`;
}

/** @param line counted from 1 */
export function faultAt(path: string, line: number, sentence: string): UsageError {
  return new UsageError(`${nameOf(path)}, line ${line}: ${sentence}`);
}

const CAUSES: Readonly<Record<string, string>> = {
  ...FILE_CAUSES,
  ENOENT: 'it is not there',
  Z_DATA_ERROR: 'it is not whole gzip',
  Z_BUF_ERROR: 'its gzip ends too early',
};

/** Turns an error of the file system or of gzip into a UsageError; other errors stay. */
export function explainRead(error: unknown, path: string): unknown {
  const code = errorCode(error);
  if (error instanceof VaneError || code === undefined) return error;
  const cause = CAUSES[code] ?? (error as Error).message;
  return new UsageError(`--from: ${nameOf(path)} cannot be read: ${cause}.`);
}
