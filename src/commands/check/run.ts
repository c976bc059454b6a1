import type { Provenance } from '../../domain/envelope.ts';
import { QUALITY_TEST_NAMES, type QualityTestName } from '../../domain/quality/limits.ts';
import { formatCount } from '../../domain/text.ts';
import { FaultsFoundError } from '../../errors.ts';
import { refuseLongPeriod } from '../../flags/history.ts';
import { ROW_FORMATS } from '../../formats/index.ts';
import type { Io } from '../../io.ts';
import { noteProvenance, type Reporter } from '../../output/reporter.ts';
import { stationTargets } from '../../output/stationFiles.ts';
import type { OutputTarget } from '../../output/target.ts';
import { checkOutputTarget, writeOutput } from '../../output/write.ts';
import { NAMELESS_STATION } from '../../readings/files/fileSource.ts';
import { openReadings, periodBoundsOf } from '../../readings/open.ts';
import {
  type PeriodCheckResult,
  StationCheck,
  VERDICT_MEANINGS,
} from '../../statistics/stationCheck.ts';
import { type CheckedStation, checkDocument } from './document.ts';
import type { CheckOptions } from './options.ts';

/** Checks the history of stations or files, and writes the results. */
export async function runCheck(options: CheckOptions, io: Io): Promise<void> {
  const { source, template, output } = options;
  if (template === undefined) await checkOutputTarget(output.target, io);
  const { namesStations = false } = ROW_FORMATS[output.format];
  const want = {
    target: output.target,
    template,
    zone: output.zone,
    names: namesStations,
    stationPositions: false,
    rowPositions: true,
  };
  await using readings = await openReadings(source, want, io);
  const { account, reporter, now } = readings;
  const check = { ...options.check, bounds: periodBoundsOf(source), now };
  const stations: CheckedStation[] = [];
  // Apply no steps: the checks must see repeated times and impossible values.
  for await (const { station, name, chunks } of readings.stations()) {
    const checking = new StationCheck(check);
    for await (const { columns, period, repairs } of chunks) {
      checking.add(columns);
      checking.addDisordered(period, repairs.disordered);
    }
    const checked = checking.finish();
    if ('files' in source) refuseLongPeriod('A check', checked.period);
    stations.push({ station, name, ...checked });
  }
  await writeChecks(options, stations, readings.provenance(), reporter, io);
  account.refuseNothing(io);
  account.refuseMissing(io);
  refuseFlagged(options, stations, readings.asked ?? stations.length);
}

/**
 * Writes the results, the worst station first, then license and attribution if the format lacks
 * them.
 */
async function writeChecks(
  options: CheckOptions,
  checked: readonly CheckedStation[],
  provenance: Partial<Provenance>,
  reporter: Reporter,
  io: Io,
): Promise<void> {
  const { output, template, isVerbose } = options;
  const { by } = options.check;
  const sorted = checked.toSorted((a, b) => gravityOf(a) - gravityOf(b) || a.station - b.station);
  const format = ROW_FORMATS[output.format];
  const write = (stations: readonly CheckedStation[], target: OutputTarget): Promise<void> => {
    const document = checkDocument(stations, { by, zone: output.zone, isVerbose, provenance });
    return writeOutput(format.document(document, output, output), target, io);
  };
  if (template === undefined) await write(sorted, output.target);
  else {
    const targetOf = stationTargets(output.target, template);
    for (const one of sorted) await write([one], targetOf(one));
  }
  const isCredited = format.carriesProvenance?.includes('rows');
  if (!isCredited) noteProvenance(reporter, provenance, io.stderrTerminal);
}

/** Maximum number of stations that an error names for each test. */
const MAX_NAMED = 10;

function listStations(stations: readonly CheckedStation[]): string {
  const ids = stations
    .toSorted((a, b) => a.station - b.station)
    .map(({ station, name }) => (station === NAMELESS_STATION && name) || station);
  const more = ids.length - MAX_NAMED;
  return ids.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/**
 * A number to sort stations by, lower for worse stations: first by the worst verdict, then by the
 * share of readings that fail.
 */
function gravityOf({ parts }: CheckedStation): number {
  const gravities = parts.map(({ verdict, failed, readings }) => {
    const place = Object.keys(VERDICT_MEANINGS).indexOf(verdict);
    return place - failed / (readings + 1);
  });
  return Math.min(...gravities);
}

/**
 * Throws if a station has a fault of the level of `--fail-on`, is gone, or has no readings.
 * @param stationCount number of checked stations
 * @throws FaultsFoundError
 */
function refuseFlagged(
  { failOn }: CheckOptions,
  stations: readonly CheckedStation[],
  stationCount: number,
): void {
  if (failOn === undefined) return;
  const isFlaggedBy = (test: QualityTestName, { tests }: PeriodCheckResult): boolean =>
    tests[test].fail + (failOn === 'fail' ? 0 : tests[test].suspect) > 0;
  const flagged = QUALITY_TEST_NAMES.map((test) => ({
    test,
    at: stations.filter(({ parts }) => parts.some((part) => isFlaggedBy(test, part))),
  })).filter(({ at }) => at.length > 0);
  if (flagged.length > 0) {
    const found = new Set(flagged.flatMap(({ at }) => at)).size;
    const what = failOn === 'fail' ? 'A test fails' : 'A test fails or is suspect';
    const tests = flagged.map(({ test, at }) => `${test} at ${listStations(at)}`).join('; ');
    throw new FaultsFoundError(
      `${what} at ${found} of ${formatCount(stations.length, 'station')}: ${tests}.`,
    );
  }
  const seen = stations.filter(({ parts }) => parts.at(-1)?.verdict !== 'gone').length;
  if (seen > 0 && seen === stationCount) return;
  if (stationCount === 0) throw new FaultsFoundError('There is no station to check.');
  throw new FaultsFoundError(
    `${stationCount - seen} of ${formatCount(stationCount, 'station')} sent no mean.`,
  );
}
