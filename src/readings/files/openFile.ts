import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Io } from '../../io.ts';

type Bytes = AsyncIterable<Uint8Array | string>;

/** The decompressed bytes of a file or of stdin. */
export interface OpenedFile {
  /** The first bytes, enough to detect the format. `bytes` contains them again. */
  readonly start: Buffer;
  readonly bytes: AsyncGenerator<Buffer>;
  readonly isGzip: boolean;
  /** Closes the file, even if it was not read completely. */
  readonly close: () => void;
}

/** Number of bytes at the start of a file that suffice to detect its format. */
const MIN_START_BYTES = 16;

/** Maximum number of bytes to examine: blank lines may come before the first row of ndjson. */
const MAX_START_BYTES = 1024;

/** Size of the pieces from gunzip, bytes. Each piece costs a turn of the event loop. */
const GUNZIP_BYTES = 2 ** 18;

/**
 * Opens a file of `--from`. Gzip is detected by the first bytes, whatever the file's name. A signal
 * ends vane at once while it reads, so no listener is needed.
 */
export async function openFile(path: string, io: Pick<Io, 'stdin'>): Promise<OpenedFile> {
  const file = path === '-' ? undefined : createReadStream(path);
  const close = (): void => void file?.destroy();
  const raw = await peek(buffers(file ?? io.stdin));
  const isGzip = raw.start[0] === 0x1f && raw.start[1] === 0x8b;
  if (!isGzip) return { ...raw, isGzip, close };
  const gunzip = createGunzip({ chunkSize: GUNZIP_BYTES });
  // After an error in either stream, pipeline destroys both and passes the error to the reader of
  // gunzip.
  pipeline(Readable.from(raw.bytes, { objectMode: false }), gunzip, () => {});
  return { ...(await peek(buffers(gunzip))), isGzip, close };
}

async function* buffers(bytes: Bytes): AsyncGenerator<Buffer> {
  for await (const piece of bytes) yield Buffer.isBuffer(piece) ? piece : Buffer.from(piece);
}

async function peek(bytes: AsyncGenerator<Buffer>): Promise<Pick<OpenedFile, 'start' | 'bytes'>> {
  const first: Buffer[] = [];
  let length = 0;
  while (length < MIN_START_BYTES) {
    const { value, done } = await bytes.next();
    if (done) break;
    first.push(value);
    length += value.length;
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield* first.splice(0);
    yield* bytes;
  }
  const start = Buffer.concat(first).subarray(0, MAX_START_BYTES);
  return { start, bytes: all() };
}
