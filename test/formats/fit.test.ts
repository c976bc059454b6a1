import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitColumns, GAP } from '../../src/formats/table/fit.ts';

const column = fc.record({
  width: fc.integer({ min: 1, max: 60 }),
  rank: fc.integer({ min: 0, max: 7 }),
  room: fc.option(fc.constant({ comfortable: 18, tight: 6 }), { nil: undefined }),
});

const totalWidth = (columns: readonly { width: number }[]): number =>
  columns.reduce((sum, { width }) => sum + width + GAP.length, -GAP.length);

describe('fitColumns', () => {
  it('keeps every column of a table at its width when no window limits it', () => {
    fc.assert(
      fc.property(fc.array(column), (columns) => {
        expect(fitColumns(columns)).toEqual(columns);
      }),
    );
  });

  it('makes a table fit its window, or leaves the columns of rank 0 at their tightest width', () => {
    fc.assert(
      fc.property(
        fc.array(column, { minLength: 1 }),
        fc.integer({ min: 10, max: 120 }),
        (all, limit) => {
          const kept = fitColumns(all, limit);
          const fits = totalWidth(kept) <= limit;
          const isLeast = kept.every(
            ({ rank, width, room }) => rank === 0 && width <= (room?.tight ?? width),
          );
          expect(fits || isLeast).toBe(true);
        },
      ),
    );
  });

  it('cuts names before it drops the gust, and drops the signal before it cuts names short', () => {
    const name = { width: 40, rank: 0, room: { comfortable: 18, tight: 6 } };
    const gust = { width: 10, rank: 3 };
    const signal = { width: 10, rank: 7 };
    expect(fitColumns([name, gust, signal], 50).map(({ width }) => width)).toEqual([26, 10, 10]);
    expect(fitColumns([name, gust, signal], 40).map(({ width }) => width)).toEqual([28, 10]);
    expect(fitColumns([name, gust, signal], 18).map(({ width }) => width)).toEqual([6, 10]);
    expect(fitColumns([name, gust, signal], 17).map(({ width }) => width)).toEqual([17]);
  });
});
