import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ValueCounts } from '../../src/statistics/counts.ts';
import { median, percentiles } from '../../src/statistics/distribution.ts';

const countsOf = (values: readonly number[], ...limits: number[]): ValueCounts => {
  const counts = new ValueCounts(...limits);
  for (const value of values) counts.add(value);
  return counts;
};

describe('ValueCounts', () => {
  const anyValues = fc.array(
    fc.oneof(fc.integer({ min: -3, max: 60 }), fc.double({ noNaN: true })),
    {
      maxLength: 200,
    },
  );

  it('gives the distinct values in order with their counts, for few and for many values', () => {
    fc.assert(
      fc.property(anyValues, (values) => {
        const { values: distinct, counts, total } = countsOf(values).sorted();
        const expected = new Map<number, number>();
        // Adding 0 makes one zero of the two.
        for (const value of values) expected.set(value + 0, (expected.get(value + 0) ?? 0) + 1);
        const entries = Array.from(distinct, (value, i) => [value + 0, counts[i]]);
        expect(entries).toEqual([...expected].sort(([a], [b]) => a - b));
        expect(total).toBe(values.length);
      }),
    );
  });

  it('rounds values when there are too many distinct ones, in any order', () => {
    const values = Array.from({ length: 1000 }, (_, i) => (i + 0.3) / 1000);
    const rounded = countsOf(values, 0.01, 101).sorted();
    expect(rounded.values).toHaveLength(101);
    expect(rounded.values[30]).toBeCloseTo(0.3, 12);
    expect(rounded.counts[30]).toBe(10);
    expect(rounded.total).toBe(1000);
    expect(median(rounded)).toBeCloseTo(0.5, 9);
    expect(countsOf(values.toReversed(), 0.01, 101).sorted()).toEqual(rounded);
    expect(countsOf(values, 0.001, 20).sorted().values).toHaveLength(11);
  });
});

describe('percentiles', () => {
  it('are interpolated linearly between the sorted values', () => {
    const values = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 100 });
    const ranks = fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 8 });
    fc.assert(
      fc.property(values, ranks, (values, ranks) => {
        const sorted = values.toSorted((a, b) => a - b);
        const ascending = ranks.toSorted((a, b) => a - b);
        const expected = ascending.map((rank) => {
          const position = ((sorted.length - 1) * rank) / 100;
          const [low, high] = [Math.floor(position), Math.ceil(position)].map((i) => sorted[i]);
          return (low as number) + (position % 1) * ((high as number) - (low as number));
        });
        const actual = percentiles(countsOf(values).sorted(), ascending);
        actual.forEach((value, i) => {
          expect(value).toBeCloseTo(expected[i] as number, 9);
        });
      }),
    );
  });
});
