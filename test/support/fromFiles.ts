import type { ReadingColumns } from '../../src/domain/readings/columns.ts';
import type { FilesOptions } from '../../src/flags/history.ts';
import {
  type FileReadings,
  openFiles,
  type ReadFilesOptions,
} from '../../src/readings/files/openFiles.ts';
import type { StationReadings } from '../../src/readings/stationReadings.ts';

/** A station of files with its readings. */
export interface Collected extends Omit<StationReadings, 'chunks'> {
  readonly columns: readonly ReadingColumns[];
}

interface Input extends Partial<Pick<FilesOptions, 'paths' | 'stations' | 'bounds'>> {
  /** What stdin contains, piece by piece. */
  readonly stdin?: readonly (string | Uint8Array)[];
  readonly options?: Partial<ReadFilesOptions>;
}

/** Opens files, by default station 110 of stdin, as `--from` does. */
export function openFrom({
  paths = ['-'],
  stations = [110],
  bounds = {},
  stdin = [],
  options = {},
}: Input): Promise<FileReadings> {
  const verbosity = { timeoutMs: 5000, retries: 0, isQuiet: true, isVerbose: false } as const;
  const request: FilesOptions = {
    ...{ paths, stations, bounds, stationWords: [], notes: [], output: undefined },
    verbosity: { ...verbosity, cache: 'none' },
  };
  const wanted = { zone: 'utc', note: () => {}, hasPositions: true, ...options };
  return openFiles(request, wanted, { stdin: pieces(stdin) });
}

/** Reads what {@link openFrom} opens to its end. */
export async function readFrom(input: Input): Promise<readonly Collected[]> {
  const files = await openFrom(input);
  const collected: Collected[] = [];
  for await (const { chunks, ...station } of files.stations()) {
    const columns: ReadingColumns[] = [];
    for await (const chunk of chunks) columns.push(chunk.columns);
    collected.push({ ...station, columns });
  }
  return collected;
}

async function* pieces(stdin: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of stdin) yield Buffer.from(piece);
}
