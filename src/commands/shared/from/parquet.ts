import type { AsyncBuffer, FileMetaData } from 'hyparquet';
import { UsageError, VaneError } from '../../../errors.ts';
import { fileName } from './fault.ts';
import { findLayout } from './layout.ts';
import { type RowContext, takeRow } from './rows.ts';
import type { Head } from './text.ts';

/** Reads a Parquet file one row group after the other. */
export async function readParquet(file: AsyncBuffer, context: RowContext): Promise<Head> {
  const { parquetMetadataAsync, parquetReadObjects, parquetSchema } = await import('hyparquet');
  const name = fileName(context.path);
  try {
    const metadata = await parquetMetadataAsync(file);
    const names = parquetSchema(metadata).children.map(({ element }) => element.name);
    const layout = findLayout(names, undefined);
    if (typeof layout === 'string') throw new UsageError(`${name}: ${layout}`);
    const { timeAt, stationAt, sources } = layout;
    const places = [timeAt, stationAt, ...sources.map(({ place }) => place)];
    const columns = names.filter((_, place) => places.includes(place));
    let rowStart = 0;
    for (const { num_rows } of metadata.row_groups) {
      const rowEnd = rowStart + Number(num_rows);
      const rows = await parquetReadObjects({ file, metadata, columns, rowStart, rowEnd, parsers });
      for (const [index, row] of rows.entries()) {
        const cells = names.map((column) => row[column]);
        takeRow(cells, layout, rowStart + index + 1, context);
      }
      rowStart = rowEnd;
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

function headOf({ key_value_metadata = [] }: FileMetaData): Head {
  const value = (name: string) => key_value_metadata.find(({ key }) => key === name)?.value;
  const license = value('license');
  const attribution = value('attribution');
  return { ...(license && { license }), ...(attribution && { attribution }) };
}
