import { HOUR_MS, rangeContainsTime } from '../domain/dates.ts';
import type { Period } from '../domain/period.ts';
import type { GroupCoverage } from './coverage.ts';
import { representedMs } from './gaps.ts';
import type { Grouping } from './groups.ts';
import type { SectorPart } from './headings.ts';
import { CONDITION_HOLDS, type WindColumns } from './readings.ts';
import type { ZoneCalendar } from './zoneCalendar.ts';

/** For how long, and on how many days, a condition was true. */
export interface ConditionDuration {
  readonly hours: number;
  /** The share of the period in which the condition was true, 0 to 1; null for an empty period. */
  readonly share: number | null;
  /** Number of days, in the output's time zone, on which the condition was true for long enough. */
  readonly days: number;
  /**
   * The month in which the condition was true longest, such as `2024-05`, the first among equals;
   * null if it was never true.
   */
  readonly bestMonth: string | null;
}

/** For how long, and on how many days, a speed reached a threshold. */
export interface Exceedance {
  readonly hours: number;
  /** Share of the period, 0 to 1; null for an empty period. */
  readonly share: number | null;
  /** Number of days with a reading that reaches the threshold. */
  readonly days: number;
  /** Number of days on which it was reached for an hour, as `--where` and `--for 1h` count them. */
  readonly days1h: number;
}

/** For how long a condition was true on one day, in one group and sector. */
interface HeldDay {
  /** Start of the month of the day. */
  readonly month: number;
  ms: number;
  /** How much is subtracted from the minimum duration for the day to count. */
  slackMs: number;
  /** Whether the condition is true for any reading of the day, even one that represents no time. */
  hasReading: boolean;
}

/** The days of a group or sector on which a condition was true, by the start of the day. */
type ConditionDays = ReadonlyMap<number, Readonly<HeldDay>>;

export const NO_CONDITION_DAYS: ConditionDays = new Map();

/** How to divide the time of a condition among groups, days and sectors. */
export interface ConditionTimeDivision {
  /** The start of the period. */
  readonly start: number;
  readonly grouping: Grouping;
  readonly calendar: ZoneCalendar;
  /** The groups of all readings by id. */
  readonly groups: ReadonlyMap<string, GroupCoverage>;
  /** Returns the sectors of a reading. */
  readonly partsOf: (row: number) => readonly SectorPart[];
}

/**
 * Divides the time for which a condition is true. A reading represents the time since the previous
 * one, or one step of its group after a gap, but no time before the period. This time is divided
 * among the groups and days that contain it. If the condition was true beside a gap, or at the
 * start or end of the period, one step less is enough for a day to count, since a reading may be
 * missing.
 * @returns a function that finds the days of a group and sector
 */
export function divideConditionTime(
  { time, windSpeedAvg }: WindColumns,
  verdicts: Uint8Array,
  { partsOf, ...division }: ConditionTimeDivision,
): (id: string, sector: number) => ConditionDays {
  const days = new Map<string, Map<number, HeldDay>[]>();
  const cellAt = cellFinder(division);
  const change = (
    ms: number,
    row: number,
    by: (day: HeldDay, part: number, cell: Cell) => void,
  ) => {
    if (verdicts[row] !== CONDITION_HOLDS) return;
    const cell = cellAt(ms);
    for (const { sector, part } of partsOf(row)) by(dayIn(days, cell, sector), part, cell);
  };
  const tolerate = (ms: number, row: number) =>
    change(ms, row, (day, _, { stepMs }) => {
      day.slackMs = stepMs;
    });
  const split = (from: number, to: number, row: number) => {
    for (let at = from; at < to && verdicts[row] === CONDITION_HOLDS; ) {
      const end = Math.min(to, cellAt(at).period.stop);
      const lengthMs = end - at;
      change(at, row, (day, part) => {
        day.ms += part * lengthMs;
      });
      at = end;
    }
  };
  let [latest, latestRow] = [division.start, -1];
  for (let row = 0; row < time.length; row++) {
    const ms = time[row] as number;
    if (!Number.isNaN(windSpeedAvg[row])) {
      const from = ms - representedMs(ms - latest, cellAt(ms).stepMs);
      if (from > latest || latestRow < 0) {
        tolerate(latest - 1, latestRow);
        tolerate(from, row);
      }
      split(from, ms, row);
      [latest, latestRow] = [ms, row];
    }
    change(ms, row, (day) => {
      day.hasReading = true;
    });
  }
  tolerate(latest - 1, latestRow);
  return (id, sector) => days.get(id)?.[sector] ?? NO_CONDITION_DAYS;
}

/** A piece of time within one group and one day. */
interface Cell {
  readonly period: Period;
  readonly id: string;
  /** Start of the day, and of its month, milliseconds since 1970. */
  readonly day: number;
  readonly month: number;
  /** The usual time between readings of the group. */
  readonly stepMs: number;
}

/**
 * Creates a function that finds the piece of time for a moment. It remembers the last piece, since
 * most calls are for the same one.
 */
function cellFinder({
  grouping,
  calendar,
  groups,
}: Omit<ConditionTimeDivision, 'start' | 'partsOf'>) {
  let latest: Cell | undefined;
  return (ms: number): Cell => {
    if (latest && rangeContainsTime(latest.period, ms)) return latest;
    const { period, id } = grouping.partAt(ms);
    const day = calendar.intervalAt('day', ms);
    latest = {
      period: { start: Math.max(period.start, day.start), stop: Math.min(period.stop, day.stop) },
      id,
      day: day.start,
      month: calendar.intervalAt('month', ms).start,
      stepMs: 1000 * (groups.get(id)?.coverage.stepS ?? 0),
    };
    return latest;
  };
}

/** The day of a piece of time in one sector. Adds it if it is new. */
function dayIn(
  groups: Map<string, Map<number, HeldDay>[]>,
  { id, day, month }: Cell,
  sector: number,
): HeldDay {
  const sectors = groups.get(id) ?? [];
  groups.set(id, sectors);
  sectors[sector] ??= new Map();
  const days = sectors[sector];
  const known = days.get(day) ?? { month, ms: 0, slackMs: 0, hasReading: false };
  days.set(day, known);
  return known;
}

/**
 * Sums up for how long a condition was true on days.
 * @param periodMs duration of the group
 * @param minMs minimum duration for a day to count
 */
export function conditionDurationOn(
  days: ConditionDays,
  periodMs: number,
  minMs: number,
  calendar: ZoneCalendar,
): ConditionDuration {
  let [totalMs, count, best, bestMs] = [0, 0, Number.NaN, 0];
  const months = new Map<number, number>();
  for (const { month, ms, slackMs } of days.values()) {
    totalMs += ms;
    if (ms > 0 && ms + slackMs >= minMs) count++;
    months.set(month, (months.get(month) ?? 0) + ms);
  }
  for (const [month, ms] of months) if (ms > bestMs) [best, bestMs] = [month, ms];
  return {
    hours: totalMs / HOUR_MS,
    share: periodMs > 0 ? totalMs / periodMs : null,
    days: count,
    bestMonth: bestMs > 0 ? calendar.nameOf('month', best) : null,
  };
}

/**
 * Sums up for how long, and on how many days, a threshold was reached.
 * @param periodMs duration of the group
 */
export function exceedanceOn(
  days: ConditionDays,
  periodMs: number,
  calendar: ZoneCalendar,
): Exceedance {
  const { hours, share, days: days1h } = conditionDurationOn(days, periodMs, HOUR_MS, calendar);
  return {
    hours,
    share,
    days: [...days.values()].filter(({ hasReading }) => hasReading).length,
    days1h,
  };
}
