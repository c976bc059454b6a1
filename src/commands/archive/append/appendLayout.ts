import { parse } from 'csv-parse/sync';
import { parseDate } from '../../../domain/dates.ts';
import { UsageError } from '../../../errors.ts';
import type { Header } from '../../../formats/format.ts';
import {
  ARCHIVE_FORMATS,
  type ArchiveFormatName,
  archiveFormatsWith,
} from '../../../formats/index.ts';
import type { Target } from '../../../output/target.ts';

/** How the rows, header lines and columns are written in a file that --append continues. */
export interface AppendLayout {
  /** Where the fields of a row are: between commas, between tabs, or members of a JSON object. */
  readonly rows: 'csv' | 'tabs' | 'json';
  /** Which header lines the file has, as for `--header`; always `none` in a format without them. */
  readonly header: Header;
  /** The columns of `--columns` in their order, maybe with `station`; undefined for all columns. */
  readonly columns: readonly string[] | undefined;
}

/**
 * Checks that --append can continue an export.
 * @param isShared whether the file holds several stations, one after the other
 * @throws UsageError
 */
export function checkAppendable(
  format: ArchiveFormatName,
  { path, isGzip }: Target,
  {
    header,
    columns,
    isShared,
  }: Pick<AppendLayout, 'header' | 'columns'> & { readonly isShared: boolean },
): AppendLayout {
  const { rows, hasHeader } = ARCHIVE_FORMATS[format];
  if (rows === undefined) {
    const names = archiveFormatsWith('rows').join(', ');
    throw new UsageError(`--append continues ${names}, not ${format}.`);
  }
  if (path === undefined) throw new UsageError('--append continues a file; name it with --output.');
  if (isGzip) {
    throw new UsageError('--append cannot continue compressed text; write a name without .gz.');
  }
  if (isShared) {
    throw new UsageError(
      '--append continues one station a file; put {station} into the name of the file.',
    );
  }
  if (columns && !columns.includes('time')) {
    throw new UsageError('--append needs the column time to go on from; add it to --columns.');
  }
  return { rows, header: hasHeader ? header : 'none', columns };
}

/** Header lines by `--header`: their count, and the index of the line with the names of columns. */
export const HEADS = {
  service: { count: 4, names: 2 },
  names: { count: 1, names: 0 },
  none: { count: 0, names: undefined },
} as const;

/** The index after the first `count` lines of a text; undefined for a text of fewer lines. */
export function endOfLines(text: string | Buffer, count: number): number | undefined {
  let end = 0;
  for (let line = 0; line < count; line++) {
    end = text.indexOf('\n', end) + 1;
    if (end === 0) return undefined;
  }
  return end;
}

/** The complete lines of a text. */
export function linesOf(text: string): string[] {
  return text.split('\n').slice(0, -1);
}

/** The fields of a line of csv or of text with tabs; none for a line that is not valid csv. */
export function splitFields(rows: 'csv' | 'tabs', line: string): readonly string[] {
  if (rows === 'tabs') return line.split('\t');
  try {
    return parse(line)[0] ?? [];
  } catch {
    return [];
  }
}

/** The members of the JSON object in a line of ndjson; none for any other line. */
export function readMembers(line: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(line));
  } catch {
    return {};
  }
}

/** Reads the time of a row, in milliseconds since 1970; undefined for a line without a time. */
export type TimeReader = (line: string) => number | undefined;

/**
 * Makes a function that reads the time of a row, in any time zone.
 * @param head the lines before the rows
 * @returns undefined where the head names no column `time`
 */
export function timeReader(
  { rows, header, columns }: AppendLayout,
  head: readonly string[],
): TimeReader | undefined {
  if (rows === 'json') return (line) => parseTime(readMembers(line).time);
  const named = HEADS[header].names;
  const names = named === undefined ? (columns ?? ['time']) : splitFields(rows, head[named] ?? '');
  const place = names.indexOf('time');
  return place === -1 ? undefined : (line) => parseTime(splitFields(rows, line)[place]);
}

function parseTime(value: unknown): number | undefined {
  return typeof value === 'string' ? parseDate(value) : undefined;
}
