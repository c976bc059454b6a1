import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { abortable, type Io } from '../../../io.ts';

type Bytes = AsyncIterable<Uint8Array | string>;

/** The bytes of a file or of stdin, gunzipped. */
export interface Opened {
  /** The first of the bytes, which come again in `bytes`. */
  readonly start: Buffer;
  readonly bytes: AsyncGenerator<Buffer>;
  readonly isGzip: boolean;
  /** Closes the file, read or not. */
  readonly close: () => void;
}

/** Bytes at the start of a file that tell its format. */
const START_BYTES = 16;

/** Opens a file of `--from`; gzip is known by its first bytes, so its name does not matter. */
export async function openFile(path: string, io: Io): Promise<Opened> {
  const file = path === '-' ? undefined : createReadStream(path);
  const close = (): void => void file?.destroy();
  const raw = await peek(buffers(file ?? io.stdin, io.signal));
  const isGzip = raw.start[0] === 0x1f && raw.start[1] === 0x8b;
  if (!isGzip) return { ...raw, isGzip, close };
  const gunzip = createGunzip();
  // An error of either stream destroys the other, whose reader gets it.
  pipeline(Readable.from(raw.bytes, { objectMode: false }), gunzip, () => {});
  return { ...(await peek(buffers(gunzip, io.signal))), isGzip, close };
}

async function* buffers(bytes: Bytes, signal: AbortSignal): AsyncGenerator<Buffer> {
  const iterator = bytes[Symbol.asyncIterator]();
  try {
    for (;;) {
      // A signal ends the command also while nothing comes from a pipe.
      const { value, done } = await abortable(iterator.next(), signal);
      if (done) return;
      yield Buffer.from(value);
    }
  } finally {
    if (!signal.aborted) await iterator.return?.();
  }
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
