import type { AsyncBuffer, FileMetaData } from 'hyparquet';
import { UsageError, VaneError } from '../errors.ts';
import { fileName } from './fault.ts';
import { findLayout, noteSteps, takeRow } from './fileColumns.ts';
import type { Head, TextContext } from './textFile.ts';

/** Reads a Parquet file one row group after the other. */
export async function readParquet(file: AsyncBuffer, context: TextContext): Promise<Head> {
  const { parquetScan, parquetSchema } = await import('hyparquet');
  const name = fileName(context.path);
  try {
    const { metadata, ranges, readColumn } = await parquetScan({ file, parsers });
    const names = parquetSchema(metadata).children.map(({ element }) => element.name);
    const layout = findLayout(names, undefined);
    if (typeof layout === 'string') throw new UsageError(`${name}: ${layout}`);
    noteSteps(layout, context.path, context.note);
    const { timeAt, stationAt, sources } = layout;
    const places = new Set([timeAt, stationAt, ...sources.map(({ place }) => place)]);
    for (const { rowStart, rowEnd } of ranges) {
      const columns = await Promise.all(
        names.map((column, place) =>
          places.has(place) ? readColumn({ column, rowStart, rowEnd }) : undefined,
        ),
      );
      for (let row = rowStart; row < rowEnd; row++) {
        const cells = columns.map((column) => column?.[row - rowStart]);
        takeRow(cells, layout, row + 1, context);
      }
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
