import { withLfLineEnds } from '../../domain/text.ts';
import { fileErrorAtLine } from './fault.ts';

/** Most bytes of a line, to bound the memory: no line of an export is that long. */
const MAX_LINE_BYTES = 1_000_000;

const LF = '\n'.charCodeAt(0);
const CR = '\r'.charCodeAt(0);

/** A part of a text file that consists of complete lines, each ended by LF. */
export interface LineBlock {
  readonly bytes: Buffer;
  /** Whether this is the file's last line, which has no line end: it may be cut short. */
  readonly isLast: boolean;
}

/** The place of a reader in a file. */
export interface LineCursor {
  /** The number of the next line, counted from 1. */
  line: number;
}

/**
 * Cuts a text in UTF-8 into blocks of complete lines, since a file may be larger than the memory. LF,
 * CRLF and CR each end a line: a file of several programs may contain all of them.
 * @param cursor the reader of the blocks moves it on, so that an error names the line
 */
export async function* readLineBlocks(
  bytes: AsyncIterable<Buffer>,
  path: string,
  cursor: LineCursor,
): AsyncGenerator<LineBlock> {
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = true;
  for await (const piece of withLfOnly(bytes)) {
    const text = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const end = text.lastIndexOf(LF) + 1;
    if (end > 0) {
      const lines = text.subarray(0, end);
      yield { bytes: isFirst ? withoutMark(lines) : lines, isLast: false };
      isFirst = false;
    }
    rest = text.subarray(end);
    if (rest.length > MAX_LINE_BYTES) {
      const sentence = 'expected a row, not a line of more than a million bytes.';
      throw fileErrorAtLine(path, cursor.line, sentence);
    }
  }
  if (rest.length > 0) yield { bytes: isFirst ? withoutMark(rest) : rest, isLast: true };
}

async function* withLfOnly(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  /** Whether a CR at the end of the piece before is held back: its LF may come next. */
  let hasCr = false;
  for await (const piece of bytes) {
    const whole: Buffer = hasCr ? Buffer.concat([Buffer.of(CR), piece]) : piece;
    hasCr = whole.at(-1) === CR;
    yield toLf(hasCr ? whole.subarray(0, -1) : whole);
  }
  if (hasCr) yield Buffer.of(LF);
}

/** UTF-8 has no CR or LF inside a character, and latin1 makes one character of each byte. */
const toLf = (bytes: Buffer): Buffer =>
  bytes.includes(CR) ? Buffer.from(withLfLineEnds(bytes.toString('latin1')), 'latin1') : bytes;

/** Leaves out the mark of UTF-8 that some programs write first. */
const withoutMark = (bytes: Buffer): Buffer =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
