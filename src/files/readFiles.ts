import { arrayBuffer } from 'node:stream/consumers';
import type { AsyncBuffer } from 'hyparquet';
import type { Columns } from '../domain/columns.ts';
import { parseStationId } from '../domain/station.ts';
import { UsageError } from '../errors.ts';
import type { FilesRequest } from '../flags/history.ts';
import type { Io } from '../io.ts';
import { Batches } from './batches.ts';
import { explainRead, fileName } from './fault.ts';
import { type Opened, openFile } from './openFile.ts';
import { type Head, readCells, readNdjson, type TextContext } from './textFile.ts';

interface FilesOptions {
  /** The time zone of dates that are written without an offset from UTC. */
  readonly zone: string;
  readonly note: (sentence: string) => void;
  /** Called with some readings of a wanted station at a time, in the order of the files. */
  readonly take: (station: number, columns: Columns) => void;
}

/**
 * Reads files that `vane archive` wrote, in bounded memory: csv, txt, ndjson or parquet, told by
 * their content. Values come in km/h, whatever unit a file has.
 * @returns license and attribution, of the first file that has them
 * @throws UsageError that names the file, the line and the column
 */
export async function readFiles(
  { paths, stations, notes }: FilesRequest,
  { zone, note, take }: FilesOptions,
  io: Io,
): Promise<Head> {
  for (const sentence of notes) note(sentence);
  const wanted = stations === 'all' ? undefined : new Set(stations);
  const batches = new Batches(take, wanted);
  // A file that does not name its station holds the only station that the command line names.
  const [only] = stations !== 'all' && stations.length === 1 ? stations : [];
  let head: Head = {};
  for (const path of paths) {
    const station = stationInPath(path) ?? only;
    try {
      const read = await readFile({ path, station, zone, batches, note }, io);
      head = { ...read, ...head };
    } catch (error) {
      throw explainRead(error, path);
    }
  }
  batches.end();
  return head;
}

async function readFile(context: TextContext, io: Io): Promise<Head> {
  const { path } = context;
  const opened = await openFile(path, io);
  try {
    return await readOpened(opened, context);
  } finally {
    opened.close();
  }
}

async function readOpened({ start, bytes, isGzip }: Opened, context: TextContext): Promise<Head> {
  const { path } = context;
  const text = start.toString('utf8').replace(/^\uFEFF/, '');
  if (text.startsWith('PAR1')) {
    const { readParquet } = await import('./parquetFile.ts');
    const isWhole = path === '-' || isGzip;
    const file = isWhole ? await arrayBuffer(bounded(bytes, path)) : await openParquet(path);
    return readParquet(file, context);
  }
  if (/^\s*[{[]/.test(text)) {
    await readNdjson(bytes, context);
    return {};
  }
  return readCells(bytes, context);
}

/** Most bytes of a Parquet file on stdin or in gzip, since the whole file is in memory. */
const MOST_PARQUET_BYTES = 2 ** 28;

async function* bounded(bytes: AsyncIterable<Buffer>, path: string): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const piece of bytes) {
    length += piece.length;
    if (length > MOST_PARQUET_BYTES) {
      throw new UsageError(
        `${fileName(path)} is a Parquet file of over 256 MiB on stdin or in gzip; name the unzipped file.`,
      );
    }
    yield piece;
  }
}

async function openParquet(path: string): Promise<AsyncBuffer> {
  const { asyncBufferFromFile } = await import('hyparquet');
  return asyncBufferFromFile(path);
}

/** A file name that may be a year names no station, as in `110/2024.csv`. */
const YEAR = /^(?:19|20)\d\d$/;

/** The station that a path names: `station=110/2024.parquet`, `PP603.csv.gz`, `110.csv`. */
export function stationInPath(path: string): number | undefined {
  const folders = path.split(/[/\\]/);
  const name = folders.pop() as string;
  const numbers = [
    ...folders.map((folder) => /^station[=_-]?(\d{1,15})$/i.exec(folder)?.[1]),
    /(?<![a-z])station[=_-]?(\d{1,15})(?!\d)/i.exec(name)?.[1],
  ];
  const number = numbers.findLast((text) => text !== undefined);
  if (number !== undefined) return Number(number);
  const base = name.replace(/\..*$/s, '');
  return YEAR.test(base) ? undefined : parseStationId(base);
}
