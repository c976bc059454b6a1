import { readingsOf } from '../../domain/columnReader.ts';
import { ascendingColumns, type Columns } from '../../domain/columns.ts';
import { dateWriter } from '../../domain/dates.ts';
import type { Provenance } from '../../domain/envelope.ts';
import { chunksUntil, describePeriod, type Period, periodUntil } from '../../domain/period.ts';
import { selectStations } from '../../domain/selection.ts';
import { positionOf } from '../../domain/station.ts';
import { UsageError } from '../../errors.ts';
import type { PlotStation } from '../../figures/plotData.ts';
import { NAMELESS, readFiles } from '../../files/readFiles.ts';
import type { FilesRequest, HistoryRequest } from '../../flags/history.ts';
import type { Io } from '../../io.ts';
import { createReporter, type Reporter } from '../../output/reporter.ts';
import { ChunkTally } from '../../session/chunkTally.ts';
import { QualitySieve } from '../../session/quality.ts';
import { readChunks } from '../../session/readChunks.ts';
import { openSession, type Session } from '../../session/session.ts';
import { askFor, readNamed, refuseUnknown } from '../../session/stations.ts';
import { periodOf } from '../../statistics/coverage.ts';
import { NO_AVERAGE } from '../../statistics/marks.ts';
import { timesOf } from '../../statistics/times.ts';
import { zoneCalendar } from '../../statistics/zoneCalendar.ts';
import { noteWithoutAverage, PossibleReadings } from '../possibleReadings.ts';
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
  { output: { target }, quality, zone }: PlotRequest,
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
  const chunks = new Map(found.map(({ id }): [number, Columns[]] => [id, []]));
  const possible = new PossibleReadings();
  const plan = { stations: [...chunks.keys()], chunks: chunksUntil(now, history.period) };
  const tally = new ChunkTally();
  const sieve = new QualitySieve(quality, now);
  for await (const result of sieve.sieve(readChunks(history, [plan], target, session, io))) {
    const archive = tally.take(result);
    if (archive) {
      chunks.get(result.request.station)?.push(possible.take(readingsOf(archive.rows)));
    }
  }
  tally.refuseNothing(io);
  const stations = found.map((station) => {
    return { ...station, readings: chunks.get(station.id) ?? [] };
  });
  noteReadings(stations, history.period, zone, reporter);
  sieve.note(reporter);
  possible.note(reporter);
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
  { kind, zone, quality, options }: PlotRequest,
  io: Io,
): Promise<Gathered> {
  const { stations: named, bounds, verbosity } = files;
  const reporter = createReporter(io, verbosity);
  const readings = new Map<number, Columns[]>();
  const possible = new PossibleReadings();
  const sieve = new QualitySieve(quality, io.now());
  const { take, end } = sieve.sieveColumns((station, columns) => {
    if (columns.count === 0) return;
    const chunks = readings.get(station) ?? [];
    chunks.push(possible.take(columns));
    readings.set(station, chunks);
  });
  const read = {
    ...{ zone, note: reporter.note, take },
    isOrdered: quality !== 'all',
    hasPositions: options.where !== undefined,
  };
  const head = await readFiles(files, read, io);
  end();
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
  const period = { ...spanOf(stations, zone), ...bounds };
  checkPeriod(kind, period);
  noteReadings(stations, period, zone, reporter);
  sieve.note(reporter);
  possible.note(reporter);
  return { ...head, stations, period };
}

/** The period of the readings of all stations. */
function spanOf(stations: readonly PlotStation[], zone: string): Period {
  const calendar = zoneCalendar(zone);
  const periods = stations
    .map(({ readings }) => timesOf(readings))
    .filter(({ time }) => time.length > 0)
    .map((times) => periodOf(times, {}, calendar));
  if (periods.length === 0) return { start: 0, stop: 0 };
  return {
    start: Math.min(...periods.map(({ start }) => start)),
    stop: Math.max(...periods.map(({ stop }) => stop)),
  };
}

/** Notes stations without readings, and readings without an average. */
function noteReadings(
  stations: readonly PlotStation[],
  period: Period,
  zone: string,
  reporter: Reporter,
): void {
  const span = describePeriod(period, dateWriter(zone));
  const missing = new Map<number, number>();
  for (const { id, readings } of stations) {
    const { marks } = timesOf(readings);
    missing.set(id, marks.filter((mark) => mark === NO_AVERAGE).length);
    if (marks.length === 0) reporter.note(`No data of station ${id} ${span}.`);
  }
  noteWithoutAverage(missing, reporter);
}
