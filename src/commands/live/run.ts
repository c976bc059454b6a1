import { describeNoMatch, selectStations } from '../../domain/selection.ts';
import { isEverything } from '../../flags/stations.ts';
import { STATION_FORMATS } from '../../formats/index.ts';
import type { Io } from '../../io.ts';
import { noteProvenance } from '../../output/reporter.ts';
import { checkTarget, writeOutput } from '../../output/write.ts';
import { openSession } from '../../session/session.ts';
import { askFor, refuseUnknown } from '../../session/stations.ts';
import type { LiveRequest } from './request.ts';

/**
 * Requests the live data once and writes the selected stations.
 * @throws NotFoundError for stations that the service lacks, after the others are written
 */
export async function runLive(request: LiveRequest, io: Io): Promise<void> {
  const { connection, stations: named, output, selection, withMeta, now } = request;
  const { unit, writeDate } = output;
  await checkTarget(output.target, io);
  await using session = await openSession({ ...connection, client: 'node' }, io);
  const format = STATION_FORMATS[output.format];
  const { data, ...provenance } = await askFor(named, withMeta, session);
  if (data.length === 0) refuseUnknown(named, data, session);
  const stations = selectStations(data, selection, now);
  const isSingle = named !== 'all' && named.length === 1 && isEverything(selection);
  const list = { provenance, stations, isSingle, withMeta, unit, writeDate, now };
  if (stations.length > 0 || output.format !== 'table') {
    // Whoever gives a limit wants to see as many.
    const look = selection.limit === undefined ? output : { ...output, maxLines: undefined };
    await writeOutput(format.stations(list, look), output.target, io);
  }
  if (stations.length === 0) session.reporter.note(describeNoMatch(data, selection, now));
  if (!format.carriesProvenance?.includes('stations'))
    noteProvenance(session.reporter, provenance, io.stderrTerminal);
  refuseUnknown(named, data, session);
}
