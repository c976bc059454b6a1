import type { Selection } from '../domain/selection.ts';
import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { type Config, type Favourites, NO_CONFIG } from './config.ts';
import { type Connection, readConnection } from './connection.ts';
import type { GlobalFlags, PresentationFlags, RequestFlags, SelectionFlags } from './options.ts';
import { readSetting } from './settings.ts';
import { isEverything, readSelection, readStations } from './stations.ts';
import { readInteger, readPeriod, type WrittenPeriod } from './values.ts';

export interface HistoryFlags extends GlobalFlags, PresentationFlags, SelectionFlags, RequestFlags {
  readonly start: string;
  readonly stop?: string;
}

export interface HistoryRequest extends WrittenPeriod {
  readonly connection: Connection;
  readonly stations: readonly number[] | 'all' | 'stdin';
  /** The user's favourites, to look up the names that stdin gives. */
  readonly favourites: Favourites;
  readonly selection: Selection;
  /** Requests under way at once, 1 to 16. */
  readonly concurrency: number;
  readonly keepGoing: boolean;
  /** Milliseconds since 1970 when the command began. */
  readonly now: number;
}

/** Reads the stations and flags of a command that reads archives. @throws UsageError */
export function readHistory(
  stations: readonly string[],
  flags: HistoryFlags,
  config: Config,
  io: Io,
): HistoryRequest {
  const now = io.now();
  const { favourites } = config;
  // In `--near 43.4 4.9` 4.9 is taken for a station: read --near first, for an error about it.
  const selection = readSelection(flags);
  const isStdin = stations.length === 1 && stations[0] === '-';
  const named = isStdin ? 'stdin' : readStations(stations, favourites);
  const zone = readSetting('tz', flags, NO_CONFIG, io);
  const request: HistoryRequest = {
    connection: readConnection(flags, io, config),
    stations: named,
    favourites,
    selection,
    ...readPeriod(flags.start, flags.stop, { now, zone }),
    concurrency: readInteger('--concurrency', flags.concurrency, 1, 16),
    keepGoing: flags.keepGoing ?? false,
    now,
  };
  if (stations.length === 0 && isEverything(selection)) {
    throw new UsageError(
      'Name the stations, select some (--name, --near, --bbox …), or say all for every one.',
    );
  }
  return request;
}
