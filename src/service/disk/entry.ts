import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { compress, decompress } from '../compression.ts';

/** The metadata of a cache entry. */
export interface CacheEntryHead {
  readonly key: string;
  /** When the content was requested, milliseconds since 1970. */
  readonly requestedMs: number;
  /** How long the content is valid after its request; undefined for no limit. */
  readonly validMs?: number | undefined;
}

/** Length of the first line without its line end: the checksum in hexadecimal. */
const CHECKSUM_LENGTH = 8;

/**
 * Maximum size of metadata that are read without the content. An entry with a longer key is not
 * listed.
 */
const MAX_HEAD_BYTES = 4096;

/** Shorter content is not compressed, since decompressing would take longer than reading. */
const MIN_COMPRESSED_BYTES = 16 * 1024;

/** The second line of an entry, as JSON. */
interface Line extends CacheEntryHead {
  /** Size of the rest of the entry, bytes. */
  readonly length: number;
  readonly isCompressed: boolean;
}

/**
 * Encodes an entry: a line with a checksum of everything after it, a line with the metadata as
 * JSON, and the content, compressed if it is long. The checksum is a CRC-32, since loading
 * node:crypto for a longer one would add 9 ms to each live request.
 */
export async function encodeCacheEntry(head: CacheEntryHead, content: Buffer): Promise<Buffer> {
  const isCompressed = content.length >= MIN_COMPRESSED_BYTES;
  const rest = isCompressed ? await compress(content) : content;
  const line: Line = { ...head, length: rest.length, isCompressed };
  const checked = Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n`), rest]);
  return Buffer.concat([Buffer.from(`${checksumOf(checked)}\n`), checked]);
}

/** Decodes the metadata and content of an entry; undefined if it is damaged. */
export async function decodeCacheEntry(
  bytes: Buffer,
): Promise<{ head: CacheEntryHead; content: Buffer } | undefined> {
  const checked = bytes.subarray(CHECKSUM_LENGTH + 1);
  const line = bytes.toString('latin1', 0, CHECKSUM_LENGTH + 1);
  if (line !== `${checksumOf(checked)}\n`) return undefined;
  const endOfHead = checked.indexOf('\n');
  const { length, isCompressed, ...head } = parseLine(checked.toString('utf8', 0, endOfHead));
  const rest = checked.subarray(endOfHead + 1);
  if (rest.length !== length) return undefined;
  return { head, content: isCompressed ? await decompress(rest, 'gzip') : rest };
}

/**
 * Reads the metadata of an entry without checking its content.
 * @throws the error of the system; an error if the metadata are damaged
 */
export async function readCacheEntryHead(path: string): Promise<CacheEntryHead> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(MAX_HEAD_BYTES) });
    const [, line = ''] = buffer.toString('utf8', 0, bytesRead).split('\n', 2);
    return parseLine(line);
  } finally {
    await file.close();
  }
}

const parseLine = (line: string): Line => JSON.parse(line);

const checksumOf = (bytes: Buffer): string =>
  crc32(bytes).toString(16).padStart(CHECKSUM_LENGTH, '0');
