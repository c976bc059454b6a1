import { promisify } from 'node:util';
import { constants, gunzip, gzip, inflate } from 'node:zlib';

/**
 * Decoders of HTTP content codings (RFC 9110, 8.4.1). Brotli is excluded: the bytes are untrusted,
 * and the Brotli decoder of Node 20 gets no more security fixes.
 */
const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
};

export type ResponseCoding = keyof typeof DECODERS;

/**
 * Size of zlib's output buffer in bytes, enough for a whole response. With Node's default of 16 kB,
 * decoding takes twice as long.
 */
const CHUNK_SIZE = 1024 * 1024;

export const isResponseCoding = (name: string): name is ResponseCoding =>
  Object.hasOwn(DECODERS, name);

/**
 * Decompresses the body of a response.
 * @throws an error of zlib for damaged bytes, and for more than `maxOutputLength` bytes
 */
export function decompress(
  bytes: Buffer,
  coding: ResponseCoding,
  maxOutputLength?: number,
): Promise<Buffer> {
  return DECODERS[coding](bytes, { maxOutputLength, chunkSize: CHUNK_SIZE });
}

/**
 * Compresses with gzip at its fastest level. That reduces an archive to a tenth; the best level
 * would reduce it to a twentieth.
 */
export function compress(bytes: Buffer): Promise<Buffer> {
  return promisify(gzip)(bytes, { level: constants.Z_BEST_SPEED, chunkSize: CHUNK_SIZE / 4 });
}
