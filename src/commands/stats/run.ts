import type { RowDocument } from '../../domain/document.ts';
import type { Provenance } from '../../domain/envelope.ts';
import type { Chunk } from '../../domain/readings/chunk.ts';
import { formatCount } from '../../domain/text.ts';
import { UsageError } from '../../errors.ts';
import { refuseLongPeriod } from '../../flags/history.ts';
import { describePeriodInZone, formatShare } from '../../formats/humanReadable.ts';
import { ROW_FORMATS } from '../../formats/index.ts';
import type { Io } from '../../io.ts';
import { noteProvenance, type Reporter } from '../../output/reporter.ts';
import { stationTargets } from '../../output/stationFiles.ts';
import type { OutputTarget } from '../../output/target.ts';
import { checkOutputTarget, writeOutput } from '../../output/write.ts';
import { noteMissingAverages } from '../../readings/account.ts';
import { cleaningSteps, openReadings, periodBoundsOf } from '../../readings/open.ts';
import type { StationReadings } from '../../readings/stationReadings.ts';
import { periodOfReadings } from '../../statistics/coverage.ts';
import { checkGroupCount } from '../../statistics/groups.ts';
import {
  countWithoutAverage,
  joinWindReadings,
  type WindReadings,
  windReadingsOf,
} from '../../statistics/readings.ts';
import { computeStatistics, type StatisticsOptions } from '../../statistics/statistics.ts';
import type { StatisticsView } from '../../statistics/views/index.ts';
import type { StationStatistics } from '../../statistics/views/view.ts';
import { zoneCalendar } from '../../statistics/zoneCalendar.ts';
import type { StatsOptions } from './options.ts';

/** Computes the statistics of stations or files, and writes them. */
export async function runStats(options: StatsOptions, io: Io): Promise<void> {
  const { source, template, quality, output } = options;
  if (template === undefined) await checkOutputTarget(output.target, io);
  const statistics = { ...options.statistics, period: periodBoundsOf(source) };
  // Refuse too many groups before reading anything.
  checkGroupCount(statistics.period, statistics.by, statistics.sectors);
  const { namesStations = false } = ROW_FORMATS[output.format];
  const want = {
    target: output.target,
    template,
    zone: output.zone,
    names: namesStations,
    stationPositions: false,
    rowPositions: (statistics.where ?? statistics.spells) !== undefined,
  };
  await using readings = await openReadings(source, want, io);
  const { account, reporter } = readings;
  const stations = readings.stations(...cleaningSteps(quality, readings.now, account));
  const computed = statisticsOf(stations, statistics, 'files' in source, io);
  await writeStatistics(options, computed, readings.provenance, reporter, io);
  account.note(reporter, quality);
  account.refuseNothing(io);
  account.refuseMissing(io);
}

/** Computes the statistics of each station once its chunks are read. */
async function* statisticsOf(
  stations: AsyncIterable<StationReadings>,
  options: StatisticsOptions,
  isFromFiles: boolean,
  io: Pick<Io, 'compute'>,
): AsyncGenerator<StationStatistics> {
  for await (const { station, name, chunks } of stations) {
    const readings = await collectReadings(chunks, options);
    const period = periodOfReadings(readings, options.period, zoneCalendar(options.zone));
    if (isFromFiles) refuseLongPeriod('A table of statistics', period);
    const groups = await io.compute(() => computeStatistics(readings, { ...options, period }));
    yield { station, name, period, groups, missing: countWithoutAverage(readings) };
  }
}

async function collectReadings(
  chunks: AsyncIterable<Chunk>,
  options: StatisticsOptions,
): Promise<WindReadings> {
  const parts: WindReadings[] = [];
  for await (const { columns } of chunks) parts.push(windReadingsOf(columns, options));
  return joinWindReadings(parts);
}

/** A lower coverage than this is noted. */
const ENOUGH = 0.9;

