import {
  createOffsetFinder,
  DAY_MS,
  formatDate,
  formatOffset,
  HOUR_MS,
  loadLuxon,
  rangeContainsTime,
} from '../domain/dates.ts';
import type { Period } from '../domain/period.ts';

/**
 * Units of a zone's clock and calendar. A number is an interval in milliseconds that divides a day.
 * Weeks are those of ISO 8601; seasons begin in December, March, June and September.
 */
export type CalendarUnit = number | 'hour' | 'day' | 'week' | 'month' | 'season' | 'year';

const LENGTHS_MS = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS } as const;

/** The seasons, beginning with the one that contains January, by the initials of their months. */
export const SEASONS = ['DJF', 'MAM', 'JJA', 'SON'];

/** The clock and the calendar of a time zone. Times are milliseconds since 1970. */
export interface ZoneCalendar {
  /**
   * The unit that contains a time. A unit begins when the zone's clock first shows its start, so a
   * day has 23 to 25 hours, and an interval of three hours has two to four. Units of up to an hour
   * also end where the clock changes: an hour that the clock shows twice is two units.
   */
  intervalAt(unit: CalendarUnit, ms: number): Period;
  /**
   * The local time of the zone, as the milliseconds since 1970 at which a clock in UTC shows the
   * same.
   */
  wallMs(ms: number): number;
  /**
   * The name of the unit that begins at a time: `2024`, `2024-05`, `2024-05-01`, or for an hour
   * `2024-05-01T13:00:00+02:00`, with `Z` in UTC. A week is named by ISO 8601 (`2024-W05`), and a
   * season by the year of its last month: `2024-DJF` begins in December 2023.
   */
  nameOf(unit: CalendarUnit, startMs: number): string;
}

/**
 * Creates the clock and calendar of a time zone.
 * @param zone IANA name of the zone, or `utc`
 */
export function zoneCalendar(zone: string): ZoneCalendar {
  const offsets = createOffsetFinder(zone);
  const offsetAt = (ms: number): number => offsets(ms).offsetMs;
  const wallMs = (ms: number): number => ms + offsetAt(ms);
  /** The first time at which the zone's clock shows `wall` or later. */
  const firstAt = (wall: number): number => {
    let ms = wall - Math.max(offsetAt(wall - DAY_MS), offsetAt(wall + DAY_MS));
    for (;;) {
      const { stop, offsetMs } = offsets(ms);
      if (ms + offsetMs < wall) ms = Math.min(wall - offsetMs, stop);
      else return ms;
    }
  };
  /** The part of a unit around a time in which the zone's offset stays the same. */
  const withOneOffset = (unit: Period, ms: number): Period => {
    const offset = offsetAt(ms);
    let { start, stop } = offsets(ms);
    while (start > unit.start && offsetAt(start - 1) === offset) start = offsets(start - 1).start;
    while (stop < unit.stop && offsetAt(stop) === offset) stop = offsets(stop).stop;
    return { start: Math.max(start, unit.start), stop: Math.min(stop, unit.stop) };
  };
  const findInterval = (unit: CalendarUnit, ms: number): Period => {
    const wall = wallMs(ms);
    let begin = floorWall(unit, wall, 0);
    let end = floorWall(unit, begin, 1);
    if (end - begin <= HOUR_MS) {
      return withOneOffset({ start: begin - wall + ms, stop: end - wall + ms }, ms);
    }
    // If the clock is set back after midnight, it shows the day before again. Those readings still
    // belong to the new day.
    while (firstAt(end) <= ms) [begin, end] = [end, floorWall(unit, end, 1)];
    return { start: firstAt(begin), stop: firstAt(end) };
  };
  /** The latest interval of each unit. Most calls are for a time in the same one. */
  const latest = new Map<CalendarUnit, Period>();
  return {
    wallMs,
    intervalAt(unit, ms) {
      const known = latest.get(unit);
      if (known && rangeContainsTime(known, ms)) return known;
      const found = findInterval(unit, ms);
      latest.set(unit, found);
      return found;
    },
    nameOf(unit, startMs) {
      const wall = wallMs(startMs);
      const date = formatDate(wall);
      if (unit === 'year') return date.slice(0, -20);
      if (unit === 'season') return nameOfSeason(wall);
      if (unit === 'month') return date.slice(0, -17);
      if (unit === 'week') {
        return loadLuxon().DateTime.fromMillis(wall, { zone: 'utc' }).toFormat("kkkk-'W'WW");
      }
      if (unit === 'day') return date.slice(0, -14);
      const offset = zone.toLowerCase() === 'utc' ? 'Z' : formatOffset(offsetAt(startMs));
      return `${date.slice(0, -5)}${offset}`;
    },
  };
}

/** The start of the unit that contains a local time, or of the unit `later` units after it. */
function floorWall(unit: CalendarUnit, wallMs: number, later: number): number {
  if (unit === 'month') return floorMonths(wallMs, 1, later);
  if (unit === 'season') return floorMonths(wallMs, 3, later);
  if (unit === 'year') return floorMonths(wallMs, 12, later);
  const lengthMs = typeof unit === 'number' ? unit : LENGTHS_MS[unit];
  // Weeks are counted from 5 January 1970, a Monday.
  const origin = unit === 'week' ? 4 * DAY_MS : 0;
  return (Math.floor((wallMs - origin) / lengthMs) + later) * lengthMs + origin;
}

function floorMonths(wallMs: number, months: 1 | 3 | 12, later: number): number {
  const date = new Date(wallMs);
  // The first season of a year begins in December of the year before.
  const before = months === 3 ? 1 : 0;
  const month = 12 * date.getUTCFullYear() + date.getUTCMonth() + before;
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  return new Date(0).setUTCFullYear(0, (Math.floor(month / months) + later) * months - before, 1);
}

/** Names a season by the year and position of its second month. */
function nameOfSeason(wallMs: number): string {
  const second = new Date(floorMonths(floorMonths(wallMs, 3, 0), 1, 1));
  return `${formatDate(+second).slice(0, -20)}-${SEASONS[second.getUTCMonth() / 3]}`;
}

/** The intervals of a period in order. The first and last may extend beyond it. */
export function* intervalsOf(
  intervalAt: (ms: number) => Period,
  { start, stop }: Period,
): Generator<Period> {
  for (let at = start; at < stop; ) {
    const interval = intervalAt(at);
    yield interval;
    at = interval.stop;
  }
}
