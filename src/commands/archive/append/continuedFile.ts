import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { HOUR_MS, parseDate } from '../../../domain/dates.ts';
import type { Period } from '../../../domain/period.ts';
import { splitLines } from '../../../domain/text.ts';
import { UsageError } from '../../../errors.ts';
import type { HeaderChoice } from '../../../formats/format.ts';
import {
  ARCHIVE_FORMATS,
  type ArchiveFormatName,
  archiveFormatsWith,
} from '../../../formats/index.ts';
import { statIfThere } from '../../../output/file.ts';
import { type OutputTarget, toOutputError } from '../../../output/target.ts';

/** The layout of a file that --append continues. */
export interface AppendLayout {
  /** How fields are separated: by commas, by tabs, or as members of a JSON object. */
  readonly rows: 'csv' | 'tabs' | 'json';
  /** The header lines of the file, as for `--header`; `none` in a format without header lines. */
  readonly header: HeaderChoice;
  /**
   * The columns chosen by `--columns`, in order, including `station`; undefined for all columns.
   */
  readonly columns: readonly string[] | undefined;
}

/**
 * For each value of `--header`: the number of header lines, and the index of the one with the
 * column names.
 */
export const HEADER_LINES = {
  service: { count: 4, names: 2 },
  names: { count: 1, names: 0 },
  none: { count: 0, names: undefined },
} as const;

/**
 * Checks that --append can continue an export.
 * @param isShared whether the file holds several stations, one after the other
 * @throws UsageError
 */
export function checkAppendable(
  format: ArchiveFormatName,
  { path, isGzip }: OutputTarget,
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
  if (path === undefined)
    throw new UsageError('--append needs a file to continue; name it with --output.');
  if (isGzip) {
    throw new UsageError('--append cannot continue a compressed file; use a name without .gz.');
  }
  if (isShared) {
    throw new UsageError('--append needs one file per station; put {station} into the file name.');
  }
  if (columns && !columns.includes('time')) {
    throw new UsageError('--append needs the column time; add it to --columns.');
  }
  return { rows, header: hasHeader ? header : 'none', columns };
}

/** What --append needs to know about the file that it continues. A missing file counts as empty. */
export interface ContinuedFile {
  readonly path: string;
  readonly layout: AppendLayout;
  /** Bytes in the file. */
  readonly size: number;
  /** Bytes up to the last line end; 0 if a crash cut off the header lines. */
  readonly kept: number;
  /** The header lines. If a crash cut them off, only the part that was written. */
  readonly head: readonly string[];
  /** The rows at the end of the file; undefined if it has no rows. */
  readonly last: LastRows | undefined;
}

interface LastRows {
  /** Time of the last row of the file, milliseconds since 1970. */
  readonly time: number;
  /** Time of the first row of `lines`, milliseconds since 1970. */
  readonly since: number;
  /** The rows of the last hour of the file, including all rows with the last time. */
  readonly lines: readonly string[];
  readonly readTime: TimeReader;
}

/** Reads the time of a row, in milliseconds since 1970; undefined for a line without a time. */
type TimeReader = (line: string) => number | undefined;

/** Bytes to read from the start of a file; the header lines are shorter. */
const HEAD_BYTES = 65_536;
/** Bytes to read from the end of a file; the rows of one hour are shorter. */
const TAIL_BYTES = 1_048_576;
/** The new export starts this long before the file's last row, so that both can be compared. */
const OVERLAP_MS = HOUR_MS;

/**
 * Reads the header lines and the last rows of a file.
 * @throws UsageError for a file that is no export of this `layout`; OutputError if reading fails
 */
export async function readContinuedFile(
  path: string,
  layout: AppendLayout,
): Promise<ContinuedFile> {
  const existing = await statIfThere(path);
  if (existing !== undefined && !existing.isFile()) {
    throw new UsageError(`${path} is not a file; --append continues files only.`);
  }
  const size = existing?.size ?? 0;
  const empty = { path, layout, size, kept: 0, head: [], last: undefined };
  try {
    return size === 0 ? empty : { ...empty, ...(await findHeadAndLastRows(path, size, layout)) };
  } catch (error) {
    throw toOutputError(error, path);
  }
}

/**
 * The period that the file still lacks. It starts up to an hour before the file's last row, so that
 * the new export can be compared with the file.
 */
