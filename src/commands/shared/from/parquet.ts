import type { AsyncBuffer, FileMetaData } from 'hyparquet';
import { UsageError, VaneError } from '../../../errors.ts';
import { fileName } from './fault.ts';
import { findLayout } from './layout.ts';
import { type RowContext, takeRow } from './rows.ts';
import type { Head } from './text.ts';

/** Reads a Parquet file one row group after the other. */
export async function readParquet(file: AsyncBuffer, context: RowContext): Promise<Head> {
  const { parquetMetadataAsync, parquetSchema } = await import('hyparquet');
  const name = fileName(context.path);
  try {
    const metadata = await parquetMetadataAsync(file);
    const names = parquetSchema(metadata).children.map(({ element }) => element.name);
    const layout = findLayout(names, undefined);
    if (typeof layout === 'string') throw new UsageError(`${name}: ${layout}`);
    const { timeAt, stationAt, sources } = layout;
    const places = [timeAt, stationAt, ...sources.map(({ place }) => place)];
    const wanted = places.flatMap((place) => (place === undefined ? [] : [names[place] as string]));
    let row = 0;
    for (const { num_rows } of metadata.row_groups) {
      const count = Number(num_rows);
      const columns = await readColumns(file, metadata, wanted, row, count);
      const cells = names.map((column) => columns.get(column));
      for (let index = 0; index < count; index++) {
        takeRow(
          cells.map((values) => values?.[index]),
          layout,
          row + index + 1,
          context,
        );
      }
      row += count;
    }
    return headOf(metadata);
  } catch (error) {
    if (error instanceof VaneError || !(error instanceof Error)) throw error;
    throw new UsageError(`${name} is not a whole Parquet file: ${error.message}.`);
  }
}

const toMs = (count: bigint, perMs: bigint): number => Number(count / perMs);

const parsers = {
  timestampFromMilliseconds: (count: bigint) => toMs(count, 1n),
  timestampFromMicroseconds: (count: bigint) => toMs(count, 1000n),
  timestampFromNanoseconds: (count: bigint) => toMs(count, 1_000_000n),
};

/** The values of the named columns in one row group, by column name. */
async function readColumns(
  file: AsyncBuffer,
  metadata: FileMetaData,
  columns: string[],
  rowStart: number,
  count: number,
): Promise<Map<string, ArrayLike<unknown>>> {
  const { parquetRead } = await import('hyparquet');
  const values = new Map(columns.map((name) => [name, new Array<unknown>(count)]));
  const rowEnd = rowStart + count;
  const onChunk = (chunk: {
    columnName: string;
    columnData: ArrayLike<unknown>;
    rowStart: number;
  }) => {
    const column = values.get(chunk.columnName);
    for (let index = 0; index < chunk.columnData.length; index++) {
      if (column) column[chunk.rowStart - rowStart + index] = chunk.columnData[index];
    }
  };
  await parquetRead({ file, metadata, columns, rowStart, rowEnd, parsers, onChunk });
  return values;
}

function headOf({ key_value_metadata = [] }: FileMetaData): Head {
  const value = (name: string) => key_value_metadata.find(({ key }) => key === name)?.value;
  const license = value('license');
  const attribution = value('attribution');
  return { ...(license && { license }), ...(attribution && { attribution }) };
}
