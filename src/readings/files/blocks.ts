import { withLfLineEnds } from '../../domain/text.ts';
import { fileErrorAtLine } from './fault.ts';

/**
 * Maximum length of a line in bytes, which bounds the memory. Lines of exports are much shorter.
 */
const MAX_LINE_BYTES = 1_000_000;

const LF = '\n'.charCodeAt(0);
const CR = '\r'.charCodeAt(0);

/** A part of a text file that consists of complete lines, each ending with LF. */
export interface LineBlock {
  readonly bytes: Buffer;
  /** Whether this is the file's last line and lacks a line end, so that it may be cut short. */
  readonly isLast: boolean;
}

/** The position of a reader in a text file. */
export interface LineCursor {
  /** The number of the next line, counted from 1. */
  line: number;
}

/**
 * Splits UTF-8 text into blocks of complete lines, since a file may be larger than the memory. LF,
 * CRLF and CR all end a line, and one file may mix them.
 * @param cursor the consumer moves it forward, so that errors can name the line
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
  /** Whether the last piece ended with a CR, which is held back: an LF may follow. */
  let hasCr = false;
  for await (const piece of bytes) {
    const whole: Buffer = hasCr ? Buffer.concat([Buffer.of(CR), piece]) : piece;
    hasCr = whole.at(-1) === CR;
    yield toLf(hasCr ? whole.subarray(0, -1) : whole);
  }
  if (hasCr) yield Buffer.of(LF);
}

/**
 * Replaces CRLF and CR by LF. latin1 maps each byte to one character, and UTF-8 has no CR or LF
 * within a character.
 */
const toLf = (bytes: Buffer): Buffer =>
  bytes.includes(CR) ? Buffer.from(withLfLineEnds(bytes.toString('latin1')), 'latin1') : bytes;

/** Removes the byte order mark that some programs write. */
const withoutMark = (bytes: Buffer): Buffer =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
