import { ByteWriter, type KeyValue, ParquetWriter } from 'hyparquet-writer';
import { VERSION } from '../version.ts';
import type { ArchiveChunk, ArchiveFormat } from './format.ts';
import { type Column, planColumns } from './parquetColumns.ts';

/**
 * Rows from which on a row group is written. Readers share row groups out among their threads and
 * skip them by their statistics, so they should be neither few nor small; DuckDB advises 100,000
 * to 1,000,000.
 */
const ROWS_PER_GROUP = 100_000;

/**
 * An archive as an Apache Parquet file, compressed with snappy: a column `station`, then the
 * chunk's, of the types that {@link planColumns} tells. The file's key-value metadata hold
 * `license` and `attribution` as in the interface, and `units`, a JSON object of each column's
 * unit by its name; a converted speed's name says its unit too.
 */
export const parquet: ArchiveFormat = { archive: (chunks) => writeParquet(chunks) };

/**
 * The pieces of one Parquet file: a row group each, of whole chunks, then the footer. Memory is
 * that of one row group, however many follow.
 * @param rowsPerGroup rows from which on a row group is ended
 */
export async function* writeParquet(
  chunks: AsyncIterable<ArchiveChunk>,
  rowsPerGroup: number = ROWS_PER_GROUP,
): AsyncGenerator<Uint8Array> {
  let file: ParquetFile | undefined;
  for await (const chunk of chunks) {
    file ??= new ParquetFile(chunk);
    file.add(chunk);
    if (file.pendingRows >= rowsPerGroup) yield file.endGroup();
  }
  if (file) yield file.end();
}

class ParquetFile {
  readonly #columns: readonly Column[];
  readonly #bytes = new PieceWriter();
  readonly #writer: ParquetWriter;
  #pendingRows = 0;

  constructor(head: ArchiveChunk) {
    this.#columns = planColumns(head);
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: [
        { name: 'root', num_children: this.#columns.length },
        ...this.#columns.map(({ element }) => element),
      ],
      kvMetadata: fileMetadata(head, this.#columns),
      // The form that parquet.thrift asks for, and that parquet-java parses.
      createdBy: `vane version ${VERSION}`,
    });
  }

  /** Rows that wait for their row group. */
  get pendingRows(): number {
    return this.#pendingRows;
  }

  add(chunk: ArchiveChunk): void {
    for (const column of this.#columns) column.add(chunk);
    this.#pendingRows += chunk.rows.count;
  }

  /** The bytes since the piece before, with the pending rows as one row group. */
  endGroup(): Uint8Array {
    const columnData = this.#columns.map(({ element, drain }) => ({
      name: element.name,
      data: drain(),
    }));
    this.#writer.write({ columnData, rowGroupSize: this.#pendingRows });
    this.#pendingRows = 0;
    return this.#bytes.take();
  }

  /** The rest of the file: the pending rows, if any, and the footer. */
  end(): Uint8Array {
    const group = this.#pendingRows > 0 ? this.endGroup() : new Uint8Array();
    this.#writer.finish();
    return Buffer.concat([group, this.#bytes.take()]);
  }
}

/** Hands out what was written since the last time, while offsets count from the file's start. */
class PieceWriter extends ByteWriter {
  take(): Uint8Array {
    const piece = new Uint8Array(this.getBuffer());
    this.index = 0;
    return piece;
  }
}

function fileMetadata(
  { license, attribution }: ArchiveChunk,
  columns: readonly Column[],
): KeyValue[] {
  const units = Object.fromEntries(columns.map(({ element, unit }) => [element.name, unit]));
  return [
    { key: 'license', value: license },
    { key: 'attribution', value: attribution },
    { key: 'units', value: JSON.stringify(units) },
  ];
}
