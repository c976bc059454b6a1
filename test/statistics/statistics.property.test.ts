import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  GROUP_KEYS,
  type GroupKey,
  type GroupStatistics,
  type StatisticsOptions,
} from '../../src/statistics/statistics.ts';
import type { TestReading } from '../support/columns.ts';
import { expectSame } from '../support/same.ts';
import {
  DAY_MS,
  groupsOf,
  groupsOfChunks,
  HOUR_MS,
  optionsOf,
  START_MS,
  STEP_MS,
} from './support.ts';

const PERIOD = { start: START_MS, stop: START_MS + 1.5 * DAY_MS };
const SECTORS = [8, 12, 16, 32, 36] as const;

const speed = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom(0, 0.5, 1, 12),
  fc.integer({ min: 0, max: 400 }).map((quarters) => quarters / 4),
  fc.double({ min: 0, max: 250, noNaN: true }),
);
const heading = fc.oneof(
  fc.constant(undefined),
  fc.integer({ min: 0, max: 16 }).map((point) => 22.5 * point),
  fc.integer({ min: 0, max: 360 }),
  fc.double({ min: 0, max: 360, noNaN: true }),
);
/** Readings at distinct times, a few of them out of the period. */
const readings = fc.uniqueArray(
  fc.record({
    time: fc
      .integer({ min: -10, max: 432 + 10 })
      .chain((step) => fc.constantFrom(0, 1000, 1999).map((ms) => START_MS + step * STEP_MS + ms)),
    min: speed,
    avg: speed,
    max: speed,
    heading,
  }),
  { selector: ({ time }) => time, maxLength: 120 },
);
const options = fc
  .record({
    by: fc.uniqueArray(fc.constantFrom(...GROUP_KEYS), { maxLength: 2 }),
    zone: fc.constantFrom('utc', 'Europe/Paris', 'Asia/Kathmandu'),
    sectors: fc.constantFrom(...SECTORS),
    classesKmh: fc.constantFrom(undefined, [], [5, 10, 20]),
    hasCondition: fc.boolean(),
    isSpells: fc.boolean(),
  })
  .map(({ hasCondition, isSpells, ...rest }): StatisticsOptions => {
    const holds = ({ windSpeedAvg }: { windSpeedAvg: Float64Array }, row: number) =>
      Number.isNaN(windSpeedAvg[row]) ? undefined : (windSpeedAvg[row] as number) > 10;
    const where = hasCondition ? { holds, minMs: HOUR_MS, isSpells } : undefined;
    return { ...optionsOf({ period: PERIOD }), ...rest, where };
  });

const inOrder = (all: readonly TestReading[]): TestReading[] =>
  all.toSorted((a, b) => a.time - b.time);

/** The names of the fields of groups, at any depth, that are NaN or infinite. */
function endlessIn(groups: unknown): string[] {
  const names: string[] = [];
  JSON.stringify(groups, (name, value) => {
    if (typeof value === 'number' && !Number.isFinite(value)) names.push(name);
    return value;
  });
  return names;
}

