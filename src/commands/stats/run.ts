import type { Provenance } from '../../domain/envelope.ts';
import { chunksUntil, periodUntil } from '../../domain/period.ts';
import { countOf } from '../../domain/text.ts';
import { UsageError } from '../../errors.ts';
import { readFiles, stationsToShow } from '../../files/readFiles.ts';
import type { FilesOptions, HistoryOptions } from '../../flags/history.ts';
import type { StationStatistics } from '../../formats/format.ts';
import { describeSpan, formatShare } from '../../formats/forPeople.ts';
import { STATISTICS_FORMATS } from '../../formats/index.ts';
import type { Io } from '../../io.ts';
import { createReporter, noteProvenance, type Reporter } from '../../output/reporter.ts';
import { refuseSharedFiles, stationTargets } from '../../output/stationFiles.ts';
import type { Target } from '../../output/target.ts';
import { checkTarget, writeOutput } from '../../output/write.ts';
import { ChunkTally } from '../../session/chunkTally.ts';
import { QualitySieve } from '../../session/quality.ts';
import { readChunks } from '../../session/readChunks.ts';
import { openSession } from '../../session/session.ts';
import { readNamed, resolveNamedStations } from '../../session/stations.ts';
import { checkGroupCount } from '../../statistics/groups.ts';
import { Statistics, type StatisticsOptions } from '../../statistics/statistics.ts';
import { noteWithoutAverage, PossibleReadings } from '../possibleReadings.ts';
import { gatherChunks, gatherStations } from './gather.ts';
import type { StatsOptions } from './options.ts';

/** Computes the statistics of stations or files, and writes them. */
export async function runStats(options: StatsOptions, io: Io): Promise<void> {
  const { source, template, output } = options;
  if (template === undefined) await checkTarget(output.target, io);
  if ('files' in source) await runFiles(source.files, options, io);
  else await runService(source.history, options, io);
}

async function runService(history: HistoryOptions, options: StatsOptions, io: Io): Promise<void> {
  const { now } = history;
  const period = periodUntil(now, history.period);
  const statisticsOptions: StatisticsOptions = { ...options.statistics, period };
  // Refuse too many groups before any request is sent.
  checkGroupCount(period, statisticsOptions.by, statisticsOptions.sectors);
  const named = await readNamed(history, io);
  await using session = await openSession(history.connection, io, history.notes);
  const { template, output } = options;
  const isNamed = STATISTICS_FORMATS[output.format].namesStations || template?.uses.has('name');
  const stations = await resolveNamedStations(named, history, isNamed ?? false, session);
  refuseSharedFiles(template, stations, period);
  const chunks = chunksUntil(now, history.period);
  const plan = { stations: [...stations.keys()], chunks };
  const tally = new ChunkTally();
  const readings = new PossibleReadings();
  const sieve = new QualitySieve(options.quality, now);
  const results = sieve.sieve(readChunks(history, [plan], output.target, session, io));
  const taken = { tally, readings };
  const gathered = gatherChunks(results, stations, chunks.length, statisticsOptions, taken, io);
  await writeStatistics(options, gathered, () => tally.provenance ?? {}, session.reporter, io);
  sieve.note(session.reporter);
  readings.note(session.reporter);
  tally.refuseNothing(io);
  tally.refuseMissing(io);
}

async function runFiles(files: FilesOptions, options: StatsOptions, io: Io): Promise<void> {
  const reporter = createReporter(io, files.verbosity);
  const { note } = reporter;
  const { quality } = options;
  const statisticsOptions: StatisticsOptions = { ...options.statistics, period: files.bounds };
  const found = new Map<number, Statistics>();
  // Refuse too many groups before any file is read.
  const empty = new Statistics(statisticsOptions);
  const readings = new PossibleReadings();
  const sieve = new QualitySieve(quality, io.now());
  const { take, end } = sieve.sieveColumns((station, columns) => {
    const statistics = found.get(station) ?? new Statistics(statisticsOptions);
    found.set(station, statistics);
    statistics.add(readings.take(columns));
  });
  const read = {
    ...{ zone: statisticsOptions.zone, note, take },
    isOrdered: quality !== 'all',
    hasPositions: statisticsOptions.where !== undefined,
  };
  const head = await readFiles(files, read, io);
  end();
  const shown = stationsToShow(files, found.keys(), note);
  const stations = gatherStations(shown, found, empty, head.name, io);
  await writeStatistics(options, stations, () => head, reporter, io);
  sieve.note(reporter);
  readings.note(reporter);
}

/** A coverage below this share is noted. */
const ENOUGH = 0.9;

/** Writes statistics, then notes on them, and the credit if the format does not hold it. */
async function writeStatistics(
  { output, template, statistics: { by, where }, classes, above, isClimate }: StatsOptions,
  stations: AsyncIterable<StationStatistics>,
  provenance: () => Partial<Provenance>,
  reporter: Reporter,
  io: Io,
): Promise<void> {
  const { note } = reporter;
  const format = STATISTICS_FORMATS[output.format];
  const isSpells = where?.isSpells ?? false;
  let rows = 0;
  const empty: string[] = [];
  let thin = 0;
  let firstThin = '';
  const missing = new Map<number, number>();
  async function* watched(): AsyncGenerator<StationStatistics> {
    for await (const statistics of stations) {
      const { station, period, groups } = statistics;
      missing.set(station, statistics.missing);
      const summaries = groups.map(({ summary }) => summary);
      rows += groups.length;
      if (summaries.every(({ readings }) => readings === 0)) {
        empty.push(`No data for station ${station} ${describeSpan(period, output.zone)}.`);
      } else if (!isClimate) {
        for (const { coverage } of summaries) {
          if (coverage === null || coverage >= ENOUGH) continue;
          thin++;
          firstThin ||= `Readings of station ${station} cover ${formatShare(coverage)} of the period.`;
        }
        if (isSpells && groups.every(({ spells }) => spells?.length === 0)) {
          empty.push(`No spell at station ${station} ${describeSpan(period, output.zone)}.`);
        }
      }
      yield statistics;
    }
  }
  const kind = { classes, above, isClimate, isSpells };
  const write = async (stations: AsyncIterable<StationStatistics>, target: Target) => {
    const pieces = format.statistics({ ...output, by, ...kind, stations, provenance }, output);
    // A file is opened once all is computed: a signal during a computation leaves no temporary file.
    await writeOutput(target.path === undefined ? pieces : await collect(pieces), target, io);
  };
  if (template === undefined) await write(watched(), output.target);
  else {
    const targetOf = stationTargets(output.target, template);
    for await (const one of watched()) await write(onlyOne(one), targetOf(one));
  }
  for (const sentence of empty) note(sentence);
  if (rows === 1 && thin > 0) note(firstThin);
  if (rows > 1 && thin > 0) {
    const unit = isSpells || above ? 'group' : 'row';
    const share = `${countOf(thin, unit)} of ${rows.toLocaleString('en')}`;
    note(`In ${share} the readings cover less than 90 % of the time.`);
  }
  noteWithoutAverage(missing, reporter);
  const { license, attribution } = provenance();
  const isCredited = format.carriesProvenance?.includes('statistics');
  if (isCredited || license === undefined || attribution === undefined) return;
  noteProvenance({ note }, { license, attribution }, io.stderrTerminal);
}

async function* onlyOne(station: StationStatistics): AsyncGenerator<StationStatistics> {
  yield station;
}

/** Most characters of a file, which are in memory until all is computed. */
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
