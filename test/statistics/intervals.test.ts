import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Period } from '../../src/domain/period.ts';
import { ArchiveLines } from '../../src/domain/readings/lines.ts';
import { parseLines } from '../../src/domain/readings/readLines.ts';
import { CALM_BELOW_KMH } from '../../src/domain/units.ts';
import {
  IntervalCombiner,
  type IntervalOptions,
  type IntervalRow,
} from '../../src/statistics/intervals.ts';
import { windReadingsOf as stationReadings } from '../../src/statistics/readings.ts';
import { computeStatistics, type StatisticsOptions } from '../../src/statistics/statistics.ts';
import type { CalendarUnit } from '../../src/statistics/zoneCalendar.ts';
import type { ArchiveRow } from '../../src/wire/archive.ts';
import { expectSame } from '../support/same.ts';

const MINUTE = 60_000;
const iso = (ms: number): string => new Date(ms).toISOString();
const period = (start: string, stop: string): Period => ({
  start: Date.parse(start),
  stop: Date.parse(stop),
});

/** A reading of some wind; what is left out is null. */
const reading = (
  time: number,
  avg: number | null = 10,
  heading: number | null = 90,
): ArchiveRow => {
  const [lull, gust] = avg === null ? [null, null] : [avg / 2, avg * 2];
  return [iso(time), 45, 6, lull, avg, gust, heading, null];
};

/** Readings every few minutes of a period. */
function steady({ start, stop }: Period, minutes: number): ArchiveRow[] {
  const readings: ArchiveRow[] = [];
  for (let time = start; time < stop; time += minutes * MINUTE) readings.push(reading(time));
  return readings;
}

function combine(
  options: IntervalOptions,
  ...pieces: readonly (readonly ArchiveRow[])[]
): IntervalRow[] {
  const steps = new IntervalCombiner(options);
  const rows = pieces.flatMap((piece) => [...steps.add(parseLines(ArchiveLines.ofRows(piece)))]);
  return [...rows, ...steps.finish()];
}

const inZone = (
  unit: CalendarUnit,
  whole: Period,
  zone = 'utc',
  isFilled = false,
): IntervalOptions => ({
  unit,
  zone,
  period: whole,
  isFilled,
});
const timesOf = (rows: readonly IntervalRow[]): string[] => rows.map(({ time }) => iso(time));
const column = (rows: readonly IntervalRow[], name: keyof IntervalRow) =>
  rows.map((row) => row[name]);
const UNKNOWN_WIND = {
  windSpeedMin: Number.NaN,
  windSpeedAvg: Number.NaN,
  windSpeedMax: Number.NaN,
  windHeading: Number.NaN,
  pressure: Number.NaN,
};

