import { formatDate } from '../domain/dates.ts';
import type { Period } from '../domain/period.ts';
import type { Chunk } from '../domain/readings/chunk.ts';
import { formatCount } from '../domain/text.ts';
import type { HistoryOptions } from '../flags/history.ts';
import type { Io } from '../io.ts';
import { createProgress } from '../output/reporter.ts';
import type { OutputTarget } from '../output/target.ts';
import { type ChunkRequest, type ChunkResult, fetchChunks } from '../service/chunks.ts';
import type { Session } from '../session/session.ts';
import type { ReadingsAccount } from './account.ts';
import { cutByKey } from './cut.ts';
import type { StationReadings } from './stationReadings.ts';

/** A station, and the periods to request for it, each at most 31 days long. */
export interface StationRequestPlan {
  readonly station: number;
  readonly chunks: readonly Period[];
}

interface ServiceOptions {
  readonly history: HistoryOptions;
  /** Where the data go. If they appear on a terminal, no progress is shown. */
  readonly target: OutputTarget;
  readonly account: ReadingsAccount;
  /**
   * Whether to stop reading a station at its first failed request. `--append` continues after the
   * last written row, so a later chunk would leave a permanent gap.
   */
  readonly endsAtFailure?: boolean;
}

/**
 * Reads stations from the service in the order of the plan. Several requests run at once, even for
 * the next station. A station is yielded when its first response has arrived. One whose requests
 * all failed is not yielded, but the account lists what is missing.
 * @throws every failure of a StationService, unless `keepGoing`
 */
export async function* readService(
  plan: readonly StationRequestPlan[],
  options: ServiceOptions,
  session: Session,
  io: Io,
): AsyncGenerator<StationReadings> {
  const { account, endsAtFailure = false } = options;
  const results = requestChunks(plan, options, session, io);
  for await (const { key: station, items } of cutByKey(results, ({ request }) => request.station)) {
    const chunks = countResults(items, account, endsAtFailure);
    const first = await chunks.next();
    if (first.done) continue;
    yield { station, chunks: prepend(first.value, chunks) };
  }
}

/**
 * Counts the results of one station in the account, and yields the chunks that arrived.
 * @param endsAtFailure whether to count every chunk after the first failure as missing, even one
 *   that arrived
 */
async function* countResults(
  results: AsyncIterable<ChunkResult>,
  account: ReadingsAccount,
  endsAtFailure: boolean,
): AsyncGenerator<Chunk> {
  let failed: ChunkResult | undefined;
  for await (const result of results) {
    const chunk = account.add(failed ? { ...failed, request: result.request } : result);
    if (chunk) yield chunk;
    else if (endsAtFailure) failed ??= result;
  }
}

async function* prepend<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first;
  yield* rest;
}

/**
 * Lists the requests of a plan, station by station. This is a generator, since there may be
 * millions.
 */
export function* requestsOfPlan(plan: readonly StationRequestPlan[]): Generator<ChunkRequest> {
  for (const { station, chunks } of plan) {
    for (const period of chunks) yield { station, period };
  }
}

/**
 * Requests the chunks of a plan, several at once, and yields the results in order. Shows the
 * progress. After a failure or an interruption, a note says how many responses the next run finds
 * in the cache.
 */
async function* requestChunks(
  plan: readonly StationRequestPlan[],
  { history, target }: ServiceOptions,
  session: Session,
  io: Io,
): AsyncGenerator<ChunkResult> {
  const { connection, concurrency, keepGoing } = history;
  const { service, signal } = session;
  const total = plan.reduce((sum, { chunks }) => sum + chunks.length, 0);
  const begun = io.now();
  const isDataOnTerminal = target.path === undefined && io.stdoutTerminal !== undefined;
  const isProgressWanted = !connection.isQuiet && !connection.isVerbose && !isDataOnTerminal;
  const progress = createProgress(io, isProgressWanted);
  const done = { chunks: 0, rows: 0 };
  let hasFailed = false;
  const chunkOptions = { concurrency, keepGoing, signal };
  try {
    for await (const result of fetchChunks(service, requestsOfPlan(plan), chunkOptions)) {
      done.chunks++;
      if ('chunk' in result) done.rows += result.chunk.count;
      yield result;
      progress.update(() => describeProgress(done, total, session, io.now() - begun));
    }
  } catch (error) {
    hasFailed = true;
    throw error;
  } finally {
    progress.clear();
    await session.settle();
    // It is no failure if a reader such as `head` closes stdout early.
    const isCutOff = done.chunks < total && (target.path !== undefined || signal.aborted);
    if (hasFailed || isCutOff) noteCached(history, session, total);
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

/** Notes how many chunks are cached, and what the same command would request next time. */
function noteCached(
  { connection, period, isStartRelative }: HistoryOptions,
  { counters, reporter }: Session,
  total: number,
): void {
  const cached = counters.cacheHits + counters.stored;
  if (cached === 0) return;
  // Name the date of a relative start such as `30d`: a later run would request different periods.
  const change = isStartRelative ? ` with --start ${formatDate(period.start)}` : '';
  const part = `${cached} of ${formatCount(total, 'chunk')} ${cached === 1 ? 'is' : 'are'}`;
  reporter.note(
    connection.cache === 'refresh'
      ? `${part} refreshed. With --refresh, the same command${change} requests every chunk again; without it, only chunks that are not cached.`
      : `${part} cached: the same command${change} requests only the rest.`,
  );
}
