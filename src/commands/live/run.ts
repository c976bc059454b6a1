import { describeNoMatch, selectStations } from '../../domain/selection.ts';
import type { Station } from '../../domain/station.ts';
import { printable } from '../../domain/text.ts';
import { NotFoundError } from '../../errors.ts';
import { adviseOnUnknownStation, isSelectionEmpty } from '../../flags/stations.ts';
import type { FormatTraits, StationFormat } from '../../formats/format.ts';
import { STATION_FORMATS } from '../../formats/index.ts';
import type { Io } from '../../io.ts';
import { noteProvenance } from '../../output/reporter.ts';
import { checkOutputTarget, writeOutput } from '../../output/write.ts';
import { openSession, type Session } from '../../session/session.ts';
import { refuseUnknownStations, requestStations } from '../../session/stations.ts';
import type { LiveOptions } from './options.ts';

/**
 * Requests the live data once and writes the selected stations.
 * @throws NotFoundError for stations that the service does not know, after writing the others;
 *   NotFoundError if no station name contains the search text
 */
export async function runLive(options: LiveOptions, io: Io): Promise<void> {
  const { connection, stations: named, search, output, line, selection, now } = options;
  const { withMeta, conditions } = options;
  const { unit, writeDate } = output;
  await checkOutputTarget(output.target, io);
  await using session = await openSession({ ...connection, client: 'node' }, io);
  const format: StationFormat & Partial<FormatTraits> = line ?? STATION_FORMATS[output.format];
  const { data, ...provenance } = await requestStations(named, withMeta, session);
  if (data.length === 0) refuseUnknownStations(named, data, session);
  if (search !== undefined) noteSearch(search, data, options, session);
  const stations = selectStations(data, selection, now);
  const isSingle = named !== 'all' && named.length === 1 && isSelectionEmpty(selection);
  const list = { provenance, stations, isSingle, withMeta, conditions, unit, writeDate, now };
  if (stations.length > 0 || format !== STATION_FORMATS.table) {
    // With --limit, show that many rows even if they exceed the window.
    const look = selection.limit === undefined ? output : { ...output, maxLines: undefined };
    await writeOutput(format.stations(list, look), output.target, io);
  }
  if (stations.length === 0) session.reporter.note(describeNoMatch(data, selection, now));
  if (!format.carriesProvenance?.includes('stations'))
    noteProvenance(session.reporter, provenance, io.stderrTerminal);
  refuseUnknownStations(named, data, session);
}

/**
 * Notes that the words were searched for in station names.
 * @throws NotFoundError
 */
function noteSearch(
  text: string,
  stations: readonly Station[],
  { config, now }: LiveOptions,
  { reporter }: Session,
): void {
  if (selectStations(stations, { name: text }, now).length === 0) {
    throw new NotFoundError(
      `No id, favourite or station name matches “${printable(text)}”. ${adviseOnUnknownStation(config)}`,
    );
  }
  reporter.note(
    `No id or favourite is called “${printable(text)}”: searching the names of stations, as --name does.`,
  );
}
