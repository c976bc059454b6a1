import { formatDate } from '../../domain/dates.ts';
import { describePeriod } from '../../domain/period.ts';
import { countOf, printableMessage } from '../../domain/text.ts';
import { NotFoundError, PartialError } from '../../errors.ts';
import { ARCHIVE_FORMATS } from '../../formats/index.ts';
import { escapeControls } from '../../formats/json.ts';
import type { Io } from '../../io.ts';
import type { Repairs } from '../../service/chunks.ts';
import type { Counters } from '../../service/service.ts';
import { noteProvenance, type Session } from '../shared/session.ts';
import type { ArchiveRequest } from './request.ts';
import type { ExportTally } from './tally.ts';

/** The progress of an export on one line. */
export function describeProgress(
  { chunks, rows }: ExportTally,
  total: number,
  { counters }: Session,
  elapsedMs: number,
): string {
  const perSecond = Math.round(rows / Math.max(0.001, elapsedMs / 1000));
  const leftS = Math.ceil(((elapsedMs / chunks) * (total - chunks)) / 1000);
  return [
    `${chunks}/${total} chunks`,
    `${rows.toLocaleString('en')} rows`,
    `${perSecond.toLocaleString('en')} rows/s`,
    `${leftS} s left`,
    ...(counters.cacheHits > 0 ? [`${counters.cacheHits} from the cache`] : []),
    ...(counters.retries > 0 ? [`${counters.retries} retries`] : []),
  ].join(', ');
}

/** After a failed export, says that the next run takes the finished chunks from the cache. */
export function noteKept(
  { period, isStartRelative }: ArchiveRequest,
  { counters, reporter }: Session,
  total: number,
): void {
  const kept = counters.cacheHits + counters.stored;
  if (kept === 0) return;
  // With another start all chunks would be different, and none of them cached.
  const change = isStartRelative ? ` with --start ${formatDate(period.start)}` : '';
  reporter.note(
    `${kept} of ${countOf(total, 'chunk')} are cached: the same command${change} requests only the rest.`,
  );
}

/** Writes the summary of an export to stderr. @throws PartialError where ranges are missing */
export function conclude(
  request: ArchiveRequest,
  tally: ExportTally,
  { reporter }: Session,
  io: Io,
): void {
  const { rows, missing, files, provenance } = tally;
  const listMissing = (): void => {
    for (const { station, period, failure } of missing) {
      const line = `Missing: station ${station} ${describePeriod(period)}. ${failure.message}`;
      io.stderr.write(`${printableMessage(line)}\n`);
    }
  };
  // Without a single answer there is nothing partial, so report the failure itself.
  if (missing.length > 0 && !provenance) {
    if (missing.length > 1) listMissing();
    const failures = missing.map(({ failure }) => failure);
    throw failures.find((failure) => !(failure instanceof NotFoundError)) ?? failures[0];
  }
  reporter.note(summarize(request, tally));
  if (rows > 0) {
    for (const line of tally.digest?.describe(request, tally.stations.size) ?? [])
      reporter.note(line);
  }
  noteRepairs(tally, reporter);
  const { carriesProvenance } = ARCHIVE_FORMATS[request.output.format];
  const isCredited = carriesProvenance && request.header === 'service';
  if (!isCredited && provenance && (rows > 0 || files.length === 0)) {
    noteProvenance(reporter, provenance, io.stderrTerminal);
  }
  if (missing.length === 0) return;
  listMissing();
  const ranges = missing.length === 1 ? 'One range is' : `${missing.length} ranges are`;
  throw new PartialError(`${ranges} missing; the same command requests them again.`);
}

function summarize(
  { period, output, template, append }: ArchiveRequest,
  { rows, added, files, stations }: ExportTally,
): string {
  const who = stations.size === 1 ? `station ${[...stations][0]}` : `${stations.size} stations`;
  const span = `${who} ${describePeriod(period)}`;
  if (append) return `${countOf(added, 'reading')} of ${who} added.`;
  if (rows === 0) return `No data of ${span}.`;
  const { path } = output.target;
  const place = template
    ? ` in ${countOf(files.length, 'file')}`
    : path === undefined
      ? ''
      : ` in ${path}`;
  return `${countOf(rows, 'reading')} of ${span}${place}.`;
}

/** Says how the data differ from what the service sent. */
function noteRepairs({ repairs, columns, late }: ExportTally, reporter: Session['reporter']): void {
  const words: Readonly<Record<keyof Repairs, string>> = {
    outside: 'outside their period left out',
    disordered: 'out of order put in their place',
    repeated: 'that came twice left out',
    conflicting: 'kept that differ from another of the same time',
  };
  const repaired = (Object.keys(words) as (keyof Repairs)[]).filter((kind) => repairs[kind] > 0);
  if (repaired.length > 0) {
    const parts = repaired.map((kind) => `${repairs[kind]} ${words[kind]}`);
    reporter.note(`Of the rows that came, ${parts.join(', ')}.`);
  }
  const changes = columns.summary();
  if (changes !== undefined) reporter.note(changes);
  if (late === 0) return;
  reporter.note(
    `${countOf(late, 'reading')} came late: measured before the last one in its file, so not appended. ` +
      'An export without --append includes late readings.',
  );
}

/** The JSON report of an export for `--report`. */
export function writeReport(tally: ExportTally, counters: Counters, seconds: number): string {
  const report = {
    rows: tally.rows,
    late: tally.late,
    files: tally.files,
    missing: tally.missing.map(({ station, period, failure }) => ({
      station,
      start: formatDate(period.start),
      stop: formatDate(period.stop),
      reason: printableMessage(failure.message),
      exit_code: failure.exitCode,
    })),
    repairs: tally.repairs,
    columns: tally.columns.clauses.map(printableMessage),
    chunks: tally.chunks,
    requests: counters.requests,
    retries: counters.retries,
    cache_hits: counters.cacheHits,
    bytes: counters.bytes,
    seconds,
  };
  return `${escapeControls(JSON.stringify(report, null, 2))}\n`;
}
