import { promisify } from 'node:util';
import type { ZlibOptions } from 'node:zlib';

/** Content codings of HTTP, and the function of zlib that decodes each. */
const DECODERS = {
  gzip: 'gunzip',
  'x-gzip': 'gunzip',
  br: 'brotliDecompress',
  deflate: 'inflate',
} as const;

export type Coding = keyof typeof DECODERS;

/**
 * Size of zlib's output buffer, bytes: it holds a whole answer. With Node's default of 16 kB
 * decoding takes twice as long.
 */
const CHUNK_SIZE = 1024 * 1024;

/** Loads node:zlib at its first use: most live answers are never compressed. */
const load = () => import('node:zlib');

type Compression = (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>;

export const isCoding = (name: string): name is Coding => Object.hasOwn(DECODERS, name);

/**
 * Decompresses the body of an answer.
 * @throws an error of zlib for damaged bytes, and for more than `maxOutputLength` bytes
 */
export async function decompress(
  bytes: Buffer,
  coding: Coding,
  maxOutputLength?: number,
): Promise<Buffer> {
  const zlib = await load();
  const decode: Compression = promisify(zlib[DECODERS[coding]]);
  const limit = maxOutputLength === undefined ? {} : { maxOutputLength };
  return decode(bytes, { ...limit, chunkSize: CHUNK_SIZE });
}

/**
 * Compresses by gzip at its fastest level, which leaves a tenth of an archive's size; the best
 * level would leave a twentieth.
 */
export async function compress(bytes: Buffer): Promise<Buffer> {
  const zlib = await load();
  const options = { level: zlib.constants.Z_BEST_SPEED, chunkSize: CHUNK_SIZE / 4 };
  return promisify(zlib.gzip)(bytes, options);
}
