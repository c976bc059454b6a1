import { DateTime, type DateTimeUnit, type DurationLikeObject } from 'luxon';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../domain/dates.ts';
import type { Period } from '../domain/period.ts';

/** The interval between two ticks of a time axis: `count` calendar units. */
interface Step {
  readonly unit: DateTimeUnit;
  readonly count: number;
  /** The approximate duration of the interval, milliseconds. */
  readonly ms: number;
  /** Luxon format of a label. `first` is for midnight, or for January if the unit is a month. */
  readonly format: string;
  readonly first: string;
}

function steps(
  unit: DateTimeUnit,
  unitMs: number,
  format: string,
  first: string,
  counts: readonly number[],
): Step[] {
  return counts.map((count) => ({ unit, count, ms: count * unitMs, format, first }));
}

const STEPS: readonly Step[] = [
  ...steps('minute', MINUTE_MS, 'HH:mm', 'd LLL', [1, 2, 5, 10, 15, 30]),
  ...steps('hour', HOUR_MS, 'HH:mm', 'd LLL', [1, 2, 3, 6, 12]),
  ...steps('day', DAY_MS, 'd LLL', 'd LLL', [1, 2, 7, 14]),
  ...steps('month', 30.4 * DAY_MS, 'LLL', 'yyyy', [1, 2, 3, 6]),
  ...steps('year', 365 * DAY_MS, 'yyyy', 'yyyy', [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]),
];

interface TimeTick {
  readonly ms: number;
  readonly label: string;
}

/**
 * Creates the ticks of a time axis at round times in a zone.
 * @param room how many labels fit side by side
 */
export function timeTicks({ start, stop }: Period, zone: string, room: number): TimeTick[] {
  const least = (stop - start) / Math.max(1, room);
  const step = STEPS.find(({ ms }) => ms >= least) ?? (STEPS.at(-1) as Step);
  const ticks: TimeTick[] = [];
  let date = firstTick(DateTime.fromMillis(start, { zone, locale: 'en' }), step);
  while (date.toMillis() < stop) {
    const ms = date.toMillis();
    if (ms >= start) ticks.push({ ms, label: date.toFormat(formatOf(date, step)) });
    date = nextTick(date, step);
  }
  return ticks;
}

/** The round time at or before a date, such as midnight, from which ticks are counted. */
function firstTick(date: DateTime, { unit, count }: Step): DateTime {
  if (unit === 'minute') return date.startOf('hour');
  if (unit === 'hour') return date.startOf('day');
  if (unit === 'day') return date.startOf('month');
  const year = date.startOf('year');
  return unit === 'month' ? year : year.minus({ years: year.year % count });
}

function nextTick(date: DateTime, { unit, count }: Step): DateTime {
  if (unit === 'hour') return nextHour(date, count);
  // If daylight saving time begins at midnight, that day begins at 01:00, but the next days do not.
  const next = date.plus({ [unit]: count } as DurationLikeObject).startOf(unit);
  if (unit !== 'day' || count === 1) return next;
  // Skip a tick late in a month that is too close to the first of the next month.
  return next.plus({ days: count / 2 }).month === date.month ? next : date.endOf('month').plus(1);
}

/** The next multiple of `count` hours on the clock, or the start of the next day. */
function nextHour(date: DateTime, count: number): DateTime {
  // Skip a tick less than 0.7 intervals away: if a day begins at 01:00, it would be too close.
  const hour = Math.ceil(date.hour / count + 0.7) * count;
  if (hour >= 24) return date.plus({ days: 1 }).startOf('day');
  const next = date.set({ hour });
  // Skip an hour that daylight saving time leaves out.
  return next.hour % count === 0 ? next : date.set({ hour: hour + count });
}

function formatOf(date: DateTime, { unit, format, first }: Step): string {
  const isFirst = unit === 'month' ? date.month === 1 : +date === +date.startOf('day');
  return isFirst ? first : format;
}
