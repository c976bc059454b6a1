import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReadingColumns } from '../../src/domain/readings/columns.ts';
import { StationCheck, type StationCheckOptions } from '../../src/statistics/stationCheck.ts';
import { columnsOfReadings, sliceRows, type TestReading } from '../support/columns.ts';
import { DAY_MS, HOUR_MS, START_MS, STEP_MS, times } from './support.ts';

const PERIOD = { start: START_MS, stop: START_MS + 10 * DAY_MS };
const OPTIONS: StationCheckOptions = {
  bounds: PERIOD,
  now: PERIOD.stop,
  zone: 'utc',
  by: [],
};
const COUNT = (10 * DAY_MS) / STEP_MS;

/** Readings without a fault, every five minutes. */
const healthy = (count = COUNT): TestReading[] =>
  times(count).map((time, i) => ({ time, avg: 14 + (i % 7), max: 25, heading: (7 * i) % 360 }));

function checkOf(
  columns: ReadingColumns,
  options: Partial<StationCheckOptions> = {},
  cuts: number[] = [],
) {
  const check = new StationCheck({ ...OPTIONS, ...options });
  const ends = [...cuts, columns.count];
  ends.forEach((end, i) => {
    check.add(sliceRows(columns, ends[i - 1] ?? 0, end));
  });
  return check.finish();
}

const verdictOf = (readings: readonly TestReading[]) =>
  checkOf(columnsOfReadings(readings)).parts[0]?.verdict;

/** Changes the first readings. */
const spoilt = (count: number, change: Partial<TestReading>) =>
  healthy().map((reading, i) => (i < count ? { ...reading, ...change } : reading));

describe('the verdict of a station', () => {
  it('the verdict of a station is “ok” without a fault, and with few suspect readings', () => {
    expect(verdictOf(healthy())).toBe('ok');
    expect(verdictOf(spoilt(COUNT / 100 - 1, { max: 251 }))).toBe('ok');
  });

  it('the verdict of a station is “look” with one failing reading, with a gap of over six hours, and with over 1 % suspect readings', () => {
    expect(verdictOf(spoilt(1, { heading: 361 }))).toBe('look');
    expect(verdictOf(healthy().filter(({ time }) => time > START_MS + 6 * HOUR_MS))).toBe('look');
    expect(verdictOf(spoilt(COUNT / 100 + 1, { max: 251 }))).toBe('look');
  });

  it('the verdict of a station is “broken” if over 5 % of the readings fail', () => {
    expect(verdictOf(spoilt(COUNT / 20, { heading: 361 }))).toBe('look');
    expect(verdictOf(spoilt(COUNT / 20 + 1, { heading: 361 }))).toBe('broken');
  });

  it('the verdict of a station is “gone” without any average, even in an empty period', () => {
    const silentFor = (hours: number) => {
      const bounds = { start: START_MS, stop: START_MS + hours * HOUR_MS };
      return checkOf(columnsOfReadings([]), { bounds, now: bounds.stop }).parts[0]?.verdict;
    };
    expect([0, 0.9, 1, 3, 12, 24].map(silentFor)).toEqual(Array(6).fill('gone'));
    const [month] = checkOf(columnsOfReadings([]), { bounds: {}, by: ['month'] }).parts;
    expect(month).toMatchObject({ month: '2024-05', verdict: 'gone' });
  });

  it('the verdict of a station is “ok” in the first hour of a month if the last average came less than an hour ago', () => {
    const monthMs = Date.parse('2024-06-01T00:00:00Z');
    const until = (silentMs: number) => {
      const now = monthMs + 600_000;
      const start = monthMs - 2 * HOUR_MS;
      const readings = times(100, start).filter((time) => time < now - silentMs);
      const columns = columnsOfReadings(readings.map((time, i) => ({ time, avg: 14 + (i % 7) })));
      const { parts } = checkOf(columns, { bounds: { start, stop: now }, now, by: ['month'] });
      return parts.map(({ verdict }) => verdict);
    };
    expect(until(0.9 * HOUR_MS)).toEqual(['ok', 'ok']);
    expect(until(HOUR_MS)).toEqual(['ok', 'gone']);
  });

  it('the verdict of a station is “gone” without an average in the last 24 h, though rows without one came', () => {
    const until = (hours: number) =>
      healthy().map((reading) =>
        reading.time < PERIOD.stop - hours * HOUR_MS ? reading : { time: reading.time },
      );
    expect(verdictOf(until(23))).toBe('look');
    expect(verdictOf(until(24))).toBe('gone');
    expect(verdictOf([])).toBe('gone');
  });
});

