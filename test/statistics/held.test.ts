import { describe, expect, it } from 'vitest';
import { DAY_MS, groupsOf, HOUR_MS, START_MS, STEP_MS, times } from './support.ts';

const where = {
  holds: ({ windSpeedAvg }: { windSpeedAvg: Float64Array }, row: number) => {
    const speed = windSpeedAvg[row] as number;
    return Number.isNaN(speed) ? undefined : speed >= 20;
  },
  leastMs: HOUR_MS,
};
const during = (length: number) => ({
  period: { start: START_MS, stop: START_MS + length },
  where,
});

describe('the time for which a condition held', () => {
  it('runs from each reading that fulfils the condition to the next reading', () => {
    // An hour on the first day, half an hour on the second, two on the third of the next month.
    const windy = (i: number): boolean => i < 12 || (i >= 288 && i < 294) || i >= 33 * 288 + 264;
    const readings = times(34 * 288).map((time, i) => ({ time, avg: windy(i) ? 20 : 5 }));
    const [group] = groupsOf(readings, during(34 * DAY_MS));
    expect(group?.held).toEqual({
      hours: 3.5,
      share: 3.5 / (34 * 24),
      days: 2,
      bestMonth: '2024-06',
    });
  });

  it('counts the last reading before a gap, or of the period, as one reading interval', () => {
    const readings = [...times(12), ...times(6, START_MS + 20 * HOUR_MS)];
    const [group] = groupsOf(
      readings.map((time) => ({ time, avg: 25 })),
      during(DAY_MS),
    );
    expect(group?.held).toMatchObject({ hours: 1.5, days: 1 });
  });

  it('is 0 if the readings lack the value, or if there is no reading', () => {
    const nothing = { hours: 0, share: 0, days: 0, bestMonth: null };
    expect(
      groupsOf(
        times(12).map((time) => ({ time })),
        during(HOUR_MS),
      )[0]?.held,
    ).toEqual(nothing);
    expect(groupsOf([], during(HOUR_MS))[0]?.held).toEqual(nothing);
  });

  it('is counted in the groups that the readings belong to', () => {
    const readings = times(2 * 288).map((time, i) => ({
      time,
      avg: Math.floor(i / 12) % 24 >= 12 && i < 288 ? 30 : 3,
      heading: i % 2 === 0 ? 270 : 0,
    }));
    const hours = groupsOf(readings, { ...during(2 * DAY_MS), by: ['hour-of-day'] });
    expect(hours[11]?.held).toMatchObject({ hours: 0, days: 0, share: 0 });
    expect(hours[12]?.held).toMatchObject({ hours: 1, days: 1, share: 0.5 });
    const sectors = groupsOf(readings, { ...during(2 * DAY_MS), by: ['sector'], sectors: 8 });
    expect(sectors.map(({ held }) => held?.hours)).toEqual([6, 0, 0, 0, 0, 0, 6, 0]);
    expect(sectors[6]?.keys).toEqual([270]);
  });

  it('is counted in days of the chosen time zone', () => {
    const night = times(24, START_MS + 21 * HOUR_MS).map((time) => ({ time, avg: 30 }));
    const daysIn = (zone: string) => groupsOf(night, { ...during(DAY_MS), zone })[0]?.held?.days;
    expect(daysIn('utc')).toBe(1);
    expect(daysIn('Europe/Paris')).toBe(2);
  });

  it('is two hours for an hour of day that the clock shows twice', () => {
    const start = Date.parse('2024-10-26T22:00Z');
    const readings = times(300, start).map((time, i) => ({
      time,
      avg: i >= 24 && i < 48 ? 30 : 3,
    }));
    const period = { start, stop: start + 300 * STEP_MS };
    const hours = groupsOf(readings, { period, where, zone: 'Europe/Paris', by: ['hour-of-day'] });
    expect(hours[2]?.held).toMatchObject({ hours: 2, days: 1, share: 1 });
  });
});
