import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { withLf } from '../domain/text.ts';
import type { Io } from '../io.ts';
import { faultAt } from './fault.ts';

type Bytes = AsyncIterable<Uint8Array | string>;

/** The bytes of a file or of stdin, gunzipped. */
export interface Opened {
  /** The first bytes, enough to tell the format; `bytes` begins with them again. */
  readonly start: Buffer;
  readonly bytes: AsyncGenerator<Buffer>;
  readonly isGzip: boolean;
  /** Closes the file, even if it is not read to its end. */
  readonly close: () => void;
}

/** How many bytes at the start of a file are enough to tell its format. */
const START_BYTES = 16;

/**
 * Opens a file of `--from`. Gzip is recognised by the first bytes, whatever the file's name. No
 * listener to signals is needed: without one a signal ends vane at once.
 */
export async function openFile(path: string, io: Pick<Io, 'stdin'>): Promise<Opened> {
  const file = path === '-' ? undefined : createReadStream(path);
  const close = (): void => void file?.destroy();
  const raw = await peek(buffers(file ?? io.stdin));
  const isGzip = raw.start[0] === 0x1f && raw.start[1] === 0x8b;
  if (!isGzip) return { ...raw, isGzip, close };
  const gunzip = createGunzip();
  // After an error of one stream, pipeline destroys both, and the reader of gunzip gets the error.
  pipeline(Readable.from(raw.bytes, { objectMode: false }), gunzip, () => {});
  return { ...(await peek(buffers(gunzip))), isGzip, close };
}

async function* buffers(bytes: Bytes): AsyncGenerator<Buffer> {
  for await (const piece of bytes) yield Buffer.from(piece);
}

async function peek(bytes: AsyncGenerator<Buffer>): Promise<Pick<Opened, 'start' | 'bytes'>> {
  const first: Buffer[] = [];
  let length = 0;
  while (length < START_BYTES) {
    const { value, done } = await bytes.next();
    if (done) break;
    first.push(value);
    length += value.length;
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield* first.splice(0);
    yield* bytes;
  }
  return { start: Buffer.concat(first), bytes: all() };
}

/** Most characters of a line, to bound the memory: no line of an export is that long. */
const MAX_LINE_LENGTH = 1_000_000;

/** A part of a file that consists of complete lines, each ended by LF. */
export interface TextBlock {
  readonly text: string;
  /** The number of the block's first line in the file, counted from 1. */
  readonly line: number;
  /** Whether the text is the file's last line, which has no line end: it may be cut short. */
  readonly isLast: boolean;
}

/**
 * Decodes UTF-8, with LF for each line end. A file of several programs may have CRLF, LF and CR, and
 * each of them ends a line.
 */
async function* decodeLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  /** A CR at the end of the piece before: the LF that belongs to it may come next. */
  let cr = '';
  for await (const piece of bytes) {
    const text = cr + decoder.decode(piece, { stream: true });
    cr = text.endsWith('\r') ? '\r' : '';
    yield withLf(cr ? text.slice(0, -1) : text);
  }
  yield withLf(cr + decoder.decode());
}

/** Cuts a text into blocks of complete lines, since a file may be larger than the memory. */
export async function* blocksOf(
  bytes: AsyncIterable<Buffer>,
  path: string,
): AsyncGenerator<TextBlock> {
  let line = 1;
  let rest = '';
  for await (const text of decodeLines(bytes)) {
    rest += text;
    const end = rest.lastIndexOf('\n') + 1;
    if (end > 0) {
      const lines = rest.slice(0, end);
      yield { text: lines, line, isLast: false };
      for (let at = lines.indexOf('\n'); at !== -1; at = lines.indexOf('\n', at + 1)) line++;
      rest = rest.slice(end);
    }
    if (rest.length > MAX_LINE_LENGTH) {
      throw faultAt(path, line, 'expected a row, not a line of more than a million characters.');
    }
  }
  if (rest !== '') yield { text: rest, line, isLast: true };
}
