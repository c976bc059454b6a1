import { HOUR_MS } from '../domain/dates.ts';
import type { Period } from '../domain/period.ts';
import type { CoveredGroup } from './coverage.ts';
import { isGap } from './gaps.ts';
import type { Grouping } from './groups.ts';
import type { Times } from './times.ts';
import type { ZoneCalendar } from './zoneCalendar.ts';

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

/** Collects how long a condition held in one group of readings, or in one sector of it. */
class HeldTally {
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

/**
 * Adds up how long a condition held, by the marks of readings: a reading with a mark stands for the
 * time until the next reading or, before a gap, for the usual time between readings of its group.
 * @param groups by id, the groups of all readings
 * @param leastMs for how long the condition must hold on a day that counts
 * @returns a function that gives the tally of a group's id and of a mark less 1
 */
export function tallyHeld(
  { blocks }: Times,
  { stop }: Period,
  { grouping, calendar }: { readonly grouping: Grouping; readonly calendar: ZoneCalendar },
  groups: ReadonlyMap<string, CoveredGroup>,
  leastMs: number,
): (id: string, place: number) => HeldTally {
  const tallies = new Map<string, HeldTally[]>();
  const find = (id: string, place: number): HeldTally => {
    const own = tallies.get(id) ?? [];
    tallies.set(id, own);
    own[place] ??= new HeldTally(leastMs);
    return own[place];
  };
  const take = (time: number, mark: number, untilNextMs: number): void => {
    if (mark === 0) return;
    const { id } = grouping.partAt(time);
    const stepMs = 1000 * (groups.get(id)?.coverage.stepS ?? 0);
    const lengthMs = isGap(untilNextMs, stepMs) ? stepMs : untilNextMs;
    const [day, month] = [calendar.intervalAt('day', time), calendar.intervalAt('month', time)];
    find(id, mark - 1).add(day.start, month.start, lengthMs);
  };
  let [latest, latestMark] = [Number.NaN, 0];
  for (const { time, marks } of blocks) {
    time.forEach((ms, place) => {
      take(latest, latestMark, ms - latest);
      [latest, latestMark] = [ms, marks[place] as number];
    });
  }
  take(latest, latestMark, stop - latest);
  return find;
}
