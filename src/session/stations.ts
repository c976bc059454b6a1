import { text as readText } from 'node:stream/consumers';
import { type Selection, selectStations } from '../domain/selection.ts';
import { UsageError } from '../errors.ts';
import type { HistoryRequest } from '../flags/history.ts';
import { isEverything, readStations } from '../flags/stations.ts';
import { abortable, type Io } from '../io.ts';
import { refuseUnknown, type Session, withService } from './session.ts';

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