describe('time steps', () => {
  const hour = period('2024-05-01T00:00Z', '2024-05-01T01:00Z');

  it('time steps contain mean wind, highest gust, lowest lull, resultant direction, mean pressure and last position', () => {
    const readings: ArchiveRow[] = [
      [iso(hour.start), 45, 6, 1, 2, 7, 350, 1000],
      [iso(hour.start + 4 * MINUTE), 46, 7, 3, 4, 5, 10, 1010],
      [iso(hour.start + 8 * MINUTE), 46, 7, 2, 6, 9, 30, null],
      [iso(hour.start + 12 * MINUTE), 46.5, 7.5, null, 8, null, 340, null],
    ];
    const [row, ...more] = combine(inZone('hour', hour), readings);
    expect(more).toEqual([]);
    expect(row).toEqual({
      time: hour.start,
      ...{ latitude: 46.5, longitude: 7.5, windSpeedMin: 1, windSpeedAvg: 5, windSpeedMax: 9 },
      windHeading: expect.closeTo(1.8796, 5),
      pressure: 1005,
      readings: 4,
      // Of 60 minutes the last 48 but 4 are lost.
      coverage: expect.closeTo(16 / 60, 12),
    });
  });

  it('time steps contain NaN only for a direction or speed that cannot be computed', () => {
    const around = Array.from({ length: 12 }, (_, i) =>
      reading(hour.start + i * 5 * MINUTE, 10, i * 30),
    );
    const calm = steady(hour, 5).map(([time]) => reading(Date.parse(time), 0.5));
    const headless = steady(hour, 5).map(([time]) => reading(Date.parse(time), 10, null));
    for (const readings of [around, calm, headless]) {
      const [row] = combine(inZone('hour', hour), readings);
      const { windHeading, pressure } = UNKNOWN_WIND;
      expect(row).toMatchObject({ windHeading, pressure, readings: 12, coverage: 1 });
      expect(row?.windSpeedAvg).toBeGreaterThanOrEqual(0.5);
    }
    const unknown = steady(hour, 5).map(([time]) => reading(Date.parse(time), null, null));
    expect(combine(inZone('hour', hour), unknown)[0]).toEqual({
      ...{ time: hour.start, latitude: 45, longitude: 6, ...UNKNOWN_WIND },
      ...{ readings: 12, coverage: 0 },
    });
    const [alone] = combine(inZone('hour', hour), [reading(hour.start)]);
    expect(alone).toMatchObject({ readings: 1, coverage: 0 });
    expect(combine(inZone('hour', hour))).toEqual([]);
  });

  it('time steps without a reading are left out, or contain NaN if all steps are requested', () => {
    const day = period('2024-05-01T00:00Z', '2024-05-02T00:00Z');
    const readings = steady(day, 5).filter(([time]) => !/T1[0-7]/.test(time));
    expect(
      timesOf(combine(inZone(180 * MINUTE, day), readings)).map((time) => time.slice(11, 13)),
    ).toEqual(['00', '03', '06', '09', '18', '21']);
    const filled = combine(inZone(180 * MINUTE, day, 'utc', true), readings);
    expect(column(filled, 'readings')).toEqual([36, 36, 36, 12, 0, 0, 36, 36]);
    // Of the 180 minutes from 09:00 the 125 after the last reading are lost, but 5.
    expect(column(filled, 'coverage')).toEqual([1, 1, 1, expect.closeTo(60 / 180, 12), 0, 0, 1, 1]);
    expect(filled[4]).toEqual({
      time: Date.parse('2024-05-01T12:00Z'),
      ...{ latitude: Number.NaN, longitude: Number.NaN, ...UNKNOWN_WIND },
      ...{ readings: 0, coverage: 0 },
    });
    expect(combine(inZone(180 * MINUTE, day, 'utc', true))).toHaveLength(8);
  });

  it('time steps without a reading have coverage 0 even where they are shorter than the reading interval of the station', () => {
    const rows = combine(inZone(10 * MINUTE, hour, 'utc', true), steady(hour, 15));
    expect(column(rows, 'readings')).toEqual([1, 1, 0, 1, 1, 0]);
    expect(column(rows, 'coverage')).toEqual([1, 1, 0, 1, 1, 0]);
  });

  it('a time step that the period cuts is labelled by its full start, but its coverage considers only the part within the period', () => {
    const cut = period('2024-05-01T00:30Z', '2024-05-01T02:15Z');
    const rows = combine(inZone('hour', cut), steady(cut, 5));
    expect(timesOf(rows)).toEqual(['00', '01', '02'].map((at) => `2024-05-01T${at}:00:00.000Z`));
    expect(column(rows, 'readings')).toEqual([6, 12, 3]);
    expect(column(rows, 'coverage')).toEqual([1, 1, 1]);
  });

  it('time steps compute coverage from the reading interval of the station, which may change over time', () => {
    const [first, half, later] = [
      period('2024-05-01T00:00Z', '2024-05-08T00:00Z'),
      period('2024-05-08T00:00Z', '2024-05-08T01:00Z'),
      period('2024-05-08T01:00Z', '2024-05-22T00:00Z'),
    ];
    const readings = [...steady(first, 5), ...steady(half, 10), ...steady(later, 20)];
    const rows = combine(inZone('hour', { start: first.start, stop: later.stop }), readings);
    expect(new Set(column(rows.slice(0, 168), 'coverage'))).toEqual(new Set([1]));
    expect(rows[168]).toMatchObject({ readings: 6, coverage: (60 - (5 * 5 + 5)) / 60 });
    // After 500 differences of 20 minutes these are the most frequent.
    expect(rows[400]).toMatchObject({ readings: 3, coverage: 1 });
  });

  it('time steps after the end of the period count their readings, but have NaN as coverage', () => {
    const late = reading(hour.stop + 20 * MINUTE);
    const [, row] = combine(inZone('hour', hour), [...steady(hour, 5), late]);
    expect(row).toMatchObject({ readings: 1, coverage: Number.NaN });
  });
});

