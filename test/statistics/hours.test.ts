import { describe, expect, it } from 'vitest';
import type { GroupKey } from '../../src/statistics/statistics.ts';
import type { TestReading } from '../support/columns.ts';
import stations from './hours.json' with { type: 'json' };
import {
  DAY_MS,
  drawsOf,
  groupsOf,
  HOUR_MS,
  START_MS,
  STEP_MS,
  slotsOf,
  times,
} from './support.ts';

const where = {
  holds: ({ windSpeedAvg }: { windSpeedAvg: Float64Array }, row: number) => {
    const speed = windSpeedAvg[row] as number;
    return Number.isNaN(speed) ? undefined : speed >= 20;
  },
  minMs: HOUR_MS,
};
const during = (length: number) => ({
  period: { start: START_MS, stop: START_MS + length },
  where,
});

describe('the time for which a condition held', () => {
  it('the time for which a condition held runs back from each reading that fulfils the condition to the reading before', () => {
    // An hour on the first day, half an hour on the second, two on the third of the next month.
    const windy = (i: number): boolean =>
      (i > 12 && i <= 24) || (i > 288 && i <= 294) || i > 33 * 288 + 240;
    const readings = times(34 * 288).map((time, i) => ({ time, avg: windy(i) ? 20 : 5 }));
    const [group] = groupsOf(readings, during(34 * DAY_MS));
    const hours = ((12 + 6 + 47) * 5) / 60;
    expect(group?.held).toEqual({
      hours,
      share: expect.closeTo(hours / (34 * 24), 12),
      days: 2,
      bestMonth: '2024-06',
    });
  });

  it('the time for which a condition held is one reading interval before the first reading after a gap', () => {
    const readings = [...times(12, START_MS + HOUR_MS), ...times(6, START_MS + 20 * HOUR_MS)];
    const [group] = groupsOf(
      readings.map((time) => ({ time, avg: 25 })),
      during(DAY_MS),
    );
    expect(group?.held).toMatchObject({ hours: 1.5, days: 1 });
  });

  it('the time for which a condition held begins with the period, and has nothing after the last reading', () => {
    const late = times(12, START_MS + 120_000).map((time) => ({ time, avg: 25 }));
    const [group] = groupsOf(late, during(HOUR_MS));
    expect(group?.held).toMatchObject({ hours: 57 / 60, share: 57 / 60 });
  });

  it('the time for which a condition held is 0 if the readings lack the value, or if there is no reading', () => {
    const nothing = { hours: 0, share: 0, days: 0, bestMonth: null };
    expect(
      groupsOf(
        times(12).map((time) => ({ time })),
        during(HOUR_MS),
      )[0]?.held,
    ).toEqual(nothing);
    expect(groupsOf([], during(HOUR_MS))[0]?.held).toEqual(nothing);
  });

  it('the time for which a condition held is 0 for readings without an average, even if another value fulfils the condition', () => {
    const gusty = times(24).map((time) => ({ time, max: 50 }));
    const always = { holds: () => true, minMs: HOUR_MS };
    const [group] = groupsOf(gusty, { ...during(2 * HOUR_MS), where: always });
    expect(group?.held).toMatchObject({ hours: 0, days: 0 });
  });

  it('the time for which a condition held is split among the hours in which it lies', () => {
    const late = times(24, START_MS + 120_000).map((time, i) => ({ time, avg: i < 13 ? 25 : 3 }));
    const hours = groupsOf(late, { ...during(2 * HOUR_MS), by: ['hour'] });
    expect(hours.map(({ held }) => held?.hours)).toEqual([1, 2 / 60]);
  });

  it('the time for which a condition held is counted in the groups that the readings belong to', () => {
    const readings = times(2 * 288).map((time, i) => ({
      time,
      avg: i > 144 && i <= 288 ? 30 : 3,
      heading: i % 2 === 0 ? 270 : 0,
    }));
    const hours = groupsOf(readings, { ...during(2 * DAY_MS), by: ['hour-of-day'] });
    expect(hours[11]?.held).toMatchObject({ hours: 0, days: 0, share: 0 });
    expect(hours[12]?.held).toMatchObject({ hours: 1, days: 1, share: 0.5 });
    const sectors = groupsOf(readings, { ...during(2 * DAY_MS), by: ['sector'], sectors: 8 });
    expect(sectors.map(({ held }) => held?.hours)).toEqual([6, 0, 0, 0, 0, 0, 6, 0]);
    expect(sectors[6]?.keys).toEqual([270]);
    const between = readings.map((reading) => ({ ...reading, heading: 22.5 }));
    const halves = groupsOf(between, { ...during(2 * DAY_MS), by: ['sector'], sectors: 8 });
    expect(halves.map(({ held }) => held?.hours)).toEqual([6, 6, 0, 0, 0, 0, 0, 0]);
  });

  it('the time for which a condition held is counted in days of the chosen time zone', () => {
    const night = times(24, START_MS + 21 * HOUR_MS + STEP_MS).map((time) => ({ time, avg: 30 }));
    const daysIn = (zone: string) => groupsOf(night, { ...during(DAY_MS), zone })[0]?.held?.days;
    expect(daysIn('utc')).toBe(1);
    expect(daysIn('Europe/Paris')).toBe(2);
  });

  it('the time for which a condition held is two hours for an hour of day that the clock shows twice', () => {
    const start = Date.parse('2024-10-26T22:00Z');
    const readings = times(300, start).map((time, i) => ({
      time,
      avg: i > 24 && i <= 48 ? 30 : 3,
    }));
    const period = { start, stop: start + 300 * STEP_MS };
    const hours = groupsOf(readings, { period, where, zone: 'Europe/Paris', by: ['hour-of-day'] });
    expect(hours[2]?.held).toMatchObject({ hours: 2, days: 1, share: 1 });
  });
});

