import { DEPRECATED_PRESSURE_UNIT } from '../../domain/readings/archiveColumns.ts';
import { Chunk, type ChunkMetadata } from '../../domain/readings/chunk.ts';
import { type ReadingColumns, sortColumnsByTime } from '../../domain/readings/columns.ts';
import { UsageError } from '../../errors.ts';
import type { FilesOptions } from '../../flags/history.ts';
import type { Io } from '../../io.ts';
import type { NamedStation, StationReadings } from '../stationReadings.ts';
import {
  type FileOpenOptions,
  type FileSource,
  findFileSource,
  NAMELESS_STATION,
} from './fileSource.ts';
import { findFiles } from './findFiles.ts';
import { openTable } from './openTable.ts';
import type { StationColumns } from './pieces.ts';
import type { FileProvenance } from './table.ts';

/**
 * Maximum number of stations in all files with several stations. Each takes tens of kB of memory.
 */
const MAX_MIXED_STATIONS = 5000;

/** Maximum number of readings in all files with several stations. Each takes 64 bytes of memory. */
const MAX_MIXED_READINGS = 10_000_000;

export interface ReadFilesOptions extends Omit<FileOpenOptions, 'maxParquetBytes'> {
  /** Maximum size of a Parquet file on stdin or in gzip, bytes; 256 MiB by default. */
  readonly maxParquetBytes?: number;
  /**
   * Maximum number of selected readings in all files with several stations; 10 million by default.
   */
  readonly maxMixedReadings?: number;
}

/** The readings of files, station by station. */
export interface FileReadings {
  /** The stations to read, in order. The files may have no readings of some. */
  readonly chosen: readonly NamedStation[];
  /** License and attribution, each from the first file that has it among those read so far. */
  readonly provenance: () => FileProvenance;
  /**
   * Reads one station after the other. Only its readings, and those of files with several stations,
   * are in memory. May be called once.
   * @throws UsageError that names the file, the line and the column
   */
  stations(): AsyncGenerator<StationReadings>;
}

/**
 * Opens files that `vane archive` wrote: csv, txt, ndjson or parquet, which their content tells.
 * Values are converted to km/h. A file that may contain several stations is read at once, since
 * only its end shows which.
 * @throws UsageError that names the file, the line and the column
 */
export async function openFiles(
  request: FilesOptions,
  {
    maxParquetBytes = 2 ** 28,
    maxMixedReadings = MAX_MIXED_READINGS,
    ...options
  }: ReadFilesOptions,
  io: Pick<Io, 'stdin'>,
): Promise<FileReadings> {
  for (const sentence of request.notes) options.note(sentence);
  const paths = await findFiles(request);
  const files = new Files(request, { ...options, maxParquetBytes }, io);
  for (const path of paths) await files.add(path, paths.length === 1, maxMixedReadings);
  const chosen = files.chosen();
  return {
    chosen,
    provenance: () => files.provenance(),
    stations: () => files.stations(chosen),
  };
}

/** The files, and the readings to use from them. */
class Files {
  readonly #request: FilesOptions;
  readonly #options: FileOpenOptions;
  readonly #io: Pick<Io, 'stdin'>;
  /** The selected stations; undefined for all. */
  readonly #wanted: ReadonlySet<number> | undefined;
  /**
   * The parts of each station in the order of the files: files to read later, or readings from
   * files with several stations.
   */
  readonly #parts = new Map<number, (FileSource | ReadingColumns)[]>();
  readonly #provenances = new Map<FileSource, FileProvenance>();
  /** The file that gives the station {@link NAMELESS_STATION} its name. */
  #nameless: FileSource | undefined;
  readonly #mixedStations = new Set<number>();
  #mixedReadings = 0;

  constructor(request: FilesOptions, options: FileOpenOptions, io: Pick<Io, 'stdin'>) {
    this.#request = request;
    this.#options = options;
    this.#io = io;
    this.#wanted = request.stations === 'all' ? undefined : new Set(request.stations);
  }