describe('episodes', () => {
  it('a check without bounds of its period lists the gaps between averages at either end of the rows as faults', () => {
    const silent = (hours: number) =>
      healthy(12 * 24).map((reading) =>
        reading.time < START_MS + hours * HOUR_MS ? { time: reading.time } : reading,
      );
    const gapsOf = (hours: number) =>
      checkOf(columnsOfReadings(silent(hours)), { bounds: {} }).episodes.map(
        ({ test, level, start }) => [test, level, start],
      );
    expect(gapsOf(0)).toEqual([]);
    expect(gapsOf(5)).toEqual([['gap', 1, START_MS]]);
    expect(gapsOf(24)).toEqual([['gap', 2, START_MS]]);
  });

  it('a check lists gaps at the start and the end of its period as faults', () => {
    const inside = healthy().filter(
      ({ time }) => time >= START_MS + 2 * HOUR_MS && time <= PERIOD.stop - 7 * HOUR_MS,
    );
    const { episodes, parts } = checkOf(columnsOfReadings(inside));
    expect(episodes.map(({ test, level, start, stop }) => [test, level, start, stop])).toEqual([
      ['gap', 1, PERIOD.start, PERIOD.start + 2 * HOUR_MS],
      ['gap', 2, PERIOD.stop - 7 * HOUR_MS, PERIOD.stop],
    ]);
    expect(parts[0]?.tests.gap).toEqual({ suspect: 1, fail: 1 });
  });

  it('a check joins faults at most an hour apart into one episode, with the worst flag', () => {
    const faulty = healthy().map((reading, i) => ({
      ...reading,
      max: { 100: 251, 112: 451, 125: 251 }[i] ?? reading.max,
    }));
    const { episodes } = checkOf(columnsOfReadings(faulty));
    expect(episodes.filter(({ test }) => test === 'range')).toEqual([
      {
        ...{ test: 'range', level: 2, readings: 2 },
        ...{ start: START_MS + 100 * STEP_MS, stop: START_MS + 112 * STEP_MS },
      },
      {
        ...{ test: 'range', level: 1, readings: 1 },
        ...{ start: START_MS + 125 * STEP_MS, stop: START_MS + 125 * STEP_MS },
      },
    ]);
  });

  it('a check lists moves of a station by over 200 m, but not moves from the position 0, 0', () => {
    const columns = columnsOfReadings(healthy());
    const latitudeAt = (row: number): number =>
      row < 100 ? 0 : row < 200 ? 44.5 : row < 300 ? 44.5015 : 44.5025;
    const placed = {
      ...columns,
      latitude: columns.latitude.map((_, row) => latitudeAt(row)),
      longitude: columns.longitude.map((_, row) => (row < 100 ? 0 : -1.2)),
    };
    const { episodes } = checkOf(placed);
    expect(episodes.map(({ test, start }) => [test, start])).toEqual([
      ['position', START_MS + 300 * STEP_MS],
    ]);
  });
});

describe('a check by month', () => {
  it('a check by month has a part for each month of the zone, and counts a gap in the month in which the gap begins', () => {
    const start = Date.UTC(2024, 4, 28);
    const rows = times(8 * 288, start).map((time) => ({ time, avg: 14 + ((time / STEP_MS) % 7) }));
    const gap = (time: number) =>
      time > Date.UTC(2024, 4, 31, 20) && time < Date.UTC(2024, 5, 1, 1);
    const { parts } = checkOf(columnsOfReadings(rows.filter(({ time }) => !gap(time))), {
      bounds: { start, stop: start + 8 * DAY_MS },
      now: start + 8 * DAY_MS,
      zone: 'Europe/Paris',
      by: ['month'],
    });
    expect(parts.map(({ month, tests, last }) => [month, tests.gap.suspect, last])).toEqual([
      ['2024-05', 1, Date.UTC(2024, 4, 31, 20)],
      ['2024-06', 0, start + 8 * DAY_MS - STEP_MS],
    ]);
  });
});

describe('however the readings are cut into pieces', () => {
  const anyPieces = fc.array(
    fc.record({
      stepMs: fc.constantFrom(STEP_MS, STEP_MS, 20 * 60_000, 2 * HOUR_MS, 40 * HOUR_MS, 0),
      count: fc.integer({ min: 1, max: 30 }),
      avg: fc.constantFrom(0, 7, 20, 145, 300, undefined),
      max: fc.constantFrom(0, 12, 40, 500, undefined),
      heading: fc.constantFrom(90, 91, 400, undefined),
    }),
    { maxLength: 20 },
  );

  it('a check of a station has the same result in whatever pieces the readings arrive', () => {
    const anyCuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 9 });
    fc.assert(
      fc.property(
        anyPieces,
        anyCuts,
        fc.constantFrom([], ['month'] as const),
        (pieces, cuts, by) => {
          let time = START_MS;
          const columns = columnsOfReadings(
            pieces.flatMap(({ stepMs, count, ...values }) =>
              Array.from({ length: count }, () => {
                time += stepMs;
                return { ...values, time };
              }),
            ),
          );
          const options = { bounds: { start: START_MS }, now: START_MS + 60 * DAY_MS, by };
          const places = cuts.map((cut) => Math.floor(cut * columns.count)).sort((a, b) => a - b);
          expect(checkOf(columns, options, places)).toEqual(checkOf(columns, options));
        },
      ),
    );
  });
});
