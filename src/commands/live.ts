import { type Selection, selectStations } from '../domain/selection.ts';
import type { Station } from '../domain/station.ts';
import { FORMATS } from '../formats/index.ts';
import { STATION_FORMAT_NAMES, type StationFormatName } from '../formats/names.ts';
import type { Io } from '../io.ts';
import type { GlobalFlags, OutputFlags, SelectionFlags } from '../options.ts';
import { checkTarget, openOutput, writeOutput } from '../output/write.ts';
import type { Config } from './config/settings.ts';
import { type Connection, readConnection, type Session, withService } from './connection.ts';
import { type Output, readOutput } from './flags.ts';
import { noteProvenance } from './notes.ts';
import { askFor, isEverything, readSelection, readStations, refuseUnknown } from './selection.ts';
import { whileWaiting } from './whileWaiting.ts';

/** What `vane live` and `vane meta` were asked. */
export interface LiveRequest {
  readonly connection: Connection;
  readonly stations: readonly number[] | 'all';
  readonly selection: Selection;
  readonly withMeta: boolean;
  readonly output: Output<StationFormatName>;
  /** Milliseconds since 1970 that ages count from. */
  readonly now: number;
}

export type LiveFlags = GlobalFlags & OutputFlags & SelectionFlags;

/** @throws UsageError */
export function readLiveRequest(
  stations: readonly string[],
  flags: LiveFlags,
  withMeta: boolean,
  config: Config,
  io: Io,
): LiveRequest {
  return {
    connection: readConnection(flags, io, config),
    stations: readStations(stations, config.favourites),
    selection: readSelection(flags),
    withMeta,
    output: readOutput(flags, STATION_FORMAT_NAMES, config, io),
    now: io.now(),
  };
}

/** Asks once, whatever is selected, and writes what was. */
export async function runLive(request: LiveRequest, io: Io): Promise<void> {
  const { connection, output, selection, withMeta, now } = request;
  await checkTarget(output.target, io);
  await withService(connection, io, async (session) => {
    const entry = FORMATS[output.format];
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
    if (!entry.stationsCarryProvenance) noteProvenance(session.reporter, provenance);
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
