import { ColumnReader } from '../../domain/columnReader.ts';
import type { Columns } from '../../domain/columns.ts';
import type { Provenance } from '../../domain/envelope.ts';
import { chunksUntil, periodUntil } from '../../domain/period.ts';
import { TEST_NAMES, type TestName } from '../../domain/quality/limits.ts';
import { countOf } from '../../domain/text.ts';
import { FlaggedError } from '../../errors.ts';
import { NAMELESS, readFiles, stationsToShow } from '../../files/readFiles.ts';
import { type FilesOptions, type HistoryOptions, refuseLongPeriod } from '../../flags/history.ts';
import type { CheckedStation } from '../../formats/format.ts';
import { CHECK_FORMATS } from '../../formats/index.ts';
import type { Io } from '../../io.ts';
import { createReporter, noteProvenance, type Reporter } from '../../output/reporter.ts';
import { refuseSharedFiles, stationTargets } from '../../output/stationFiles.ts';
import type { Target } from '../../output/target.ts';
import { checkTarget, writeOutput } from '../../output/write.ts';
import { ChunkTally } from '../../session/chunkTally.ts';
import { readChunks } from '../../session/readChunks.ts';
import { openSession } from '../../session/session.ts';
import { readNamed, resolveNamedStations } from '../../session/stations.ts';
import { type CheckedPart, StationCheck, VERDICT_MEANINGS } from '../../statistics/stationCheck.ts';
import type { CheckOptions } from './options.ts';

/** Checks the history of stations or files, and writes what was found. */
export async function runCheck(options: CheckOptions, io: Io): Promise<void> {
  const { source, template, output } = options;
  if (template === undefined) await checkTarget(output.target, io);
  if ('files' in source) await checkFiles(source.files, options, io);
  else await checkService(source.history, options, io);
}

async function checkService(history: HistoryOptions, options: CheckOptions, io: Io): Promise<void> {
  const { now } = history;
  const named = await readNamed(history, io);
  await using session = await openSession(history.connection, io, history.notes);
  const { template, output } = options;
  const isNamed = CHECK_FORMATS[output.format].namesStations || template?.uses.has('name');
  const names = await resolveNamedStations(named, history, isNamed ?? false, session);
  const plan = { stations: [...names.keys()], chunks: chunksUntil(now, history.period) };
  const tally = new ChunkTally();
  const checkOptions = { ...options.check, bounds: periodUntil(now, history.period), now };
  refuseSharedFiles(template, names, checkOptions.bounds);
  const reader = new ColumnReader();
  const stations: CheckedStation[] = [];
  let check: StationCheck | undefined;
  for await (const result of readChunks(history, [plan], output.target, session, io)) {
    const { station, period } = result.request;
    const archive = tally.take(result);
    if (archive && 'repairs' in result) {
      check ??= new StationCheck(checkOptions);
      check.add(reader.read(archive.rows));
      check.addDisordered(period, result.repairs.disordered);
    }
    if (tally.chunks % plan.chunks.length > 0) continue;
    // A station whose requests all failed has no check.
    if (check) stations.push({ station, name: names.get(station), ...check.finish() });
    check = undefined;
  }
  await writeChecks(options, stations, tally.provenance ?? {}, session.reporter, io);
  tally.refuseNothing(io);
  tally.refuseMissing(io);
  refuseFlagged(options, stations, plan.stations.length);
}

async function checkFiles(files: FilesOptions, options: CheckOptions, io: Io): Promise<void> {
  const reporter = createReporter(io, files.verbosity);
  const { note } = reporter;
  const checkOptions = { ...options.check, bounds: files.bounds, now: io.now() };
  const checks = new Map<number, StationCheck>();
  const take = (station: number, columns: Columns): void => {
    const check = checks.get(station) ?? new StationCheck(checkOptions);
    checks.set(station, check);
    check.add(columns);
  };
  const read = { zone: checkOptions.zone, note, isOrdered: true, hasPositions: true, take };
  const head = await readFiles(files, read, io);
  const shown = stationsToShow(files, checks.keys(), note);
  const stations = shown.map((station): CheckedStation => {
    const checked = (checks.get(station) ?? new StationCheck(checkOptions)).finish();
    refuseLongPeriod('A check', checked.period);
    return { station, name: station === NAMELESS ? head.name : undefined, ...checked };
  });
  await writeChecks(options, stations, head, reporter, io);
  const stationCount = files.stations === 'all' ? shown.length : files.stations.length;
  refuseFlagged(options, stations, stationCount);
}

