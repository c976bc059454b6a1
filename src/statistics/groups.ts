import { HOUR_MS, rangeContainsTime } from '../domain/dates.ts';
import type { Period } from '../domain/period.ts';
import { UsageError } from '../errors.ts';
import { intervalsOf, type ZoneCalendar } from './zoneCalendar.ts';

/** The keys by which statistics can be grouped, as `--by` accepts them, with their meanings. */
export const GROUP_KEY_MEANINGS = {
  hour: 'each hour of the period',
  day: 'each day',
  week: 'each week of ISO 8601, from Monday on',
  month: 'each month',
  season: 'each season: December to February …',
  year: 'each year',
  'hour-of-day': 'hours 0 to 23 of all days',
  'month-of-year': 'months 1 to 12 of all years',
  sector: 'direction, in the sectors of --sectors',
} as const;
export type GroupKey = keyof typeof GROUP_KEY_MEANINGS;
export const GROUP_KEYS = Object.keys(GROUP_KEY_MEANINGS) as GroupKey[];

/** Most groups in one output: each group takes memory and is a row of the output. */
const MAX_GROUPS = 1_000_000;

/** A grouping, such as by month, that follows from the time of a reading. */
type TimeKey = Exclude<GroupKey, 'sector'>;

/** Units of time to group readings by, the shortest first, with approximate lengths in hours. */
const UNIT_HOURS = { hour: 1, day: 24, week: 168, month: 730, season: 2190, year: 8766 } as const;
type Unit = keyof typeof UNIT_HOURS;
const UNITS = Object.keys(UNIT_HOURS) as Unit[];

interface TimeKeyTraits {
  /** The calendar unit that decides the group: all readings of one unit are in one group. */
  readonly unit: Unit;
  /**
   * The values of a grouping that recurs, such as the hours 0 to 23; undefined for other groupings.
   */
  readonly cycle: readonly number[] | undefined;
}

const upTo = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);

const TIME_KEYS: Readonly<Record<TimeKey, TimeKeyTraits>> = {
  hour: { unit: 'hour', cycle: undefined },
  day: { unit: 'day', cycle: undefined },
  week: { unit: 'week', cycle: undefined },
  month: { unit: 'month', cycle: undefined },
  season: { unit: 'season', cycle: undefined },
  year: { unit: 'year', cycle: undefined },
  'hour-of-day': { unit: 'hour', cycle: upTo(0, 23) },
  'month-of-year': { unit: 'month', cycle: upTo(1, 12) },
};

/**
 * The time of a group as numbers to sort by, one for each key: the start of the hour, day or other
 * unit in milliseconds since 1970, the hour of the day, or the month of the year.
 */
export type GroupOrdinals = readonly number[];

/** A piece of time whose readings all belong to one group. */
interface GroupPart {
  readonly period: Period;
  readonly ordinals: GroupOrdinals;
  /** The id of the group: its `ordinals`, joined by commas. */
  readonly id: string;
}

/** Divides time into pieces, each of which belongs to one group. */
export interface Grouping {
  /** The piece that contains a time. */
  partAt(ms: number): GroupPart;
  /** The pieces of a period in order of time; the first and last do not extend beyond it. */
  parts(period: Period): Generator<GroupPart>;
  /**
   * All groups that recur, such as the 24 hours of the day, even those that a period does not
   * contain; none if a key, such as `month`, does not recur.
   */
  cycles(): GroupOrdinals[];
  /** The value that the output shows for a key of a group, such as `2024-05` for a month. */
  keyOf(key: TimeKey, ordinal: number): string | number;
}

export const groupIdOf = (ordinals: GroupOrdinals): string => ordinals.join();

export const isTimeKey = (key: GroupKey): key is TimeKey => key !== 'sector';

/** Time without a beginning or an end, where no key divides it. */
const ALWAYS: Period = { start: Number.NEGATIVE_INFINITY, stop: Number.POSITIVE_INFINITY };

/** Divides time into pieces by hour, month or another unit of time. */
export function createGrouping(calendar: ZoneCalendar, by: readonly GroupKey[]): Grouping {
  const keys = by.filter(isTimeKey);
  const units = [...new Set(keys.map((key) => TIME_KEYS[key].unit))];
  // A week may lie in two months, and a season in two years: then each has a piece of its own.
  const intervalAt = (ms: number): Period =>
    units.map((unit) => calendar.intervalAt(unit, ms)).reduce(overlapOf, ALWAYS);
  const ordinalAt = (key: TimeKey, ms: number): number => {
    const { unit, cycle } = TIME_KEYS[key];
    const { start } = calendar.intervalAt(unit, ms);
    if (cycle === undefined) return start;
    const wall = new Date(calendar.wallMs(start));
    return key === 'hour-of-day' ? wall.getUTCHours() : wall.getUTCMonth() + 1;
  };
  const partOf = (period: Period): GroupPart => {
    const ordinals = keys.map((key) => ordinalAt(key, period.start));
    return { period, ordinals, id: groupIdOf(ordinals) };
  };
  let latest: GroupPart | undefined;
  return {
    partAt(ms) {
      if (latest && rangeContainsTime(latest.period, ms)) return latest;
      latest = partOf(intervalAt(ms));
      return latest;
    },
    *parts(period) {
      const intervals = units.length === 0 ? [ALWAYS] : intervalsOf(intervalAt, period);
      for (const interval of intervals) {
        yield { ...partOf(interval), period: overlapOf(interval, period) };
      }
    },
    cycles() {
      const cycles = keys.map((key) => TIME_KEYS[key].cycle);
      if (!cycles.every((cycle) => cycle !== undefined)) return [];
      const extend = (groups: number[][], cycle: readonly number[]): number[][] =>
        groups.flatMap((group) => cycle.map((value) => [...group, value]));
      return cycles.reduce(extend, [[]]);
    },
    keyOf: (key, ordinal) =>
      TIME_KEYS[key].cycle === undefined ? calendar.nameOf(TIME_KEYS[key].unit, ordinal) : ordinal,
  };
}

const overlapOf = (a: Period, b: Period): Period => ({
  start: Math.max(a.start, b.start),
  stop: Math.min(a.stop, b.stop),
});

/**
 * Refuses a period that has over a million groups. Of one whose start or stop follows from the
 * readings nothing is known yet.
 * @throws UsageError
 */
export function checkGroupCount(
  { start, stop }: Partial<Period>,
  by: readonly GroupKey[],
  sectors: number,
): void {
  if (start === undefined || stop === undefined) return;
  const keys = by.filter(isTimeKey);
  const shortest = UNITS.find((unit) => keys.some((key) => TIME_KEYS[key].unit === unit));
  const countOf = (unit: Unit): number => Math.ceil((stop - start) / HOUR_MS / UNIT_HOURS[unit]);
  const most = keys.reduce((product, key) => {
    const { unit, cycle } = TIME_KEYS[key];
    return product * (cycle?.length ?? countOf(unit));
  }, 1);
  const isCyclic = keys.every((key) => TIME_KEYS[key].cycle !== undefined);
  const inTime = isCyclic || shortest === undefined ? most : Math.min(most, countOf(shortest));
  const count = inTime * (by.includes('sector') ? sectors : 1);
  if (count <= MAX_GROUPS) return;
  throw new UsageError(
    `Statistics by ${by.join(' and ')} would have ${count.toLocaleString('en')} groups, ` +
      `over the limit of ${MAX_GROUPS.toLocaleString('en')}; choose a shorter period or longer groups.`,
  );
}
