import { FLAG_COLUMN } from '../../domain/reading.ts';
import type { ArchiveChunk } from '../../formats/format.ts';
import { ARCHIVE_FORMATS } from '../../formats/index.ts';
import { presentArchive } from '../../formats/present.ts';
import type { Io } from '../../io.ts';
import type { FileLocks } from '../../output/lockFiles.ts';
import { writeOutput } from '../../output/write.ts';
import type { ChunkResult } from '../../service/chunks.ts';
import { QualitySieve } from '../../session/quality.ts';
import { countRequests, readChunks } from '../../session/readChunks.ts';
import type { Session } from '../../session/session.ts';
import { PossibleReadings } from '../possibleReadings.ts';
import { appendFile } from './append/growingFile.ts';
import { continueExport } from './append/seam.ts';
import { combineSteps, type StationArchive } from './everyStep.ts';
import { ExportTally, type Written } from './exportTally.ts';
import type { ArchiveOptions } from './options.ts';
import type { Destination } from './plan.ts';
import { StationSummaries } from './stationSummaries.ts';
import { conclude, writeReport } from './summary.ts';

/**
 * Requests archives in parts of 31 days, several at once, and writes one file after the other.
 * @param locks the locks of the files that `--append` continues
 * @throws PartialError when `keepGoing` left something out; the first failure otherwise
 */
export async function runExport(
  options: ArchiveOptions,
  plan: readonly Destination[],
  session: Session,
  io: Io,
  locks?: FileLocks,
): Promise<void> {
  const { output, report, append, every, quality, columns, now } = options;
  const begun = io.now();
  const isSummarized = output.format === 'table' || report !== undefined;
  const tally = new ExportTally(isSummarized ? new StationSummaries(options) : undefined);
  const read = readChunks(options, plan, output.target, session, io);
  const sieve = new QualitySieve(quality, now);
  const possible = new PossibleReadings();
  const hasFlags = columns?.includes(FLAG_COLUMN.name);
  const results = append ? endAtFailures(read) : sieve.sieve(read, hasFlags);
  try {
    for (const destination of plan) {
      const ofFile = takeFrom(results, countRequests(destination));
      const responses = tally.takeResults(ofFile);
      const { period } = destination;
      const rows = every
        ? combineSteps(responses, period, options, every.unit, possible)
        : responses;
      const chunks = tally.takeChunks(presentRows(rows, destination, options));
      const written = await writeDestination(chunks, destination, options, io, locks);
      if (written) tally.takeFile(written);
      if (written?.isCut) break;
    }
  } finally {
    await results.return(undefined);
  }
  if (report !== undefined) {
    const names = plan[0]?.names ?? new Map();
    const seconds = (io.now() - begun) / 1000;
    await writeOutput([writeReport(options, tally, names, session.counters, seconds)], report, io);
  }
  sieve.note(session.reporter);
  possible.note(session.reporter);
  conclude(options, tally, session, io);
}

/**
 * Ends each station before its first failed request, since the next run with --append goes on from
 * the last row written.
 */
async function* endAtFailures(results: AsyncIterable<ChunkResult>): AsyncGenerator<ChunkResult> {
  let failed: Extract<ChunkResult, { readonly failure: unknown }> | undefined;
  for await (const result of results) {
    if ('failure' in result) failed = result;
    const { request } = result;
    yield failed?.request.station === request.station
      ? { request, failure: failed.failure }
      : result;
  }
}

/** Yields the next `count` results; `results` stays open. */
async function* takeFrom(
  results: AsyncGenerator<ChunkResult>,
  count: number,
): AsyncGenerator<ChunkResult> {
  for (let left = count; left > 0; left--) {
    const { value, done } = await results.next();
    if (done) return;
    yield value;
  }
}

/**
 * Yields responses in the wanted units, zone and columns. With --split, responses before the first
 * row are left out: a part without rows makes no file.
 */
async function* presentRows(
  responses: AsyncIterable<StationArchive>,
  { names }: Destination,
  { split, output, columns }: ArchiveOptions,
): AsyncGenerator<ArchiveChunk> {
  let isBegun = split === undefined;
  for await (const { station, archive } of responses) {
    isBegun ||= archive.rows.count > 0;
    if (!isBegun) continue;
    const chunk = presentArchive(station, archive, { ...output, columns });
    yield { ...chunk, name: names.get(station) };
  }
}

/**
 * Writes rows to one file, or to stdout.
 * @returns undefined if no request for the rows succeeded: no file is made then
 */
async function writeDestination(
  chunks: AsyncGenerator<ArchiveChunk>,
  { target, tail }: Destination,
  { output, header, columns, stationAt }: ArchiveOptions,
  io: Io,
  locks: FileLocks | undefined,
): Promise<Written | undefined> {
  const { path } = target;
  const first = await chunks.next();
  if (first.done) return undefined;
  const layout = { header, stationAt, isChosen: columns !== undefined };
  let isCut = true;
  async function* whole(): AsyncGenerator<ArchiveChunk> {
    yield* prepend(first.value, chunks);
    isCut = false;
  }
  const pieces = ARCHIVE_FORMATS[output.format].archive(whole(), layout, output);
  if (tail === undefined) {
    await writeOutput(pieces, target, io);
    return { path, added: 0, late: 0, isCut };
  }
  let late = 0;
  const further = continueExport(pieces, tail, (count) => {
    late += count;
  });
  const added = await appendFile(tail, further, io, locks);
  return { path, added, late, isCut };
}

async function* prepend<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first;
  yield* rest;
}
