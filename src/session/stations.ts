import { text as readText } from 'node:stream/consumers';
import type { LiveStations } from '../domain/envelope.ts';
import { describeNoMatch, type Selection, selectStations } from '../domain/selection.ts';
import type { Station } from '../domain/station.ts';
import { InterruptedError, NotFoundError, UsageError, VaneError } from '../errors.ts';
import type { HistoryOptions } from '../flags/history.ts';
import { isSelectionEmpty, readStations } from '../flags/stations.ts';
import { abortable, type Io } from '../io.ts';
import type { Session } from './session.ts';

/** The stations named on the command line, or on stdin. @throws UsageError */
export async function readNamedStations(
  { stations, config }: HistoryOptions,
  io: Io,
): Promise<readonly number[] | 'all'> {
  if (stations !== 'stdin') return stations;
  const text = await abortable(readText(io.stdin), io.signal);
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) throw new UsageError('There is no station on stdin.');
  const read = readStations(words, config);
  if (read === 'all') {
    throw new UsageError(
      'stdin can name stations by id or favourite; use “all” on the command line.',
    );
  }
  return read;
}

/**
 * Requests the latest data of the named stations: of one station if exactly one is named, else out
 * of the list of all. A station that the list lacks is left out.
 * @throws NotFoundError for a single unknown station; every failure of a StationService
 */
export async function requestStations(
  named: readonly number[] | 'all',
  withMeta: boolean,
  { service, signal }: Pick<Session, 'service' | 'signal'>,
): Promise<LiveStations> {
  const [first, ...others] = named === 'all' ? [] : named;
  if (first !== undefined && others.length === 0) {
    const response = await service.live(first, { withMeta, signal });
    return { ...response, data: [response.data] };
  }
  const response = await service.liveAll({ withMeta, signal });
  if (named === 'all') return response;
  return { ...response, data: response.data.filter(({ id }) => named.includes(id)) };
}

/**
 * The stations with their names, which an output shows and can do without: if the request for names
 * fails, a note says so, and the command goes on.
 * @param subject what lacks the names then, such as `The report`
 */
export async function requestStationNames(
  stations: ReadonlyMap<number, string | undefined>,
  subject: string,
  session: Session,
): Promise<ReadonlyMap<number, string | undefined>> {
  const names = new Map(stations);
  try {
    const { data } = await requestStations([...stations.keys()], false, session);
    for (const { id, meta } of data) if (names.has(id)) names.set(id, meta.name);
  } catch (error) {
    if (!(error instanceof VaneError) || error instanceof InterruptedError) throw error;
    // The archive of an unknown station is refused with the same words.
    if (error instanceof NotFoundError) return names;
    session.reporter.note(`${subject} lacks the names of the stations. ${error.message}`);
  }
  return names;
}

/**
 * The stations of a command, with their names where the format shows these. A lack of names is only
 * noted.
 */
export async function resolveNamedStations(
  named: readonly number[] | 'all',
  history: HistoryOptions,
  isNamed: boolean,
  session: Session,
): Promise<ReadonlyMap<number, string | undefined>> {
  const stations = await resolveStations(named, history, false, session);
  const isNameMissing = isNamed && !needsStationList(named, history.selection);
  return isNameMissing ? requestStationNames(stations, 'The output', session) : stations;
}

/** Refuses named stations that the service lacks. @throws NotFoundError that names them */
export function refuseUnknownStations(
  named: readonly number[] | 'all',
  stations: readonly Station[],
  { serviceName }: Pick<Session, 'serviceName'>,
): void {
  // Do not check a single station by id: a service may respond with another id.
  if (named === 'all' || named.length === 1) return;
  const known = new Set(stations.map(({ id }) => id));
  const unknown = named.filter((id) => !known.has(id));
  if (unknown.length === 0) return;
  const who =
    unknown.length === 1 ? `Station ${unknown[0]} is` : `Stations ${unknown.join(', ')} are`;
  throw new NotFoundError(`${who} not known at ${serviceName}.`);
}

/** Whether the service's list of all stations is needed to know which stations a command means. */
export function needsStationList(named: readonly number[] | 'all', selection: Selection): boolean {
  return named === 'all' || !isSelectionEmpty(selection);
}

/**
 * The ids of the stations of a command, with their names. The service's list of stations is
 * requested only where names or a selection need it; without the list all names are undefined.
 */
export async function resolveStations(
  named: readonly number[] | 'all',
  { selection, keepGoing, now }: Pick<HistoryOptions, 'selection' | 'keepGoing' | 'now'>,
  isNameNeeded: boolean,
  session: Session,
): Promise<ReadonlyMap<number, string | undefined>> {
  const { service, signal, reporter } = session;
  const ids = named === 'all' ? [] : named;
  if (!needsStationList(named, selection) && !isNameNeeded) {
    return new Map(ids.map((id) => [id, undefined]));
  }
  const { data } = await service.liveAll({ withMeta: false, signal });
  const candidates = named === 'all' ? data : data.filter(({ id }) => ids.includes(id));
  // With --keep-going an unknown station is reported as missing, and known stations are read.
  if (!keepGoing) refuseUnknownStations(ids, candidates, session);
  const selected = selectStations(candidates, selection, now);
  const known = new Set(candidates.map(({ id }) => id));
  const stations = new Map<number, string | undefined>([
    ...selected.map(({ station: { id, meta } }) => [id, meta.name] as const),
    ...ids.filter((id) => !known.has(id)).map((id) => [id, undefined] as const),
  ]);
  if (stations.size === 0) reporter.note(describeNoMatch(candidates, selection, now));
  return stations;
}
