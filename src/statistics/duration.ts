import { HOUR_MS } from '../domain/dates.ts';
import type { ZoneCalendar } from './intervals.ts';

/** How long, and on how many days, a condition held. */
export interface Held {
  readonly hours: number;
  /** Share of the period for which the condition held, 0 to 1; null for an empty period. */
  readonly share: number | null;
  /** Number of days in the output's time zone on which the condition held long enough to count. */
  readonly days: number;
  /**
   * The month in which the condition held longest, such as `2024-05`, the first of equals; null
   * where the condition never held.
   */
  readonly bestMonth: string | null;
}

/** Collects how long a condition held in one group of readings. */
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

  /**
   * Begins without any time.
   * @param leastMs for how long the condition must hold on a day that counts
   */
  constructor(leastMs: number) {
    this.#leastMs = leastMs;
  }

  /**
   * Adds time for which the condition held on one day. Calls come in the order of the days.
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
      // Without a limit the share could exceed 1: the last reading also stands for later time.
      share: periodMs > 0 ? Math.min(1, this.#totalMs / periodMs) : null,
      days: this.#days,
      bestMonth: this.#bestMonth === undefined ? null : calendar.nameOf('month', this.#bestMonth),
    };
  }
}