  /**
   * Adds a file. If it may contain several stations, it is read now.
   * @throws UsageError
   */
  async add(path: string, isSingle: boolean, maxMixedReadings: number): Promise<void> {
    const source = await findFileSource(path, isSingle, this.#request, this.#options, this.#io);
    if (source.name !== undefined) this.#nameless = source;
    // Reserve the file's place, so that the first file with a license counts, in whatever order
    // files are read.
    this.#provenances.set(source, {});
    if (source.onlyStation !== undefined) {
      if (this.#selects(source.onlyStation)) this.#addPart(source.onlyStation, source);
      return;
    }
    for await (const { station, columns } of this.#read(source)) {
      this.#mixedReadings += columns.count;
      if (this.#mixedReadings > maxMixedReadings) {
        const max = maxMixedReadings.toLocaleString('en');
        throw new UsageError(
          `The files of --from that may mix stations contain more than ${max} selected readings. Name a single station or fewer stations, shorten the period, or write one file per station.`,
        );
      }
      this.#addPart(station, columns);
    }
  }

  chosen(): readonly NamedStation[] {
    const { stations } = this.#request;
    const ids = stations === 'all' ? [...this.#parts.keys()].sort((a, b) => a - b) : stations;
    return ids.map((station) => {
      const name = station === NAMELESS_STATION ? this.#nameless?.name : undefined;
      return name === undefined ? { station } : { station, name };
    });
  }

  provenance(): FileProvenance {
    const find = (name: keyof FileProvenance): FileProvenance => {
      for (const found of this.#provenances.values())
        if (found[name]) return { [name]: found[name] };
      return {};
    };
    return { ...find('license'), ...find('attribution') };
  }

  async *stations(chosen: readonly NamedStation[]): AsyncGenerator<StationReadings> {
    const { stations, bounds } = this.#request;
    const { note } = this.#options;
    const isBounded = bounds.start !== undefined && bounds.stop !== undefined;
    let shown = 0;
    for (const named of chosen) {
      const columns = await this.#readStation(named);
      if (columns.length > 0 || (stations !== 'all' && isBounded)) {
        shown++;
        yield { ...named, chunks: this.#chunksOf(columns) };
      } else if (stations !== 'all')
        note(`None of the files contains a reading of station ${named.station}.`);
    }
    if (stations === 'all' && shown === 0) note('None of the files contains a reading.');
  }

  /** Reads a station. The result may be empty if its readings are outside the period. */
  async #readStation({ station, name }: NamedStation): Promise<ReadingColumns[]> {
    const parts = this.#parts.get(station) ?? [];
    this.#parts.delete(station);
    const read: ReadingColumns[] = [];
    for (const part of parts) {
      if (!('path' in part)) read.push(part);
      else for await (const { columns } of this.#read(part)) read.push(columns);
    }
    if (name !== undefined && read.length > 0) {
      this.#options.note(
        `${this.#nameless?.path} does not name its station: its readings are shown as station ${name}, id ${station}.`,
      );
    }
    return read;
  }

  /**
   * Yields chunks in order of time. `sortColumnsByTime` empties the list, so that used chunks can
   * be freed.
   */
  async *#chunksOf(columns: ReadingColumns[]): AsyncGenerator<Chunk> {
    const head: ChunkMetadata = { ...this.provenance(), pressureUnit: DEPRECATED_PRESSURE_UNIT };
    for (const rows of sortColumnsByTime(columns)) {
      if (rows.count === 0) continue;
      const [start, last] = [rows.time[0] as number, rows.time.at(-1) as number];
      yield Chunk.ofColumns({ start, stop: last + 1 }, head, rows);
    }
  }

  async *#read(source: FileSource): AsyncGenerator<StationColumns> {
    const { bounds } = this.#request;
    const wants = (station: number) => this.#wants(source, station);
    const options = { ...this.#options, ...source, bounds, wants };
    using table = await openTable(options, options.maxParquetBytes, this.#io);
    this.#provenances.set(source, table.provenance);
    yield* table.pieces();
  }

  /**
   * Whether a row of a file is selected.
   * @throws UsageError for too many stations
   */
  #wants({ onlyStation }: FileSource, station: number): boolean {
    if (onlyStation !== undefined) return station === onlyStation;
    return this.#selects(station) && this.#admits(station);
  }

  #selects(station: number): boolean {
    return this.#wanted === undefined || this.#wanted.has(station);
  }

  #admits(station: number): boolean {
    this.#mixedStations.add(station);
    if (this.#mixedStations.size <= MAX_MIXED_STATIONS) return true;
    const max = MAX_MIXED_STATIONS.toLocaleString('en');
    throw new UsageError(
      `The files of --from have more than ${max} stations; name the stations that you want.`,
    );
  }

  #addPart(station: number, part: FileSource | ReadingColumns): void {
    const parts = this.#parts.get(station);
    if (parts) parts.push(part);
    else this.#parts.set(station, [part]);
  }
}
