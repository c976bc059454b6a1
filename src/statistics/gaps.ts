const STEP_UNIT_MS = 10_000;

/** A time between readings is a gap if it exceeds the usual one by this factor. */
const GAP_STEPS = 1.5;

/** A period without readings. */
export interface Gap {
  /** Start of the gap, milliseconds since 1970. */
  readonly start: number;
  readonly lengthS: number;
}

/**
 * Finds the usual time between readings: the most frequent of the times between neighbours, the
 * shortest among equals. Times are rounded to 10 s, but are at least 10 s.
 */
export class UsualStepFinder {
  readonly #counts = new Map<number, number>();

  /** Counts a time between two readings. A negative `times` removes it again. */
  add(differenceMs: number, times = 1): void {
    const ms = Math.max(1, Math.round(differenceMs / STEP_UNIT_MS)) * STEP_UNIT_MS;
    const count = (this.#counts.get(ms) ?? 0) + times;
    if (count === 0) this.#counts.delete(ms);
    else this.#counts.set(ms, count);
  }

  /**
   * Finds the usual time in milliseconds, and how often it occurred; both 0 before the first `add`.
   */
  find(): { readonly ms: number; readonly count: number } {
    let usual = { ms: 0, count: 0 };
    for (const [ms, count] of this.#counts) {
      if (count > usual.count || (count === usual.count && ms < usual.ms)) usual = { ms, count };
    }
    return usual;
  }
}

/** Whether a time without readings is a gap: longer than 1.5 times the usual step. */
export function isGap(lengthMs: number, stepMs: number): boolean {
  return lengthMs > GAP_STEPS * stepMs;
}

/**
 * How much time a reading represents, milliseconds. A reading is the end of its measurement, so it
 * represents the time since the previous one, or one step after a gap.
 * @param sinceMs time since the previous reading
 */
export function representedMs(sinceMs: number, stepMs: number): number {
  return isGap(sinceMs, stepMs) ? stepMs : sinceMs;
}

/**
 * How much of the time between two readings, or between a reading and an end of the period, counts
 * as lost, milliseconds. Over 1.5 steps, that is all but one step.
 */
export function timeLostToGapMs(lengthMs: number, stepMs: number): number {
  return lengthMs - representedMs(lengthMs, stepMs);
}

/** The share of a period that is not lost, 0 to 1; null for an empty period. */
export function coveredShare(periodMs: number, lostMs: number): number | null {
  return periodMs > 0 ? Math.max(0, periodMs - lostMs) / periodMs : null;
}
