import {
  contains,
  DAY_MS,
  formatDate,
  formatOffset,
  HOUR_MS,
  MINUTE_MS,
  QUARTER_MS,
  zoneOffsets,
} from '../domain/dates.ts';
import type { Period } from '../domain/period.ts';

/** Units of the clock and the calendar of a zone. */
export const CALENDAR_UNITS = ['10min', 'hour', '3h', 'day', 'month', 'year'] as const;
export type CalendarUnit = (typeof CALENDAR_UNITS)[number];

/** The clock and the calendar of a time zone. Times are milliseconds since 1970. */
export interface ZoneCalendar {
  /**
   * The hour, day, month or other unit in which a time lies. A unit begins when the zone's clock
   * first shows its beginning, so a day has 23 to 25 hours and a unit `3h` has two to four hours.
   * An hour that the clock shows twice counts as two units.
   */
  intervalAt(unit: CalendarUnit, ms: number): Period;
  /** The zone's clock at a time, given as the time at which a clock in UTC shows the same. */
  wallMs(ms: number): number;
  /**
   * The name of the hour, day, month or year that begins at a time: `2024`, `2024-05`,
   * `2024-05-01`, or with the hour `2024-05-01T13:00:00+02:00`, in UTC with `Z`.
   */
  nameOf(unit: CalendarUnit, startMs: number): string;
}

/**
 * The clock and calendar of a zone.
 * @param zone IANA name of the zone, or `utc`
 */
export function zoneCalendar(zone: string): ZoneCalendar {
  const offsets = zoneOffsets(zone);
  const offsetAt = (ms: number): number => offsets(ms).offsetMs;
  const wallMs = (ms: number): number => ms + offsetAt(ms);
  /** The first time at which the zone's clock shows `wall` or later. */
  const firstAt = (wall: number): number => {
    let ms = wall - Math.max(offsetAt(wall - DAY_MS), offsetAt(wall + DAY_MS));
    while (wallMs(ms) < wall) ms += QUARTER_MS;
    return ms;
  };
  /** An interval of fixed length, cut off where the zone's offset from UTC changes within it. */
  const fixedAt = (lengthMs: number, ms: number): Period => {
    const offset = offsetAt(ms);
    const begin = Math.floor((ms + offset) / lengthMs) * lengthMs - offset;
    let [start, stop] = [begin, begin + lengthMs];
    if (offsetAt(start) !== offset) start = Math.floor(start / QUARTER_MS) * QUARTER_MS;
    while (offsetAt(start) !== offset) start += QUARTER_MS;
    if (offsetAt(stop - 1) !== offset) stop = Math.ceil(stop / QUARTER_MS) * QUARTER_MS;
    while (offsetAt(stop - 1) !== offset) stop -= QUARTER_MS;
    return { start, stop };
  };
  const findInterval = (unit: CalendarUnit, ms: number): Period => {
    if (unit === '10min') return fixedAt(10 * MINUTE_MS, ms);
    if (unit === 'hour') return fixedAt(HOUR_MS, ms);
    let begin = floorWall(unit, wallMs(ms), 0);
    let end = floorWall(unit, begin, 1);
    // A clock that is set back after midnight shows the day before again; the readings still count
    // to the new day.
    while (firstAt(end) <= ms) [begin, end] = [end, floorWall(unit, end, 1)];
    return { start: firstAt(begin), stop: firstAt(end) };
  };
  /** The latest interval of each unit, since most calls are for a time in the same one. */
  const latest = new Map<CalendarUnit, Period>();
  return {
    wallMs,
    intervalAt(unit, ms) {
      const known = latest.get(unit);
      if (known && contains(known, ms)) return known;
      const found = findInterval(unit, ms);
      latest.set(unit, found);
      return found;
    },
    nameOf(unit, startMs) {
      const date = formatDate(wallMs(startMs));
      if (unit === 'year') return date.slice(0, -20);
      if (unit === 'month') return date.slice(0, -17);
      if (unit === 'day') return date.slice(0, -14);
      const offset = zone.toLowerCase() === 'utc' ? 'Z' : formatOffset(offsetAt(startMs));
      return `${date.slice(0, -5)}${offset}`;
    },
  };
}

/** Beginning of the unit that contains a time of the clock, or of the unit `later` units on. */
function floorWall(unit: '3h' | 'day' | 'month' | 'year', wallMs: number, later: number): number {
  if (unit === '3h') return (Math.floor(wallMs / (3 * HOUR_MS)) + later) * 3 * HOUR_MS;
  if (unit === 'day') return (Math.floor(wallMs / DAY_MS) + later) * DAY_MS;
  const date = new Date(wallMs);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  // Date.UTC would take the years 0 to 99 as 1900 to 1999.
  const first = new Date(0);
  if (unit === 'year') return first.setUTCFullYear(year + later, 0, 1);
  return first.setUTCFullYear(year, month + later, 1);
}

/** The hours, days or other units of a period, in order; the first and last may extend beyond it. */
export function* intervalsOf(
  calendar: ZoneCalendar,
  unit: CalendarUnit,
  { start, stop }: Period,
): Generator<Period> {
  for (let at = start; at < stop; ) {
    const interval = calendar.intervalAt(unit, at);
    yield interval;
    at = interval.stop;
  }
}
