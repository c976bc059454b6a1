import { isClosed, MAX_PERIOD_MS, type Period } from '../../domain/period.ts';

/** The interface has no date before the year 0000. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z');

/** What of a period lies in one window. */
export interface Part {
  readonly wanted: Period;
  /** What to ask the service for: the whole window once it is closed, else what is wanted of it. */
  readonly asked: Period;
  readonly isClosed: boolean;
}

/**
 * Cuts a period at the bounds of a grid of windows: 31 days each, counted from 1970-01-01 UTC,
 * whichever the station. An empty period is one part, so that the service is still asked whether
 * it knows the station.
 * @param nowMs milliseconds since 1970
 */
export function* planParts({ start, stop }: Period, nowMs: number): Generator<Part> {
  let from = start;
  do {
    const window = windowAt(from);
    const wanted = { start: from, stop: Math.min(window.stop, stop) };
    const isFinal = isClosed(window, nowMs);
    yield { wanted, asked: isFinal ? window : wanted, isClosed: isFinal };
    from = wanted.stop;
  } while (from < stop);
}

/**
 * Of the window that a period lies in, all there is up to the end of this minute; the whole window
 * for a period that goes on after that.
 */
export function windowSoFar({ start, stop }: Period, nowMs: number): Period {
  const window = windowAt(start);
  const endOfMinute = (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS;
  return stop <= endOfMinute
    ? { start: window.start, stop: Math.min(window.stop, endOfMinute) }
    : window;
}

const MINUTE_MS = 60_000;

function windowAt(ms: number): Period {
  const start = Math.floor(ms / MAX_PERIOD_MS) * MAX_PERIOD_MS;
  return { start: Math.max(start, FIRST_MS), stop: start + MAX_PERIOD_MS };
}