export function remainingPeriod({ start, stop }: Period, { last }: ContinuedFile): Period {
  return { start: Math.min(last?.since ?? start, stop), stop };
}

async function findHeadAndLastRows(
  path: string,
  size: number,
  layout: AppendLayout,
): Promise<Partial<ContinuedFile>> {
  const { header } = layout;
  const { count } = HEADER_LINES[header];
  const beginning = await readBytes(path, 0, Math.min(size, HEAD_BYTES));
  // A crash may have cut off the first row of a file without header lines.
  const isCut = endOfLines(beginning, Math.max(count, 1)) === undefined && size <= HEAD_BYTES;
  if (isCut) return { head: splitLines(beginning.toString()) };
  const headEnd = endOfLines(beginning, count);
  const head = completeLines(beginning.toString('utf8', 0, headEnd));
  const readTime = timeReader(layout, head);
  if (headEnd === undefined || readTime === undefined) {
    throw new UsageError(
      `${path} does not begin with the header of an export with --header ${header} and a column time; ` +
        'use the --header that it was written with, or name another file.',
    );
  }
  const start = Math.max(headEnd, size - TAIL_BYTES);
  const bytes = await readBytes(path, start, size);
  const end = Math.max(bytes.lastIndexOf('\n'), bytes.lastIndexOf('\r')) + 1;
  // Without a complete line at its end, the file must consist of its header lines only.
  if (end === 0 && (start > headEnd || headEnd === 0)) {
    throw new UsageError(`${path} does not end with a row; name another file.`);
  }
  const first = start > headEnd ? endOfLines(bytes, 1) : 0;
  const lines = completeLines(bytes.toString('utf8', first, end));
  return { kept: start + end, head, last: pickLastRows(path, lines, readTime) };
}

function pickLastRows(
  path: string,
  lines: readonly string[],
  readTime: TimeReader,
): LastRows | undefined {
  const last = lines.at(-1);
  if (last === undefined) return undefined;
  const time = readTime(last);
  if (time === undefined) {
    throw new UsageError(
      `The last row of ${path} has no time in the column where this export writes it: ` +
        `“${last.slice(0, 80)}”. Use the --header and --columns that it was written with, or name another file.`,
    );
  }
  const isNear = (line: string): boolean => (readTime(line) ?? -Infinity) >= time - OVERLAP_MS;
  const near = lines.slice(lines.findLastIndex((line) => !isNear(line)) + 1);
  return { time, since: readTime(near[0] ?? last) ?? time, lines: near, readTime };
}

async function readBytes(path: string, start: number, end: number): Promise<Buffer> {
  if (start === end) return Buffer.alloc(0);
  return buffer(createReadStream(path, { start, end: end - 1 }));
}

/** The index after the first `count` lines of a text; undefined if the text has fewer lines. */
function endOfLines(bytes: Buffer, count: number): number | undefined {
  // latin1 maps each byte to one character, so indexes in the text are also indexes in the bytes.
  const text = bytes.toString('latin1');
  const ends = /\r\n?|\n/g;
  for (let line = 0; line < count; line++) if (!ends.test(text)) return undefined;
  return ends.lastIndex;
}

/**
 * Splits a text into its complete lines. Accepts LF and CRLF, since an editor may have changed
 * them.
 */
export const completeLines = (text: string): string[] => splitLines(text).slice(0, -1);

/** The fields of a line that vane wrote as csv or as text with tabs. */
export const splitFields = (rows: 'csv' | 'tabs', line: string): readonly string[] =>
  rows === 'tabs' ? line.split('\t') : line.replaceAll('"', '').split(',');

/** The members of the JSON object in a line of ndjson; none for any other line. */
export function parseNdjsonLine(line: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(line));
  } catch {
    return {};
  }
}

/**
 * Creates a function that reads the time of a row in any time zone.
 * @param head the lines before the rows
 * @returns undefined if the head has no column `time`
 */
function timeReader(
  { rows, header, columns = ['time'] }: AppendLayout,
  head: readonly string[],
): TimeReader | undefined {
  const parse = (value: unknown) => (typeof value === 'string' ? parseDate(value) : undefined);
  if (rows === 'json') return (line) => parse(parseNdjsonLine(line).time);
  const named = HEADER_LINES[header].names;
  const names = named === undefined ? columns : splitFields(rows, head[named] ?? '');
  const place = names.indexOf('time');
  return place === -1 ? undefined : (line) => parse(splitFields(rows, line)[place]);
}
