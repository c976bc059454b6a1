import { createRequire } from 'node:module';
import { parseDate } from '../../../domain/dates.ts';
import { UsageError } from '../../../errors.ts';
import type { Target } from '../../../output/target.ts';

const APPEND_FORMATS = ['csv', 'txt', 'ndjson'] as const;
export type AppendFormat = (typeof APPEND_FORMATS)[number];

/** What the rows of an export that is to be continued look like. */
export interface AppendLayout {
  readonly format: AppendFormat;
  /** What head csv and txt carry; ndjson has none. */
  readonly header: 'service' | 'names' | 'none';
  /** Names of the columns asked for, in order; undefined for all. */
  readonly columns: readonly string[] | undefined;
}

export interface AppendOptions {
  readonly header: AppendLayout['header'];
  readonly columns: readonly string[] | undefined;
  /** Rows of several stations come together, one station after the other. */
  readonly isShared: boolean;
}

/**
 * Finds out whether an export can be continued in its file.
 * @throws UsageError
 */
export function checkAppendable(
  format: string,
  { path, isGzip }: Target,
  { header, columns, isShared }: AppendOptions,
): AppendLayout {
  const taken = APPEND_FORMATS.find((name) => name === format);
  if (taken === undefined) {
    throw new UsageError(`--append continues ${APPEND_FORMATS.join(', ')}, not ${format}.`);
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
  return { format: taken, header: taken === 'ndjson' ? 'none' : header, columns };
}

/** How many lines of head a layout has, and which of them names the columns. */
export const HEADS = {
  service: { count: 4, names: 2 },
  names: { count: 1, names: 0 },
  none: { count: 0, names: undefined },
} as const;

let loaded: typeof import('csv-parse/sync') | undefined;

/** Loaded for a file that is continued: every export comes past here. */
function csv(): typeof import('csv-parse/sync') {
  loaded ??= createRequire(import.meta.url)('csv-parse/sync') as typeof import('csv-parse/sync');
  return loaded;
}

/** The fields of a line; none for one that is not of the format. */
export function splitFields(format: 'csv' | 'txt', line: string): readonly string[] {
  if (format === 'txt') return line.split('\t');
  try {
    return csv().parse(line)[0] ?? [];
  } catch {
    return [];
  }
}

/** The members of a row in ndjson; none for a line that is not one. */
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
  { format, header, columns }: AppendLayout,
  head: readonly string[],
): TimeReader | undefined {
  if (format === 'ndjson') return (line) => parseTime(readMembers(line).time);
  const named = HEADS[header].names;
  const names =
    named === undefined ? (columns ?? ['time']) : splitFields(format, head[named] ?? '');
  const place = names.indexOf('time');
  return place === -1 ? undefined : (line) => parseTime(splitFields(format, line)[place]);
}

function parseTime(value: unknown): number | undefined {
  return typeof value === 'string' ? parseDate(value) : undefined;
}
