import { formatDate } from '../../domain/dates.ts';
import type { Period } from '../../domain/period.ts';
import type { RowRepairs } from '../../domain/readings/chunk.ts';
import { formatCount, printableMessage } from '../../domain/text.ts';
import { describePeriodInZone } from '../../formats/humanReadable.ts';
import { ARCHIVE_FORMATS } from '../../formats/index.ts';
import { escapeControls } from '../../formats/json.ts';
import type { Io } from '../../io.ts';
import { noteProvenance } from '../../output/reporter.ts';
import type { ReadingsAccount } from '../../readings/account.ts';
import type { RequestCounters } from '../../service/service.ts';
import type { Session } from '../../session/session.ts';
import { VERSION } from '../../version.ts';
import type { ExportTally } from './exportTally.ts';
import type { ArchiveOptions } from './options.ts';
import { describeSummaries, type StationSummary } from './stationSummaries.ts';

/**
 * Writes the summary of an export to stderr.
 * @throws PartialError if some requests failed; the worst failure if all did
 */
export function writeExportSummary(
  options: ArchiveOptions,
  account: ReadingsAccount,
  tally: ExportTally,
  { reporter }: Session,
  io: Io,
): void {
  const { rows, files } = tally;
  account.refuseNothing(io);
  if (!tally.endedEarly) reporter.note(summarize(options, tally));
  const summaries = tally.summarize(account);
  if (!tally.endedEarly && rows > 0 && summaries && options.output.format === 'table') {
    const position = tally.describePosition();
    const lines = describeSummaries(summaries, position, options, tally.stations.size);
    for (const line of lines) reporter.note(line);
  }
  noteRepairs(account, tally, reporter);
  const { carriesProvenance } = ARCHIVE_FORMATS[options.output.format];
  const isCredited = carriesProvenance?.includes('archive') && options.header === 'service';
  if (!isCredited && (rows > 0 || files.length === 0)) {
    noteProvenance(reporter, account.provenance ?? {}, io.stderrTerminal);
  }
  account.refuseMissing(io);
}

function summarize(
  { period, output, template, append, every }: ArchiveOptions,
  { rows, written, added, files, stations }: ExportTally,
): string {
  const who = stations.size === 1 ? `station ${[...stations][0]}` : `${stations.size} stations`;
  const span = `${who} ${describePeriodInZone(period, output.zone)}`;
  if (append) return `${formatCount(added, 'reading')} of ${who} added.`;
  if (rows === 0) return `No data for ${span}.`;
  const { path } = output.target;
  const place = template
    ? ` in ${formatCount(files.length, 'file')}`
    : path === undefined
      ? ''
      : ` in ${path}`;
  const form = every ? ` as ${formatCount(written, 'row')} of ${every.name}` : '';
  return `${formatCount(rows, 'reading')} of ${span}${form}${place}.`;
}

/** Notes how the rows differ from the responses, for example that repeated rows were dropped. */
function noteRepairs(
  { repairs }: ReadingsAccount,
  { unitChange, late }: ExportTally,
  reporter: Session['reporter'],
): void {
  const words: Readonly<Record<keyof RowRepairs, string>> = {
    outside: 'outside their period left out',
    disordered: 'out of order sorted',
    repeated: 'that came twice left out',
    conflicting: 'kept that differ from another row of the same time',
  };
  const repaired = (Object.keys(words) as (keyof RowRepairs)[]).filter((kind) => repairs[kind] > 0);
  if (repaired.length > 0) {
    const parts = repaired.map((kind) => `${repairs[kind]} ${words[kind]}`);
    reporter.note(`Of the rows received, ${parts.join(', ')}.`);
  }
  if (unitChange !== undefined) reporter.note(unitChange);
  if (late === 0) return;
  const were = late === 1 ? ['is', 'was', 'it'] : ['are', 'were', 'them'];
  reporter.note(
    `${formatCount(late, 'reading')} ${were[0]} older than the last row of the file and ${were[1]} not appended. ` +
      `An export without --append includes ${were[2]}.`,
  );
}

/**
 * Formats the JSON report of an export for `--report`.
 * @param names station names by id, as far as they are known
 */
export function formatExportReport(
  { period, every, append }: ArchiveOptions,
  account: ReadingsAccount,
  tally: ExportTally,
  names: ReadonlyMap<number, string | undefined>,
  counters: RequestCounters,
  seconds: number,
): string {
  const report = {
    rows: append ? tally.added : tally.rows,
    late: tally.late,
    files: tally.files,
    missing: account.missing.map(({ station, period, failure }) => ({
      station,
      ...formatPeriod(period),
      reason: printableMessage(failure.message),
      exit_code: failure.exitCode,
    })),
    repairs: account.repairs,
    columns: [tally.unitChange ?? []].flat().map(printableMessage),
    chunks: account.chunks,
    requests: counters.requests,
    retries: counters.retries,
    cache_hits: counters.cacheHits,
    bytes: counters.bytes,
    seconds,
    version: VERSION,
    period: formatPeriod(period),
    every: every?.name ?? null,
    steps: every ? tally.written : null,
    units: tally.units ?? null,
    stations: (tally.summarize(account) ?? []).map((summary) => ({
      ...reportStation(summary),
      name: names.get(summary.station) ?? null,
      missing_chunks: account.missing
        .filter(({ station }) => station === summary.station)
        .map(({ period }) => formatPeriod(period)),
    })),
  };
  return `${escapeControls(JSON.stringify(report, null, 2))}\n`;
}

function reportStation({ station, summary, longGaps, longGapCount }: StationSummary) {
  const { readings, first, last, stepS, coverage } = summary;
  return {
    station,
    readings,
    first: first === null ? null : formatDate(first),
    last: last === null ? null : formatDate(last),
    step_s: stepS,
    coverage,
    gaps_over_6h: longGaps.map(({ start, lengthS }) => ({
      start: formatDate(start),
      stop: formatDate(start + 1000 * lengthS),
      hours: lengthS / 3600,
    })),
    gaps_over_6h_left_out: longGapCount - longGaps.length,
  };
}

function formatPeriod({ start, stop }: Period): { start: string; stop: string } {
  return { start: formatDate(start), stop: formatDate(stop) };
}
