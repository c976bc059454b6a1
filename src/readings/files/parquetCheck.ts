import type {
  AsyncBuffer,
  ColumnMetaData,
  FileMetaData,
  PageHeader,
  SchemaElement,
} from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { readVarInt } from 'hyparquet/src/thrift.js';
import { quoteFileValue } from './fault.ts';

/** Decompresses a page. */
type Uncompress = (input: Uint8Array, length: number) => Uint8Array;

/** Maximum size of a page in bytes, which bounds the memory. */
const MAX_PAGE_BYTES = 2 ** 28;

/**
 * Checks the pages of a column in a row group before hyparquet decodes them. With a wrong size of a
 * page or of a run of equal values, hyparquet would loop forever or fill the memory.
 * @param range the rows of the row group
 * @throws Error that says what is wrong
 */
export async function checkColumn(
  file: AsyncBuffer,
  { row_groups }: FileMetaData,
  { name, num_children, repetition_type }: SchemaElement,
  { rowStart, rowEnd }: { readonly rowStart: number; readonly rowEnd: number },
  uncompress: Uncompress,
): Promise<void> {
  if (num_children !== undefined || repetition_type === 'REPEATED') {
    throw new Error(`the column ${quoteFileValue(name)} contains lists`);
  }
  let row = 0;
  for (const { columns, num_rows } of row_groups) {
    if (row === rowStart && num_rows > 0n) {
      for (const { meta_data } of columns) {
        if (meta_data?.path_in_schema[0] !== name) continue;
        const bytes = await bytesOf(file, meta_data);
        const uncompressed = meta_data.codec === 'UNCOMPRESSED';
        const rows = rowEnd - rowStart;
        checkPages(
          bytes,
          rows,
          repetition_type === 'OPTIONAL',
          uncompressed ? undefined : uncompress,
        );
      }
    }
    row += Number(num_rows);
  }
}

async function bytesOf(file: AsyncBuffer, column: ColumnMetaData): Promise<Uint8Array> {
  const start = Number(column.dictionary_page_offset || column.data_page_offset);
  const stop = start + Number(column.total_compressed_size);
  if (start >= 0 && start < stop && stop <= file.byteLength) {
    return new Uint8Array(await file.slice(start, stop));
  }
  throw new Error('a column lies outside the file');
}

/**
 * Checks the sizes of pages, and the runs of each page.
 * @param rows number of rows in all pages
 */
function checkPages(
  bytes: Uint8Array,
  rows: number,
  isOptional: boolean,
  uncompress: Uncompress | undefined,
): void {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset), offset: 0 };
  for (let values = 0; values < rows && reader.offset < bytes.length; ) {
    const header = parquetHeader(reader);
    const { compressed_page_size: size, uncompressed_page_size: whole } = header;
    if (!isCount(size, bytes.length - reader.offset) || !isCount(whole, MAX_PAGE_BYTES)) {
      throw new Error('a page has an impossible size');
    }
    const data = header.data_page_header ?? header.data_page_header_v2;
    const count = (data ?? header.dictionary_page_header)?.num_values;
    if (!isCount(count, rows)) throw new Error('a page has an impossible number of values');
    const page = bytes.subarray(reader.offset, reader.offset + size);
    reader.offset += size;
    if (data === undefined) continue;
    values += count;
    checkPage(page, header, isOptional, uncompress);
  }
}

const isCount = (value: number | undefined, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;

/**
 * Checks the runs of a data page: those that mark missing values, and those of indexes into the
 * dictionary.
 */
function checkPage(
  page: Uint8Array,
  { uncompressed_page_size, data_page_header, data_page_header_v2 }: PageHeader,
  isOptional: boolean,
  uncompress: Uncompress | undefined,
): void {
  let body = page;
  let values: number;
  let encoding: string | undefined;
  if (data_page_header_v2) {
    const { num_values, num_nulls, repetition_levels_byte_length, ...v2 } = data_page_header_v2;
    const levels = repetition_levels_byte_length + v2.definition_levels_byte_length;
    if (repetition_levels_byte_length !== 0 || !isCount(levels, page.length)) {
      throw new Error('a page has an impossible size');
    }
    if (!isCount(num_nulls, num_values))
      throw new Error('a page has an impossible number of nulls');
    if (isOptional) checkRuns(page, 1, num_values);
    body = page.subarray(levels);
    if (uncompress && v2.is_compressed !== false) {
      body = uncompress(body, uncompressed_page_size - levels);
    }
    values = num_values - num_nulls;
    encoding = v2.encoding;
  } else if (data_page_header) {
    values = data_page_header.num_values;
    encoding = data_page_header.encoding;
    if (uncompress) body = uncompress(body, uncompressed_page_size);
    if (isOptional && values > 0) {
      const length = new DataView(body.buffer, body.byteOffset, body.length).getUint32(0, true);
      checkRuns(body.subarray(4), 1, values);
      body = body.subarray(4 + length);
    }
  } else {
    return;
  }
  if (encoding === 'RLE') throw new Error('a column contains no numbers');
  if (!encoding?.endsWith('_DICTIONARY') || body.length === 0) return;
  checkRuns(body.subarray(1), body[0] as number, values);
}

/** A run of packed values is padded to a multiple of 8 values, or of 512 by some programs. */
const MAX_PADDING = 512;

/**
 * Checks runs in Parquet's hybrid encoding, which together have at most `most` values. Like
 * hyparquet, consumes a byte for an empty run of packed values.
 * @param runs all bytes that hyparquet may read as runs
 * @param width bits per value
 */
function checkRuns(runs: Uint8Array, width: number, most: number): void {
  const reader = { view: new DataView(runs.buffer, runs.byteOffset, runs.length), offset: 0 };
  for (let values = 0; values < most && reader.offset < runs.length; ) {
    const header = readVarInt(reader) >>> 0;
    const isPacked = (header & 1) === 1;
    const count = header >>> 1;
    values += isPacked ? 8 * count : count;
    reader.offset += isPacked ? Math.max(1, width * count) : Math.ceil(width / 8);
    if (values > (isPacked ? most + MAX_PADDING : most)) {
      throw new Error('a run has more values than its page');
    }
  }
}
