import { resolve } from 'node:path';
import { type Period, periodUntil } from '../domain/period.ts';
import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { type Config, NO_CONFIG } from './config.ts';
import { type RequestPolicy, readRequestPolicy } from './connection.ts';
import { type HistoryFlags, type HistoryRequest, readHistory } from './history.ts';
import { readSetting } from './settings.ts';
import { isEverything, readSelection, readStations } from './stations.ts';
import { readPeriod } from './values.ts';

/** Flags that say where readings come from: a period of a service, or files. */
export interface SourceFlags extends Omit<HistoryFlags, 'start'> {
  readonly start?: string;
  readonly from?: readonly string[];
  readonly output?: string;
}

/** Files that `vane archive` wrote, which are read in place of a service. */
export interface FilesRequest {
  readonly paths: readonly string[];
  /** The stations whose readings are taken out of the files. */
  readonly stations: readonly number[] | 'all';
  /** The start and stop that the user gave; a missing one follows from the readings. */
  readonly bounds: Partial<Period>;
  readonly notes: readonly string[];
  readonly verbosity: Pick<RequestPolicy, 'isQuiet' | 'isVerbose'>;
}

export type Source = { readonly history: HistoryRequest } | { readonly files: FilesRequest };

/**
 * Reads where the readings come from: stations of a service, or the files of `--from`.
 * @param usualStart gives `--start` where a service is asked without it; may throw
 * @throws UsageError
 */
export function readSource(
  stations: readonly string[],
  flags: SourceFlags,
  usualStart: () => string,
  config: Config,
  io: Io,
): Source {
  // stats and plot test --where on readings, so the flag selects no station.
  const { from, where: _, ...others } = flags;
  if (from !== undefined) return { files: readFilesRequest(stations, from, others, config, io) };
  const history = { ...others, start: others.start ?? usualStart() };
  return { history: readHistory(stations, history, config, io) };
}

function readFilesRequest(
  stations: readonly string[],
  paths: readonly string[],
  flags: SourceFlags,
  { favourites }: Config,
  io: Io,
): FilesRequest {
  if (!isEverything(readSelection(flags))) {
    throw new UsageError(
      'With --from there is no list of stations to select from: name them by id, or leave --name, --near and the like out.',
    );
  }
  if (stations.includes('-')) {
    throw new UsageError('With --from the stations are named on the command line, not on stdin.');
  }
  if (paths.filter((path) => path === '-').length > 1) {
    throw new UsageError('--from names stdin twice, which can be read once.');
  }
  const { start, stop, output } = flags;
  refuseSameFile(paths, output);
  const context = { now: io.now(), zone: readSetting('tz', flags, NO_CONFIG, io) };
  const isBounded = start !== undefined || stop !== undefined;
  const { period, notes } = isBounded
    ? readPeriod(start ?? '0000', stop, context)
    : { period: undefined, notes: [] };
  return {
    paths,
    stations: readStations(stations, favourites),
    bounds: {
      ...(period && start !== undefined && { start: period.start }),
      ...(period && stop !== undefined && { stop: periodUntil(context.now, period).stop }),
    },
    notes,
    verbosity: readRequestPolicy(flags),
  };
}

/** Refuses an output that would replace a file of `--from`, often the only copy of its readings. */
function refuseSameFile(paths: readonly string[], output: string | undefined): void {
  if (output === undefined || output === '-') return;
  if (!paths.some((path) => resolve(path) === resolve(output))) return;
  throw new UsageError(`--from and --output are both ${output}; name another file for the output.`);
}
