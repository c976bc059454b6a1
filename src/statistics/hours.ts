import { containsTime, HOUR_MS } from '../domain/dates.ts';
import type { Period } from '../domain/period.ts';
import type { GroupCoverage } from './coverage.ts';
import { timeBefore } from './gaps.ts';
import type { Grouping } from './groups.ts';
import type { SectorPart } from './headings.ts';
import { directionIn, minMark, NO_AVERAGE } from './marks.ts';
import type { MarkedTimes } from './times.ts';
import type { ZoneCalendar } from './zoneCalendar.ts';

/** How long, and on how many days, a condition held. */
export interface HeldTime {
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

/** How long a condition held in one group of readings, or in one sector of it. */
class HoursTally {
  #totalMs = 0;
  #days = 0;
  #day = Number.NaN;
  #dayMs = 0;
  #slackMs = 0;
  #isCounted = false;
  #month = Number.NaN;
  #monthMs = 0;
  #bestMonth: number | undefined;
  #bestMonthMs = 0;
  readonly #minMs: number;

  /** @param minMs for how long the condition must hold on a day that counts */
  constructor(minMs: number) {
    this.#minMs = minMs;
  }

  /** Adds time for which the condition held on one day. Days come in order. */
  add(cell: Cell, lengthMs: number): void {
    this.#begin(cell);
    this.#totalMs += lengthMs;
    this.#dayMs += lengthMs;
    this.#monthMs += lengthMs;
    this.#countDay();
    if (this.#monthMs > this.#bestMonthMs) {
      this.#bestMonth = this.#month;
      this.#bestMonthMs = this.#monthMs;
    }
  }

  /** Counts a day even if the condition held for one step less than it must. */
  tolerate(cell: Cell): void {
    this.#begin(cell);
    this.#slackMs = cell.stepMs;
    this.#countDay();
  }

  #begin({ day, month }: Cell): void {
    if (month !== this.#month) this.#monthMs = 0;
    this.#month = month;
    if (day === this.#day) return;
    this.#day = day;
    this.#dayMs = 0;
    this.#slackMs = 0;
    this.#isCounted = false;
  }

  #countDay(): void {
    const isEnough = this.#dayMs > 0 && this.#dayMs + this.#slackMs >= this.#minMs;
    if (!isEnough || this.#isCounted) return;
    this.#isCounted = true;
    this.#days++;
  }

  result(periodMs: number, calendar: ZoneCalendar): HeldTime {
    return {
      hours: this.#totalMs / HOUR_MS,
      share: periodMs > 0 ? this.#totalMs / periodMs : null,
      days: this.#days,
      bestMonth: this.#bestMonth === undefined ? null : calendar.nameOf('month', this.#bestMonth),
    };
  }
}

/** A piece of time that lies in one group and on one day. */
interface Cell {
  readonly period: Period;
  /** Start of the day, and of its month. */
  readonly day: number;
  readonly month: number;
  /** The group's usual time between readings. */
  readonly stepMs: number;
  /** The tallies of the group, by sector. */
  readonly tallies: HoursTally[];
}

/** Adds up how long a condition held in each group of readings. */
export class Hours {
  readonly #grouping: Grouping;
  readonly #calendar: ZoneCalendar;
  readonly #groups: ReadonlyMap<string, GroupCoverage>;
  readonly #minMs: number;
  readonly #minMark: number;
  readonly #partsOf: (direction: number) => readonly SectorPart[];
  readonly #tallies = new Map<string, HoursTally[]>();
  #cell: Cell | undefined;

  /**
   * *
   * @param groups by id, the groups of all readings
   * @param condition `minMs` is for how long it must hold on a day that counts, `level` its place
   *   among conditions that each include the one before, from 1 on
   * @param partsOf returns the sectors of a direction, hundredths of a degree
   */
  constructor(
    grouping: Grouping,
    calendar: ZoneCalendar,
    groups: ReadonlyMap<string, GroupCoverage>,
    { minMs, level }: { readonly minMs: number; readonly level: number },
    partsOf: (direction: number) => readonly SectorPart[],
  ) {
    this.#grouping = grouping;
    this.#calendar = calendar;
    this.#groups = groups;
    this.#minMs = minMs;
    this.#minMark = minMark(level);
    this.#partsOf = partsOf;
  }

  /**
   * Adds the readings of a period, whose marks show for which the condition holds ({@link markReading}). A
   * reading stands for the time before it: back to the reading before, after a gap for one step of
   * its group, and not back before the period. That time is split among the groups and days in which
   * it lies.
   *
   * A step without a reading may be part of the time that a day needs: where the condition held
   * beside a gap, or at the start or end of the period, one step less suffices.
   */
  add({ time, marks }: MarkedTimes, { start }: Period): void {
    let [latest, latestMark] = [start, NO_AVERAGE];
    for (let i = 0; i < time.length; i++) {
      const [ms, mark] = [time[i] as number, marks[i] as number];
      if (mark === NO_AVERAGE) continue;
      const from = ms - timeBefore(ms - latest, this.#cellAt(ms).stepMs);
      if (from > latest || latestMark === NO_AVERAGE) {
        this.#tolerate(latest - 1, latestMark);
        this.#tolerate(from, mark);
      }
      this.#split(from, ms, mark);
      [latest, latestMark] = [ms, mark];
    }
    this.#tolerate(latest - 1, latestMark);
  }

  /** How long the condition held in a group, or in one sector of it. */
  of(id: string, sector: number): HeldTime {
    const tally = this.#tallies.get(id)?.[sector] ?? new HoursTally(this.#minMs);
    return tally.result(this.#groups.get(id)?.periodMs ?? 0, this.#calendar);
  }

  #split(from: number, to: number, mark: number): void {
    if (mark < this.#minMark) return;
    const parts = this.#partsOf(directionIn(mark));
    for (let at = from; at < to; ) {
      const cell = this.#cellAt(at);
      const end = Math.min(to, cell.period.stop);
      for (const { sector, part } of parts) {
        this.#tallyOf(cell, sector).add(cell, part * (end - at));
      }
      at = end;
    }
  }

  #tolerate(ms: number, mark: number): void {
    if (mark < this.#minMark) return;
    const cell = this.#cellAt(ms);
    for (const { sector } of this.#partsOf(directionIn(mark))) {
      this.#tallyOf(cell, sector).tolerate(cell);
    }
  }

  #tallyOf({ tallies }: Cell, sector: number): HoursTally {
    tallies[sector] ??= new HoursTally(this.#minMs);
    return tallies[sector];
  }

  #cellAt(ms: number): Cell {
    if (this.#cell && containsTime(this.#cell.period, ms)) return this.#cell;
    const { period, id } = this.#grouping.partAt(ms);
    const day = this.#calendar.intervalAt('day', ms);
    const tallies = this.#tallies.get(id) ?? [];
    this.#tallies.set(id, tallies);
    this.#cell = {
      period: { start: Math.max(period.start, day.start), stop: Math.min(period.stop, day.stop) },
      day: day.start,
      month: this.#calendar.intervalAt('month', ms).start,
      stepMs: 1000 * (this.#groups.get(id)?.coverage.stepS ?? 0),
      tallies,
    };
    return this.#cell;
  }
}
