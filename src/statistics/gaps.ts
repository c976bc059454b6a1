const STEP_UNIT_MS = 10_000;

/** A time between readings that is longer than this many times the usual one is a gap. */
const GAP_STEPS = 1.5;

/** A stretch of time without readings. */
export interface Gap {
  /** Start of the gap, milliseconds since 1970. */
  readonly start: number;
  readonly lengthS: number;
}

/**
 * Finds the usual time between readings: of the times between neighbouring readings, each rounded
 * to 10 s and to 10 s at least, the most frequent; of equally frequent ones the shortest.
 */
export class UsualStepFinder {
  readonly #counts = new Map<number, number>();

  /** Counts a time between two readings; −1 as `times` removes it again. */
  add(differenceMs: number, times = 1): void {
    const ms = Math.max(1, Math.round(differenceMs / STEP_UNIT_MS)) * STEP_UNIT_MS;
    const count = (this.#counts.get(ms) ?? 0) + times;
    if (count === 0) this.#counts.delete(ms);
    else this.#counts.set(ms, count);
  }

  /** The usual time, milliseconds, and how often it came; 0 and 0 before the first `add`. */
  find(): { readonly ms: number; readonly count: number } {
    let usual = { ms: 0, count: 0 };
    for (const [ms, count] of this.#counts) {
      if (count > usual.count || (count === usual.count && ms < usual.ms)) usual = { ms, count };
    }
    return usual;
  }
}

/** Whether a time without readings is a gap: over 1.5 times the usual time between readings. */
export function isGap(lengthMs: number, stepMs: number): boolean {
  return lengthMs > GAP_STEPS * stepMs;
}

/**
 * How much of the time before it a reading represents, milliseconds: for all time since the
 * reading before or, after a gap, for one step. A reading is the end of what it measures.
 * @param sinceMs time since the reading before
 */
export function representedMs(sinceMs: number, stepMs: number): number {
  return isGap(sinceMs, stepMs) ? stepMs : sinceMs;
}

/**
 * Time lost between two readings, or between a reading and the start or the end of a period,
 * milliseconds: over 1.5 steps, all of it but one step.
 */
export function timeLostMs(lengthMs: number, stepMs: number): number {
  return lengthMs - representedMs(lengthMs, stepMs);
}

/** The share of a period that is not lost, 0 to 1; null for an empty period. */
export function coveredShare(periodMs: number, lostMs: number): number | null {
  return periodMs > 0 ? Math.max(0, periodMs - lostMs) / periodMs : null;
}
