import type { Columns } from '../domain/columns.ts';
import type { Period } from '../domain/period.ts';
import type { Times } from './times.ts';

const STEP_UNIT_MS = 10_000;

/** A time between readings that is longer than this many times the usual one is a gap. */
const GAP_STEPS = 1.5;

/** How many readings are used to find the usual time between two readings. */
const SAMPLES = 10_000;

/** A stretch of time without readings. */
export interface Gap {
  /** Start of the gap, milliseconds since 1970. */
  readonly start: number;
  readonly lengthS: number;
}

/** How complete the readings of a period are. */
export interface Coverage {
  /** Most frequent time between neighbouring readings, to 10 s; null without two readings. */
  readonly stepS: number | null;
  /** Share of the period that is not lost to gaps, 0 to 1; null for an empty period. */
  readonly coverage: number | null;
  readonly gaps: number;
  /** The longest gap; of equally long ones the earliest. Null without a gap. */
  readonly longestGap: Gap | null;
}

/** Rounds the time between two readings, in milliseconds, to 10 s, and to 10 s at least. */
export function roundStep(differenceMs: number): number {
  return Math.max(1, Math.round(differenceMs / STEP_UNIT_MS)) * STEP_UNIT_MS;
}

/**
 * The most frequent time between readings, of equals the shortest.
 * @param counts how often each time came
 */
export function mostFrequentStep(counts: ReadonlyMap<number, number>): number | undefined {
  let [best, most] = [Number.POSITIVE_INFINITY, 0];
  for (const [step, count] of counts) {
    if (count > most || (count === most && step < best)) [best, most] = [step, count];
  }
  return most > 0 ? best : undefined;
}

/**
 * The most frequent time between neighbouring readings in milliseconds, rounded to 10 s; Infinity
 * for fewer than two readings.
 */
export function usualStepMs(readings: readonly Columns[]): number {
  const counts = new Map<number, number>();
  let [samples, previous] = [0, Number.NaN];
  for (const { count, time } of readings) {
    for (let row = 0; row < count && samples < SAMPLES; row++) {
      const ms = time[row] as number;
      if (ms > previous) {
        const step = roundStep(ms - previous);
        counts.set(step, (counts.get(step) ?? 0) + 1);
      }
      previous = ms;
      samples++;
    }
  }
  return mostFrequentStep(counts) ?? Number.POSITIVE_INFINITY;
}

/** Whether a time without readings is a gap: over 1.5 times the usual time between readings. */
export function isGap(lengthMs: number, stepMs: number): boolean {
  return lengthMs > GAP_STEPS * stepMs;
}

/** Time lost between two readings, milliseconds: over 1.5 steps apart, all of it but one step. */
export function lostBetween(lengthMs: number, stepMs: number): number {
  return isGap(lengthMs, stepMs) ? lengthMs - stepMs : 0;
}

/**
 * Time lost from the start of an interval to its first reading, or from the last to its end,
 * milliseconds: over 1.5 steps, all of it.
 */
export function lostAtEdge(lengthMs: number, stepMs: number): number {
  return isGap(lengthMs, stepMs) ? lengthMs : 0;
}

/** The share of a period that is not lost, 0 to 1; null for an empty period. */
export function coveredShare(periodMs: number, lostMs: number): number | null {
  return periodMs > 0 ? Math.max(0, periodMs - lostMs) / periodMs : null;
}

/**
 * The gaps between readings of a period that are longer than `overMs`, in order of time.
 * @param stepS the usual time between readings in seconds; with null every such time is a gap
 */
export function listGaps(
  times: Times,
  { start, stop }: Period,
  stepS: number | null,
  overMs: number,
): Gap[] {
  const gaps: Gap[] = [];
  let latest = start;
  const close = (time: number): void => {
    const lengthMs = time - latest;
    if (lengthMs > overMs && isGap(lengthMs, 1000 * (stepS ?? 0))) {
      gaps.push({ start: latest, lengthS: lengthMs / 1000 });
    }
    latest = time;
  };
  times.forEach(close);
  close(stop);
  return gaps;
}
