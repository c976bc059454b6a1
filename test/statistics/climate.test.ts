import { describe, expect, it } from 'vitest';
import { computeClimate, STRONG_GUSTS_METRES_PER_S } from '../../src/statistics/climate.ts';
import type { Exceedance, GroupKey, RowConditionTest } from '../../src/statistics/statistics.ts';
import type { TestReading } from '../support/columns.ts';
import stations from './climate.json' with { type: 'json' };
import { DAY_MS, drawsOf, groupsOf, HOUR_MS, START_MS, slotsOf, times } from './support.ts';

const reaches =
  (name: 'windSpeedAvg' | 'windSpeedMax') =>
  (speed: number): RowConditionTest =>
  (columns, row) =>
    (columns[name][row] as number) >= speed;
const averages = [8, 30, 55].map(reaches('windSpeedAvg'));
const gusts = STRONG_GUSTS_METRES_PER_S.map((speed) => reaches('windSpeedMax')(3.6 * speed));

const numbersOf = ({ hours, share, days, days1h }: Exceedance) => [hours, share, days, days1h];
const near = (rows: readonly (readonly (number | null)[])[]) =>
  rows.map((row) => row.map((value) => (value === null ? null : expect.closeTo(value, 8))));

/** The readings of climate.py. */
function readingsOf(station: (typeof stations)[number]): TestReading[] {
  const next = drawsOf(station.seed);
  const { jitter, loss } = station;
  const stop = station.days * 86_400;
  const readings: TestReading[] = [];
  let [avg, max, heading] = [0, 0, 0];
  for (const [slot, at, isInGap] of slotsOf(station)) {
    const [late, lost, missing] = [Math.floor(next() * (jitter + 1)), next(), next()];
    if (slot % 5 === 0) {
      avg = 60 * next() ** 2;
      max = avg * (1 + next());
      heading = Math.floor(next() * 140) + 200 + Math.floor(at / 20_000_000);
    }
    if (at + late < stop && lost >= loss && !isInGap) {
      readings.push({
        time: Date.parse(station.start) + 1000 * (at + late),
        avg: missing < 0.01 ? undefined : avg,
        max: missing > 0.005 && missing < 0.02 ? undefined : max,
        heading: missing > 0.995 ? undefined : heading,
      });
    }
  }
  return readings;
}

