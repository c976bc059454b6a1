import { describe, expect, it } from 'vitest';
import { listGaps } from '../../src/statistics/coverage.ts';
import { columnsOfReadings } from '../support/columns.ts';
import { DAY_MS, groupsOf, HOUR_MS, START_MS, STEP_MS, summaryOf, times } from './support.ts';

const at = (...all: number[]) => all.map((time) => ({ time, avg: 10 }));
const during = (length: number) => ({ period: { start: START_MS, stop: START_MS + length } });

describe('coverage of a period', () => {
  it('the coverage of a period is full where readings follow each other with a few seconds of jitter', () => {
    const jittered = times(288).map((time, i) => time + (i % 5) * 1000);
    expect(summaryOf(at(...jittered), during(DAY_MS))).toMatchObject({
      readings: 288,
      first: START_MS,
      last: START_MS + 287 * STEP_MS + 2000,
      stepS: 300,
      coverage: 1,
      gaps: 0,
      longestGap: null,
    });
  });

  it('the coverage of a period loses the length of a gap less one reading interval', () => {
    const day = times(288).filter((_, i) => i < 100 || i >= 112);
    expect(summaryOf(at(...day), during(DAY_MS))).toMatchObject({
      coverage: (276 * STEP_MS) / DAY_MS,
      gaps: 1,
      longestGap: { start: START_MS + 99 * STEP_MS, lengthS: 13 * 300 },
    });
  });

  it('the coverage of a period loses the time before the first and after the last reading, each less one reading interval', () => {
    const noon = times(12, START_MS + 12 * HOUR_MS);
    expect(summaryOf(at(...noon), during(DAY_MS))).toMatchObject({
      coverage: (13 * STEP_MS) / DAY_MS,
      gaps: 2,
      longestGap: { start: START_MS, lengthS: (12 * HOUR_MS) / 1000 },
    });
  });

  it('the coverage of a period counts a pause as a gap if it is longer than one and a half reading intervals', () => {
    const apart = [...times(10), START_MS + 9 * STEP_MS + 450_000];
    expect(summaryOf(at(...apart), during(11 * STEP_MS)).gaps).toBe(0);
    const further = [...times(10), START_MS + 9 * STEP_MS + 450_001];
    expect(summaryOf(at(...further), during(11 * STEP_MS)).gaps).toBe(1);
  });

  it('the coverage of a period is 0 without readings, and for a single reading, whose interval is not known', () => {
    expect(summaryOf([], during(DAY_MS))).toMatchObject({
      readings: 0,
      first: null,
      last: null,
      stepS: null,
      coverage: 0,
      gaps: 1,
      longestGap: { start: START_MS, lengthS: 86_400 },
    });
    expect(summaryOf(at(START_MS + HOUR_MS), during(DAY_MS))).toMatchObject({
      readings: 1,
      stepS: null,
      coverage: 0,
      gaps: 2,
      longestGap: { start: START_MS + HOUR_MS, lengthS: 23 * 3600 },
    });
  });

  it('the coverage of a period is null for an empty period', () => {
    expect(summaryOf([], during(0))).toMatchObject({ coverage: null, gaps: 0, longestGap: null });
  });

  it('the coverage of a group uses the reading interval of that group when the station changes its interval', () => {
    const hours = [...times(15, START_MS, 240_000), ...times(6, START_MS + HOUR_MS, 600_000)];
    const [first, second] = groupsOf(at(...hours), { ...during(2 * HOUR_MS), by: ['hour'] });
    expect(first?.summary).toMatchObject({ readings: 15, stepS: 240, coverage: 1 });
    expect(second?.summary).toMatchObject({ readings: 6, stepS: 600, coverage: 1 });
  });

  it('the coverage of a group with few readings uses the reading interval of the whole station', () => {
    const sparse = [0, 8, 16].map((hour) => START_MS + DAY_MS + hour * HOUR_MS);
    const [first, second] = groupsOf(at(...times(288), ...sparse), {
      ...during(2 * DAY_MS),
      by: ['day'],
    });
    expect(first?.summary).toMatchObject({ stepS: 300, coverage: 1 });
    expect(second?.summary).toMatchObject({ readings: 3, stepS: 300, gaps: 3 });
    expect(second?.summary.coverage).toBeCloseTo((3 * STEP_MS) / DAY_MS, 12);
  });

  it('the coverage of each hour is full for a station that sends one reading an hour', () => {
    const hourly = times(24, START_MS + 60_000, HOUR_MS);
    const groups = groupsOf(at(...hourly), { ...during(DAY_MS), by: ['hour'] });
    expect(groups).toHaveLength(24);
    for (const { summary } of groups) {
      expect(summary).toMatchObject({ readings: 1, stepS: 3600, coverage: 1 });
    }
  });

  it('the coverage of an hour without a reading is 0, even where the readings around the hour follow each other in time', () => {
    const hourly = times(24, START_MS + 420_000, HOUR_MS).filter((_, hour) => hour !== 5);
    const groups = groupsOf(at(...hourly), { ...during(DAY_MS), by: ['hour'] });
    expect(groups[5]?.summary).toMatchObject({
      readings: 0,
      stepS: 3600,
      coverage: 0,
      gaps: 1,
      longestGap: { start: START_MS + 5 * HOUR_MS, lengthS: 3600 },
    });
    expect(groups[6]?.summary).toMatchObject({ readings: 1, coverage: 1, gaps: 0 });
  });

  it('the coverage of an hour of the day loses the days on which that hour has no reading', () => {
    const hourly = times(48, START_MS + 420_000, HOUR_MS).filter((_, hour) => hour !== 29);
    const groups = groupsOf(at(...hourly), { ...during(2 * DAY_MS), by: ['hour-of-day'] });
    expect(groups[5]?.summary).toMatchObject({
      readings: 1,
      coverage: 0.5,
      gaps: 1,
      longestGap: { start: START_MS + 29 * HOUR_MS, lengthS: 3600 },
    });
  });

  it('the longest gap of an empty hour is that hour, not a longer time that is no gap', () => {
    const period = { start: START_MS + 30 * 60_000, stop: START_MS + DAY_MS + HOUR_MS };
    const hourly = times(24, START_MS + HOUR_MS + 420_000, HOUR_MS);
    const groups = groupsOf(at(...hourly), { period, by: ['hour-of-day'] });
    expect(groups[0]?.summary).toMatchObject({
      ...{ readings: 1, stepS: 3600, gaps: 1 },
      longestGap: { start: period.start, lengthS: 1800 },
    });
  });

  it('the coverage of a group by hour of day considers this hour on every day of the period', () => {
    const twoDays = times(576).filter((_, i) => i < 288 + 6 * 12 || i >= 288 + 7 * 12);
    const groups = groupsOf(at(...twoDays), { ...during(2 * DAY_MS), by: ['hour-of-day'] });
    expect(groups[6]?.keys).toEqual([6]);
    expect(groups[6]?.summary).toMatchObject({
      readings: 12,
      coverage: 0.5,
      gaps: 1,
      longestGap: { start: START_MS + DAY_MS + 6 * HOUR_MS, lengthS: 3600 },
    });
    expect(groups[7]?.summary).toMatchObject({ readings: 24, coverage: 1, gaps: 0 });
  });

  it('the coverage of a period ignores readings before and after the period', () => {
    const inside = times(6, START_MS);
    const around = [START_MS - 1, ...inside, START_MS + 6 * STEP_MS];
    expect(summaryOf(at(...around), during(6 * STEP_MS))).toMatchObject({
      readings: 6,
      stepS: 300,
      coverage: 1,
    });
  });

  it('the coverage of a period ignores readings without an average, which still count as readings', () => {
    const day = times(288).map((time, i) => ({ time, max: 20, avg: i % 6 < 3 ? 10 : undefined }));
    expect(summaryOf(day, during(DAY_MS))).toMatchObject({
      ...{ readings: 288, missing: 144, stepS: 300, gaps: 48, coverage: 0.5 },
      longestGap: { start: START_MS + 2 * STEP_MS, lengthS: 1200 },
    });
    const silent = day.map(({ time, max }) => ({ time, max }));
    expect(summaryOf(silent, during(DAY_MS))).toMatchObject({
      readings: 288,
      coverage: 0,
      gaps: 1,
    });
  });

  it('the gaps longer than a given length are listed in order of time', () => {
    const kept = times(288).filter((_, i) => (i >= 12 && i < 50) || (i > 60 && i < 130) || i > 250);
    const gaps = (overMs: number) =>
      listGaps(columnsOfReadings(at(...kept)), during(DAY_MS).period, overMs);
    expect(gaps(HOUR_MS)).toEqual([{ start: START_MS + 129 * STEP_MS, lengthS: 122 * 300 }]);
    expect(gaps(0).map(({ lengthS }) => lengthS / 300)).toEqual([12, 12, 122]);
  });
});
