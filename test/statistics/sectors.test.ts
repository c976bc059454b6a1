import { describe, expect, it } from 'vitest';
import type { StatisticsOptions, WindSummary } from '../../src/statistics/statistics.ts';
import type { TestReading } from '../support/columns.ts';
import vectors from './sectors.json' with { type: 'json' };
import { drawsOf, expectNear, groupsOf, START_MS, STEP_MS } from './support.ts';

type Sectors = StatisticsOptions['sectors'];
type Vector = (typeof vectors)[number];

/** The readings of sectors.py. */
function windsOf({ readings, seed, step, oddEach }: Vector): TestReading[] {
  const next = drawsOf(seed);
  return Array.from({ length: readings }, (_, i) => {
    const avg = Math.round(9.5 * (-Math.log(1 - next())) ** (1 / 1.8) * 4) / 4;
    const heading = step * Math.floor((360 / step) * next() ** 2);
    const isOdd = i % oddEach === oddEach - 1;
    return { time: START_MS + i * STEP_MS, avg, heading: isOdd ? heading + 3 : heading };
  });
}

const roseOf = (readings: readonly TestReading[], sectors: Sectors) =>
  groupsOf(readings, { sectors, classesKmh: [5, 10, 20] })[0]?.rose;

/** The per cents of all speeds in each sector of the wind rose of winds of 10 km/h. */
function sharesOf(headings: readonly number[], sectors: Sectors): number[] {
  const readings = headings.map((heading, i) => ({
    ...{ time: START_MS + i * STEP_MS, avg: 10, heading },
  }));
  const rose = roseOf(readings, sectors)?.sectors ?? [];
  return rose.map((classes) => classes.reduce((sum, share) => sum + share, 0));
}

describe.each(vectors)('$readings headings in steps of $step° in $sectors sectors', (vector) => {
  const sectors = vector.sectors as Sectors;

  it(`a wind rose of ${vector.readings} headings in steps of ${vector.step}°, each ${vector.oddEach}. of them odd, has the shares of NumPy in ${sectors} sectors`, () => {
    const rose = roseOf(windsOf(vector), sectors);
    expect(rose?.calm).toBeCloseTo(vector.calm, 9);
    const shares = rose?.sectors.flat() ?? [];
    expect(shares.length).toBe(vector.rose.flat().length);
    vector.rose.flat().forEach((share, i) => {
      expect(shares[i]).toBeCloseTo(share, 9);
    });
  });

  it(`the groups by month and sector of ${vector.readings} headings in steps of ${vector.step}° have the frequencies of pandas, in ${sectors} sectors`, () => {
    const readings = windsOf(vector).map(({ avg, heading }, i) => ({
      time: START_MS + i * 1_800_000,
      avg: i % 11 === 5 ? Number.NaN : avg,
      heading: i % 7 === 3 ? Number.NaN : heading,
    }));
    const period = { start: START_MS, stop: START_MS + readings.length * 1_800_000 };
    const groups = groupsOf(readings, { by: ['month', 'sector'], sectors, period });
    const expected = vector.frequencies.flat();
    expect(groups).toHaveLength(expected.length);
    for (const [i, { frequency }] of groups.entries()) {
      expect(frequency).toBeCloseTo(expected[i] as number, 9);
    }
  });

  it(`the groups by sector of ${vector.readings} headings in steps of ${vector.step}° have the figures of NumPy, in the ${sectors} sectors of the wind rose`, () => {
    const readings = windsOf(vector);
    const groups = groupsOf(readings, { by: ['sector'], sectors });
    vector.groups.forEach((expected, i) => {
      expectNear(groups[i]?.summary as WindSummary, expected, 2e-9);
      const share = vector.rose[i]?.reduce((sum, part) => sum + part, 0) as number;
      const counted = groups[i]?.summary.readings as number;
      expect((100 * counted) / readings.length).toBeCloseTo(share, 7);
      expect(100 * (groups[i]?.frequency as number)).toBeCloseTo(share, 7);
    });
  });
});

describe('a wind rose', () => {
  it.each([8, 12, 16, 32, 36] as const)(
    'a wind rose has equal shares in %i sectors for headings spread evenly in steps of 10°',
    (sectors) => {
      const even = Array.from({ length: 720 }, (_, i) => 10 * (i % 36));
      for (const share of sharesOf(even, sectors)) expect(share).toBeCloseTo(100 / sectors, 9);
    },
  );

  it.each([
    [22.5, 12],
    [22.5, 36],
    [10, 16],
    [10, 32],
  ] as const)(
    'a wind rose of headings in steps of %f° in %i sectors changes by less than 0.1 through one odd heading',
    (step, sectors) => {
      const even = Array.from({ length: 1440 }, (_, i) => (step * i) % 360);
      const before = sharesOf(even, sectors);
      const after = sharesOf([...even, 123.4], sectors);
      const changes = after.map((share, i) => Math.abs(share - (before[i] as number)));
      expect(Math.max(...changes)).toBeLessThan(0.1);
    },
  );
});
