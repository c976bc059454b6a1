import { HOUR_MS, rangeContainsTime } from '../domain/dates.ts';
import type { Period } from '../domain/period.ts';
import { UsageError } from '../errors.ts';
import { intervalsOf, type ZoneCalendar } from './zoneCalendar.ts';

/** The keys of `--by`, which group statistics, with their meanings. */
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

/** Maximum number of groups of an output. Each needs memory, and becomes a row. */
const MAX_GROUPS = 1_000_000;

/** The keys that depend only on a reading's time, such as month. */
type TimeKey = Exclude<GroupKey, 'sector'>;

/** Units of time for grouping, the shortest first, with their approximate lengths in hours. */
const UNIT_HOURS = { hour: 1, day: 24, week: 168, month: 730, season: 2190, year: 8766 } as const;
type Unit = keyof typeof UNIT_HOURS;
const UNITS = Object.keys(UNIT_HOURS) as Unit[];

interface TimeKeyTraits {
  /** The calendar unit of the key. All readings within one unit are in the same group. */
  readonly unit: Unit;
  /** The values of a recurring key, such as the hours 0 to 23; undefined for other keys. */
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
 * Numbers that identify and sort a group, one for each key: the start of the unit in milliseconds
 * since 1970, the hour of the day, or the month of the year.
 */
export type GroupOrdinals = readonly number[];

/** A piece of time whose readings all belong to the same group. */
interface GroupPart {
  readonly period: Period;
  readonly ordinals: GroupOrdinals;
  /** The id of the group: its `ordinals` joined by commas. */
  readonly id: string;
}

/** Divides time into pieces, each of which belongs to one group. */
export interface Grouping {
  /** The piece that contains a time. */
  partAt(ms: number): GroupPart;
  /** The pieces of a period in order of time. The first and last are cut to the period. */
  parts(period: Period): Generator<GroupPart>;
  /**
   * All recurring groups, such as the 24 hours of the day, even if a period lacks some; none if any
   * key, such as `month`, does not recur.
   */
  cycles(): GroupOrdinals[];
  /** The value of a key in output, such as `2024-05` for a month. */
  keyOf(key: TimeKey, ordinal: number): string | number;
}

export const groupIdOf = (ordinals: GroupOrdinals): string => ordinals.join();

export const isTimeKey = (key: GroupKey): key is TimeKey => key !== 'sector';

/** Unlimited time, for grouping without a key. */
const ALWAYS: Period = { start: Number.NEGATIVE_INFINITY, stop: Number.POSITIVE_INFINITY };

/** Creates a grouping by hour, month or other keys of time. */
export function createGrouping(calendar: ZoneCalendar, by: readonly GroupKey[]): Grouping {
  const keys = by.filter(isTimeKey);
  const units = [...new Set(keys.map((key) => TIME_KEYS[key].unit))];
  // A week may lie in two months, and a season in two years. Each part is then a separate piece.
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
 * Refuses a period with over a million groups. Without a start or stop, the number is not known
 * yet.
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
