import { cutPeriodAtNow } from '../../domain/period.ts';
import { flagReadings } from '../../domain/quality/steps.ts';
import { FLAG_COLUMN } from '../../domain/readings/archiveColumns.ts';
import type { Chunk } from '../../domain/readings/chunk.ts';
import { applySteps, dropRepeatedTimes, type ReadingsStep } from '../../domain/readings/steps.ts';
import type { StationChunk } from '../../formats/format.ts';
import { ARCHIVE_FORMATS } from '../../formats/index.ts';
import type { Io } from '../../io.ts';
import type { FileLocks } from '../../output/lockFiles.ts';
import { writeOutput } from '../../output/write.ts';
import { ReadingsAccount } from '../../readings/account.ts';
import { cutByKey } from '../../readings/cut.ts';
import { impossibleValuesStep, qualityFilterSteps } from '../../readings/open.ts';
import { readService } from '../../readings/service.ts';
import type { StationReadings } from '../../readings/stationReadings.ts';
import type { Session } from '../../session/session.ts';
import { resampleReadings } from '../../statistics/resample.ts';
import { appendToFile } from './append/growingFile.ts';
import { continueExport } from './append/seam.ts';
import { ExportTally, type WrittenFile } from './exportTally.ts';
import type { ArchiveOptions } from './options.ts';
import { type PlannedFile, planStationRequests } from './plan.ts';
import { formatExportReport, writeExportSummary } from './summary.ts';

/**
 * Reads stations in chunks of 31 days, with several requests at once, and writes the files one by
 * one.
 * @param locks the locks of the files that `--append` continues
 * @throws PartialError if `keepGoing` skipped something; otherwise the first failure
 */
export async function runExport(
  options: ArchiveOptions,
  plan: readonly PlannedFile[],
  session: Session,
  io: Io,
  locks?: FileLocks,
): Promise<void> {
  const { output, report, append, quality, template } = options;
  const begun = io.now();
  const account = new ReadingsAccount();
  const tally = new ExportTally(options, plan);
  const reading = {
    history: options,
    target: output.target,
    account,
    endsAtFailure: append !== undefined,
  };
  const stations = readService(planStationRequests(plan), reading, session, io);
  const parts = cutByFile(stations, plan, options, account, tally);
  const [only] = plan;
  const files =
    template === undefined && only ? [{ destination: only, chunks: joinParts(parts) }] : parts;
  try {
    for await (const { destination, chunks } of files) {
      const written = await writeFile(tally.countWritten(chunks), destination, options, io, locks);
      if (written) tally.addFile(written);
      if (written?.endedEarly) break;
    }
  } finally {
    // A table may stop before the last chunk, so close the rest of `joinParts`.
    await parts.return(undefined);
  }
  if (report !== undefined) {
    const names = only?.names ?? new Map();
    const seconds = (io.now() - begun) / 1000;
    const text = formatExportReport(options, account, tally, names, session.counters, seconds);
    await writeOutput([text], report, io);
  }
  account.note(session.reporter, quality);
  writeExportSummary(options, account, tally, session, io);
}

/** Chunks for one file: those of one station, or of all stations if there is only one file. */
interface FileChunks {
  readonly destination: PlannedFile;
  readonly chunks: AsyncGenerator<StationChunk>;
}

/**
 * Applies the steps of `--quality` to each station, splits the chunks by file, and applies the
 * steps of `--every` within each file.
 */
async function* cutByFile(
  stations: AsyncGenerator<StationReadings>,
  plan: readonly PlannedFile[],
  options: ArchiveOptions,
  account: ReadingsAccount,
  tally: ExportTally,
): AsyncGenerator<FileChunks> {
  const files = new Map<number, PlannedFile[]>();
  for (const file of plan) {
    for (const station of file.stations) files.set(station, [...(files.get(station) ?? []), file]);
  }
  for await (const { station, chunks } of stations) {
    const own = files.get(station) ?? [];
    // Each chunk was requested for one file, and the steps of --quality keep its period.
    const fileOf = ({ period }: Chunk): PlannedFile =>
      own.findLast(({ chunks: [first] }) => first && first.start <= period.start) as PlannedFile;
    const kept = applySteps(chunks, qualitySteps(options, account));
    const observed = tally.observe(station, kept);
    for await (const { key: destination, items } of cutByKey(observed, fileOf)) {
      const rows = applySteps(items, intervalSteps(options, destination, account));
      yield { destination, chunks: nameChunks(rows, station, destination, options) };
    }
  }
}

/** The steps that flag readings and leave out those below `--quality`. */
function qualitySteps(
  { quality, columns, now }: ArchiveOptions,
  account: ReadingsAccount,
): readonly ReadingsStep[] {
  if (quality === 'all') return columns?.includes(FLAG_COLUMN.name) ? [flagReadings(now)] : [];
  return qualityFilterSteps(quality, now, account);
}

/** The steps that resample readings to the intervals of `--every`; none without that option. */
function intervalSteps(
  { every, isFilled, now, output: { zone } }: ArchiveOptions,
  { period }: PlannedFile,
  account: ReadingsAccount,
): readonly ReadingsStep[] {
  if (every === undefined) return [];
  const options = { unit: every.unit, zone, period: cutPeriodAtNow(now, period), isFilled };
  return [dropRepeatedTimes, impossibleValuesStep(account), resampleReadings(options)];
}

/**
 * Adds the station and its name to each chunk. With --split, leading chunks without rows are
 * skipped, so that no empty file is created.
 */
async function* nameChunks(
  chunks: AsyncIterable<Chunk>,
  station: number,
  { names }: PlannedFile,
  { split }: ArchiveOptions,
): AsyncGenerator<StationChunk> {
  let isBegun = split === undefined;
  for await (const chunk of chunks) {
    isBegun ||= chunk.count > 0;
    if (isBegun) yield { station, name: names.get(station), chunk };
  }
}

async function* joinParts(parts: AsyncIterable<FileChunks>): AsyncGenerator<StationChunk> {
  for await (const { chunks } of parts) yield* chunks;
}

/**
 * Writes chunks to a file or to stdout.
 * @returns undefined if every request failed; no file is created then
 */
async function writeFile(
  chunks: AsyncGenerator<StationChunk>,
  { target, continued }: PlannedFile,
  { output, layout }: ArchiveOptions,
  io: Io,
  locks: FileLocks | undefined,
): Promise<WrittenFile | undefined> {
  const { path } = target;
  const first = await chunks.next();
  if (first.done) return undefined;
  let endedEarly = true;
  async function* whole(): AsyncGenerator<StationChunk> {
    yield first.value as StationChunk;
    yield* chunks;
    endedEarly = false;
  }
  const pieces = ARCHIVE_FORMATS[output.format].archive(whole(), layout, output);
  if (continued === undefined) {
    await writeOutput(pieces, target, io);
    return { path, added: 0, late: 0, endedEarly };
  }
  let late = 0;
  const further = continueExport(pieces, continued, (count) => {
    late += count;
  });
  const added = await appendToFile(continued, further, io, locks);
  return { path, added, late, endedEarly };
}
