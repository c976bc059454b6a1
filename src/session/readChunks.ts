import { Session as Inspector } from 'node:inspector';
import { formatDate } from '../domain/dates.ts';
import type { Period } from '../domain/period.ts';
import { countOf } from '../domain/text.ts';
import { errorCode } from '../errors.ts';
import type { HistoryRequest } from '../flags/history.ts';
import type { Io } from '../io.ts';
import { createProgress } from '../output/progress.ts';
import type { Target } from '../output/target.ts';
import { type ChunkRequest, type ChunkResult, fetchChunks } from '../service/chunks.ts';
import type { ChunkTally } from './chunkTally.ts';
import type { Session } from './session.ts';

interface ChunksToRead {
  readonly requests: Iterable<ChunkRequest>;
  readonly total: number;
  /** Counts for the progress line: the requests answered, and the rows of their answers. */
  readonly tally: Pick<ChunkTally, 'chunks' | 'rows'>;
  /** Where the data go: data that appear on a terminal need no progress line. */
  readonly target: Target;
}

/** A request for each station and each part of a period; there may be millions. */
export function* requestsOf(
  stations: Iterable<number>,
  chunks: readonly Period[],
): Generator<ChunkRequest> {
  for (const station of stations) {
    for (const period of chunks) yield { station, period };
  }
}

/**
 * Requests between two garbage collections, which Node's inspector forces: V8 lets the buffers of
 * answers pile up, and an export of ten years took 1.5 times the memory of one year.
 */
const REQUESTS_A_COLLECTION = 16;

/**
 * Requests the parts of archives, several at once, and shows the progress.
 * @param use takes the results in the order of the requests, and counts them in `tally`
 */
export async function readChunks(
  request: HistoryRequest,
  { requests, total, tally, target }: ChunksToRead,
  session: Session,
  io: Io,
  use: (results: AsyncGenerator<ChunkResult>) => Promise<void>,
): Promise<void> {
  const { connection, concurrency, keepGoing } = request;
  const { service, signal, counters } = session;
  const begun = io.now();
  const isDataOnTerminal = target.path === undefined && io.stdoutTerminal !== undefined;
  const isProgressWanted = !connection.isQuiet && !connection.isVerbose && !isDataOnTerminal;
  const progress = createProgress(io, isProgressWanted);
  const inspector = new Inspector();
  inspector.connect();
  let collectedAt = 0;
  async function* watched(): AsyncGenerator<ChunkResult> {
    for await (const result of fetchChunks(service, requests, { concurrency, keepGoing, signal })) {
      yield result;
      if (counters.requests >= collectedAt + REQUESTS_A_COLLECTION) {
        inspector.post('HeapProfiler.collectGarbage');
        collectedAt = counters.requests;
      }
      progress.update(() => describeProgress(tally, total, session, io.now() - begun));
    }
  }
  const results = watched();
  try {
    await use(results);
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
}

function describeProgress(
  { chunks, rows }: ChunksToRead['tally'],
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

/** After a failure, says how many answers the next run will find in the cache. */
function noteKept(
  { period, isStartRelative }: HistoryRequest,
  { counters, reporter }: Session,
  total: number,
): void {
  const kept = counters.cacheHits + counters.stored;
  if (kept === 0) return;
  // Name the date of a start such as `30d`: a later run would request other periods.
  const change = isStartRelative ? ` with --start ${formatDate(period.start)}` : '';
  reporter.note(
    `${kept} of ${countOf(total, 'chunk')} ${kept === 1 ? 'is' : 'are'} cached: the same command${change} requests only the rest.`,
  );
}
