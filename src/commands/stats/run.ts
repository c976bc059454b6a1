import type { Columns } from '../../domain/columns.ts';
import { chunksUntil, periodUntil } from '../../domain/period.ts';
import { readFiles } from '../../files/readFiles.ts';
import type { FilesRequest, HistoryRequest } from '../../flags/history.ts';
import { STATISTICS_FORMATS } from '../../formats/index.ts';
import type { Io } from '../../io.ts';
import { createReporter } from '../../output/reporter.ts';
import { checkTarget, writeOutput } from '../../output/write.ts';
import { ChunkTally } from '../../session/chunkTally.ts';
import { readChunks, requestsOf } from '../../session/readChunks.ts';
import { openSession } from '../../session/session.ts';
import { readNamed, resolveStations } from '../../session/stations.ts';
import { Statistics, type StatisticsOptions } from '../../statistics/statistics.ts';
import { Gathering, gatherChunks } from './gather.ts';
import { Notes } from './notes.ts';
import type { StatsRequest } from './request.ts';

/** Computes the statistics of stations or files, and writes them. */
export async function runStats(request: StatsRequest, io: Io): Promise<void> {
  const { source } = request;
  await checkTarget(request.output.target, io);
  if ('files' in source) await runFiles(source.files, request, io);
  else await runService(source.history, request, io);
}

async function runService(history: HistoryRequest, request: StatsRequest, io: Io): Promise<void> {
  const { now } = history;
  const period = periodUntil(now, history.period);
  const options: StatisticsOptions = { ...request.options, period };
  // The constructor throws for too many groups: call it before any request is sent.
  new Statistics(options);
  const named = await readNamed(history, io);
  await using session = await openSession(history.connection, io);
  for (const note of history.notes) session.reporter.note(note);
  const stations = await resolveStations(named, history, false, session);
  const chunks = chunksUntil(now, history.period);
  const requests = requestsOf(stations.keys(), chunks);
  const total = stations.size * chunks.length;
  const { target, format } = request.output;
  const tally = new ChunkTally();
  const notes = new Notes(format);
  const results = readChunks(history, { requests, total, target }, session, io);
  const gathered = gatherChunks(results, stations, chunks.length, options, tally);
  await writeStatistics(request, notes.watch(gathered), () => tally.provenance ?? {}, io);
  tally.refuseNothing(io);
  notes.conclude(tally.provenance ?? {}, session.reporter, io);
  tally.refuseMissing(io);
}

async function runFiles(files: FilesRequest, request: StatsRequest, io: Io): Promise<void> {
  const reporter = createReporter(io, files.verbosity);
  const { options } = request;
  const gathering = new Gathering(options, files.bounds);
  const take = (station: number, columns: Columns): void => gathering.add(station, columns);
  const head = await readFiles(files, { zone: options.zone, note: reporter.note, take }, io);
  for (const station of files.stations === 'all' ? [] : files.stations) {
    if (gathering.lacks(station)) reporter.note(`No file has a reading of station ${station}.`);
  }
  const notes = new Notes(request.output.format);
  const stations = gathering.stations(files.stations);
  await writeStatistics(request, notes.watch(stations), () => head, io);
  if (files.stations === 'all' && notes.rows === 0) reporter.note('No file has a reading.');
  notes.conclude(head, reporter, io);
}

async function writeStatistics(
  { output, options, classes }: StatsRequest,
  stations: ReturnType<Notes['watch']>,
  provenance: () => object,
  io: Io,
): Promise<void> {
  const format = STATISTICS_FORMATS[output.format];
  const { by } = options;
  const list = { ...output, by, classes, stations, provenance };
  await writeOutput(format.statistics(list, output), output.target, io);
}
