import type { Columns } from '../domain/readings/columns.ts';
import type { ZoneCalendar } from './zoneCalendar.ts';

/** Whether a condition holds for a reading; undefined if missing values leave it open. */
export type ConditionTest = (columns: Columns, row: number) => boolean | undefined;

/** For how long, and on how many days, a speed was at or above a threshold. */
export interface Exceedance {
  readonly hours: number;
  /** Share of the period, 0 to 1; null for an empty period. */
  readonly share: number | null;
  /** Number of days with a reading at or above the threshold. */
  readonly days: number;
  /** Number of days with an hour of it, as `--where` and `--for 1h` count them. */
  readonly days1h: number;
}

/**
 * How many conditions hold for a reading, of conditions that each include the one before.
 * @returns undefined without a condition, or if missing values leave the first one open
 */
export function levelOf(
  conditions: readonly ConditionTest[],
  columns: Columns,
  row: number,
): number | undefined {
  const first = conditions[0]?.(columns, row);
  if (!first) return first === undefined ? undefined : 0;
  let level = 1;
  while (conditions[level]?.(columns, row)) level++;
  return level;
}

/** The days of one group of readings by the highest level that a reading of the day has. */
export class DayLevels {
  readonly #conditions: readonly ConditionTest[];
  readonly #calendar: ZoneCalendar;
  /** By start of the day; days of level 0 are left out. */
  readonly #highest = new Map<number, number>();

  /** @param conditions the conditions of {@link levelOf} */
  constructor(conditions: readonly ConditionTest[], calendar: ZoneCalendar) {
    this.#conditions = conditions;
    this.#calendar = calendar;
  }

  add(columns: Columns): void {
    for (let row = 0; row < columns.count; row++) {
      const level = levelOf(this.#conditions, columns, row) ?? 0;
      if (level === 0) continue;
      const { start } = this.#calendar.intervalAt('day', columns.time[row] as number);
      if (level > (this.#highest.get(start) ?? 0)) this.#highest.set(start, level);
    }
  }

  /** Number of days with a reading of this level or a higher one. */
  count(level: number): number {
    return [...this.#highest.values()].filter((highest) => highest >= level).length;
  }
}
