import { readingsOf } from '../../domain/columnReader.ts';
import { ascendingColumns, type Columns, rowsWithin } from '../../domain/columns.ts';
import type { Provenance } from '../../domain/envelope.ts';
import { chunksUntil, describePeriod, type Period, periodUntil } from '../../domain/period.ts';
import { selectStations } from '../../domain/selection.ts';
import { positionOf } from '../../domain/station.ts';
import { UsageError } from '../../errors.ts';
import type { Kind } from '../../figures/kinds.ts';
import type { PlotStation } from '../../figures/plotData.ts';
import { NAMELESS, readFiles } from '../../files/readFiles.ts';
import type { FilesRequest, HistoryRequest } from '../../flags/history.ts';
import type { Io } from '../../io.ts';
import { createReporter, type Reporter } from '../../output/reporter.ts';
import { ChunkTally } from '../../session/chunkTally.ts';
import { readChunks } from '../../session/readChunks.ts';
import { openSession, type Session } from '../../session/session.ts';
import { askFor, readNamed, refuseUnknown } from '../../session/stations.ts';
import { coverageOf } from '../../statistics/coverage.ts';
import { zoneCalendar } from '../../statistics/zoneCalendar.ts';
import { checkCount, checkPeriod, type PlotRequest } from './request.ts';

/** The readings of a picture, with their license. */
export interface Gathered extends Partial<Pick<Provenance, 'license' | 'attribution'>> {
  readonly stations: readonly PlotStation[];
  readonly period: Period;
  /** Throws PartialError if --keep-going left out readings. */
  readonly refuseMissing?: () => void;
}

/** Reads the history of stations from the service. @returns undefined if no station matches */
export async function gatherFromService(
  history: HistoryRequest,
  { output: { target } }: PlotRequest,
  io: Io,
): Promise<Gathered | undefined> {
  const named = await readNamed(history, io);
  await using session = await openSession(history.connection, io, history.notes);
  const { reporter } = session;
  const found = await findStations(named, history, session);
  if (found.length === 0) {
    reporter.note('No station matches.');
    return undefined;
  }
  const { now } = history;
  const readings = new Map(found.map(({ id }): [number, Columns[]] => [id, []]));
  const plan = { stations: [...readings.keys()], chunks: chunksUntil(now, history.period) };
  const tally = new ChunkTally();
  for await (const result of readChunks(history, [plan], target, session, io)) {
    const archive = tally.take(result);
    if (archive) readings.get(result.request.station)?.push(readingsOf(archive.rows));
  }
  tally.refuseNothing(io);
  const stations = found.map((station) => {
    return { ...station, readings: readings.get(station.id) ?? [] };
  });
  noteEmpty(stations, history.period, reporter);
  const period = periodUntil(now, history.period);
  return { ...tally.provenance, stations, period, refuseMissing: () => tally.refuseMissing(io) };
}

/** The stations to draw: sorted as --sort and --near say, without both by id. */
async function findStations(
  named: readonly number[] | 'all',
  { selection, now }: HistoryRequest,
  session: Session,
): Promise<Omit<PlotStation, 'readings'>[]> {
  const { data } = await askFor(named, false, session);
  refuseUnknown(named, data, session);
  const selected = selectStations(data, selection, now);
  checkCount(selected.length);
  return selected.map(({ station }) => ({
    id: station.id,
    name: station.meta.name,
    position: positionOf(station),
  }));
}

/** Reads files that `vane archive` wrote. */
export async function gatherFromFiles(
  files: FilesRequest,
  { kind, zone }: PlotRequest,
  io: Io,
): Promise<Gathered> {
  const { stations: named, bounds, verbosity } = files;
  const reporter = createReporter(io, verbosity);
  const readings = new Map<number, Columns[]>();
  const take = (station: number, columns: Columns): void => {
    const within = rowsWithin(columns, bounds);
    if (within.count === 0) return;
    const chunks = readings.get(station) ?? [];
    chunks.push(within);
    readings.set(station, chunks);
  };
  const head = await readFiles(files, { zone, note: reporter.note, take }, io);
  const ids = named === 'all' ? [...readings.keys()].sort((a, b) => a - b) : named;
  checkCount(ids.length);
  const isBounded = bounds.start !== undefined && bounds.stop !== undefined;
  if (ids.length === 0 || (!isBounded && ids.every((id) => !readings.has(id)))) {
    const isOpen = bounds.start === undefined && bounds.stop === undefined;
    const where = isOpen ? '' : ' in the period';
    throw new UsageError(`The files of --from hold no reading of these stations${where} to draw.`);
  }
  const stations = ids.map((id): PlotStation => {
    const chunks = ascendingColumns(readings.get(id) ?? []);
    const name = id === NAMELESS ? head.name : undefined;
    return { id, name: name ?? `Station ${id}`, position: undefined, readings: chunks };
  });
  const period = { ...spanOf(stations, kind, zone), ...bounds };
  checkPeriod(kind, period);
  noteEmpty(stations, period, reporter);
  return { ...head, stations, period };
}

/**
 * The period that a picture of files shows: from the first reading of all stations until one
 * interval between readings after the last. A calendar or pattern ends with the hour of the last
 * reading, so that it begins no day or month without a reading.
 */
function spanOf(stations: readonly PlotStation[], kind: Kind, zone: string): Period {
  const hasHours = kind === 'calendar' || kind === 'pattern';
  const calendar = zoneCalendar(zone);
  const periods = stations.flatMap(({ readings }): Period[] => {
    const chunks = readings.filter(({ count }) => count > 0);
    const [first, last] = [chunks[0], chunks.at(-1)];
    if (first === undefined || last === undefined) return [];
    const start = first.time[0] as number;
    const end = last.time[last.count - 1] as number;
    const { stepS } = coverageOf(chunks, { start, stop: end + 1 });
    const next = end + (stepS === null ? 1 : 1000 * stepS);
    const stop = hasHours ? Math.min(next, calendar.intervalAt('hour', end).stop) : next;
    return [{ start, stop }];
  });
  if (periods.length === 0) return { start: 0, stop: 0 };
  return {
    start: Math.min(...periods.map(({ start }) => start)),
    stop: Math.max(...periods.map(({ stop }) => stop)),
  };
}

function noteEmpty(stations: readonly PlotStation[], period: Period, { note }: Reporter): void {
  for (const { id, readings } of stations) {
    if (readings.some(({ count }) => count > 0)) continue;
    note(`No data of station ${id} ${describePeriod(period)}.`);
  }
}
