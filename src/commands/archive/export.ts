import { Session as Inspector } from 'node:inspector';
import { dirname } from 'node:path';
import type { ArchiveHead } from '../../domain/envelope.ts';
import { errorCode } from '../../errors.ts';
import type { ArchiveChunk } from '../../formats/format.ts';
import { ARCHIVE_FORMATS } from '../../formats/index.ts';
import { presentArchive } from '../../formats/present.ts';
import type { Io } from '../../io.ts';
import { makeOutputFolder } from '../../output/file.ts';
import { createProgress } from '../../output/progress.ts';
import { writeOutput } from '../../output/write.ts';
import { type ChunkResult, fetchChunks } from '../../service/chunks.ts';
import { alignColumns } from '../../service/columns.ts';
import type { Session } from '../shared/session.ts';
import { continueExport } from './append/continueExport.ts';
import { appendFile } from './append/growingFile.ts';
import { HEADS } from './append/layout.ts';
import type { Lock } from './append/lock.ts';
import { Digest } from './digest.ts';
import { countRequests, type Destination, requestsOf } from './plan.ts';
import type { ArchiveRequest } from './request.ts';
import { conclude, describeProgress, noteKept, writeReport } from './summary.ts';
import { ExportTally } from './tally.ts';

/**
 * An export leaves large buffers behind, which V8 lets grow where a machine has memory to spare: ten
 * years took 1.5 times the memory of one. Node's inspector can collect garbage; an answer over the
 * network leaves about 2 MB, one out of the cache leaves little.
 */
const REQUESTS_A_COLLECTION = 16;

/**
 * Fetches the chunks of a plan, several at once, and writes each destination in its turn.
 * @param lock the lock on the files that `--append` continues
 * @throws PartialError when `keepGoing` left something out; the first failure otherwise
 */
export async function runExport(
  request: ArchiveRequest,
  plan: readonly Destination[],
  session: Session,
  io: Io,
  lock?: Lock,
): Promise<void> {
  const begun = io.now();
  const tally = new ExportTally(
    request.output.format === 'table' ? new Digest(request) : undefined,
  );
  const total = plan.reduce((sum, destination) => sum + countRequests(destination), 0);
  const { concurrency, keepGoing, connection, output } = request;
  const isDataOnTerminal = output.target.path === undefined && io.stdoutTerminal !== undefined;
  const isProgressWanted = !connection.isQuiet && !connection.isVerbose && !isDataOnTerminal;
  const progress = createProgress(io, isProgressWanted);
  const { service, signal, counters } = session;
  const results = fetchChunks(service, requestsOf(plan), { concurrency, keepGoing, signal });
  const inspector = new Inspector();
  inspector.connect();
  let collectedAt = 0;
  const show = (): void => {
    if (counters.requests >= collectedAt + REQUESTS_A_COLLECTION) {
      inspector.post('HeapProfiler.collectGarbage');
      collectedAt = counters.requests;
    }
    progress.update(() => describeProgress(tally, total, session, io.now() - begun));
  };
  try {
    for (const destination of plan) {
      const chunks = takeChunks(results, destination, request, tally, show);
      await writeDestination(request, destination, chunks, tally, io, lock);
    }
  } catch (error) {
    progress.clear();
    await session.settle();
    if (errorCode(error) !== 'EPIPE') noteKept(request, session, total);
    throw error;
  } finally {
    progress.clear();
    inspector.disconnect();
    await results.return(undefined);
  }
  if (request.report !== undefined) {
    const report = writeReport(tally, counters, (io.now() - begun) / 1000);
    await writeOutput([report], request.report, io);
  }
  conclude(request, tally, session, io);
}

/**
 * The chunks of one destination in the form asked for, with the columns of the first. Failed ones
 * are counted and left out. A station whose files are continued ends before its first gap: the next
 * run goes on from its last row. A part of a split export begins with a row.
 */
async function* takeChunks(
  results: AsyncGenerator<ChunkResult>,
  destination: Destination,
  { append, split, output, columns }: ArchiveRequest,
  tally: ExportTally,
  show: () => void,
): AsyncGenerator<ArchiveChunk> {
  let head: ArchiveHead | undefined;
  let isBegun = split === undefined;
  for (let left = countRequests(destination); left > 0; left--) {
    const { value, done } = await results.next();
    if (done) return;
    const { station } = value.request;
    const gap = append && tally.missing.findLast((range) => range.station === station);
    if ('failure' in value) tally.miss(value.request, value.failure);
    else if (gap) tally.miss(value.request, gap.failure);
    else tally.take(value, columns);
    show();
    if ('failure' in value || gap) continue;
    const { archive } = value;
    head ??= archive;
    isBegun ||= archive.rows.count > 0;
    if (!isBegun) continue;
    const chunk = presentArchive(station, alignColumns(archive, head), { ...output, columns });
    yield { ...chunk, name: destination.names.get(station) };
  }
}

/** Writes the chunks of one destination, or nothing where there is nothing to write. */
async function writeDestination(
  request: ArchiveRequest,
  { target, tail }: Destination,
  chunks: AsyncGenerator<ArchiveChunk>,
  tally: ExportTally,
  io: Io,
  lock: Lock | undefined,
): Promise<void> {
  const { output, header, template, stationAt } = request;
  const { path } = target;
  const [first, format] = await Promise.all([chunks.next(), ARCHIVE_FORMATS[output.format].load()]);
  if (first.done) return;
  const layout = { header, stationAt, writesNull: tail?.writesNull ?? false };
  const pieces = format.archive(prepend(first.value, chunks), layout, output);
  if (tail === undefined) {
    if (template !== undefined && path !== undefined) makeOutputFolder(dirname(path));
    await writeOutput(pieces, target, io);
  } else {
    const further = continueExport(pieces, tail, (count) => {
      tally.late += count;
    });
    tally.added += await appendFile(tail, further, io, lock);
    if (tail.kept === 0) tally.added -= HEADS[tail.layout.header].count;
  }
  if (path !== undefined) tally.files.push(path);
}

async function* prepend<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first;
  yield* rest;
}
