import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { compress, decompress } from '../compression.ts';

/** What an entry of the cache says about its content. */
export interface CacheEntryHead {
  readonly key: string;
  /** When the content was requested, milliseconds since 1970. */
  readonly requestedMs: number;
  /** How long the content is valid from its request on; for good if undefined. */
  readonly validMs?: number | undefined;
}

/** Length of the first line without its end: the checksum in hexadecimal. */
const CHECKSUM_LENGTH = 8;

/** Longest head that is read without the content. An entry with a longer key is not listed. */
const MAX_HEAD_BYTES = 4096;

/** Content of fewer bytes is not compressed: to decompress it takes longer than to read it. */
const MIN_COMPRESSED_BYTES = 16 * 1024;

/** The second line of an entry, as JSON. */
interface Line extends CacheEntryHead {
  /** Length of the rest of the entry, bytes. */
  readonly length: number;
  readonly isCompressed: boolean;
}

/**
 * An entry as bytes: a line with the checksum of all that follows, a line with the head as JSON, and
 * the content, compressed if it is long. The checksum is a CRC-32: to load node:crypto for a longer
 * one would take 9 ms of each live request.
 */
export async function encodeCacheEntry(head: CacheEntryHead, content: Buffer): Promise<Buffer> {
  const isCompressed = content.length >= MIN_COMPRESSED_BYTES;
  const rest = isCompressed ? await compress(content) : content;
  const line: Line = { ...head, length: rest.length, isCompressed };
  const checked = Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n`), rest]);
  return Buffer.concat([Buffer.from(`${checksumOf(checked)}\n`), checked]);
}

/** The head and content of an entry; undefined where it is damaged. */
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
 * The head of an entry without a look at its content, which may be damaged.
 * @throws the error of the system; an error for a head that is damaged
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
