import { createRequire } from 'node:module';
import { parseDate } from '../../../domain/dates.ts';
import { UsageError } from '../../../errors.ts';
import {
  ARCHIVE_FORMATS,
  type ArchiveFormatName,
  archiveFormatsWith,
} from '../../../formats/index.ts';
import type { Target } from '../../../output/target.ts';

/** How `--append` splits the rows of a format into fields. */
export type RowForm = NonNullable<(typeof ARCHIVE_FORMATS)[ArchiveFormatName]['rows']>;

/** The head and the rows of an export that is to be continued. */
export interface AppendLayout {
  readonly rows: RowForm;
  /** Always `none` in a format without a head. */
  readonly header: 'service' | 'names' | 'none';
  /** Names of the columns asked for, in order; undefined for all. */
  readonly columns: readonly string[] | undefined;
}

export interface AppendOptions {
  readonly header: AppendLayout['header'];
  readonly columns: readonly string[] | undefined;
  /** Whether one file takes the rows of several stations. */
  readonly isShared: boolean;
}

/**
 * The layout of an export that is to be continued in its file.
 * @throws UsageError
 */
export function checkAppendable(
  format: ArchiveFormatName,
  { path, isGzip }: Target,
  { header, columns, isShared }: AppendOptions,
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

/** How many lines of head a layout has, and which of them names the columns. */
export const HEADS = {
  service: { count: 4, names: 2 },
  names: { count: 1, names: 0 },
  none: { count: 0, names: undefined },
} as const;

let loaded: typeof import('csv-parse/sync') | undefined;

/** Loads the parser only for a file that is continued, since every export loads this module. */
function csv(): typeof import('csv-parse/sync') {
  loaded ??= createRequire(import.meta.url)('csv-parse/sync') as typeof import('csv-parse/sync');
  return loaded;
}

/** The fields of a line; none for one that is not of the format. */
export function splitFields(rows: 'csv' | 'tabs', line: string): readonly string[] {
  if (rows === 'tabs') return line.split('\t');
  try {
    return csv().parse(line)[0] ?? [];
  } catch {
    return [];
  }
}

/** The members of a row in JSON; none for another line. */
export function readMembers(line: string): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** The time of a row, in milliseconds since 1970; undefined for a line without one. */
export type TimeReader = (line: string) => number | undefined;

/**
 * Reads the times of rows, in whatever zone they were written.
 * @param head lines that come before the rows
 * @returns undefined where the head does not name a column `time`
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
