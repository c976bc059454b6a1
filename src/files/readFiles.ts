import { basename, dirname } from 'node:path';
import { arrayBuffer } from 'node:stream/consumers';
import type { AsyncBuffer } from 'hyparquet';
import { type Columns, orderedColumns, rowsWithin } from '../domain/columns.ts';
import { printable } from '../domain/text.ts';
import { UsageError } from '../errors.ts';
import type { FilesOptions } from '../flags/history.ts';
import type { Io } from '../io.ts';
import { Batches } from './batches.ts';
import { explainRead, fileName } from './fault.ts';
import { findFiles } from './findFiles.ts';
import { type Opened, openFile } from './openFile.ts';
import { partitionOf } from './partition.ts';
import { type Head, readCells, readNdjson, type TextContext } from './textFile.ts';

/** The id of a station that is known by the name of its file only. */
export const NAMELESS = 0;

/** License, attribution and name that files hold beside their readings. */
interface FilesHead extends Head {
  /** The name of the station {@link NAMELESS}, where the readings are of a single file. */
  readonly name?: string | undefined;
}

interface ReadOptions extends Pick<TextContext, 'hasPositions'> {
  /** The time zone of dates that are written without an offset from UTC. */
  readonly zone: string;
  readonly note: (sentence: string) => void;
  /**
   * Whether each station's readings come in order of time, for which all of them are in memory; else
   * they come in the order of the files.
   */
  readonly isOrdered: boolean;
  /**
   * Most bytes of a Parquet file on stdin or in gzip, since the whole file is in memory; 256 MiB by
   * default.
   */
  readonly maxParquetBytes?: number;
  /** Called with some readings of a wanted station at a time, all in the period. */
  readonly take: (station: number, columns: Columns) => void;
}

/**
 * Reads files that `vane archive` wrote: csv, txt, ndjson or parquet, told by
 * their content. Values come in km/h, whatever unit a file has.
 * @returns license and attribution, of the first file that has them
 * @throws UsageError that names the file, the line and the column
 */
export async function readFiles(
  options: FilesOptions,
  { zone, note, isOrdered, hasPositions, maxParquetBytes = 2 ** 28, take }: ReadOptions,
  io: Io,
): Promise<FilesHead> {
  const { stations, bounds, notes } = options;
  for (const sentence of notes) note(sentence);
  const wanted = stations === 'all' ? undefined : new Set(stations);
  const held = new Map<number, Columns[]>();
  const hold = (station: number, columns: Columns): void => {
    const chunks = held.get(station);
    if (chunks) chunks.push(columns);
    else held.set(station, [columns]);
  };
  const pass = isOrdered ? hold : take;
  const batches = new Batches((one, columns) => pass(one, rowsWithin(columns, bounds)), wanted);
  // A file that does not name its station holds the only station that the command line names.
  const [only] = stations !== 'all' && stations.length === 1 ? stations : [];
  const files = await findFiles(options);
  let head: FilesHead = {};
  for (const path of files) {
    const partition = partitionOf(DEVICE.test(path) ? '' : dirname(path));
    const found = stationInPath(path, only);
    const name = files.length === 1 && stations === 'all' ? nameIn(path) : undefined;
    const station = found ?? (name === undefined ? undefined : NAMELESS);
    try {
      const context = { path, station, partition, zone, batches, note, hasPositions };
      const read = await readFile({ ...context, maxParquetBytes }, io);
      head = { ...read, ...head };
    } catch (error) {
      throw explainRead(error, path);
    }
    if (found !== undefined || !batches.has(NAMELESS)) continue;
    head = { ...head, name };
    note(`${path} does not name its station: its readings are shown as station ${name}, id 0.`);
  }
  batches.end();
  for (const [station, chunks] of held) {
    held.delete(station);
    for (const columns of orderedColumns(chunks)) take(station, columns);
  }
  return head;
}

/**
 * The stations to show of files. A station without readings has only the period that the user gave
 * in full; without one a note names the station instead.
 * @param found the stations with readings
 */
