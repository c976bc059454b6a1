import { setImmediate } from 'node:timers/promises';
import type { ArchiveHead } from '../../domain/envelope.ts';
import { errorCode } from '../../errors.ts';
import type { ArchiveChunk } from '../../formats/format.ts';
import { ARCHIVE_FORMATS } from '../../formats/index.ts';
import { presentArchive } from '../../formats/present.ts';
import type { Io } from '../../io.ts';
import { makeOutputFolder } from '../../output/file.ts';
import { createProgress } from '../../output/progress.ts';
import { writeOutput } from '../../output/write.ts';
import {
  type ChunkArchive,
  type ChunkRequest,
  type ChunkResult,
  fetchChunks,
} from '../../service/chunks.ts';
import { alignColumns } from '../../service/columns.ts';
import type { Session } from '../shared/session.ts';
import { continueExport } from './append/continueExport.ts';
import { appendFile } from './append/growingFile.ts';
import { HEADS } from './append/layout.ts';
import { collectGarbage } from './collectGarbage.ts';
import type { Destination } from './plan.ts';
import { type ArchiveRequest, isForSeveral } from './request.ts';
import { conclude, describeProgress, isProgressWanted, noteKept } from './summary.ts';
import { ExportTally, writeReport } from './tally.ts';

/** Each answer over the network leaves about 2 MB behind; one out of the cache leaves little. */
const REQUESTS_A_COLLECTION = 16;

/**
 * Fetches every window of a plan, several at once, and writes each place in its turn.
 * @throws PartialError when `keepGoing` left something out; the first failure otherwise
 */
export async function runExport(
  request: ArchiveRequest,
  plan: readonly Destination[],
  session: Session,
  io: Io,
): Promise<void> {
  const begun = io.now();
  const tally = new ExportTally();
  const total = plan.reduce((sum, { requests }) => sum + requests.count, 0);
  const progress = createProgress(io, isProgressWanted(request, io));
  const { concurrency, keepGoing } = request;
  const { service, signal, counters } = session;
  const results = fetchChunks(service, requestsOf(plan), { concurrency, keepGoing, signal });
  let collectedAt = 0;
  const show = (): void => {
    if (counters.requests >= collectedAt + REQUESTS_A_COLLECTION) {
      collectGarbage();
      collectedAt = counters.requests;
    }
    progress.update(() => describeProgress(tally, total, session, io.now() - begun));
  };
  try {
    for (const destination of plan) {
      await writeDestination(request, destination, results, tally, show, io);
    }
  } catch (error) {
    progress.clear();
    await session.settle();
    if (errorCode(error) !== 'EPIPE') noteKept(request, session, total);
    throw error;
  } finally {
    progress.clear();
    await results.return(undefined);
  }
  const seconds = (io.now() - begun) / 1000;
  if (request.report !== undefined) {
    const report = writeReport(tally, counters, seconds);
    await writeOutput([report], { path: request.report, isGzip: false }, io);
  }
  conclude(request, tally, session, io);
}

type Results = AsyncGenerator<ChunkResult>;

function* requestsOf(plan: readonly Destination[]): Generator<ChunkRequest> {
  for (const { requests } of plan) yield* requests;
}

/** Writes one place out of the results that are its own; nothing where there is nothing to write. */
async function writeDestination(
  request: ArchiveRequest,
  { target, folder, requests, tail, lock }: Destination,
  results: Results,
  tally: ExportTally,
  show: () => void,
  io: Io,
): Promise<void> {
  const { output, header, split, append } = request;
  const archives = takeArchives(results, requests.count, append !== undefined, tally, show);
  const chunks = presentChunks(request, archives, tally);
  const starting = startingWithContent(chunks, split !== undefined);
  // Load the format once the requests are on their way.
  const loading = setImmediate().then(() => ARCHIVE_FORMATS[output.format].load());
  const [whole, format] = await Promise.all([starting, loading]);
  if (whole === undefined) return;
  if (folder !== undefined) makeOutputFolder(folder);
  const withStation = target.path === output.target.path && isForSeveral(request);
  const pieces = format.archive(whole, { header, withStation }, output);
  if (append === undefined || target.path === undefined) await writeOutput(pieces, target, io);
  else {
    const { path } = target;
    const further = continueExport(pieces, path, tail, append, (count) => {
      tally.late += count;
    });
    const headLines = tail && tail.kept > 0 ? 0 : HEADS[append.header].count;
    tally.added -= headLines;
    await appendFile(
      path,
      tail,
      countLines(further, tally, () => lock?.check(path)),
      io,
    );
  }
  if (target.path !== undefined) tally.files.push(target.path);
}

/** @param check throws where a piece may not be written any more */
async function* countLines(
  pieces: AsyncIterable<string>,
  tally: ExportTally,
  check: () => Promise<void> | undefined,
) {
  for await (const piece of pieces) {
    await check();
    tally.added += piece.split('\n').length - 1;
    yield piece;
  }
}

/**
 * The next `count` results, without the failed ones, which are counted all the same. A station
 * whose files are continued ends before its first gap: the next run goes on from its last row.
 */
async function* takeArchives(
  results: Results,
  count: number,
  isContinued: boolean,
  tally: ExportTally,
  show: () => void,
): AsyncGenerator<ChunkArchive> {
  for (let taken = 0; taken < count; taken++) {
    const { value, done } = await results.next();
    if (done) return;
    const { request } = value;
    const gap = isContinued ? tally.gaps.get(request.station) : undefined;
    const failure = 'failure' in value ? value.failure : gap;
    if (failure) {
      tally.miss(request, failure);
      tally.gaps.set(request.station, failure);
    } else tally.take(value as ChunkArchive);
    show();
    if (!failure) yield value as ChunkArchive;
  }
}

/** Gives every archive the columns of the first, and the form asked for. */
async function* presentChunks(
  { output, columns }: ArchiveRequest,
  archives: AsyncIterable<ChunkArchive>,
  tally: ExportTally,
): AsyncGenerator<ArchiveChunk> {
  let head: ArchiveHead | undefined;
  for await (const taken of archives) {
    const { request, archive } = taken;
    head ??= archive;
    tally.columns.take(taken, columns);
    yield presentArchive(request.station, alignColumns(archive, head), { ...output, columns });
  }
}

/**
 * The same chunks, looked at as far as it takes to know that something is to be written: any
 * answer, or in one part of a split export a row. Undefined where there is nothing.
 */
async function startingWithContent(
  chunks: AsyncGenerator<ArchiveChunk>,
  isRowNeeded: boolean,
): Promise<AsyncIterable<ArchiveChunk> | undefined> {
  for (;;) {
    const { value: first, done } = await chunks.next();
    if (done) return undefined;
    if (isRowNeeded && first.rows.count === 0) continue;
    return (async function* () {
      yield first;
      yield* chunks;
    })();
  }
}