describe('statistics of any readings', () => {
  it('statistics of any readings do not depend on the division of the readings into chunks', () => {
    const cut = fc.array(fc.nat(120), { maxLength: 6 });
    fc.assert(
      fc.property(options, readings, cut, (options, all, cuts) => {
        const ordered = inOrder(all);
        const bounds = [0, ...cuts.toSorted((a, b) => a - b), all.length];
        const chunks = bounds.slice(1).map((to, i) => ordered.slice(bounds[i], to));
        expectSame(groupsOfChunks(chunks, options), groupsOfChunks([ordered], options));
      }),
      { numRuns: 60 },
    );
  });

  it('statistics of any readings contain no NaN and no infinite number, not even for absurd speeds', () => {
    const absurd = fc.uniqueArray(
      fc.record({
        time: fc.constantFrom(...Array.from({ length: 40 }, (_, i) => START_MS + i * STEP_MS)),
        min: fc.oneof(speed, fc.double()),
        avg: fc.oneof(speed, fc.double()),
        max: fc.oneof(speed, fc.double()),
        heading: fc.oneof(heading, fc.double()),
      }),
      { selector: ({ time }) => time, maxLength: 60 },
    );
    fc.assert(
      fc.property(options, absurd, (options, all) => {
        expect(endlessIn(groupsOfChunks([inOrder(all)], options))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('statistics of any readings have shares from 0 to 1, and groups by time whose readings add up to all readings', () => {
    fc.assert(
      fc.property(options, readings, (options, all) => {
        const inside = all.filter(({ time }) => time >= PERIOD.start && time < PERIOD.stop);
        const groups = groupsOfChunks([inOrder(all)], options);
        const total = groups.reduce((sum, { summary }) => sum + summary.readings, 0);
        // Parts of readings are rounded.
        const most = inside.length + 1e-6;
        if (options.by.includes('sector')) expect(total).toBeLessThanOrEqual(most);
        else expect(total).toBe(inside.length);
        // A call of expect for each share would take most of the time.
        const hasHeadings = all.every(({ heading }) => heading !== undefined);
        const wrong = groups.filter(({ summary, held }) => {
          const { coverage, calm, steadiness, beaufort } = summary;
          const shares = [coverage, calm, held?.share ?? 0, ...(beaufort ?? [])];
          const areShares = shares.every((share) => (share ?? 0) >= 0 && (share ?? 0) <= 1);
          const sum = beaufort?.reduce((sum, share) => sum + share, 0) ?? 1;
          const isSteady = !hasHeadings || (steadiness ?? 0) <= 1 + 1e-9;
          return !(areShares && Math.abs(sum - 1) < 0.5e-9 && isSteady);
        });
        expect(wrong).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

const DIRECTIONLESS = { vectorDirection: null, prevailingDirection: null, directionStd: null };
const NO_WEIBULL = { weibullK: null, weibullA: null };
const SPEEDLESS = {
  ...DIRECTIONLESS,
  ...NO_WEIBULL,
  ...{ mean: null, std: null, min: null, max: null, maxGust: null, maxGustAt: null, minLull: null },
  ...{ calm: null, vectorSpeed: null, steadiness: null, gustFactor: null, powerDensity: null },
  beaufort: null,
  percentiles: Array(8).fill(null),
  gustPercentiles: Array(8).fill(null),
};

const DEGENERATE: readonly [string, readonly Omit<TestReading, 'time'>[], object][] = [
  [
    'calm readings only',
    [
      { avg: 0, max: 0, heading: 90 },
      { avg: 0.5, heading: 45 },
    ],
    { readings: 2, mean: 0.25, calm: 1, vectorSpeed: 0, steadiness: 0, ...DIRECTIONLESS },
  ],
  [
    'one reading',
    [{ avg: 12, max: 20, min: 3, heading: 200 }],
    {
      ...{ readings: 1, stepS: null, coverage: 0, mean: 12, std: 0, maxGust: 20, minLull: 3 },
      ...{
        maxGustAt: START_MS,
        gustFactor: 20 / 12,
        percentiles: Array(8).fill(12),
        ...NO_WEIBULL,
      },
    },
  ],
  ['no reading', [], { readings: 0, missing: 0, first: null, stepS: null, ...SPEEDLESS }],
  ['readings without a speed', [{ heading: 90 }, {}], { readings: 2, missing: 2, ...SPEEDLESS }],
  [
    'readings without a direction',
    [{ avg: 12, max: 20 }, { avg: 14 }],
    { mean: 13, calm: 0, vectorSpeed: null, steadiness: null, ...DIRECTIONLESS },
  ],
  [
    'readings of one speed and direction',
    Array.from({ length: 30 }, () => ({ avg: 12, heading: 0 })),
    { std: 0, vectorSpeed: 12, vectorDirection: 0, steadiness: 1, directionStd: 0, ...NO_WEIBULL },
  ],
];

describe('a summary of statistics', () => {
  it.each(DEGENERATE)(
    'a summary of statistics of %s has null for each value that cannot be computed',
    (_, winds, summary) => {
      const all = winds.map((wind, i) => ({ ...wind, time: START_MS + i * STEP_MS }));
      expect(groupsOf(all, { period: PERIOD })[0]?.summary).toMatchObject(summary);
    },
  );
});

/** Winds of 5 km/h and more, so that none is calm. */
const blowing = (headings: readonly number[]): TestReading[] =>
  headings.map((heading, i) => ({ time: START_MS + i * STEP_MS, avg: 5 + (i % 20), heading }));

const roseOf = (all: readonly TestReading[], sectors: StatisticsOptions['sectors']) => {
  const [group] = groupsOf(all, { sectors, classesKmh: [10, 15] });
  return group?.rose as NonNullable<GroupStatistics['rose']>;
};

const sharesOf = (all: readonly TestReading[], sectors: StatisticsOptions['sectors']): number[] =>
  roseOf(all, sectors).sectors.map((classes) => classes.reduce((sum, share) => sum + share, 0));

describe('a wind rose', () => {
  const anySectors = fc.constantFrom(...SECTORS);

  it('a wind rose adds up to 100 % together with the calm share, in any number of sectors', () => {
    fc.assert(
      fc.property(
        readings,
        anySectors,
        fc.constantFrom<GroupKey[]>([], ['day']),
        (all, sectors, by) => {
          const groups = groupsOf(inOrder(all), {
            period: PERIOD,
            by,
            sectors,
            classesKmh: [5, 10],
          });
          for (const { rose } of groups) {
            const { sectors, calm, count } = rose as NonNullable<GroupStatistics['rose']>;
            const sum = sectors.flat().reduce((sum, share) => sum + share, calm);
            expect(sum).toBeCloseTo(count === 0 ? 0 : 100, 9);
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it.each(SECTORS)(
    'a wind rose has equal shares in %i sectors for headings spread evenly in steps of 22.5°',
    (sectors) => {
      const even = blowing(Array.from({ length: 320 }, (_, i) => 22.5 * (i % 16)));
      for (const share of sharesOf(even, sectors)) expect(share).toBeCloseTo(100 / sectors, 9);
    },
  );

  it('a wind rose turns by as many sectors as the headings turn', () => {
    const turned = fc.record({
      headings: fc.array(fc.integer({ min: 0, max: 359 }), { minLength: 1, maxLength: 50 }),
      sectors: fc.constantFrom(8, 12, 36),
      turns: fc.nat(36),
    });
    fc.assert(
      fc.property(turned, ({ headings, sectors, turns }) => {
        // A heading between the points of the compass before and after the turn.
        const fine = [...headings, 1, 2];
        const width = 360 / sectors;
        const before = sharesOf(blowing(fine), sectors);
        const after = sharesOf(
          blowing(fine.map((degrees) => (degrees + turns * width) % 360)),
          sectors,
        );
        const isNear = (share: number, i: number) =>
          Math.abs((after[(i + turns) % sectors] as number) - share) < 0.5e-9;
        expect(before.filter((share, i) => !isNear(share, i))).toEqual([]);
      }),
    );
  });

  it('a wind rose turns by as many sectors as the headings turn if all are exact compass points', () => {
    const headings = [0, 0, 22.5, 90, 247.5];
    for (const sectors of [8, 16, 32] as const) {
      const before = sharesOf(blowing(headings), sectors);
      const after = sharesOf(blowing(headings.map((degrees) => (degrees + 135) % 360)), sectors);
      const turns = (135 * sectors) / 360;
      before.forEach((share, i) => {
        expect(after[(i + turns) % sectors]).toBeCloseTo(share, 9);
      });
    }
  });

  it('a wind rose counts 360° as north, and a speed on a class limit in the higher class', () => {
    const all = [
      { avg: 9.99, heading: 360 },
      { avg: 10, heading: 0 },
      { avg: 15, heading: 180 },
      { avg: 0.9, heading: 90 },
      { avg: 30 },
      { heading: 90 },
    ].map((wind, i) => ({ ...wind, time: START_MS + i * STEP_MS }));
    const { sectors, calm, count } = roseOf(all, 16);
    expect({ calm, count }).toEqual({ calm: 25, count: 4 });
    expect(sectors[0]).toEqual([25, 25, 0]);
    expect(sectors[8]).toEqual([0, 0, 25]);
  });

  it('a wind rose counts a heading that a rounding error puts just off north as north', () => {
    const readings = [359.99999999999994, -1e-17, 720].map((heading, i) => ({
      ...{ time: START_MS + i * STEP_MS, avg: 16, heading },
    }));
    const { sectors } = roseOf(readings, 16);
    expect(sectors[0]).toEqual([0, 0, 100]);
  });

  it('a wind rose spreads a heading in whole degrees over one degree, so that two sectors may share it', () => {
    const shares = sharesOf(blowing([11, 200, 201]), 16);
    expect(shares[0]).toBeCloseTo(75 / 3, 9);
    expect(shares[1]).toBeCloseTo(25 / 3, 9);
  });
});
