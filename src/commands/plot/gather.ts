import { readingsOf } from '../../domain/columnReader.ts';
import { ascendingColumns, type Columns } from '../../domain/columns.ts';
import type { Provenance } from '../../domain/envelope.ts';
import { chunksUntil, type Period, periodUntil } from '../../domain/period.ts';
import { selectStations } from '../../domain/selection.ts';
import { positionOf } from '../../domain/station.ts';
import { UsageError } from '../../errors.ts';
import type { PlotStation } from '../../figures/plotData.ts';
import { NAMELESS, readFiles, stationsToShow } from '../../files/readFiles.ts';
import type { FilesOptions, HistoryOptions } from '../../flags/history.ts';
import { describeSpan } from '../../formats/forPeople.ts';
import type { Io } from '../../io.ts';
import { createReporter, type Reporter } from '../../output/reporter.ts';
import { refuseSharedFiles } from '../../output/stationFiles.ts';
import { ChunkTally } from '../../session/chunkTally.ts';
import { QualitySieve } from '../../session/quality.ts';
import { readChunks } from '../../session/readChunks.ts';
import { openSession, type Session } from '../../session/session.ts';
import { readNamed, refuseUnknown, requestStations } from '../../session/stations.ts';
import { periodOf } from '../../statistics/coverage.ts';
import { NO_AVERAGE } from '../../statistics/marks.ts';
import { timesOf } from '../../statistics/times.ts';
import { zoneCalendar } from '../../statistics/zoneCalendar.ts';
import { noteWithoutAverage, PossibleReadings } from '../possibleReadings.ts';
import { checkCount, checkPeriod, type PlotOptions } from './options.ts';

/** The readings of a picture, with their license. */
export interface Gathered extends Partial<Pick<Provenance, 'license' | 'attribution'>> {
  readonly stations: readonly PlotStation[];
  readonly period: Period;
}

/**
 * Reads the history of stations from the service, and yields what a picture shows: all stations, or
 * each on its own where each has a file. Yields nothing if no station matches.
 * @throws PartialError at the end, if --keep-going left out readings
 */
export async function* gatherFromService(
  history: HistoryOptions,
  { output: { target }, template, quality, zone }: PlotOptions,
  io: Io,
): AsyncGenerator<Gathered> {
  const named = await readNamed(history, io);
  await using session = await openSession(history.connection, io, history.notes);
  const { reporter } = session;
  const found = await findStations(named, history, session);
  if (template === undefined) checkCount(found.length);
  if (found.length === 0) {
    reporter.note('No station matches.');
    return;
  }
  const { now } = history;
  const period = periodUntil(now, history.period);
  refuseSharedFiles(template, new Map(found.map(({ id, name }) => [id, name])), period);
  const span = describeSpan(history.period, zone);
  const possible = new PossibleReadings();
  const plan = { stations: found.map(({ id }) => id), chunks: chunksUntil(now, history.period) };
  const tally = new ChunkTally();
  const sieve = new QualitySieve(quality, now);
  const missing = new Map<number, number>();
  const stations: PlotStation[] = [];
  let readings: Columns[] = [];
  for await (const result of sieve.sieve(readChunks(history, [plan], target, session, io))) {
    const archive = tally.take(result);
    if (archive) readings.push(possible.take(readingsOf(archive.rows)));
    if (tally.chunks % plan.chunks.length > 0) continue;
    const facts = found[tally.chunks / plan.chunks.length - 1] as (typeof found)[number];
    const station = { ...facts, readings };
    readings = [];
    if (template === undefined) stations.push(station);
    // A station whose requests all failed has no picture of its own.
    else if (station.readings.length > 0) {
      missing.set(station.id, countMissing(station, span, reporter));
      yield { ...tally.provenance, stations: [station], period };
    }
  }
  tally.refuseNothing(io);
  for (const station of stations) {
    missing.set(station.id, countMissing(station, span, reporter));
  }
  noteWithoutAverage(missing, reporter);
  sieve.note(reporter);
  possible.note(reporter);
  if (template === undefined) yield { ...tally.provenance, stations, period };
  tally.refuseMissing(io);
}

/** The stations to draw: sorted as --sort and --near say, without both by id. */
async function findStations(
  named: readonly number[] | 'all',
  { selection, now }: HistoryOptions,
  session: Session,
): Promise<Omit<PlotStation, 'readings'>[]> {
  const { data } = await requestStations(named, false, session);
  refuseUnknown(named, data, session);
  return selectStations(data, selection, now).map(({ station }) => ({
    id: station.id,
    name: station.meta.name,
    position: positionOf(station),
  }));
}

/** Reads files that `vane archive` wrote, and yields what each picture shows. */
export async function* gatherFromFiles(
  files: FilesOptions,
  { kind, zone, quality, figure, template }: PlotOptions,
  io: Io,
): AsyncGenerator<Gathered> {
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
    hasPositions: figure.where !== undefined,
  };
  const head = await readFiles(files, read, io);
  end();
  const ids = named === 'all' ? [...readings.keys()].sort((a, b) => a - b) : named;
  if (template === undefined) checkCount(ids.length);
  const isBounded = bounds.start !== undefined && bounds.stop !== undefined;
  if (ids.length === 0 || (!isBounded && ids.every((id) => !readings.has(id)))) {
    const isOpen = bounds.start === undefined && bounds.stop === undefined;
    const where = isOpen ? '' : ' in the period';
    throw new UsageError(`The files of --from contain no reading of these stations${where}.`);
  }
  const stations = ids.map((id): PlotStation => {
    const chunks = ascendingColumns(readings.get(id) ?? []);
    const name = id === NAMELESS ? head.name : undefined;
    return { id, name: name ?? `Station ${id}`, position: undefined, readings: chunks };
  });
  const shown = template ? stationsToShow(files, readings.keys(), reporter.note) : [];
  const panels = template
    ? stations.filter(({ id }) => shown.includes(id)).map((station) => [station])
    : [stations];
  const missing = new Map<number, number>();
  const pictures = panels.map((stations): Gathered => {
    const period = { ...spanOf(stations, zone), ...bounds };
    checkPeriod(kind, period);
    const span = describeSpan(period, zone);
    for (const station of stations) {
      missing.set(station.id, countMissing(station, span, reporter));
    }
    return { ...head, stations, period };
  });
  noteWithoutAverage(missing, reporter);
  sieve.note(reporter);
  possible.note(reporter);
  yield* pictures;
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

/**
 * Counts the readings of a station without an average; without any reading, a note says so.
 * @param span the period in words
 */
function countMissing({ id, readings }: PlotStation, span: string, reporter: Reporter): number {
  const { marks } = timesOf(readings);
  if (marks.length === 0) reporter.note(`No data for station ${id} ${span}.`);
  return marks.filter((mark) => mark === NO_AVERAGE).length;
}
