import { withoutImpossibleValues } from '../../domain/readings/columns.ts';
import { selectStations } from '../../domain/selection.ts';
import { positionOf, type Station } from '../../domain/station.ts';
import { VaneError } from '../../errors.ts';
import type { PlotStation } from '../../figures/plotData.ts';
import type { HistoryOptions } from '../../flags/history.ts';
import type { Io } from '../../io.ts';
import { refuseSharedFiles } from '../../output/stationFiles.ts';
import { fetchChunk } from '../../service/chunks.ts';
import { mapOrdered } from '../../service/ordered.ts';
import { openSession, type Session } from '../../session/session.ts';
import {
  readNamedStations,
  refuseUnknownStations,
  requestStations,
} from '../../session/stations.ts';
import type { GatheredReadings } from './gather.ts';
import { checkPlotStationCount, type PlotOptions } from './options.ts';

/**
 * Requests the latest measurements of stations and the readings before them, and yields the data of
 * each picture of the wind now: one picture of all stations, or one for each station with its own
 * file. Yields nothing if no station matches.
 * @throws every failure of a StationService; if only the earlier readings cannot be loaded, a note
 *   says so
 */
export async function* gatherLatestMeasurements(
  { source, template }: PlotOptions,
  io: Io,
): AsyncGenerator<GatheredReadings> {
  if ('files' in source) return;
  const { history } = source;
  const named = await readNamedStations(history, io);
  await using session = await openSession(history.connection, io, history.notes);
  const { data, license, attribution } = await requestStations(named, false, session);
  if (!history.keepGoing) refuseUnknownStations(named, data, session);
  const chosen = selectStations(data, history.selection, history.now).map(({ station }) => station);
  if (template === undefined) checkPlotStationCount(chosen.length, undefined);
  if (chosen.length === 0) session.reporter.note('No station matches.');
  refuseSharedFiles(
    template,
    new Map(chosen.map(({ id, meta }) => [id, meta.name])),
    history.period,
  );
  const { period, concurrency } = history;
  const stations: PlotStation[] = [];
  const fetch = (station: Station, signal: AbortSignal) =>
    addHistory(station, history, session, signal);
  for await (const station of mapOrdered(chosen, fetch, { concurrency, signal: session.signal })) {
    if (template === undefined) stations.push(station);
    else yield { stations: [station], period, license, attribution };
  }
  if (stations.length > 0) yield { stations, period, license, attribution };
}

/** Adds the readings before the latest measurement to a station, if the service sends them. */
async function addHistory(
  live: Station,
  { period }: HistoryOptions,
  { service, reporter }: Session,
  signal: AbortSignal,
): Promise<PlotStation> {
  const { id, meta } = live;
  const station = { id, name: meta.name, position: positionOf(live), live };
  try {
    const { columns } = await fetchChunk(service, id, period, signal);
    return { ...station, readings: [withoutImpossibleValues(columns).possible] };
  } catch (error) {
    if (!(error instanceof VaneError) || signal.aborted) throw error;
    reporter.note(
      `The dial of station ${id} lacks the directions of the last hour. ${error.message}`,
    );
    return { ...station, readings: [] };
  }
}