describe('a day counts with --for', () => {
  const hourOf = (minutes: number) =>
    times(288).map((time, i) => ({ time, avg: i > 100 && i <= 100 + minutes / 5 ? 25 : 3 }));
  const daysOf = (readings: readonly TestReading[]) =>
    groupsOf(readings, during(DAY_MS))[0]?.held?.days;

  it('a day counts as a day with the condition if the condition held for --for, not for one reading interval less', () => {
    expect(daysOf(hourOf(60))).toBe(1);
    expect(daysOf(hourOf(55))).toBe(0);
  });

  it('a day still counts as a day with the condition if --for lacks one reading interval before or after a gap', () => {
    const before = hourOf(55).filter((_, i) => i <= 111 || i > 130);
    const after = hourOf(60).filter((_, i) => i <= 50 || i > 101);
    expect([daysOf(before), daysOf(after)]).toEqual([1, 1]);
    const long = hourOf(50).filter((_, i) => i <= 110 || i > 130);
    expect(daysOf(long)).toBe(0);
    const elsewhere = hourOf(55).filter((_, i) => i <= 20 || i > 40);
    expect(daysOf(elsewhere)).toBe(0);
  });

  it('an hour still counts for --for if one reading interval is missing at the start or the end of the period', () => {
    const always = times(24, START_MS + 60_000).map((time) => ({ time, avg: 25 }));
    const hours = groupsOf(always, { ...during(2 * HOUR_MS), by: ['hour'] });
    expect(hours.map(({ held }) => held?.days)).toEqual([1, 1]);
  });

  it('a condition that is always true counts on all 731 days of two years in every hour, though reading times vary by seconds', () => {
    const [start, stop] = [Date.parse('2023-01-01T00:00Z'), Date.parse('2025-01-01T00:00Z')];
    const readings = times((stop - start) / 240_000, start, 240_000).map((time, i) => ({
      time: time + 1000 * ((i * 7919) % 53),
      avg: 25,
    }));
    const hours = groupsOf(readings, { period: { start, stop }, where, by: ['hour-of-day'] });
    expect(hours.map(({ held }) => held?.days)).toEqual(Array(24).fill(731));
    for (const { held } of hours) {
      expect(held?.hours).toBeCloseTo(731, 0);
      expect(held?.hours).toBeLessThanOrEqual(731);
    }
  });
});

/** The readings of hours.py. */
function readingsOf(station: (typeof stations)[number]): TestReading[] {
  const next = drawsOf(station.seed);
  const { jitter, loss } = station;
  const stop = station.days * 86_400;
  const readings: TestReading[] = [];
  let [avg, heading] = [0, 0];
  for (const [slot, at, isInGap] of slotsOf(station)) {
    const [late, lost, missing] = [Math.floor(next() * (jitter + 1)), next(), next()];
    if (slot % 18 === 0) [avg, heading] = [40 * next(), 45 * Math.floor(8 * next())];
    if (at + late < stop && lost >= loss && !isInGap) {
      const time = Date.parse(station.start) + 1000 * (at + late);
      readings.push({ time, avg: missing < 0.01 ? undefined : avg, heading });
    }
  }
  return readings;
}

describe.each(stations)('hours and coverage second by second in pandas, in $zone', (station) => {
  const start = Date.parse(station.start);
  const period = { start, stop: start + station.days * DAY_MS };
  const all = readingsOf(station);
  const groups = (...by: GroupKey[]) =>
    groupsOf(all, { period, zone: station.zone, by, where, sectors: 8 });

  it.each(['', 'day', 'month', 'hour', 'hour-of-day'] as const)(
    `hours and coverage of readings in ${station.zone} by “%s” equal those that pandas computes second by second`,
    (key) => {
      const expected = Object.values(station.groups[key]);
      const found = groups(...(key === '' ? [] : [key])).filter(
        ({ summary }) => summary.coverage !== null,
      );
      const rows = found.map(({ summary, held }) => [
        summary.readings,
        summary.stepS ?? 0,
        summary.coverage ?? 0,
        summary.gaps,
        summary.longestGap ? (summary.longestGap.start - start) / 1000 : 0,
        summary.longestGap?.lengthS ?? 0,
        held?.hours ?? 0,
        held?.share ?? 0,
        held?.days ?? 0,
      ]);
      expect(rows.length).toBe(expected.length);
      rows.forEach((row, at) => {
        row.forEach((value, column) => {
          expect(value).toBeCloseTo(expected[at]?.[column] ?? Number.NaN, 10);
        });
      });
    },
  );

  it(`hours and coverage of readings in ${station.zone} by sector equal those that pandas computes second by second`, () => {
    const expected = station.groups.sector;
    groups('sector').forEach(({ held }, place) => {
      expect(held?.hours).toBeCloseTo(expected[place] as number, 10);
    });
  });
});
