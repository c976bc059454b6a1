import { MINUTE_MS } from '../../domain/dates.ts';
import { isArchiveFinal, MAX_PERIOD_MS, type Period } from '../../domain/period.ts';

/** The service has no date before the year 0000. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z');

/** The part of a period that lies in one chunk; chunks of 31 days begin at fixed dates. */
export interface ChunkPart {
  readonly wanted: Period;
  /** The whole chunk that the part lies in; undefined while its rows may still change. */
  readonly chunk: Period | undefined;
}

/**
 * Cuts a period at the bounds of a grid of chunks: 31 days each, counted from 1970-01-01 UTC for
 * every station. An empty period is one part, so that a request shows whether the service knows the
 * station.
 * @param nowMs milliseconds since 1970
 */
export function* cutByChunk({ start, stop }: Period, nowMs: number): Generator<ChunkPart> {
  let from = start;
  do {
    const chunk = chunkAt(from);
    const wanted = { start: from, stop: Math.min(chunk.stop, stop) };
    yield { wanted, chunk: isArchiveFinal(chunk, nowMs) ? chunk : undefined };
    from = wanted.stop;
  } while (from < stop);
}

/**
 * The chunk in which a period begins, cut at the end of the present minute; uncut if the period
 * ends later than that.
 */
export function chunkSoFar({ start, stop }: Period, nowMs: number): Period {
  const chunk = chunkAt(start);
  const endOfMinute = (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS;
  return stop <= endOfMinute
    ? { start: chunk.start, stop: Math.min(chunk.stop, endOfMinute) }
    : chunk;
}

function chunkAt(ms: number): Period {
  const start = Math.floor(ms / MAX_PERIOD_MS) * MAX_PERIOD_MS;
  return { start: Math.max(start, FIRST_MS), stop: start + MAX_PERIOD_MS };
}
