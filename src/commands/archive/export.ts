import { dirname } from 'node:path';
import type { ArchiveHead } from '../../domain/envelope.ts';
import { COLUMNS } from '../../domain/reading.ts';
import type { ArchiveChunk } from '../../formats/format.ts';
import { ARCHIVE_FORMATS } from '../../formats/index.ts';
import { presentArchive } from '../../formats/present.ts';
import type { Io } from '../../io.ts';
import { makeOutputFolder } from '../../output/file.ts';
import type { Lock } from '../../output/lock.ts';
import { writeOutput } from '../../output/write.ts';
import type { ChunkResult } from '../../service/chunks.ts';
import { alignColumns } from '../../service/columns.ts';
import { readChunks } from '../../session/readChunks.ts';
import type { Session } from '../../session/session.ts';
import { HEADS } from './append/appendLayout.ts';
import { continueExport } from './append/continueExport.ts';
import { appendFile } from './append/growingFile.ts';
import { combineSteps, type StationArchive } from './everyStep.ts';
import { ExportTally } from './exportTally.ts';
import { countRequests, type Destination, requestsOfPlan } from './plan.ts';
import type { ArchiveRequest } from './request.ts';
import { StationSummaries } from './stationSummaries.ts';
import { conclude, writeReport } from './summary.ts';

interface Export {
  readonly request: ArchiveRequest;
  readonly tally: ExportTally;
  readonly io: Io;
  readonly lock: Lock | undefined;
}

/**
 * Requests archives in parts of 31 days, several at once, and writes one file after the other.
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
  const isSummarized = request.output.format === 'table' || request.report !== undefined;
  const tally = new ExportTally(isSummarized ? new StationSummaries(request) : undefined);
  const current: Export = { request, tally, io, lock };
  const total = plan.reduce((sum, destination) => sum + countRequests(destination), 0);
  const requests = requestsOfPlan(plan);
  const { target } = request.output;
  await readChunks(request, { requests, total, tally, target }, session, io, async (results) => {
    for (const destination of plan) {
      const answers = takeAnswers(results, destination, current);
      const { every } = request;
      const rows = every ? combineSteps(answers, destination.period, request, every) : answers;
      await writeDestination(presentAnswers(rows, destination, current), destination, current);
    }
  });
  if (request.report !== undefined) {
    const names = plan[0]?.names ?? new Map();
    const seconds = (io.now() - begun) / 1000;
    const report = writeReport(request, tally, names, session.counters, seconds);
    await writeOutput([report], request.report, io);
  }
  conclude(request, tally, session, io);
}

/**
 * Yields the answers for one file; failed requests are counted and left out. With --append, a
 * station ends before its first failed request, since the next run goes on from the last row
 * written.
 */
async function* takeAnswers(
  results: AsyncGenerator<ChunkResult>,
  destination: Destination,
  { request: { append, columns, every }, tally }: Export,
): AsyncGenerator<StationArchive> {
  // With --every, columns that vane does not know are left out.
  const wanted = columns ?? (every && COLUMNS.map(({ name }) => name));
  for (let left = countRequests(destination); left > 0; left--) {
    const { value, done } = await results.next();
    if (done) return;
    const { station } = value.request;
    const gap = append && tally.missing.findLast((range) => range.station === station);
    const isCut = gap && 'archive' in value;
    const result = isCut ? { request: value.request, failure: gap.failure } : value;
    const archive = tally.take(result, wanted);
    if (archive) yield { station, archive };
  }
}

/**
 * Yields answers in the wanted units, zone and columns, each with the columns of the first. With
 * --split, answers before the first row are left out: a part without rows makes no file.
 */
async function* presentAnswers(
  answers: AsyncIterable<StationArchive>,
  { names }: Destination,
  { request: { split, output, columns, every }, tally }: Export,
): AsyncGenerator<ArchiveChunk> {
  let head: ArchiveHead | undefined;
  let isBegun = split === undefined;
  for await (const { station, archive } of answers) {
    head ??= archive;
    isBegun ||= archive.rows.count > 0;
    if (!isBegun) continue;
    const chunk = presentArchive(station, alignColumns(archive, head), { ...output, columns });
    if (every) tally.steps += chunk.rows.count;
    tally.units ??= Object.fromEntries(chunk.legend.map((name, i) => [name, chunk.units[i] ?? '']));
    yield { ...chunk, name: names.get(station), isSteps: every !== undefined };
  }
}

/** Writes rows to one file, or to stdout; if no request for them succeeded, no file is made. */
async function writeDestination(
  chunks: AsyncGenerator<ArchiveChunk>,
  { target, tail }: Destination,
  { request: { output, header, template, stationAt }, tally, io, lock }: Export,
): Promise<void> {
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
