import { text as readText } from 'node:stream/consumers';
import type { LiveStations } from '../domain/envelope.ts';
import { describeNoMatch, type StationSelection, selectStations } from '../domain/selection.ts';
import type { Station } from '../domain/station.ts';
import { InterruptedError, NotFoundError, UsageError, VaneError } from '../errors.ts';
import type { HistoryOptions } from '../flags/history.ts';
import { isSelectionEmpty, readStations } from '../flags/stations.ts';
import { abortable, type Io } from '../io.ts';
import type { Session } from './session.ts';

/**
 * Reads the stations named on the command line or on stdin.
 * @throws UsageError
 */
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
 * Requests the latest data of the named stations. A single station is requested by itself, several
 * are picked from the list of all. Stations missing from the list are left out.
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
 * Requests the names of stations for an output that also works without them. If the request fails,
 * a note says so.
 * @param subject what then lacks names, such as `The report`
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
    // If the station is unknown, the archive request fails with the same message.
    if (error instanceof NotFoundError) return names;
    session.reporter.note(`${subject} lacks the names of the stations. ${error.message}`);
  }
  return names;
}

/**
 * Finds the stations of a command, with names if the format shows them. Missing names only cause a
 * note.
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

/**
 * Refuses named stations that the service does not know.
 * @throws NotFoundError that names them
 */
export function refuseUnknownStations(
  named: readonly number[] | 'all',
  stations: readonly Station[],
  { serviceName }: Pick<Session, 'serviceName'>,
): void {
  // Do not compare the id of a single station, since a service may respond with a different one.
  if (named === 'all' || named.length === 1) return;
  const known = new Set(stations.map(({ id }) => id));
  const unknown = named.filter((id) => !known.has(id));
  if (unknown.length === 0) return;
  const who =
    unknown.length === 1 ? `Station ${unknown[0]} is` : `Stations ${unknown.join(', ')} are`;
  throw new NotFoundError(`${who} not known at ${serviceName}.`);
}

/** Whether the service's list of all stations is needed to find the stations of a command. */
export function needsStationList(
  named: readonly number[] | 'all',
  selection: StationSelection,
): boolean {
  return named === 'all' || !isSelectionEmpty(selection);
}

/**
 * Finds the ids of a command's stations, with names. The service's list of stations is only
 * requested if names or a selection need it. Without the list, all names are undefined.
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
  // With --keep-going, unknown stations are reported as missing, and known ones are read.
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
