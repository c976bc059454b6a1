import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { checkGroupCount } from '../../src/statistics/groups.ts';
import type { GroupKey } from '../../src/statistics/statistics.ts';
import { naming } from '../support/naming.ts';
import { groupsOf, STEP_MS, times } from './support.ts';
import zones from './zones.json' with { type: 'json' };

const period = (start: string, stop: string) => ({
  period: { start: Date.parse(start), stop: Date.parse(stop) },
});

describe('groups of readings', () => {
  it('the groups of a year in Paris by day are 365 days of 23 to 25 hours', () => {
    const year = period('2022-12-31T23:00Z', '2023-12-31T23:00Z');
    const halfHours = times(365 * 48, year.period.start, 1_800_000);
    const readings = halfHours.map((time) => ({ time, avg: 9 }));
    const groups = groupsOf(readings, { ...year, zone: 'Europe/Paris', by: ['day'] });
    expect(groups).toHaveLength(365);
    expect(groups[0]?.keys).toEqual(['2023-01-01']);
    expect(groups[364]?.keys).toEqual(['2023-12-31']);
    for (const { keys, summary } of groups) {
      const hours = { '2023-03-26': 23, '2023-10-29': 25 }[keys[0] as string] ?? 24;
      expect(summary).toMatchObject({ readings: hours * 2, stepS: 1800, coverage: 1, gaps: 0 });
    }
  });

  it('the groups by month compute coverage only for the part of a month within the period', () => {
    const days = period('2024-05-31T22:00Z', '2024-06-01T02:00Z');
    const readings = times(48, days.period.start).map((time) => ({ time, avg: 9 }));
    const months = groupsOf(readings, { ...days, by: ['month'] });
    expect(
      months.map(({ keys, summary }) => [...keys, summary.readings, summary.coverage]),
    ).toEqual([
      ['2024-05', 24, 1],
      ['2024-06', 24, 1],
    ]);
  });

  const years = zones.years.flatMap(({ groups, ...year }) =>
    Object.entries(groups).map(([by, expected]) => ({ ...year, by, expected })),
  );
  it.each(years)('the groups by $by equal those of pandas: $zone, $start to $stop', (year) => {
    const whole = period(year.start, year.stop);
    const halfHour = 1_800_000;
    const count = (whole.period.stop - whole.period.start) / halfHour;
    const readings = times(count, whole.period.start, halfHour).map((time, i) => ({
      time,
      avg: i % 37,
    }));
    const by = year.by.split(',') as GroupKey[];
    const groups = groupsOf(readings, { ...whole, zone: year.zone, by });
    const found = groups.map(({ keys, summary }) => [...keys, summary.readings, summary.mean]);
    const near = (value: unknown, place: number) =>
      place === by.length + 1 ? expect.closeTo(value as number, 9) : value;
    expect(found).toEqual(year.expected.map((row) => row.map(near)));
    expect(new Set(groups.map(({ summary }) => summary.coverage))).toEqual(new Set([1]));
  });

  it('the groups of a period without readings are all listed, with 0 readings', () => {
    const day = period('2024-05-01T00:00Z', '2024-05-02T00:00Z');
    const counts = (by: GroupKey) =>
      groupsOf([], { ...day, by: [by], sectors: 12 }).map(({ keys }) => keys[0]);
    expect(counts('hour')).toHaveLength(24);
    expect(counts('hour').at(-1)).toBe('2024-05-01T23:00:00Z');
    expect(counts('hour-of-day')).toEqual(Array.from({ length: 24 }, (_, hour) => hour));
    expect(counts('month-of-year')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(counts('sector')).toEqual([0, 30, 60, 90, 120, 150, 180, 210, 240, 270, 300, 330]);
    const [january, , , , may] = groupsOf([], { ...day, by: ['month-of-year'] });
    expect(january?.summary).toMatchObject({ readings: 0, mean: null, coverage: null, gaps: 0 });
    expect(may?.summary).toMatchObject({ readings: 0, mean: null, coverage: 0, gaps: 1 });
  });

  it('groups by two keys are sorted by the first key, then by the second key', () => {
    const days = period('2024-05-31T22:00Z', '2024-06-01T01:00Z');
    const readings = times(36, days.period.start).map((time) => ({ time, avg: 9, heading: 100 }));
    const keys = (...by: GroupKey[]) =>
      groupsOf(readings, { ...days, by, sectors: 8 }).map((group) => group.keys);
    expect(keys('month', 'hour-of-day')).toEqual([
      ['2024-05', 22],
      ['2024-05', 23],
      ['2024-06', 0],
    ]);
    expect(keys('hour-of-day', 'month')).toEqual([
      [0, '2024-06'],
      [22, '2024-05'],
      [23, '2024-05'],
    ]);
    expect(keys('year', 'day')).toEqual([
      ['2024', '2024-05-31'],
      ['2024', '2024-06-01'],
    ]);
    expect(keys('week', 'month')).toEqual([
      ['2024-W22', '2024-05'],
      ['2024-W22', '2024-06'],
    ]);
    expect(keys('month-of-year', 'season')).toEqual([
      [5, '2024-MAM'],
      [6, '2024-JJA'],
    ]);
    expect(keys('month-of-year', 'hour-of-day')).toHaveLength(288);
    expect(keys('month', 'sector').slice(7, 9)).toEqual([
      ['2024-05', 315],
      ['2024-06', 0],
    ]);
    expect(keys('sector', 'month').slice(0, 3)).toEqual([
      [0, '2024-05'],
      [0, '2024-06'],
      [45, '2024-05'],
    ]);
  });

  it('the groups by sector contain only readings with a direction, but have the coverage of all readings', () => {
    const hour = period('2024-05-01T00:00Z', '2024-05-01T01:00Z');
    const winds = [
      { avg: 9, heading: 360 },
      { avg: 9, heading: 22.5 },
      { avg: 9, heading: 336.4 },
      { avg: 0.5, heading: 0 },
      { avg: 9 },
      { heading: 0 },
    ];
    const readings = winds.map((wind, i) => ({ ...wind, time: hour.period.start + i * STEP_MS }));
    const groups = groupsOf(readings, { ...hour, by: ['sector'], sectors: 8 });
    // The heading 22.5 lies between two sectors, and half of its reading in each of them.
    expect(groups.map(({ summary }) => summary.readings)).toEqual([1.5, 0.5, 0, 0, 0, 0, 0, 1]);
    for (const { summary } of groups) {
      expect(summary).toMatchObject({ stepS: 300, gaps: 1, coverage: 25 / 60 });
    }
    // A calm and readings without average or direction are in no sector, but in the whole.
    expect(groups.map(({ frequency }) => frequency)).toEqual(
      [1.5, 0.5, 0, 0, 0, 0, 0, 1].map((count) => count / 6),
    );
  });

  it('more than 1,000,000 groups are refused', () => {
    const century = period('1920-01-01T00:00Z', '2020-01-01T00:00Z');
    const create =
      (...by: GroupKey[]) =>
      () =>
        checkGroupCount(century.period, by, 16);
    expect(create('hour', 'sector')).toThrow(UsageError);
    expect(create('hour', 'sector')).toThrow(
      naming('hour', 'sector', '14,025,600 groups', '1,000,000'),
    );
    expect(create('hour')).not.toThrow();
    expect(create('day', 'hour-of-day')).not.toThrow();
    expect(create('month-of-year', 'hour-of-day')).not.toThrow();
    const { stop } = century.period;
    expect(() => checkGroupCount({ stop }, ['hour', 'sector'], 36)).not.toThrow();
  });

  it('groups without readings share one summary, so that 150 years of them need little time and memory', () => {
    const years = period('1874-01-01T00:00Z', '2024-01-01T00:00Z');
    const [first, second] = groupsOf([], { ...years, by: ['day'] });
    expect(first?.summary.percentiles).toBe(second?.summary.percentiles);
    expect(first?.summary).toMatchObject({ readings: 0, coverage: 0, gaps: 1, mean: null });
  });
});
