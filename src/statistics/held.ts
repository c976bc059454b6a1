import { HOUR_MS } from '../domain/dates.ts';
import type { ZoneCalendar } from './intervals.ts';

/** How often a condition held. */
export interface Held {
  readonly hours: number;
  /** Share of the period for which it held, 0 to 1; null for an empty period. */
  readonly share: number | null;
  /** Days of the zone with at least `leastMs` of it. */
  readonly days: number;
  /** The month of most hours, the first of several, `2024-05`; null where it never held. */
  readonly bestMonth: string | null;
}

/** Collects the time for which a condition held in a group. */
export class HeldTally {
  #totalMs = 0;
  #days = 0;
  #day = Number.NaN;
  #dayMs = 0;
  #month = Number.NaN;
  #monthMs = 0;
  #bestMonth: number | undefined;
  #bestMonthMs = 0;
  readonly #leastMs: number;

  /** @param leastMs a day counts where the condition held for this long or more */
  constructor(leastMs: number) {
    this.#leastMs = leastMs;
  }

  /**
   * Adds time of a day. Days ascend.
   * @param day the start of the day, and `month` that of its month
   */
  add(day: number, month: number, lengthMs: number): void {
    if (day !== this.#day) this.#dayMs = 0;
    if (month !== this.#month) this.#monthMs = 0;
    this.#day = day;
    this.#month = month;
    const hadEnough = this.#dayMs >= this.#leastMs;
    this.#dayMs += lengthMs;
    this.#monthMs += lengthMs;
    this.#totalMs += lengthMs;
    if (!hadEnough && this.#dayMs >= this.#leastMs) this.#days++;
    if (this.#monthMs > this.#bestMonthMs) {
      this.#bestMonth = month;
      this.#bestMonthMs = this.#monthMs;
    }
  }

  result(periodMs: number, calendar: ZoneCalendar): Held {
    return {
      hours: this.#totalMs / HOUR_MS,
      // The last reading of an interval stands for some time after it.
      share: periodMs > 0 ? Math.min(1, this.#totalMs / periodMs) : null,
      days: this.#days,
      bestMonth: this.#bestMonth === undefined ? null : calendar.nameOf('month', this.#bestMonth),
    };
  }
}