/** Writes the checks, the gravest first, then the credit if the format does not hold it. */
async function writeChecks(
  options: CheckOptions,
  checked: readonly CheckedStation[],
  provenance: Partial<Provenance>,
  reporter: Reporter,
  io: Io,
): Promise<void> {
  const { output, template, isVerbose } = options;
  const sorted = checked.toSorted((a, b) => gravityOf(a) - gravityOf(b) || a.station - b.station);
  const format = CHECK_FORMATS[output.format];
  const write = (stations: readonly CheckedStation[], target: Target): Promise<void> => {
    const hasEpisodes = stations.length === 1 || isVerbose;
    const list = { ...output, hasEpisodes, stations, provenance };
    return writeOutput(format.checks(list, output), target, io);
  };
  if (template === undefined) await write(sorted, output.target);
  else {
    const targetOf = stationTargets(output.target, template);
    for (const one of sorted) await write([one], targetOf(one));
  }
  const { license, attribution } = provenance;
  const isCredited = format.carriesProvenance?.includes('checks');
  if (isCredited || license === undefined || attribution === undefined) return;
  noteProvenance(reporter, { license, attribution }, io.stderrTerminal);
}

/** Most stations that an error names for each test. */
const MAX_NAMED = 10;

function listStations(stations: readonly CheckedStation[]): string {
  const ids = stations
    .toSorted((a, b) => a.station - b.station)
    .map(({ station, name }) => (station === NAMELESS && name) || station);
  const more = ids.length - MAX_NAMED;
  return ids.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Lower for a graver station: by its worst verdict, then by the share of readings that fail. */
function gravityOf({ parts }: CheckedStation): number {
  const gravities = parts.map(({ verdict, failed, readings }) => {
    const place = Object.keys(VERDICT_MEANINGS).indexOf(verdict);
    return place - failed / (readings + 1);
  });
  return Math.min(...gravities);
}

/**
 * Refuses what `--fail-on` names, and stations that are gone or have no reading.
 * @param stationCount number of stations to check
 * @throws FlaggedError
 */
function refuseFlagged(
  { failOn }: CheckOptions,
  stations: readonly CheckedStation[],
  stationCount: number,
): void {
  if (failOn === undefined) return;
  const isFlaggedBy = (test: TestName, { tests }: CheckedPart): boolean =>
    tests[test].fail + (failOn === 'fail' ? 0 : tests[test].suspect) > 0;
  const flagged = TEST_NAMES.map((test) => ({
    test,
    at: stations.filter(({ parts }) => parts.some((part) => isFlaggedBy(test, part))),
  })).filter(({ at }) => at.length > 0);
  if (flagged.length > 0) {
    const found = new Set(flagged.flatMap(({ at }) => at)).size;
    const what = failOn === 'fail' ? 'A test fails' : 'A test fails or is suspect';
    const tests = flagged.map(({ test, at }) => `${test} at ${listStations(at)}`).join('; ');
    throw new FlaggedError(
      `${what} at ${found} of ${countOf(stations.length, 'station')}: ${tests}.`,
    );
  }
  const seen = stations.filter(({ parts }) => parts.at(-1)?.verdict !== 'gone').length;
  if (seen > 0 && seen === stationCount) return;
  if (stationCount === 0) throw new FlaggedError('There is no station to check.');
  throw new FlaggedError(
    `${stationCount - seen} of ${countOf(stationCount, 'station')} sent no mean.`,
  );
}
