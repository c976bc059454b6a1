import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Times } from '../../src/statistics/times.ts';
import { DAY_MS } from './support.ts';

const PERIOD = { start: 1000, stop: 200 * DAY_MS };

const listOf = (times: Times): number[] => [...times.all().time];

describe('Times', () => {
  const someTimes = fc.array(
    fc.oneof(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 201 * DAY_MS })),
    { maxLength: 60 },
  );

  it('keeps each time of the period once and in order, however times are added', () => {
    fc.assert(
      fc.property(fc.array(someTimes, { maxLength: 6 }), (adds) => {
        const times = new Times(PERIOD);
        const known = new Set<number>();
        for (const add of adds) {
          const isInside = (time: number) => time >= PERIOD.start && time < PERIOD.stop;
          const fresh = [...new Set(add)].filter((time) => isInside(time) && !known.has(time));
          const rows = times.add(Float64Array.from(add), () => 0);
          // The first row of each time that is new, in order of time.
          const expected = fresh.sort((a, b) => a - b).map((time) => add.indexOf(time));
          expect([...rows]).toEqual(expected);
          for (const time of fresh) known.add(time);
        }
        expect(listOf(times)).toEqual([...known].sort((a, b) => a - b));
      }),
    );
  });

  it('keeps the number that was stored with each time when later calls add times in between', () => {
    const times = new Times(PERIOD);
    times.add(Float64Array.of(2000, 4000, 6000), (row) => row + 1);
    times.add(Float64Array.of(1000, 3000, 4000, 5000), (row) => row + 11);
    const { time, marks } = times.all();
    expect(Array.from(time, (ms, place) => [ms, marks[place]])).toEqual([
      [1000, 11],
      [2000, 1],
      [3000, 12],
      [4000, 2],
      [5000, 14],
      [6000, 3],
    ]);
  });
});
