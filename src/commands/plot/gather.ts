import type { Provenance } from '../../domain/envelope.ts';
import type { Period } from '../../domain/period.ts';
import type { Chunk } from '../../domain/readings/chunk.ts';
import type { ReadingColumns } from '../../domain/readings/columns.ts';
import { UsageError } from '../../errors.ts';
import type { PlotStation } from '../../figures/plotData.ts';
import { describePeriodInZone } from '../../formats/humanReadable.ts';
import type { Io } from '../../io.ts';
import type { Reporter } from '../../output/reporter.ts';
import { noteMissingAverages } from '../../readings/account.ts';
import {
  cleaningSteps,
  type OpenReadings,
  openReadings,
  periodBoundsOf,
} from '../../readings/open.ts';
import type { NamedStation } from '../../readings/stationReadings.ts';
import { periodOfReadings } from '../../statistics/coverage.ts';
import {
  countWithoutAverage,
  joinWindReadings,
  windReadingsOf,
} from '../../statistics/readings.ts';
import { zoneCalendar } from '../../statistics/zoneCalendar.ts';
import { checkPlotPeriod, checkPlotStationCount, type PlotOptions } from './options.ts';

/** The readings for a picture, with their license and attribution. */
export interface GatheredReadings extends Partial<Pick<Provenance, 'license' | 'attribution'>> {
  readonly stations: readonly PlotStation[];
  readonly period: Period;
}

/**
 * Reads the history of stations, and yields the data of each picture: one picture of all stations,
 * or one for each station with its own file. Yields nothing if no station matches.
 * @throws PartialError at the end, if --keep-going skipped periods
 */
export async function* gatherReadings(
  options: PlotOptions,
  io: Io,
): AsyncGenerator<GatheredReadings> {
  const { source, output, template, quality, zone, figure } = options;
  const want = {
    target: output.target,
    template,
    zone,
    names: true,
    stationPositions: true,
    rowPositions: figure.where !== undefined,
  };
  await using readings = await openReadings(source, want, io);
  const { chosen, account, reporter } = readings;
  if (template === undefined) checkPlotStationCount(chosen.length, figure.by);
  if ('history' in source && chosen.length === 0) {
    reporter.note('No station matches.');
    return;
  }
  const missing = new Map<number, number>();
  const picture = (stations: readonly PlotStation[]): GatheredReadings => {
    const { start, stop } = periodBoundsOf(source);
    const isOpen = start === undefined || stop === undefined;
    const period = isOpen
      ? { ...spanOf(stations, zone), ...periodBoundsOf(source) }
      : { start, stop };
    if ('files' in source) checkPlotPeriod(options.kind, period);
    const span = describePeriodInZone(period, zone);
    for (const station of stations) {
      missing.set(station.id, countMissing(station, span, reporter));
    }
    return { ...readings.provenance(), stations, period };
  };
  const steps = cleaningSteps(quality, readings.now, account);
  const read = new Map<number, PlotStation>();
  for await (const { chunks, ...named } of readings.stations(...steps)) {
    const station = plotStation(named, await collect(chunks));
    if (template === undefined) read.set(station.id, station);
    else yield picture([station]);
  }
  account.refuseNothing(io);
  const whole = template === undefined ? [picture(stationsOf(readings, read, options))] : [];
  noteMissingAverages(missing, reporter);
  account.note(reporter, quality);
  yield* whole;
  account.refuseMissing(io);
}

/**
 * The stations of a picture, including those without readings.
 * @throws UsageError if files have no readings
 */
function stationsOf(
  { chosen, asked }: OpenReadings,
  read: ReadonlyMap<number, PlotStation>,
  { source }: PlotOptions,
): readonly PlotStation[] {
  if ('files' in source) {
    const { start, stop } = source.files.bounds;
    const isBounded = start !== undefined && stop !== undefined;
    const hasReadings = [...read.values()].some(({ readings }) => readings.length > 0);
    if (read.size === 0 || (!isBounded && !hasReadings)) {
      const where = start === undefined && stop === undefined ? '' : ' in the period';
      throw new UsageError(`The files of --from contain no reading of these stations${where}.`);
    }
    if (asked === undefined) return [...read.values()];
  }
  return chosen.map((named) => read.get(named.station) ?? plotStation(named, []));
}

function plotStation(
  { station, name, position }: NamedStation,
  readings: readonly ReadingColumns[],
): PlotStation {
  return { id: station, name: name ?? `Station ${station}`, position, readings };
}

async function collect(chunks: AsyncIterable<Chunk>): Promise<ReadingColumns[]> {
  const all: ReadingColumns[] = [];
  for await (const { columns } of chunks) all.push(columns);
  return all;
}

/** The period from the first to the last reading of all stations. */
function spanOf(stations: readonly PlotStation[], zone: string): Period {
  const calendar = zoneCalendar(zone);
  const periods = stations
    .map(({ readings }) => joinWindReadings(readings.map((columns) => windReadingsOf(columns))))
    .filter(({ time }) => time.length > 0)
    .map((readings) => periodOfReadings(readings, {}, calendar));
  if (periods.length === 0) return { start: 0, stop: 0 };
  return {
    start: Math.min(...periods.map(({ start }) => start)),
    stop: Math.max(...periods.map(({ stop }) => stop)),
  };
}

/**
 * Counts the readings of a station that have no average. Prints a note if there is no reading at
 * all.
 * @param span the period in words
 */
function countMissing({ id, readings }: PlotStation, span: string, reporter: Reporter): number {
  if (readings.every(({ count }) => count === 0))
    reporter.note(`No data for station ${id} ${span}.`);
  return readings.reduce((sum, columns) => sum + countWithoutAverage(columns), 0);
}
