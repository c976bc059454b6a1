import { quoteExcerpt } from '../../domain/text.ts';
import { describeFileError, errorCode, UsageError, VaneError } from '../../errors.ts';
import type { TableOptions } from './table.ts';

/** The name of a file of `--from` in messages: its path, or stdin for `-`. */
export const describeFile = (path: string): string => (path === '-' ? 'stdin' : path);

/** A value from a file, quoted and cut to 60 characters for a message. */
export function quoteFileValue(value: unknown): string {
  return quoteExcerpt(valueAsText(value).slice(0, 240), 60);
}

/**
 * A value from a file as text. An object is `{…}`: its own `toString` may be a value of the file,
 * and its JSON may be nested too deep.
 */
export function valueAsText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? '[…]' : '{…}';
}

/** An error about one line of a file. @param line counted from 1; undefined for the whole file */
export function fileErrorAtLine(
  path: string,
  line: number | undefined,
  sentence: string,
): UsageError {
  const place = line === undefined ? '' : `, line ${line}`;
  return new UsageError(`${describeFile(path)}${place}: ${sentence}`);
}

/** Notes that the last line of a file is left out, since its end is missing. */
export function noteIncompleteLastLine({ path, note }: Pick<TableOptions, 'path' | 'note'>): void {
  note(`${describeFile(path)}: the last line is incomplete, and is left out.`);
}

const GZIP_CAUSES: Readonly<Record<string, string>> = {
  Z_DATA_ERROR: 'it is damaged gzip',
  Z_BUF_ERROR: 'its gzip ends too early',
};

/** Turns an error of the file system or of gzip into a UsageError; other errors stay as given. */
export function explainReadError(error: unknown, path: string): unknown {
  const code = errorCode(error);
  if (error instanceof VaneError || code === undefined) return error;
  const cause = GZIP_CAUSES[code] ?? describeFileError(error);
  return new UsageError(`--from: ${describeFile(path)} cannot be read: ${cause}.`);
}
