import { text as readText } from 'node:stream/consumers';
import { type Selection, selectStations } from '../../domain/selection.ts';
import { UsageError } from '../../errors.ts';
import { abortable, type Io } from '../../io.ts';
import { type Config, type Favourites, NO_CONFIG } from './config.ts';
import { type Connection, readConnection } from './connection.ts';
import type { GlobalFlags, PresentationFlags, RequestFlags, SelectionFlags } from './options.ts';
import { isEverything, readSelection, readStations } from './selection.ts';
import { refuseUnknown, type Session, withService } from './session.ts';
import { readSetting } from './settings.ts';
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

/** Prints the notes of a request, then runs `use` with the named stations and the open service. */
export async function withHistory(
  request: HistoryRequest,
  io: Io,
  use: (named: readonly number[] | 'all', session: Session) => Promise<void>,
): Promise<void> {
  const named = await readNamed(request, io);
  await withService(request.connection, io, async (session) => {
    for (const note of request.notes) session.reporter.note(note);
    await use(named, session);
  });
}

/** The stations named on the command line, or on stdin. @throws UsageError */
async function readNamed(
  { stations, favourites }: HistoryRequest,
  io: Io,
): Promise<readonly number[] | 'all'> {
  if (stations !== 'stdin') return stations;
  const text = await abortable(readText(io.stdin), io.signal);
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) throw new UsageError('stdin names no station.');
  const read = readStations(words, favourites);
  if (read === 'all') {
    throw new UsageError('stdin takes stations by id or favourite; “all” is for the command line.');
  }
  return read;
}

/** Whether the service's list of all stations is needed to know which stations a request means. */
export function needsList(named: readonly number[] | 'all', selection: Selection): boolean {
  return named === 'all' || !isEverything(selection);
}

/**
 * The ids of a request's stations, with their names. The service's list of stations is requested
 * only where names or a selection need it; without the list all names are undefined.
 */
export async function resolveStations(
  named: readonly number[] | 'all',
  { selection, keepGoing, now }: Pick<HistoryRequest, 'selection' | 'keepGoing' | 'now'>,
  isNameNeeded: boolean,
  session: Session,
): Promise<ReadonlyMap<number, string | undefined>> {
  const { service, signal, reporter } = session;
  const ids = named === 'all' ? [] : named;
  if (!needsList(named, selection) && !isNameNeeded) {
    return new Map(ids.map((id) => [id, undefined]));
  }
  const { data } = await service.liveAll({ withMeta: false, signal });
  const candidates = named === 'all' ? data : data.filter(({ id }) => ids.includes(id));
  // With --keep-going an unknown station is reported as missing, and known stations are read.
  if (!keepGoing) refuseUnknown(ids, candidates, session);
  const selected = selectStations(candidates, selection, now);
  const known = new Set(candidates.map(({ id }) => id));
  const stations = new Map<number, string | undefined>([
    ...selected.map(({ station: { id, meta } }) => [id, meta.name] as const),
    ...ids.filter((id) => !known.has(id)).map((id) => [id, undefined] as const),
  ]);
  if (stations.size === 0) reporter.note('No station matches.');
  return stations;
}
