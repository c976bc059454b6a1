import { quoteExcerpt } from '../../domain/text.ts';
import { describeFileError, errorCode, UsageError, VaneError } from '../../errors.ts';
import type { TableOptions } from './table.ts';

/** The name of a file of `--from` in messages: its path, or stdin for `-`. */
export const describeFile = (path: string): string => (path === '-' ? 'stdin' : path);

/** Quotes a value from a file for a message, cut to 60 characters. */
export function quoteFileValue(value: unknown): string {
  return quoteExcerpt(valueAsText(value).slice(0, 240), 60);
}

/**
 * Converts a value from a file to text. An object becomes `{…}`: its own `toString` may come from
 * the file, and its JSON may be nested too deep.
 */
export function valueAsText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? '[…]' : '{…}';
}

/**
 * Creates an error about a line of a file.
 * @param line counted from 1; undefined for the whole file
 */
export function fileErrorAtLine(
  path: string,
  line: number | undefined,
  sentence: string,
): UsageError {
  const place = line === undefined ? '' : `, line ${line}`;
  return new UsageError(`${describeFile(path)}${place}: ${sentence}`);
}

/** Notes that an incomplete last line is skipped. */
export function noteIncompleteLastLine({ path, note }: Pick<TableOptions, 'path' | 'note'>): void {
  note(`${describeFile(path)}: the last line is incomplete, and is left out.`);
}

const GZIP_CAUSES: Readonly<Record<string, string>> = {
  Z_DATA_ERROR: 'it is damaged gzip',
  Z_BUF_ERROR: 'its gzip ends too early',
};

/** Converts an error of the file system or of gzip to a UsageError. Other errors stay unchanged. */
export function explainReadError(error: unknown, path: string): unknown {
  const code = errorCode(error);
  if (error instanceof VaneError || code === undefined) return error;
  const cause = GZIP_CAUSES[code] ?? describeFileError(error);
  return new UsageError(`--from: ${describeFile(path)} cannot be read: ${cause}.`);
}
