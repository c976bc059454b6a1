import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FilesOptions } from '../../flags/history.ts';
import type { Io } from '../../io.ts';
import { openTable } from './openTable.ts';
import { type Partition, parsePartition } from './partition.ts';
import { isDevicePath, nameInPath, stationInPath } from './stationInPath.ts';
import type { TableOptions } from './table.ts';

/** The id of a station that is only known by the name of its file. */
export const NAMELESS_STATION = 0;

/** A file of `--from`, and the stations that it may contain. */
export interface FileSource {
  readonly path: string;
  readonly partition: Partition;
  /** The station of rows that name none; undefined if nothing else names it. */
  readonly defaultStation: number | undefined;
  /** The name of the station {@link NAMELESS_STATION} in the only file. */
  readonly name: string | undefined;
  /** The only station to read from the file; undefined if the file may contain several. */
  readonly onlyStation: number | undefined;
}

export type FileOpenOptions = Pick<TableOptions, 'zone' | 'hasPositions' | 'note'> & {
  readonly maxParquetBytes: number;
};

/**
 * Finds the station of a file: from a folder `station=…`, from the file name if there is no column
 * `station`, or from the command line if it names a single station.
 * @param isSingle whether this is the only file
 * @throws UsageError if the header of the file cannot be read
 */
export async function findFileSource(
  path: string,
  isSingle: boolean,
  { stations, bounds }: FilesOptions,
  options: FileOpenOptions,
  io: Pick<Io, 'stdin'>,
): Promise<FileSource> {
  const partition = parsePartition(isDevicePath(path) ? '' : dirname(path));
  const [wanted] = stations !== 'all' && stations.length === 1 ? stations : [];
  const inPath = stationInPath(path, wanted);
  const name =
    isSingle && stations === 'all' && inPath === undefined ? nameInPath(path) : undefined;
  const station = inPath ?? (name === undefined ? undefined : NAMELESS_STATION);
  const source = { path, partition, defaultStation: station, name };
  if (partition.station !== undefined) return { ...source, onlyStation: partition.station };
  // A pipe can only be opened once, so do not look at its header.
  if (path === '-' || !(await isRegular(path))) return { ...source, onlyStation: wanted };
  const quiet = { ...options, ...source, bounds, note: () => {}, wants: () => true };
  using table = await openTable(quiet, options.maxParquetBytes, io);
  return { ...source, onlyStation: table.namesStations ? wanted : station };
}

/**
 * Whether a path is a regular file. A missing file counts as one, since opening it later reports
 * the error.
 */
const isRegular = (path: string): Promise<boolean> =>
  stat(path).then(
    (status) => status.isFile(),
    () => true,
  );
