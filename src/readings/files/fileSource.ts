import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FilesOptions } from '../../flags/history.ts';
import type { Io } from '../../io.ts';
import { openTable } from './openTable.ts';
import { type Partition, parsePartition } from './partition.ts';
import { isDevice, nameInPath, stationInPath } from './stationInPath.ts';
import type { TableOptions } from './table.ts';

/** The id of a station that is known by the name of its file only. */
export const NAMELESS_STATION = 0;

/** A file of `--from`, and what decides its stations. */
export interface FileSource {
  readonly path: string;
  readonly partition: Partition;
  /** The station of rows that name none; undefined if nothing names one. */
  readonly defaultStation: number | undefined;
  /** The name of the station {@link NAMELESS_STATION} in the only file. */
  readonly name: string | undefined;
  /** The only station to read from the file; undefined for a file that may mix stations. */
  readonly onlyStation: number | undefined;
}

export type FileOpenOptions = Pick<TableOptions, 'zone' | 'hasPositions' | 'note'> & {
  readonly maxParquetBytes: number;
};

/**
 * Finds what decides the station of a file: a folder `station=…`, the name of a file without a column
 * `station`, or the only station of the command line.
 * @param isSingle whether there are no other files
 * @throws UsageError for a file whose header cannot be read
 */
export async function findFileSource(
  path: string,
  isSingle: boolean,
  { stations, bounds }: FilesOptions,
  options: FileOpenOptions,
  io: Pick<Io, 'stdin'>,
): Promise<FileSource> {
  const partition = parsePartition(isDevice(path) ? '' : dirname(path));
  const [wanted] = stations !== 'all' && stations.length === 1 ? stations : [];
  const inPath = stationInPath(path, wanted);
  const name =
    isSingle && stations === 'all' && inPath === undefined ? nameInPath(path) : undefined;
  const station = inPath ?? (name === undefined ? undefined : NAMELESS_STATION);
  const source = { path, partition, defaultStation: station, name };
  if (partition.station !== undefined) return { ...source, onlyStation: partition.station };
  // Pipes can be opened only once.
  if (path === '-' || !(await isRegular(path))) return { ...source, onlyStation: wanted };
  const quiet = { ...options, ...source, bounds, note: () => {}, wants: () => true };
  using table = await openTable(quiet, options.maxParquetBytes, io);
  return { ...source, onlyStation: table.namesStations ? wanted : station };
}

/** Whether a path is no pipe or device. A path that does not exist is: opening it tells why. */
const isRegular = (path: string): Promise<boolean> =>
  stat(path).then(
    (status) => status.isFile(),
    () => true,
  );
