import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countValues } from '../../src/statistics/counts.ts';
import { percentiles } from '../../src/statistics/distribution.ts';

describe('counted values', () => {
  const anyValues = fc.array(
    fc.oneof(fc.integer({ min: -3, max: 60 }), fc.double({ noNaN: true })),
    {
      maxLength: 200,
    },
  );

  it('counted values are the distinct values in order with their counts', () => {
    fc.assert(
      fc.property(anyValues, (values) => {
        const { values: distinct, counts, total } = countValues(Float64Array.from(values));
        const expected = new Map<number, number>();
        // Adding 0 makes one zero of the two.
        for (const value of values) expected.set(value + 0, (expected.get(value + 0) ?? 0) + 1);
        const entries = Array.from(distinct, (value, i) => [value + 0, counts[i]]);
        expect(entries).toEqual([...expected].sort(([a], [b]) => a - b));
        expect(total).toBe(values.length);
      }),
    );
  });
});

describe('percentiles', () => {
  it('percentiles are interpolated linearly between the sorted values', () => {
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
        const actual = percentiles(countValues(Float64Array.from(values)), ascending);
        actual.forEach((value, i) => {
          expect(value).toBeCloseTo(expected[i] as number, 9);
        });
      }),
    );
  });
});
