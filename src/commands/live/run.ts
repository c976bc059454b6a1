import { setImmediate } from 'node:timers/promises';
import { selectStations } from '../../domain/selection.ts';
import { isEverything } from '../../flags/stations.ts';
import { STATION_FORMATS } from '../../formats/index.ts';
import type { Io } from '../../io.ts';
import { checkTarget, openOutput, writeOutput } from '../../output/write.ts';
import {
  askFor,
  keepNamed,
  noteProvenance,
  refuseUnknown,
  withService,
} from '../../session/session.ts';
import type { LiveRequest } from './request.ts';

/**
 * Requests the live data once and writes the selected stations.
 * @throws NotFoundError for stations that the service lacks, after the others are written
 */
export async function runLive(request: LiveRequest, io: Io): Promise<void> {
  const { connection, output, selection, withMeta, now } = request;
  const { unit, writeDate } = output;
  await checkTarget(output.target, io);
  await withService(connection, io, async (session) => {
    const entry = STATION_FORMATS[output.format];
    const [{ data: answered, ...provenance }, format] = await Promise.all([
      askFor(request.stations, withMeta, session),
      entry.load(),
      // setImmediate lets the request leave first: open the output while the answer is awaited.
      setImmediate().then(() => openOutput(output.target, io)),
    ]);
    const data = keepNamed(request.stations, answered);
    if (data.length === 0) refuseUnknown(request.stations, data, session);
    const stations = selectStations(data, selection, now);
    const isSingle =
      request.stations !== 'all' && request.stations.length === 1 && isEverything(selection);
    const list = { provenance, stations, isSingle, withMeta, unit, writeDate, now };
    if (stations.length > 0 || output.format !== 'table') {
      await writeOutput(format.stations(list, output), output.target, io);
    }
    if (stations.length === 0) session.reporter.note('No station matches.');
    if (!entry.carriesProvenance) {
      noteProvenance(session.reporter, provenance, io.stderrTerminal);
    }
    refuseUnknown(request.stations, data, session);
  });
}