export function stationsToShow(
  { stations, bounds }: FilesOptions,
  found: Iterable<number>,
  note: (sentence: string) => void,
): number[] {
  const known = new Set(found);
  if (stations === 'all') {
    if (known.size === 0) note('None of the files contains a reading.');
    return [...known].sort((a, b) => a - b);
  }
  const isBounded = bounds.start !== undefined && bounds.stop !== undefined;
  return stations.filter((station) => {
    const isShown = isBounded || known.has(station);
    if (!isShown) note(`None of the files contains a reading of station ${station}.`);
    return isShown;
  });
}

/** The name that a file gives to its readings; undefined for stdin and other devices. */
function nameIn(path: string): string | undefined {
  const isDevice = path === '-' || DEVICE.test(path);
  return isDevice ? undefined : printable(basename(path).replace(/\..*$/s, '')) || undefined;
}

interface FileContext extends TextContext {
  readonly maxParquetBytes: number;
}

async function readFile(context: FileContext, io: Io): Promise<Head> {
  const { path } = context;
  const opened = await openFile(path, io);
  try {
    return await readOpened(opened, context);
  } finally {
    opened.close();
  }
}

async function readOpened({ start, bytes, isGzip }: Opened, context: FileContext): Promise<Head> {
  const { path, maxParquetBytes } = context;
  if (/^(?:\xff\xfe|\xfe\xff|\0|[^\0]\0)/.test(start.toString('latin1'))) {
    throw new UsageError(`${fileName(path)} is in UTF-16; write it again in UTF-8.`);
  }
  const text = start.toString('utf8').replace(/^\uFEFF/, '');
  if (text.startsWith('PAR1')) {
    const { readParquet } = await import('./parquetFile.ts');
    const isWhole = path === '-' || isGzip;
    const file = isWhole
      ? await arrayBuffer(bounded(bytes, path, maxParquetBytes))
      : await openParquet(path);
    return readParquet(file, context);
  }
  if (/^\s*[{[]/.test(text)) {
    await readNdjson(bytes, context);
    return {};
  }
  return readCells(bytes, context);
}

async function* bounded(
  bytes: AsyncIterable<Buffer>,
  path: string,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const piece of bytes) {
    length += piece.length;
    if (length > maxBytes) {
      throw new UsageError(
        `${fileName(path)} is a Parquet file of more than ${maxBytes / 2 ** 20} MiB on stdin or in gzip; name the uncompressed file.`,
      );
    }
    yield piece;
  }
}

async function openParquet(path: string): Promise<AsyncBuffer> {
  const { asyncBufferFromFile } = await import('hyparquet');
  return asyncBufferFromFile(path);
}

const DEVICE = /^\/(?:dev|proc)\//;
const ID = /^(?:station[_-]?|PP|WB|MW)?(\d{1,15})$/i;
const ID_IN_NAME = /(?<![a-z])station[=_-]?(\d{1,15})(?!\d)/i;

/** A name that is a year, a month or a day, such as `2024`, `2024-05` or `year=2024`. */
const DATE = /^(?:(?:year|month|day)=\d+|(?:19|20)\d\d(?:-\d\d){0,2})$/i;

const idIn = (form: RegExp, text = ''): number | undefined => {
  const digits = form.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
};

/**
 * The station that a path names: by a folder `station=110`, by the name of the file (`110.csv`,
 * `PP603.csv.gz`, `MW800.csv`, `station-110.csv`), or by the folder (`110/2024.csv.gz`, `110/2024/05.csv`).
 * @param only the station of a file whose path names none; else the name of the file may be a year
 */
export function stationInPath(path: string, only?: number): number | undefined {
  if (DEVICE.test(path)) return only;
  const folders = path.split(/[/\\]/);
  const name = (folders.pop() as string).replace(/\..*$/s, '');
  const { station } = partitionOf(dirname(path));
  if (station !== undefined) return station;
  const isMonth = /^\d\d$/.test(name) && DATE.test(folders.at(-1) ?? '');
  const isDate = DATE.test(name) || isMonth;
  const own = idIn(ID_IN_NAME, name) ?? (isDate ? undefined : idIn(ID, name));
  const parent = folders.findLast((folder) => !DATE.test(folder));
  return own ?? idIn(ID, parent) ?? only ?? idIn(ID, name);
}
