import {
  type AsyncBuffer,
  type DecodedArray,
  type FileMetaData,
  parquetScan,
  parquetSchema,
} from 'hyparquet';
import { snappyUncompressor } from 'hysnappy';
import { makeColumns, pickRows, rowsWithin } from '../../domain/readings/columns.ts';
import { UsageError, VaneError } from '../../errors.ts';
import { describeFile } from './fault.ts';
import { type FileLayout, findFileLayout } from './layout.ts';
import { checkColumn } from './parquetCheck.ts';
import type { StationColumns } from './pieces.ts';
import type { FileProvenance, FileTable, TableOptions } from './table.ts';
import { readRowNumber, readRowStation, readRowTime } from './values.ts';

/** Maximum number of rows of a row group, which bounds the memory. */
const MAX_ROWS = 10_000_000;

/** Opens a Parquet file, which is read one row group after the other. */
export async function openParquet(file: AsyncBuffer, options: TableOptions): Promise<FileTable> {
  const name = describeFile(options.path);
  try {
    const uncompress = snappyUncompressor();
    const compressors = { SNAPPY: uncompress };
    const scan = await parquetScan({ file, parsers, compressors });
    const { metadata } = scan;
    const elements = parquetSchema(metadata).children.map(({ element }) => element);
    const names = elements.map((element) => element.name);
    const layout = findFileLayout(names, undefined, undefined, options);
    const codecs = metadata.row_groups.flatMap(({ columns }) =>
      columns.map(({ meta_data }) => meta_data?.codec),
    );
    const foreign = codecs.find((codec) => codec && codec !== 'SNAPPY' && codec !== 'UNCOMPRESSED');
    if (foreign) {
      throw new UsageError(`${name} is compressed with ${foreign}; write it again with snappy.`);
    }
    /** Reads a column of a row group. */
    const readCells = async (place: number, range: RowRange): Promise<DecodedArray> => {
      const element = elements[place] as (typeof elements)[number];
      await checkColumn(file, metadata, element, range, uncompress);
      const cells = await scan.readColumn({ column: element.name, ...range });
      if (cells.length === range.rowEnd - range.rowStart) return cells;
      throw new Error('a column has too few values');
    };
    return {
      namesStations: layout.stationAt !== undefined,
      provenance: provenanceOf(metadata),
      async *pieces() {
        for (const range of scan.ranges) {
          const group = readGroup(range, readCells, layout, options);
          yield* await group.catch((error) => refuse(error, name));
        }
      },
    };
  } catch (error) {
    return refuse(error, name);
  }
}

/** The rows of a row group, counted from 0. */
interface RowRange {
  readonly rowStart: number;
  readonly rowEnd: number;
}

function refuse(error: unknown, name: string): never {
  if (error instanceof VaneError || !(error instanceof Error)) throw error;
  // A TypeError or RangeError describes hyparquet's code, which does not help the user.
  const cause = error.constructor === Error ? error.message : 'its bytes contradict each other';
  throw new UsageError(`${name} is not a whole Parquet file: ${cause}.`);
}

/** Reads the readings of a row group, by station. */
async function readGroup(
  range: RowRange,
  readCells: (place: number, range: RowRange) => Promise<DecodedArray>,
  layout: FileLayout,
  options: TableOptions,
): Promise<readonly StationColumns[]> {
  const { timeAt, stationAt, sources, writtenIn } = layout;
  const count = range.rowEnd - range.rowStart;
  if (count > MAX_ROWS) throw new Error('a row group has over ten million rows');
  /** The line of the first row, counted from 1. */
  const first = range.rowStart + 1;
  const arrays: Float64Array[] = [];
  const times = await readCells(timeAt, range);
  arrays[0] = numbersOf(times, (cell, row) => readRowTime(cell, first + row, options));
  for (const source of sources) {
    const cells = await readCells(source.place, range);
    arrays[source.into] = numbersOf(cells, (cell, row) =>
      source.convert === undefined && Number.isFinite(cell)
        ? (cell as number)
        : readRowNumber(cell, source, first + row, options),
    );
  }
  const missing = (): Float64Array => new Float64Array(count).fill(Number.NaN);
  const columns = makeColumns(count, (_, place) => arrays[place] ?? missing(), writtenIn);
  const stations = stationAt === undefined ? [] : await readCells(stationAt, range);
  const rows = rowsByStation(count, stations, (row) =>
    readRowStation(stations[row], layout, first + row, options),
  );
  return [...rows]
    .filter(([station]) => options.wants(station))
    .map(([station, own]) => {
      const isAll = own === ALL;
      const picked = isAll ? columns : pickRows(columns, Int32Array.from(own));
      return { station, columns: rowsWithin(picked, options.bounds) };
    });
}

/** Reads a number from each cell. A loop takes half the time of an array's own methods. */
function numbersOf(
  cells: DecodedArray,
  read: (cell: unknown, row: number) => number,
): Float64Array {
  const values = new Float64Array(cells.length);
  for (let row = 0; row < cells.length; row++) values[row] = read(cells[row], row);
  return values;
}

/** A marker for all rows. */
const ALL: readonly number[] = [];

/**
 * The row indexes of each station, in the order of their first rows.
 * @param cells the station cells, of which most equal the previous one
 */
function rowsByStation(
  count: number,
  cells: DecodedArray,
  stationAt: (row: number) => number,
): ReadonlyMap<number, readonly number[]> {
  let row = 1;
  while (row < count && cells[row] === cells[0]) row++;
  if (row >= count) return new Map(count === 0 ? [] : [[stationAt(0), ALL]]);
  const stations = new Map<number, number[]>();
  let own: number[] = [];
  for (row = 0; row < count; row++) {
    if (row === 0 || cells[row] !== cells[row - 1]) {
      const station = stationAt(row);
      own = stations.get(station) ?? [];
      stations.set(station, own);
    }
    own.push(row);
  }
  return stations;
}

const toMs = (count: bigint, perMs: bigint): number => Number(count / perMs);

const parsers = {
  timestampFromMilliseconds: Number,
  timestampFromMicroseconds: (count: bigint) => toMs(count, 1000n),
  timestampFromNanoseconds: (count: bigint) => toMs(count, 1_000_000n),
};

function provenanceOf({ key_value_metadata = [] }: FileMetaData): FileProvenance {
  const value = (name: string) => key_value_metadata.find(({ key }) => key === name)?.value;
  const [license, attribution] = [value('license'), value('attribution')];
  return { ...(license && { license }), ...(attribution && { attribution }) };
}
