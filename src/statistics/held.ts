import { HOUR_MS } from '../domain/dates.ts';
import type { ZoneCalendar } from './intervals.ts';

/** How long, and on how many days, a condition held. */
export interface Held {
  readonly hours: number;
  /** Share of the period in which the condition held, 0 to 1; null for an empty period. */
  readonly share: number | null;
  /** Days of the zone on which the condition held for `leastMs` or more. */
  readonly days: number;
  /**
   * The month with the most hours, the first of several, as `2024-05`; null where the condition
   * never held.
   */
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
   * Adds time of one day in which the condition held. Calls come in order of the days.
   * @param day the start of the day; `month` is the start of its month
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
      // At most 1: the last reading of an interval also stands for time after the interval.
      share: periodMs > 0 ? Math.min(1, this.#totalMs / periodMs) : null,
      days: this.#days,
      bestMonth: this.#bestMonth === undefined ? null : calendar.nameOf('month', this.#bestMonth),
    };
  }
}
