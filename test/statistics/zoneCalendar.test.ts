import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { type CalendarUnit, intervalsOf, zoneCalendar } from '../../src/statistics/zoneCalendar.ts';
import { DAY_MS, HOUR_MS } from './support.ts';
import zones from './zones.json' with { type: 'json' };

const MINUTE_MS = 60_000;

const ZONES = [
  'utc',
  'UTC+2',
  'Europe/Paris',
  'America/New_York',
  'America/Sao_Paulo', // began its summer at midnight
  'America/Havana', // ends it at one o'clock, back to midnight
  'America/St_Johns', // changed at one minute past midnight until 2011
  'Australia/Lord_Howe', // moves by half an hour
  'Asia/Kathmandu',
  'Asia/Beirut',
  'Africa/Casablanca',
  'Pacific/Apia', // left out 30 December 2011
];

const iso = (ms: number): string => new Date(ms).toISOString().replace('.000', '');

const list = (zone: string, unit: CalendarUnit, start: string, stop: string): string[] => {
  const period = { start: Date.parse(start), stop: Date.parse(stop) };
  const calendar = zoneCalendar(zone);
  return Array.from(
    intervalsOf((ms) => calendar.intervalAt(unit, ms), period),
    (interval) =>
      `${calendar.nameOf(unit, interval.start)} ${(interval.stop - interval.start) / HOUR_MS} h`,
  );
};