describe.each(stations)('several years in pandas, in $zone:', (station) => {
  const start = Date.parse(station.start);
  const period = { start, stop: start + station.days * DAY_MS };
  const readings = readingsOf(station);
  const groups = (above: readonly RowConditionTest[], ...by: GroupKey[]) =>
    groupsOf(readings, { period, zone: station.zone, by, above });

  it.each([
    ['average', averages, '', []],
    ['average', averages, 'month', ['month']],
    ['gust', gusts, '', []],
    ['gust', gusts, 'month', ['month']],
  ] as const)(
    `several years of readings in ${station.zone} have the hours, share and days at or above speeds of the %s that pandas computes`,
    (value, above, key, by) => {
      const expected = key === '' ? [station[value]['']] : station[value].month;
      const actual = groups(above, ...by).map(({ exceedances }) => exceedances.map(numbersOf));
      expect(actual).toEqual(expected.map(near));
    },
  );

  it(`several years of readings in ${station.zone} have the climate table that pandas computes`, () => {
    const months = computeClimate(groups(gusts, 'month'), period, station.zone);
    expect(months.map(({ month }) => month)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
    const actual = months.map(({ highest, ...month }) => [
      ...[month.years, month.leftOut, month.mean, month.prevailingDirection, highest?.maxGust],
      highest?.maxGustAt ? (highest.maxGustAt - start) / 1000 : null,
      ...[highest?.maxGustDirection, ...month.strongGustDays, month.coverage],
    ]);
    expect(actual).toEqual(near(station.climate));
  });
});

describe('exceedance', () => {
  const readings = times(10 * 288).map((time, i) => ({
    time: time + ((i * 7919) % 53) * 1000,
    avg: i % 31 === 0 ? undefined : (i * 37) % 61,
    heading: (i * 11) % 360,
  }));
  const kept = readings.filter((_, i) => i % 97 > 6);
  const options = {
    period: { start: START_MS, stop: START_MS + 10 * DAY_MS },
    sectors: 8,
  } as const;

  it.each([[[]], [['day']], [['hour-of-day']], [['sector']], [['sector', 'day']]] as [
    GroupKey[],
  ][])(
    'the hours and days above a speed equal those of the same condition in --where, by %j',
    (by) => {
      const found = groupsOf(kept, { ...options, by, above: averages });
      averages.forEach((holds, level) => {
        const where = { holds, minMs: HOUR_MS };
        const held = groupsOf(kept, { ...options, by, where }).map((group) => group.held);
        const actual = found.map(({ exceedances }) => exceedances[level]);
        expect(actual.map((one) => [one?.hours, one?.share, one?.days1h])).toEqual(
          held.map((one) => [one?.hours, one?.share, one?.days]),
        );
      });
    },
  );

  it('a reading without an average counts towards the days with a gust above a speed, but not towards the hours', () => {
    const gusty = times(12).map((time) => ({ time, max: 120 }));
    const [group] = groupsOf(gusty, { ...options, above: gusts });
    expect(group?.exceedances[1]).toEqual({ hours: 0, share: 0, days: 1, days1h: 0 });
  });

  it('a group without a reading has no hours and no days above a speed', () => {
    const [group] = groupsOf([], { ...options, above: averages });
    expect(group?.exceedances).toEqual(
      averages.map(() => ({ hours: 0, share: 0, days: 0, days1h: 0 })),
    );
  });
});

describe('a climate table', () => {
  const zone = 'utc';
  const climate = (start: string, stop: string, readings: readonly TestReading[]) => {
    const period = { start: Date.parse(start), stop: Date.parse(stop) };
    return computeClimate(
      groupsOf(readings, { period, by: ['month'], above: gusts }),
      period,
      zone,
    );
  };
  const hourly = (start: string, stop: string, reading: Omit<TestReading, 'time'>) => {
    const first = Date.parse(start);
    const count = (Date.parse(stop) - first) / HOUR_MS;
    return times(count, first, HOUR_MS).map((time) => ({ time, ...reading }));
  };

  it('a climate table counts each year alike, however often the station reported', () => {
    const rare = hourly('2023-01-01', '2023-02-01', { avg: 10, max: 20, heading: 90 });
    const often = times(31 * 1440, Date.parse('2024-01-01'), 60_000).map((time) => {
      return { time, avg: 30, max: 60, heading: 180 };
    });
    const [january] = climate('2023-01-01', '2024-02-01', [...rare, ...often]);
    expect(january).toMatchObject({ years: 2, leftOut: 0, mean: 20, strongGustDays: [15.5, 0] });
    expect(january?.prevailingDirection).toBeCloseTo(135, 9);
  });

  it('a climate table includes the highest gust even of a month that its means leave out', () => {
    const full = hourly('2023-01-01', '2023-02-01', { avg: 10, max: 20, heading: 90 });
    const thin = hourly('2024-01-01', '2024-01-20', { avg: 40, max: 130, heading: 200 });
    const [january] = climate('2023-01-01', '2024-02-01', [...full, ...thin]);
    const highest = { maxGust: 130, maxGustAt: Date.parse('2024-01-01'), maxGustDirection: 200 };
    expect(january).toMatchObject({ years: 1, leftOut: 1, mean: 10, highest });
  });

  it('a climate table leaves out a month of which the period has less than 80 %, even if the part is full of readings', () => {
    const part = hourly('2024-05-10', '2024-06-01', { avg: 10, max: 60, heading: 90 });
    const may = climate('2024-05-10', '2024-06-01', part)[4];
    expect(may).toMatchObject({ years: 0, leftOut: 1, mean: null, strongGustDays: [null, null] });
    expect(may?.coverage).toBeCloseTo(22 / 31, 3);
  });

  it('a climate table has rows without values for months that the period does not contain', () => {
    const june = climate('2024-05-01', '2024-05-02', [])[5];
    expect(june).toMatchObject({ years: 0, leftOut: 0, mean: null, coverage: null });
  });
});
