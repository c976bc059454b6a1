import { readFile, stat } from 'node:fs/promises';
import type { AsyncBuffer } from 'hyparquet';
import { UsageError } from '../../errors.ts';
import type { Io } from '../../io.ts';
import { readLineBlocks } from './blocks.ts';
import { openCsvOrTxt } from './cellsFile.ts';
import { describeFile, explainReadError } from './fault.ts';
import { openNdjson } from './ndjsonFile.ts';
import { type OpenedFile, openFile } from './openFile.ts';
import type { FileTable, TableOptions } from './table.ts';

/**
 * Opens a file of `--from` and reads its header. The content determines the format.
 * @param maxParquetBytes maximum size of a Parquet file on stdin or in gzip, since it must be in
 *   memory completely
 * @returns the table, which closes the file when disposed
 * @throws UsageError that names the file
 */
export async function openTable(
  options: TableOptions,
  maxParquetBytes: number,
  io: Pick<Io, 'stdin'>,
): Promise<FileTable & Disposable> {
  const { path } = options;
  let opened: OpenedFile | undefined;
  try {
    opened = await openFile(path, io);
    const table = await readStart(opened, options, maxParquetBytes);
    return {
      ...table,
      async *pieces() {
        try {
          yield* table.pieces();
        } catch (error) {
          throw explainReadError(error, path);
        }
      },
      [Symbol.dispose]: opened.close,
    };
  } catch (error) {
    opened?.close();
    throw explainReadError(error, path);
  }
}

async function readStart(
  { start, bytes, isGzip }: OpenedFile,
  options: TableOptions,
  maxParquetBytes: number,
): Promise<FileTable> {
  const { path } = options;
  if (/^(?:\xff\xfe|\xfe\xff|\0|[^\0]\0)/.test(start.toString('latin1'))) {
    throw new UsageError(`${describeFile(path)} is in UTF-16; write it again in UTF-8.`);
  }
  const text = start.toString('utf8').replace(/^\uFEFF/, '');
  if (text.startsWith('PAR1')) {
    const { openParquet } = await import('./parquetFile.ts');
    const isStream = path === '-' || isGzip;
    const file = isStream ? await wholeOf(bytes, path, maxParquetBytes) : await bufferOf(path);
    return openParquet(file, options);
  }
  const cursor = { line: 1 };
  const blocks = readLineBlocks(bytes, path, cursor);
  return /^\s*[{[]/.test(text)
    ? openNdjson(blocks, cursor, options)
    : openCsvOrTxt(blocks, cursor, options);
}

async function wholeOf(
  bytes: AsyncIterable<Buffer>,
  path: string,
  maxBytes: number,
): Promise<ArrayBuffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of bytes) {
    pieces.push(piece);
    length += piece.length;
    if (length > maxBytes) {
      throw new UsageError(
        `${describeFile(path)} is a Parquet file of more than ${maxBytes / 2 ** 20} MiB on stdin or in gzip; name the uncompressed file.`,
      );
    }
  }
  return new Uint8Array(Buffer.concat(pieces)).buffer;
}

/** Up to this size, a Parquet file is read at once; of a larger one, column by column. */
const MAX_WHOLE_BYTES = 2 ** 25;

async function bufferOf(path: string): Promise<AsyncBuffer> {
  const { size } = await stat(path);
  if (size > MAX_WHOLE_BYTES) return (await import('hyparquet')).asyncBufferFromFile(path);
  const { buffer, byteOffset, length } = await readFile(path);
  return buffer.slice(byteOffset, byteOffset + length);
}