describe('calendar intervals by local time', () => {
  it('calendar days last 23 and 25 hours where summer time begins and ends', () => {
    expect(list('Europe/Paris', 'day', '2024-03-29T23:00Z', '2024-04-01T22:00Z')).toEqual([
      '2024-03-30 24 h',
      '2024-03-31 23 h',
      '2024-04-01 24 h',
    ]);
    expect(list('Europe/Paris', 'day', '2024-10-26T22:00Z', '2024-10-27T23:00Z')).toEqual([
      '2024-10-27 25 h',
    ]);
  });

  it('calendar hours have names that differ only in the offset for an hour that the clock shows twice', () => {
    expect(list('Europe/Paris', 'hour', '2024-10-26T23:00Z', '2024-10-27T03:00Z')).toEqual([
      '2024-10-27T01:00:00+02:00 1 h',
      '2024-10-27T02:00:00+02:00 1 h',
      '2024-10-27T02:00:00+01:00 1 h',
      '2024-10-27T03:00:00+01:00 1 h',
    ]);
  });

  it('calendar intervals of three hours last two or four hours where the clock changes', () => {
    expect(list('Europe/Paris', 3 * HOUR_MS, '2024-03-30T23:00Z', '2024-03-31T04:00Z')).toEqual([
      '2024-03-31T00:00:00+01:00 2 h',
      '2024-03-31T03:00:00+02:00 3 h',
    ]);
    expect(list('Europe/Paris', 3 * HOUR_MS, '2024-10-26T22:00Z', '2024-10-27T05:00Z')).toEqual([
      '2024-10-27T00:00:00+02:00 4 h',
      '2024-10-27T03:00:00+01:00 3 h',
    ]);
  });

  it('calendar days leave out a day that the time zone skipped', () => {
    expect(list('Pacific/Apia', 'day', '2011-12-29T10:00Z', '2011-12-31T09:00Z')).toEqual([
      '2011-12-29 24 h',
      '2011-12-31 24 h',
    ]);
  });

  it('calendar hours last half an hour beside a clock change by half an hour', () => {
    expect(list('Australia/Lord_Howe', 'hour', '2024-04-06T14:00Z', '2024-04-06T16:00Z')).toEqual([
      '2024-04-07T01:00:00+11:00 1 h',
      '2024-04-07T01:30:00+10:30 0.5 h',
      '2024-04-07T02:00:00+10:30 1 h',
    ]);
    expect(list('Australia/Lord_Howe', 'hour', '2024-10-05T14:30Z', '2024-10-05T16:30Z')).toEqual([
      '2024-10-06T01:00:00+10:30 1 h',
      '2024-10-06T02:30:00+11:00 0.5 h',
      '2024-10-06T03:00:00+11:00 1 h',
    ]);
  });

  it('calendar intervals of a year, a month or ten minutes are named by their start', () => {
    const names = (unit: CalendarUnit) =>
      list('utc', unit, '2023-12-31T23:45Z', '2024-01-01T00:05Z');
    expect(names('year')).toEqual(['2023 8760 h', '2024 8784 h']);
    expect(names('month')).toEqual(['2023-12 744 h', '2024-01 744 h']);
    expect(names(10 * MINUTE_MS).map((name) => name.split(' ')[0])).toEqual([
      '2023-12-31T23:40:00Z',
      '2023-12-31T23:50:00Z',
      '2024-01-01T00:00:00Z',
    ]);
  });

  it.each(zones.nights)(
    'calendar intervals of any step begin where the clock of Python shows them: $zone, $change',
    ({ zone, change, begins }) => {
      const calendar = zoneCalendar(zone);
      const changeMs = Date.parse(change);
      for (const [minutes, expected] of Object.entries(begins)) {
        const aroundMs = Math.max(120, Number(minutes)) * MINUTE_MS;
        const period = { start: changeMs - aroundMs, stop: changeMs + aroundMs };
        const stepMs = Number(minutes) * MINUTE_MS;
        const found = intervalsOf((ms) => calendar.intervalAt(stepMs, ms), period);
        const starts = Array.from(found, ({ start }) => start).filter((ms) => ms >= period.start);
        const inMinutes = starts.map((ms) => (ms - changeMs) / MINUTE_MS);
        expect(inMinutes, `${minutes} minutes`).toEqual(expected);
      }
    },
  );

  it('a calendar week is named by the year of ISO 8601, and a season by the year of its last month', () => {
    const names = (unit: CalendarUnit, start: string, stop: string) =>
      list('Europe/Paris', unit, start, stop);
    expect(names('week', '2024-12-23T12:00Z', '2025-01-06T12:00Z')).toEqual([
      '2024-W52 168 h',
      '2025-W01 168 h',
      '2025-W02 168 h',
    ]);
    expect(names('week', '2024-03-30T12:00Z', '2024-03-30T13:00Z')).toEqual(['2024-W13 167 h']);
    expect(names('season', '2023-11-30T22:00Z', '2024-11-30T12:00Z')).toEqual([
      '2023-SON 2185 h',
      '2024-DJF 2184 h',
      '2024-MAM 2207 h',
      '2024-JJA 2208 h',
      '2024-SON 2185 h',
    ]);
  });

  const anyZone = fc.constantFrom(...ZONES);
  const steps = [10, 15, 32, 60, 90, 360, 1440].map((minutes) => minutes * MINUTE_MS);
  const units = ['hour', 'day', 'week', 'month', 'season', 'year'] as const;
  const anyUnit = fc.constantFrom<CalendarUnit>(...steps, ...units);
  const anyTime = fc.integer({
    min: Date.parse('1975-01-01T00:00Z') / 1000,
    max: Date.parse('2035-01-01T00:00Z') / 1000,
  });

  it('calendar intervals follow each other without a gap, and the interval found for a time contains this time', () => {
    fc.assert(
      fc.property(anyZone, anyUnit, anyTime, (zone, unit, second) => {
        const calendar = zoneCalendar(zone);
        const ms = second * 1000;
        const { start, stop } = calendar.intervalAt(unit, ms);
        expect(start <= ms && ms < stop, `${iso(start)} ${iso(ms)} ${iso(stop)}`).toBe(true);
        expect(calendar.intervalAt(unit, start)).toEqual({ start, stop });
        expect(calendar.intervalAt(unit, stop - 1)).toEqual({ start, stop });
        expect(calendar.intervalAt(unit, stop).start).toBe(stop);
      }),
      { numRuns: 1000 },
    );
  });

  it('calendar intervals begin where luxon says that days, weeks, months and years begin', () => {
    // Of a midnight that the clock shows twice, luxon may take the second.
    const repeating = ['America/St_Johns', 'America/Havana'];
    const steady = ZONES.filter((zone) => !repeating.includes(zone));
    const units = fc.constantFrom('day', 'week', 'month', 'year');
    fc.assert(
      fc.property(fc.constantFrom(...steady), units, anyTime, (zone, unit, second) => {
        const ms = second * 1000;
        const begin = DateTime.fromMillis(ms, { zone }).startOf(unit);
        expect(iso(zoneCalendar(zone).intervalAt(unit, ms).start)).toBe(iso(begin.toMillis()));
      }),
      { numRuns: 1000 },
    );
  });

  it('ten years of calendar hours are made within one second of CPU time', () => {
    const period = {
      start: Date.parse('2014-01-01T00:00Z'),
      stop: Date.parse('2024-01-01T00:00Z'),
    };
    const begin = process.cpuUsage();
    let count = 0;
    const calendar = zoneCalendar('Europe/Paris');
    for (const _ of intervalsOf((ms) => calendar.intervalAt('hour', ms), period)) count++;
    expect(count).toBe((period.stop - period.start) / HOUR_MS);
    expect(process.cpuUsage(begin).user / 1000).toBeLessThan(1000);
    expect(count / 24).toBe((period.stop - period.start) / DAY_MS);
  });
});
