import { type FileHandle, open } from 'node:fs/promises';
import type { Period } from '../../../domain/period.ts';
import { UsageError } from '../../../errors.ts';
import { statIfThere } from '../../../output/file.ts';
import { explain } from '../../../output/target.ts';
import { type AppendLayout, HEADS, type TimeReader, timeReader } from './layout.ts';

/** The end of a file that --append continues. */
export interface Tail {
  /** Bytes in the file. */
  readonly size: number;
  /** Bytes up to the last line end, which stay; 0 where a crash cut the head. */
  readonly kept: number;
  /** The head lines; where nothing is kept, all lines of the file. */
  readonly head: readonly string[];
  /** Undefined where the file has no row. */
  readonly last: LastRows | undefined;
}

/** The rows at the end of a file. */
export interface LastRows {
  /** Time of the last row, in milliseconds since 1970. */
  readonly time: number;
  /** Time of the first of `lines`. */
  readonly since: number;
  /** All rows of the last time, and some shortly before it. */
  readonly lines: readonly string[];
}

/** Larger than any head. */
const HEAD_BYTES = 65_536;
/** The end is read in a block that doubles until it holds enough rows. */
const BLOCK_BYTES = 4_096;
const MOST_BYTES = 16_777_216;
/** An export starts this long before the last row, to compare some rows. */
const OVERLAP_MS = 3_600_000;

const LF = 10;

/**
 * Reads the head and the last rows of a file.
 * @returns undefined for a missing or empty file
 * @throws UsageError for a file that is not such an export; OutputError when it cannot be read
 */
export async function readTail(path: string, layout: AppendLayout): Promise<Tail | undefined> {
  const existing = await statIfThere(path);
  if (existing === undefined) return undefined;
  if (!existing.isFile()) {
    throw new UsageError(`${path} is not a file; --append continues files only.`);
  }
  try {
    const file = await open(path, 'r');
    try {
      return await findTail(file, path, layout);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw explain(error, path);
  }
}

/** The part of a period that is still to be asked for, with an overlap. */
export function remainingPeriod({ start, stop }: Period, tail: Tail | undefined): Period {
  return { start: Math.min(tail?.last?.since ?? start, stop), stop };
}

async function findTail(
  file: FileHandle,
  path: string,
  layout: AppendLayout,
): Promise<Tail | undefined> {
  const { size } = await file.stat();
  if (size === 0) return undefined;
  const { count } = HEADS[layout.header];
  const { head, end } = await readHead(file, size, count);
  if (end === undefined) {
    if (size > HEAD_BYTES) throw foreign(path, layout);
    return { size, kept: 0, head, last: undefined };
  }
  const readTime = timeReader(layout, head);
  if (readTime === undefined) throw foreign(path, layout);
  const { kept, lines, rest } = await readLastLines(file, path, { from: end, size }, readTime);
  if (kept === 0) return { size, kept, head: [rest], last: undefined };
  return { size, kept, head, last: pickLastRows(path, lines, readTime) };
}

function foreign(path: string, { header }: AppendLayout): UsageError {
  return new UsageError(
    `${path} does not begin with the head of an export with --header ${header} and a column time; ` +
      'say the --header it was written with, or name another file.',
  );
}

/** The head lines and the index after them; without that index, all lines of a cut head. */
async function readHead(file: FileHandle, size: number, count: number) {
  if (count === 0) return { head: [], end: 0 };
  const bytes = await readBytes(file, 0, Math.min(size, HEAD_BYTES));
  let end = 0;
  for (let line = 0; line < count; line++) {
    const lineEnd = bytes.indexOf(LF, end);
    if (lineEnd === -1) return { head: decodeCut(bytes).split('\n'), end: undefined };
    end = lineEnd + 1;
  }
  return { head: bytes.toString('utf8', 0, end - 1).split('\n'), end };
}

/** Reads backwards until the rows of the last time and one before them are complete. */
async function readLastLines(
  file: FileHandle,
  path: string,
  { from, size }: { from: number; size: number },
  readTime: TimeReader,
) {
  for (let length = BLOCK_BYTES; ; length *= 2) {
    const start = Math.max(from, size - length);
    const bytes = await readBytes(file, start, size);
    const isAll = start === from;
    const first = isAll ? 0 : bytes.indexOf(LF) + 1;
    const end = bytes.lastIndexOf(LF) + 1;
    const lines = bytes.toString('utf8', first, end).split('\n').slice(0, -1);
    const time = readTime(lines.at(-1) ?? '');
    const isEnough = lines.length > 1 && (time === undefined || readTime(lines[0] ?? '') !== time);
    if (isAll || isEnough) {
      return { kept: start + end, lines, rest: decodeCut(bytes.subarray(end)) };
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
  return { time, since: readTime(near[0] ?? last) ?? time, lines: near };
}

async function readBytes(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const bytes = Buffer.alloc(end - start);
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** Decodes UTF-8, without an incomplete character at the end. */
function decodeCut(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
}
