import { closeSync, openSync, readSync } from 'node:fs';

/**
 * Reads a text from a file or pipe, without a byte order mark.
 * @returns undefined if the text exceeds `maxBytes` bytes; the rest is not read
 * @throws the error of the system
 */
export function readSmallFile(path: string, maxBytes: number): string | undefined {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(maxBytes + 1);
    let length = 0;
    while (length <= maxBytes) {
      const count = readSync(file, bytes, length, bytes.length - length, null);
      // Windows editors may begin a file with a byte order mark.
      if (count === 0) return bytes.toString('utf8', 0, length).replace(/^\uFEFF/, '');
      length += count;
    }
    return undefined;
  } finally {
    closeSync(file);
  }
}