/** Writes the statistics, then notes about them, and the credit if the format lacks it. */
async function writeStatistics(
  { output, template, view }: StatsOptions,
  stations: AsyncIterable<StationStatistics>,
  provenance: () => Partial<Provenance>,
  reporter: Reporter,
  io: Io,
): Promise<void> {
  const { note } = reporter;
  const format = ROW_FORMATS[output.format];
  const notes = new StatisticsNotes(view, output.zone);
  const write = async (stations: AsyncIterable<StationStatistics>, target: OutputTarget) => {
    const pieces = format.document(documentOf(view, stations, provenance), output, output);
    // Compute everything before opening the file: a signal during the computation then leaves no
    // temporary file.
    await writeOutput(target.path === undefined ? pieces : await collect(pieces), target, io);
  };
  if (template === undefined) await write(notes.watch(stations), output.target);
  else {
    const targetOf = stationTargets(output.target, template);
    for await (const one of notes.watch(stations)) await write(onlyOne(one), targetOf(one));
  }
  for (const sentence of notes.sentences()) note(sentence);
  noteMissingAverages(notes.missing, reporter);
  const isCredited = format.carriesProvenance?.includes('rows');
  if (!isCredited) noteProvenance(reporter, provenance(), io.stderrTerminal);
}

/** Collects what to note about the statistics after they are written. */
class StatisticsNotes {
  /** Number of readings without an average, by station. */
  readonly missing = new Map<number, number>();
  readonly #view: StatisticsView;
  readonly #zone: string;
  readonly #empty: string[] = [];
  #rows = 0;
  #thin = 0;
  #firstThin = '';

  constructor(view: StatisticsView, zone: string) {
    this.#view = view;
    this.#zone = zone;
  }

  /** Passes statistics through and collects notes about them. */
  async *watch(stations: AsyncIterable<StationStatistics>): AsyncGenerator<StationStatistics> {
    for await (const statistics of stations) {
      this.#look(statistics);
      yield statistics;
    }
  }

  #look(statistics: StationStatistics): void {
    const { station, period, groups, missing } = statistics;
    this.missing.set(station, missing);
    this.#rows += groups.length;
    const span = describePeriodInZone(period, this.#zone);
    if (groups.every(({ summary }) => summary.readings === 0)) {
      this.#empty.push(`No data for station ${station} ${span}.`);
      return;
    }
    const nothing = this.#view.nothingIn?.(statistics);
    if (nothing !== undefined) this.#empty.push(`${nothing} at station ${station} ${span}.`);
    for (const { coverage } of groups.map(({ summary }) => summary)) {
      if (coverage === null || coverage >= ENOUGH) continue;
      this.#thin++;
      this.#firstThin ||= `Readings of station ${station} cover ${formatShare(coverage)} of the period.`;
    }
  }

  /** Notes about stations without data, then about periods with low coverage. */
  sentences(): string[] {
    const { groupWord } = this.#view;
    if (groupWord === undefined || this.#thin === 0) return this.#empty;
    if (this.#rows === 1) return [...this.#empty, this.#firstThin];
    const share = `${formatCount(this.#thin, groupWord)} of ${this.#rows.toLocaleString('en')}`;
    return [...this.#empty, `In ${share} the readings cover less than 90 % of the time.`];
  }
}

/** Creates the document of a view. */
function documentOf(
  view: StatisticsView,
  stations: AsyncIterable<StationStatistics>,
  provenance: () => Partial<Provenance>,
): RowDocument {
  return {
    fields: view.fields,
    async *rows() {
      for await (const station of stations) yield { ...station, rows: view.rows(station) };
    },
    blocks: (write) => view.blocks(stations, write),
    speeds: view.speeds,
    isNamedEmpty: view.isNamedEmpty,
    provenance,
  };
}

async function* onlyOne(station: StationStatistics): AsyncGenerator<StationStatistics> {
  yield station;
}

/**
 * Maximum size of an output file in characters: it stays in memory until everything is computed.
 */
const MAX_FILE_LENGTH = 2 ** 29;

async function collect<T extends string | Uint8Array>(
  pieces: AsyncIterable<T>,
): Promise<readonly T[]> {
  const all: T[] = [];
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > MAX_FILE_LENGTH) {
      throw new UsageError(
        'The file would be over 512 MiB; choose a shorter period or longer groups, or write csv to stdout.',
      );
    }
    all.push(piece);
  }
  return all;
}
