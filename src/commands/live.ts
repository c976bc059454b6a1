import { type Selection, selectStations } from '../domain/selection.ts';
import type { Station } from '../domain/station.ts';
import { NotFoundError, UsageError } from '../errors.ts';
import { FORMAT_NAMES, FORMATS } from '../formats/index.ts';
import type { Io } from '../io.ts';
import type { GlobalFlags, OutputFlags, SelectionFlags } from '../options.ts';
import { checkTarget, writeOutput } from '../output/write.ts';
import { type Connection, readConnection, type Session, withService } from './connection.ts';
import {
  type Output,
  readBox,
  readDurationMs,
  readInteger,
  readOutput,
  readPosition,
  readRadiusKm,
  readStation,
} from './flags.ts';
import { noteProvenance } from './notes.ts';

/** What `vane live` and `vane meta` were asked. */
export interface LiveRequest {
  readonly connection: Connection;
  readonly stations: readonly number[] | 'all';
  readonly selection: Selection;
  readonly withMeta: boolean;
  readonly output: Output;
  /** Milliseconds since 1970 that ages count from. */
  readonly now: number;
}

export type LiveFlags = GlobalFlags & OutputFlags & SelectionFlags;

/** @throws UsageError */
export function readLiveRequest(
  stations: readonly string[],
  flags: LiveFlags,
  withMeta: boolean,
  io: Io,
): LiveRequest {
  return {
    connection: readConnection(flags, io),
    stations: readStations(stations),
    selection: readSelection(flags),
    withMeta,
    output: readOutput(flags, FORMAT_NAMES, io),
    now: io.now(),
  };
}

function readStations(texts: readonly string[]): readonly number[] | 'all' {
  const ids = texts.filter((text) => text !== 'all').map(readStation);
  return ids.length === 0 || ids.length < texts.length ? 'all' : [...new Set(ids)];
}

function readSelection(flags: SelectionFlags): Selection {
  const { name, near, radius, bbox, state, maxAge, sort, limit } = flags;
  if (near === undefined && (radius !== undefined || sort === 'distance')) {
    const flag = radius === undefined ? '--sort distance' : '--radius';
    throw new UsageError(`${flag} needs --near latitude,longitude to count from.`);
  }
  return {
    name,
    near: near === undefined ? undefined : readPosition(near),
    radiusKm: radius === undefined ? undefined : readRadiusKm(radius),
    box: bbox === undefined ? undefined : readBox(bbox),
    state,
    maxAgeMs: maxAge === undefined ? undefined : readDurationMs('--max-age', maxAge),
    sort,
    limit: limit === undefined ? undefined : readInteger('--limit', limit, 1, 1_000_000),
  };
}

/** Asks once, whatever is selected, and writes what was. */
export async function runLive(request: LiveRequest, io: Io): Promise<void> {
  const { connection, output, selection, withMeta, now } = request;
  await checkTarget(output.target);
  await withService(connection, io, async (session) => {
    const { data, ...provenance } = await askStations(request, session);
    const stations = selectStations(data, selection, now);
    const isUnselected = Object.values(selection).every((condition) => condition === undefined);
    const list = {
      provenance,
      stations,
      isSingle: request.stations !== 'all' && request.stations.length === 1 && isUnselected,
      withMeta,
      unit: output.unit,
      writeDate: output.writeDate,
      now,
    };
    const entry = FORMATS[output.format];
    const format = await entry.load();
    if (stations.length > 0 || output.format !== 'table') {
      await writeOutput(format.stations(list, output), output.target, io);
    }
    if (stations.length === 0) session.reporter.note('No station matches.');
    if (!entry.stationsCarryProvenance) noteProvenance(session.reporter, provenance);
  });
}

async function askStations(
  { stations, withMeta }: LiveRequest,
  { service, baseUrl, signal }: Session,
) {
  const [first, ...others] = stations === 'all' ? [] : stations;
  if (first !== undefined && others.length === 0) {
    const answer = await service.live(first, { withMeta, signal });
    return { ...answer, data: [answer.data] };
  }
  const answer = await service.liveAll({ withMeta, signal });
  if (stations === 'all') return answer;
  const byId = new Map(answer.data.map((station) => [station.id, station]));
  const missing = stations.filter((id) => !byId.has(id));
  if (missing.length > 0) {
    const who =
      missing.length === 1 ? `Station ${missing[0]} is` : `Stations ${missing.join(', ')} are`;
    throw new NotFoundError(`${who} not known at ${baseUrl}.`);
  }
  return { ...answer, data: stations.map((id) => byId.get(id) as Station) };
}