describe('time steps by local time', () => {
  const paris = (unit: CalendarUnit, start: string, stop: string, minutes = 10): IntervalRow[] => {
    const whole = period(start, stop);
    return combine(inZone(unit, whole, 'Europe/Paris'), steady(whole, minutes));
  };

  it('time steps of three hours last two or four hours where the clock changes', () => {
    const spring = paris(180 * MINUTE, '2024-03-30T23:00Z', '2024-03-31T07:00Z');
    expect(timesOf(spring).map((time) => time.slice(11, 13))).toEqual(['23', '01', '04']);
    expect(column(spring, 'readings')).toEqual([12, 18, 18]);
    const autumn = paris(180 * MINUTE, '2024-10-26T22:00Z', '2024-10-27T08:00Z');
    expect(timesOf(autumn).map((time) => time.slice(11, 13))).toEqual(['22', '02', '05']);
    expect(column(autumn, 'readings')).toEqual([24, 18, 18]);
  });

  it('time steps of an hour divide an hour that the clock shows twice into two steps', () => {
    const rows = paris('hour', '2024-10-26T23:00Z', '2024-10-27T02:00Z');
    expect(timesOf(rows).map((time) => time.slice(11, 13))).toEqual(['23', '00', '01']);
    expect(column(rows, 'readings')).toEqual([6, 6, 6]);
  });

  it('time steps divide a year into 365 days of 23 to 25 hours, or into twelve months', () => {
    const rows = paris('day', '2022-12-31T23:00Z', '2023-12-31T23:00Z', 30);
    expect(rows).toHaveLength(365);
    expect(new Set(column(rows, 'readings'))).toEqual(new Set([46, 48, 50]));
    expect(new Set(column(rows, 'coverage'))).toEqual(new Set([1]));
    const months = paris('month', '2022-12-31T23:00Z', '2023-12-31T23:00Z', 30);
    expect(months).toHaveLength(12);
    expect(timesOf(months)[3]).toBe('2023-03-31T22:00:00.000Z');
  });
});

const readings = fc
  .array(
    fc.record({
      minutes: fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(4, 5) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 5000 }) },
      ),
      avg: fc.option(fc.integer({ min: 0, max: 400 }).map((quarters) => quarters / 4)),
      heading: fc.option(fc.integer({ min: 0, max: 16 }).map((step) => step * 22.5)),
    }),
    { maxLength: 400 },
  )
  .map((gaps) => {
    let time = Date.parse('2024-10-20T00:00Z');
    return gaps.map(({ minutes, avg, heading }) => {
      time += minutes * MINUTE;
      return reading(time, avg, heading);
    });
  });
const zones = fc.constantFrom('utc', 'Europe/Paris', 'Australia/Lord_Howe', 'America/Havana');
const anyUnit = fc.constantFrom<CalendarUnit>(10 * MINUTE, 'hour', 120 * MINUTE, 'day', 'week');
const whole = period('2024-10-20T00:00Z', '2024-11-20T00:00Z');
const within = (list: readonly ArchiveRow[]) => list.filter(([time]) => time < iso(whole.stop));

it('time steps do not depend on how the readings are divided into chunks', () => {
  const cuts = fc.array(fc.nat(400), { maxLength: 6 });
  fc.assert(
    fc.property(
      ...[readings, cuts, zones, anyUnit, fc.boolean()],
      (all, cuts, zone, unit, isFilled) => {
        const options = inZone(unit, whole, zone, isFilled);
        const places = [0, ...cuts.sort((a, b) => a - b), all.length];
        const pieces = places.map((from, i) => all.slice(from, places[i + 1]));
        expectSame(combine(options, ...pieces), combine(options, all));
      },
    ),
    { numRuns: 30 },
  );
});

it('time steps include every reading, ascend, and agree with the statistics by hour, day, week and month', () => {
  const units = fc.constantFrom('hour', 'day', 'week', 'month');
  fc.assert(
    fc.property(readings, zones, units, (all, zone, unit) => {
      const rows = combine(inZone(unit, whole, zone, true), within(all));
      expectSame(timesOf(rows), [...new Set(timesOf(rows))].sort());
      const options: StatisticsOptions = {
        ...{ period: whole, zone, by: [unit], calmKmh: CALM_BELOW_KMH, sectors: 16 },
        ...{ classesKmh: undefined, where: undefined },
      };
      const joined = stationReadings(parseLines(ArchiveLines.ofRows(within(all))));
      const groups = computeStatistics(joined, options).map(({ summary }) => summary);
      expectSame(
        column(rows, 'readings'),
        groups.map(({ readings }) => readings),
      );
      expectSame(
        column(rows, 'windSpeedMin'),
        groups.map(({ minLull }) => minLull ?? Number.NaN),
      );
      expectSame(
        column(rows, 'windSpeedMax'),
        groups.map(({ maxGust }) => maxGust ?? Number.NaN),
      );
      expectSame(
        column(rows, 'windHeading'),
        groups.map(({ vectorDirection }) => vectorDirection ?? Number.NaN),
      );
      // A call of expect for each of thousands of steps would take most of the time.
      const isNear = (found = Number.POSITIVE_INFINITY, mean: number | null) =>
        mean === null ? Number.isNaN(found) : Math.abs(found - mean) < 0.5e-9;
      const wrong = groups.filter(
        ({ mean, coverage }, i) =>
          !(
            isNear(rows[i]?.windSpeedAvg, mean) &&
            (rows[i]?.coverage as number) >= 0 &&
            coverage !== null &&
            coverage <= 1
          ),
      );
      expect(wrong).toEqual([]);
    }),
    { numRuns: 30 },
  );
});
