import { formatDate } from '../domain/dates.ts';
import type { Period } from '../domain/period.ts';
import { countOf } from '../domain/text.ts';
import type { HistoryOptions } from '../flags/history.ts';
import type { Io } from '../io.ts';
import { createProgress } from '../output/reporter.ts';
import type { Target } from '../output/target.ts';
import { type ChunkRequest, type ChunkResult, fetchChunks } from '../service/chunks.ts';
import type { Session } from './session.ts';

/** Stations, and the periods of at most 31 days to request of each of them. */
interface ChunkPlan {
  readonly stations: readonly number[];
  readonly chunks: readonly Period[];
}

export const countRequests = ({ stations, chunks }: ChunkPlan): number =>
  stations.length * chunks.length;

/** The requests of plans, station by station; a generator, since there may be millions. */
export function* requestsOf(plans: readonly ChunkPlan[]): Generator<ChunkRequest> {
  for (const { stations, chunks } of plans) {
    for (const station of stations) {
      for (const period of chunks) yield { station, period };
    }
  }
}

/**
 * Requests the parts of archives, several at once, and yields the results in the order of the
 * requests. Shows the progress; after a failure or an interruption, a note says how many responses
 * the next run will find in the cache.
 * @param target where the data go: data that appear on a terminal need no progress line
 * @throws every failure of a StationService, unless `keepGoing`
 */
export async function* readChunks(
  options: HistoryOptions,
  plans: readonly ChunkPlan[],
  target: Target,
  session: Session,
  io: Io,
): AsyncGenerator<ChunkResult> {
  const { connection, concurrency, keepGoing } = options;
  const { service, signal } = session;
  const total = plans.reduce((sum, plan) => sum + countRequests(plan), 0);
  const begun = io.now();
  const isDataOnTerminal = target.path === undefined && io.stdoutTerminal !== undefined;
  const isProgressWanted = !connection.isQuiet && !connection.isVerbose && !isDataOnTerminal;
  const progress = createProgress(io, isProgressWanted);
  const done = { chunks: 0, rows: 0 };
  let hasFailed = false;
  const chunkOptions = { concurrency, keepGoing, signal };
  try {
    for await (const result of fetchChunks(service, requestsOf(plans), chunkOptions)) {
      done.chunks++;
      if ('archive' in result) done.rows += result.archive.rows.count;
      yield result;
      progress.update(() => describeProgress(done, total, session, io.now() - begun));
    }
  } catch (error) {
    hasFailed = true;
    throw error;
  } finally {
    progress.clear();
    await session.settle();
    // A reader that closes stdout early, as `head` does, is no failure.
    const isCutOff = done.chunks < total && (target.path !== undefined || signal.aborted);
    if (hasFailed || isCutOff) noteCached(options, session, total);
  }
}

function describeProgress(
  { chunks, rows }: { readonly chunks: number; readonly rows: number },
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

/** Notes how many chunks are in the cache, and what the same command then requests. */
function noteCached(
  { connection, period, isStartRelative }: HistoryOptions,
  { counters, reporter }: Session,
  total: number,
): void {
  const cached = counters.cacheHits + counters.stored;
  if (cached === 0) return;
  // Name the date of a start such as `30d`: a later run would request other periods.
  const change = isStartRelative ? ` with --start ${formatDate(period.start)}` : '';
  const part = `${cached} of ${countOf(total, 'chunk')} ${cached === 1 ? 'is' : 'are'}`;
  reporter.note(
    connection.cache === 'refresh'
      ? `${part} refreshed. With --refresh, the same command${change} requests every chunk again; without it, only chunks that are not cached.`
      : `${part} cached: the same command${change} requests only the rest.`,
  );
}
