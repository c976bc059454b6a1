import { formatDate } from '../../domain/dates.ts';
import { describePeriod } from '../../domain/period.ts';
import { printableMessage } from '../../domain/text.ts';
import { NotFoundError, PartialError } from '../../errors.ts';
import { ARCHIVE_FORMATS } from '../../formats/index.ts';
import type { Io } from '../../io.ts';
import { noteProvenance, type Session } from '../shared/session.ts';
import type { ArchiveRequest } from './request.ts';
import { describeLate, describeMissing, describeRepairs, type ExportTally } from './tally.ts';

/** Whether to show progress: not with -q or -v, and not where the data goes to the terminal. */
export function isProgressWanted({ connection, output }: ArchiveRequest, io: Io): boolean {
  const { isQuiet, isVerbose } = connection;
  const isDataOnTerminal = output.target.path === undefined && io.stdoutTerminal !== undefined;
  return !isQuiet && !isVerbose && !isDataOnTerminal;
}

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
    `${kept} of ${total} chunks are cached: the same command${change} requests only the rest.`,
  );
}

/** Writes the summary of an export to stderr. @throws PartialError where ranges are missing */
export function conclude(
  request: ArchiveRequest,
  tally: ExportTally,
  session: Session,
  io: Io,
): void {
  const { reporter } = session;
  const { rows, missing, files, provenance } = tally;
  const listMissing = (): void => {
    for (const range of missing) io.stderr.write(`${printableMessage(describeMissing(range))}\n`);
  };
  // Without a single answer there is nothing partial, so report the failure itself.
  if (missing.length > 0 && !provenance) {
    if (missing.length > 1) listMissing();
    throw (missing.find(({ failure }) => !(failure instanceof NotFoundError)) ?? missing[0])
      ?.failure;
  }
  const notes = [
    summarize(request, tally),
    describeRepairs(tally.repairs),
    tally.columns.summary(),
    describeLate(tally.late),
  ];
  for (const note of notes) if (note !== undefined) reporter.note(note);
  const { carriesProvenance } = ARCHIVE_FORMATS[request.output.format];
  const isCredited = carriesProvenance && request.header === 'service';
  if (!isCredited && provenance && (rows > 0 || files.length === 0))
    noteProvenance(reporter, provenance);
  if (missing.length === 0) return;
  listMissing();
  const ranges = missing.length === 1 ? 'One range is' : `${missing.length} ranges are`;
  throw new PartialError(`${ranges} missing; the same command requests them again.`);
}

function summarize(
  { period, output, template, append }: ArchiveRequest,
  tally: ExportTally,
): string {
  const { rows, files, stations } = tally;
  const who = stations.size === 1 ? `station ${[...stations][0]}` : `${stations.size} stations`;
  const span = `${who} ${describePeriod(period)}`;
  if (append) return `${tally.added.toLocaleString('en')} readings of ${who} added.`;
  if (rows === 0) return `No data of ${span}.`;
  const { path } = output.target;
  const count = rows.toLocaleString('en');
  const place =
    template !== undefined ? ` in ${files.length} files` : path === undefined ? '' : ` in ${path}`;
  return `${count} readings of ${span}${place}.`;
}
