import {
  type AsyncBuffer,
  type DecodedArray,
  type FileMetaData,
  parquetScan,
  parquetSchema,
} from 'hyparquet';
import { snappyUncompressor } from 'hysnappy';
import { makeColumns, pickRows } from '../domain/columns.ts';
import { UsageError, VaneError } from '../errors.ts';
import { fileName } from './fault.ts';
import { findLayout, type Layout, noteSteps, numberOf, stationOf, timeOf } from './fileColumns.ts';
import { checkColumn } from './parquetCheck.ts';
import type { Head, TextContext } from './textFile.ts';

/** Most rows of a row group, which bounds the memory. */
const MAX_GROUP_ROWS = 10_000_000;

/** Reads a Parquet file one row group after the other. */
export async function readParquet(file: AsyncBuffer, context: TextContext): Promise<Head> {
  const name = fileName(context.path);
  try {
    const uncompress = snappyUncompressor();
    const compressors = { SNAPPY: uncompress };
    const { metadata, ranges, readColumn } = await parquetScan({ file, parsers, compressors });
    const elements = parquetSchema(metadata).children.map(({ element }) => element);
    const names = elements.map((element) => element.name);
    const layout = findLayout(names, undefined);
    if (typeof layout === 'string') throw new UsageError(`${name}: ${layout}`);
    const codecs = metadata.row_groups.flatMap(({ columns }) =>
      columns.map(({ meta_data }) => meta_data?.codec),
    );
    const foreign = codecs.find((codec) => codec && codec !== 'SNAPPY' && codec !== 'UNCOMPRESSED');
    if (foreign) {
      throw new UsageError(`${name} is compressed with ${foreign}; write it again with snappy.`);
    }
    noteSteps(layout, context.path, context.note);
    const { timeAt, stationAt = -1 } = layout;
    const sources = layout.sources.filter(
      ({ into }) => context.hasPositions || (into !== 'latitude' && into !== 'longitude'),
    );
    const places = new Set([timeAt, stationAt, ...sources.map(({ place }) => place)]);
    for (const { rowStart, rowEnd } of ranges) {
      const count = rowEnd - rowStart;
      if (count > MAX_GROUP_ROWS) throw new Error('a row group has over ten million rows');
      const cells: DecodedArray[] = [];
      for (const [place, element] of elements.entries()) {
        if (!places.has(place)) continue;
        await checkColumn(file, metadata, element, { rowStart, rowEnd }, uncompress);
        cells[place] = await readColumn({ column: element.name, rowStart, rowEnd });
        if (cells[place].length !== count) throw new Error('a column has too few values');
      }
      takeColumns(cells, count, rowStart + 1, { ...layout, sources }, context);
    }
    return headOf(metadata);
  } catch (error) {
    if (error instanceof VaneError || !(error instanceof Error)) throw error;
    // A TypeError or RangeError of hyparquet tells of its code, not of the file.
    const cause = error.constructor === Error ? error.message : 'its bytes contradict each other';
    throw new UsageError(`${name} is not a whole Parquet file: ${cause}.`);
  }
}

/**
 * Adds the readings of a row group to those of their stations.
 * @param first the line of the first row, counted from 1
 */
function takeColumns(
  cells: readonly DecodedArray[],
  count: number,
  first: number,
  layout: Layout,
  context: TextContext,
): void {
  const { timeAt, stationAt = -1, sources, writtenIn } = layout;
  const read = (place: number, parse: (cell: unknown, line: number) => number): Float64Array => {
    const values = new Float64Array(count);
    for (let row = 0; row < count; row++) values[row] = parse(cells[place]?.[row], first + row);
    return values;
  };
  const columns = makeColumns(
    count,
    (name) => {
      if (name === 'time') return read(timeAt, (cell, line) => timeOf(cell, line, context));
      const source = sources.find(({ into }) => into === name);
      if (source === undefined) return new Float64Array(count).fill(Number.NaN);
      return read(source.place, (cell, line) => numberOf(cell, source, line, context));
    },
    writtenIn,
  );
  const rows = new Map<number, number[]>();
  let [latest, station]: [unknown, number] = [Number.NaN, Number.NaN];
  for (let row = 0; row < count; row++) {
    const cell = cells[stationAt]?.[row];
    if (cell !== latest) station = stationOf(cell, layout, first + row, context);
    latest = cell;
    const own = rows.get(station);
    if (own) own.push(row);
    else rows.set(station, [row]);
  }
  for (const [station, own] of rows) {
    const isAll = own.length === count;
    context.batches.addColumns(station, isAll ? columns : pickRows(columns, Int32Array.from(own)));
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
