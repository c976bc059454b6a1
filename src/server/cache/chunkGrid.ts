import { MINUTE_MS } from '../../domain/dates.ts';
import { isArchiveFinal, MAX_PERIOD_MS, type Period } from '../../domain/period.ts';

/** The service has no dates before the year 0000. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z');

/** A part of a period within one chunk of the grid. */
export interface ChunkPart {
  readonly wanted: Period;
  /** The whole chunk that contains the part; undefined while its rows may still change. */
  readonly chunk: Period | undefined;
}

/**
 * Cuts a period at a grid of chunks: 31 days each, counted from 1970-01-01 UTC for every station.
 * An empty period becomes one part, so that a request shows whether the service knows the station.
 * @param nowMs the current time, milliseconds since 1970
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
 * The chunk in which a period begins, up to the end of the current minute. If the period ends later
 * than that, the whole chunk.
 */
export function chunkUntilNow({ start, stop }: Period, nowMs: number): Period {
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
