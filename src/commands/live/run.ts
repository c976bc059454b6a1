import { selectStations } from '../../domain/selection.ts';
import type { Station } from '../../domain/station.ts';
import { STATION_FORMATS } from '../../formats/index.ts';
import type { Io } from '../../io.ts';
import { checkTarget, openOutput, writeOutput } from '../../output/write.ts';
import { noteProvenance } from '../shared/provenance.ts';
import { askFor, isEverything, refuseUnknown } from '../shared/selection.ts';
import { type Session, withService } from '../shared/session.ts';
import { whileWaiting } from '../shared/whileWaiting.ts';
import type { LiveRequest } from './request.ts';

/** Asks once, whatever is selected, and writes what was. */
export async function runLive(request: LiveRequest, io: Io): Promise<void> {
  const { connection, output, selection, withMeta, now } = request;
  await checkTarget(output.target, io);
  await withService(connection, io, async (session) => {
    const entry = STATION_FORMATS[output.format];
    const asked = askStations(request, session);
    const writing = whileWaiting(() => openOutput(output.target, io));
    const loading = whileWaiting(() => entry.load(output.colour));
    const [{ data, ...provenance }, format] = await Promise.all([asked, loading, writing]);
    const stations = selectStations(data, selection, now);
    const list = {
      provenance,
      stations,
      isSingle:
        request.stations !== 'all' && request.stations.length === 1 && isEverything(selection),
      withMeta,
      unit: output.unit,
      writeDate: output.writeDate,
      now,
    };
    if (stations.length > 0 || output.format !== 'table') {
      await writeOutput(format.stations(list, output), output.target, io);
    }
    if (stations.length === 0) session.reporter.note('No station matches.');
    if (!entry.carriesProvenance) noteProvenance(session.reporter, provenance);
  });
}

async function askStations({ stations, withMeta }: LiveRequest, session: Session) {
  const answer = await askFor(stations, withMeta, session);
  // One station is answered for by itself, whatever id the service calls it by.
  if (stations === 'all' || stations.length === 1) return answer;
  refuseUnknown(stations, answer.data, session.baseUrl);
  const byId = new Map(answer.data.map((station) => [station.id, station]));
  return { ...answer, data: stations.map((id) => byId.get(id) as Station) };
}
