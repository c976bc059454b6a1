import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { HOUR_MS } from '../../../domain/dates.ts';
import type { Period } from '../../../domain/period.ts';
import { UsageError } from '../../../errors.ts';
import { statIfThere } from '../../../output/file.ts';
import { explain } from '../../../output/target.ts';
import {
  type AppendLayout,
  endOfLines,
  HEADS,
  linesOf,
  type TimeReader,
  timeReader,
} from './appendLayout.ts';

/** What --append needs to know of the file that it continues; a missing file counts as empty. */
export interface Tail {
  readonly path: string;
  readonly layout: AppendLayout;
  /** Bytes in the file. */
  readonly size: number;
  /** Bytes up to the last line end; 0 where a crash cut the file in its first lines. */
  readonly kept: number;
  /** The header lines; all lines of a file that a crash cut within its header lines. */
  readonly head: readonly string[];
  /** The rows at the end; undefined where the file has no row. */
  readonly last: LastRows | undefined;
}

export interface LastRows {
  /** Time of the last row, in milliseconds since 1970. */
  readonly time: number;
  /** Time of the first of `lines`, in milliseconds since 1970. */
  readonly since: number;
  /** All rows with the time of the last row, and rows of the hour before it. */
  readonly lines: readonly string[];
  readonly readTime: TimeReader;
}

/** Bytes that are read at the start of a file: more than its header lines take. */
const HEAD_BYTES = 65_536;
/** Bytes of the first block read at the end of a file; it doubles until it holds enough rows. */
const BLOCK_BYTES = 4_096;
const MOST_BYTES = 16_777_216;
/** How long before the file's last row the new export starts, to compare some rows. */
const OVERLAP_MS = HOUR_MS;

/**
 * Reads the header lines and the last rows of a file.
 * @throws UsageError for a file that is no export of this `layout`; OutputError if reading fails
 */
export async function readTail(path: string, layout: AppendLayout): Promise<Tail> {
  const existing = await statIfThere(path);
  if (existing !== undefined && !existing.isFile()) {
    throw new UsageError(`${path} is not a file; --append continues files only.`);
  }
  const size = existing?.size ?? 0;
  const empty = { path, layout, size, kept: 0, head: [], last: undefined };
  try {
    return size === 0 ? empty : { ...empty, ...(await findTail(path, size, layout)) };
  } catch (error) {
    throw explain(error, path);
  }
}

/** The part of a period that a file lacks, with up to an hour before it, to compare rows. */
export function remainingPeriod({ start, stop }: Period, { last }: Tail): Period {
  return { start: Math.min(last?.since ?? start, stop), stop };
}

async function findTail(path: string, size: number, layout: AppendLayout): Promise<Partial<Tail>> {
  const { header } = layout;
  const beginning = await readBytes(path, 0, Math.min(size, HEAD_BYTES));
  const headEnd = endOfLines(beginning, HEADS[header].count);
  const isCut = headEnd === undefined && size <= HEAD_BYTES;
  if (isCut) return { head: decodeCut(beginning).split('\n') };
  const head = linesOf(beginning.toString('utf8', 0, headEnd));
  const readTime = timeReader(layout, head);
  if (headEnd === undefined || readTime === undefined) {
    throw new UsageError(
      `${path} does not begin with the head of an export with --header ${header} and a column time; ` +
        'say the --header it was written with, or name another file.',
    );
  }
  // Read backwards until all rows with the time of the last row are there, and one row before them.
  for (let length = BLOCK_BYTES; ; length *= 2) {
    const start = Math.max(headEnd, size - length);
    const bytes = await readBytes(path, start, size);
    const isAll = start === headEnd;
    const end = bytes.lastIndexOf('\n') + 1;
    const lines = linesOf(bytes.toString('utf8', isAll ? 0 : bytes.indexOf('\n') + 1, end));
    const time = readTime(lines.at(-1) ?? '');
    const isEnough = lines.length > 1 && (time === undefined || readTime(lines[0] ?? '') !== time);
    if (isAll || isEnough) {
      const kept = start + end;
      if (kept === 0) return { head: [decodeCut(bytes)] };
      return { kept, head, last: pickLastRows(path, lines, readTime) };
    }
    if (length >= MOST_BYTES) throw new UsageError(`${path} ends in no row; name another file.`);
  }
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
      `The last row of ${path} does not say its time where the columns asked for have it: ` +
        `“${last.slice(0, 80)}”. Say the --header and --columns it was written with, or name another file.`,
    );
  }
  const isNear = (line: string): boolean => (readTime(line) ?? -Infinity) >= time - OVERLAP_MS;
  const near = lines.slice(lines.findIndex(isNear));
  return { time, since: readTime(near[0] ?? last) ?? time, lines: near, readTime };
}

async function readBytes(path: string, start: number, end: number): Promise<Buffer> {
  if (start === end) return Buffer.alloc(0);
  return buffer(createReadStream(path, { start, end: end - 1 }));
}

/** Decodes UTF-8, without an incomplete character at the end. */
function decodeCut(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
}
