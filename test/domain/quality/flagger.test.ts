import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FlaggedBatches } from '../../../src/domain/quality/flaggedBatches.ts';
import { ReadingFlagger } from '../../../src/domain/quality/flagger.ts';
import {
  qualityFlagOf,
  type READING_TESTS,
  type TestedReading,
} from '../../../src/domain/quality/testedReading.ts';
import type { ReadingColumns } from '../../../src/domain/readings/columns.ts';
import { columnsOfReadings, sliceRows, type TestReading } from '../../support/columns.ts';
import vectors from './vectors.json' with { type: 'json' };

const START_MS = Date.parse('2024-05-01T00:00:00Z');
const NOW_MS = Date.parse('2025-01-01T00:00:00Z');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

type TestName = (typeof READING_TESTS)[number];

/** Readings with their findings, added in pieces that are cut before the given rows. */
function testsOf(columns: ReadingColumns, cuts: readonly number[] = []): readonly TestedReading[] {
  const flagger = new ReadingFlagger(NOW_MS);
  const readings: TestedReading[] = [];
  const ends = [...cuts, columns.count];
  ends.forEach((end, i) => {
    flagger.add(sliceRows(columns, ends[i - 1] ?? 0, end));
    readings.push(...flagger.removeFinal());
  });
  return [...readings, ...flagger.finish()];
}

/** Readings every four minutes. */
const everyFour = (readings: readonly Omit<TestReading, 'time'>[], stepS = 240): TestReading[] =>
  readings.map((reading, i) => ({ ...reading, time: START_MS + i * stepS * 1000 }));

const flagsOf = (readings: readonly TestReading[]): number[] =>
  testsOf(columnsOfReadings(readings)).map(qualityFlagOf);

/** Levels of one test, one digit for each reading. */
const levelsOf = (readings: readonly TestReading[], test: TestName): string =>
  testsOf(columnsOfReadings(readings))
    .map((reading) => reading[test])
    .join('');

/** The series of vectors.py. */
function series(seed: number, stepS: number): TestReading[] {
  let state = seed;
  const draw = (): number => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
  type Row = { avg: number | undefined; max: number | undefined; heading: number };
  const rows: Row[] = [];
  const at = (i: number): Row => rows[i] as Row;
  let [speed, turn] = [80, 180];
  for (let i = 0; i < 10_000; i++) {
    const [a, b, c, d, e, f, g, h] = Array.from({ length: 8 }, draw) as [
      ...[number, number, number, number, number, number, number, number],
    ];
    speed = Math.min(400, Math.max(48, speed + Math.floor(9 * a) - 4));
    turn = (turn + Math.floor(21 * b) + 350) % 360;
    const row: Row = { avg: speed / 4, max: speed / 4 + 6 + Math.floor(40 * c) / 4, heading: turn };
    rows.push(row);
    if (d < 0.01) {
      row.avg = speed / 4 + Math.floor(1400 * e) / 4;
      row.max = row.avg + Math.floor(1600 * f) / 4;
    } else if (d < 0.012) Object.assign(row, { avg: -speed / 4, max: -1 });
    else if (d < 0.014) row.heading = 361 + Math.floor(20 * e);
    else if (d < 0.03) row.avg = undefined;
    else if (d < 0.04) row.max = undefined;
    if (g >= 0.004) continue;
    const start = Math.max(0, i - Math.floor(80 * h));
    for (let j = start; j <= i; j++) {
      const isAverage = g < 0.002;
      Object.assign(
        at(j),
        isAverage ? { avg: 20.25, max: 30 } : { avg: 25 + (j % 7) / 4, max: 40 },
      );
      if (!isAverage) at(j).heading = 123;
    }
    if (e < 0.5) at(Math.floor((start + i) / 2)).avg = undefined;
  }
  if (stepS === 300) {
    for (const [start, length] of [
      [500, 560],
      [1500, 580],
      [3000, 4100],
    ] as const) {
      for (let j = start; j < start + length; j++) Object.assign(at(j), { avg: 0, max: 0 });
    }
  }
  return everyFour(rows, stepS);
}

describe('the flags are those of ioos_qc 3.0.0', () => {
  const all = vectors.map((vector) => ({
    vector,
    tested: testsOf(columnsOfReadings(series(vector.seed, vector.stepS))),
  }));
  const tests = ['range', 'rate', 'spike', 'flat'] as const;
  it.each(tests)(
    'the quality test %s gives 10,000 readings with planted faults the flags of ioos_qc 3.0.0',
    (test) => {
      for (const { vector, tested } of all) {
        const expected = new Array<number>(10_000).fill(1);
        for (const [first, count, flag] of vector[test]) {
          expected.fill(flag as number, first, (first as number) + (count as number));
        }
        const flags = tested.map((reading) => [1, 3, 4][reading[test]]);
        expect(flags).toEqual(expected);
      }
    },
  );
});

describe('the flag of a reading', () => {
  const calm = { avg: 5, max: 8, min: 3 };

  it('the quality flag of a reading is the worst result of its quality tests', () => {
    expect(
      flagsOf(
        everyFour([
          { avg: 141, max: 160 },
          { avg: 271, max: 280 },
          { avg: 20, max: 451 },
        ]),
      ),
    ).toEqual([3, 4, 4]);
  });

  it('a reading without an average is flagged as missing, unless another of its values fails', () => {
    expect(flagsOf(everyFour([{ max: 8 }, { heading: 361 }, {}, calm]))).toEqual([9, 4, 9, 1]);
  });

  it('a reading fails the quality check for a direction outside 0 to 360 or a speed below 0', () => {
    const odd = [{ heading: -1 }, { heading: 361 }, { min: -1 }, { heading: 0 }, { heading: 360 }];
    expect(flagsOf(everyFour(odd.map((one) => ({ ...calm, ...one }))))).toEqual([4, 4, 4, 1, 1]);
  });

  it('a reading fails the quality check for a lull over the average or an average over the gust, by more than 0.5 km/h', () => {
    const odd = [
      { min: 16.1, avg: 15.6, max: 20 },
      { min: 16.2, avg: 15.6, max: 20 },
      { min: 2, avg: 16.1, max: 15.6 },
      { min: 2, avg: 16.2, max: 15.6 },
    ];
    expect(levelsOf(everyFour(odd), 'order')).toBe('0202');
  });

  it('a reading is flagged as not evaluated if its time is repeated, out of order or in the future', () => {
    const rows = [calm, { ...calm, avg: 6 }, calm, calm].map((row, i) => ({
      ...row,
      time: START_MS + (i < 3 ? 4 : 0) * MINUTE_MS,
    }));
    const future = { ...calm, time: NOW_MS + 1 };
    const readings = [...rows, future, { ...calm, time: START_MS + 8 * MINUTE_MS }];
    expect(flagsOf(readings)).toEqual([1, 2, 2, 2, 2, 1]);
    expect(levelsOf(readings, 'time')).toBe('010120');
  });

  it('the quality tests for spikes and jumps compare no readings more than 15 minutes apart', () => {
    const steps = [{ avg: 5 }, { avg: 95 }, { avg: 5 }];
    const apart = (minutes: number) =>
      steps.map((one, i) => ({ ...one, time: START_MS + i * minutes * MINUTE_MS }));
    expect(levelsOf(apart(15), 'spike')).toBe('020');
    expect(levelsOf(apart(16), 'spike')).toBe('000');
    expect(levelsOf(apart(4), 'rate')).toBe('022');
    expect(levelsOf(apart(16), 'rate')).toBe('000');
  });
});

describe('a flat line', () => {
  const repeat = (count: number, reading: Omit<TestReading, 'time'>) =>
    Array.from({ length: count }, () => reading);
  const flat = (readings: readonly Omit<TestReading, 'time'>[]) =>
    levelsOf(everyFour(readings), 'flat');

  it('averages that stay equal below changing gusts count as a flat line, which is suspect from 1 h and fails from 3 h', () => {
    const stuck = { avg: 7.25, max: 12 };
    const other = { avg: 8, max: 12 };
    expect(flat([other, ...repeat(15, stuck), other])).toBe('0'.repeat(17));
    expect(flat([other, ...repeat(16, stuck), other])).toBe(`0${'1'.repeat(16)}0`);
    expect(flat([other, ...repeat(46, stuck), other])).toBe(`0${'2'.repeat(46)}0`);
  });

  it('equal averages are no flat line while gusts are at most 4 km/h, or where the station reports no gusts', () => {
    expect(flat(repeat(50, { avg: 2, max: 4 }))).toBe('0'.repeat(50));
    expect(flat(repeat(50, { avg: 7 }))).toBe('0'.repeat(50));
  });

  it('a flat line goes on over a missing value, which is not flagged itself', () => {
    const stuck = { avg: 7.25, max: 12 };
    const run = [...repeat(8, stuck), {}, ...repeat(8, stuck)];
    expect(flat(run)).toBe(`${'1'.repeat(8)}0${'1'.repeat(8)}`);
  });

  it('an equal direction in wind counts as a flat line only at a station that reports more than sixteen directions', () => {
    const wind = (i: number, heading: number) => ({ avg: 15 + i / 4, max: 30, heading });
    const fixed = Array.from({ length: 16 }, (_, i) => wind(i, 90));
    expect(flat([wind(1, 22.5), ...fixed])).toBe('0'.repeat(17));
    expect(flat([wind(1, 23), ...fixed])).toBe(`0${'1'.repeat(16)}`);
    expect(flat([wind(1, 23), ...fixed.map((one) => ({ ...one, avg: one.avg - 10 }))])).toMatch(
      /^0+$/,
    );
  });

  it('a calm counts as a flat line with gaps of up to 6 h, is suspect from 48 h and fails from 14 days', () => {
    const calm = (hours: readonly number[]) =>
      hours.map((hour) => ({ avg: 0, max: 0, time: START_MS + hour * HOUR_MS }));
    const every = (count: number, first = 0) => Array.from({ length: count }, (_, i) => first + i);
    expect(levelsOf(calm(every(48)), 'flat')).toBe('0'.repeat(48));
    expect(levelsOf(calm(every(49)), 'flat')).toBe('1'.repeat(49));
    expect(levelsOf(calm([...every(20), ...every(24, 25)]), 'flat')).toBe('1'.repeat(44));
    expect(levelsOf(calm([...every(20), ...every(24, 26)]), 'flat')).toBe('0'.repeat(44));
    expect(levelsOf(calm(every(337)), 'flat')).toBe('2'.repeat(337));
  });
});

/** Readings with values that often repeat or jump, and times that sometimes repeat or go back. */
const anyReadings = fc.array(
  fc.record({
    stepS: fc.constantFrom(240, 240, 240, 240, 300, 1200, 0, -240, 30_000, 200_000),
    times: fc.integer({ min: 1, max: 40 }),
    avg: fc.constantFrom(0, 0, 7, 7, 20, 145, 300, -1, undefined),
    max: fc.constantFrom(0, 0, 12, 12, 40, 500, undefined),
    heading: fc.constantFrom(90, 91, 91, 400, undefined),
  }),
  { maxLength: 25 },
);

function spread(pieces: typeof anyReadings extends fc.Arbitrary<infer T> ? T : never) {
  let time = START_MS;
  return columnsOfReadings(
    pieces.flatMap(({ stepS, times, ...values }) =>
      Array.from({ length: times }, () => {
        time += stepS * 1000;
        return { ...values, time };
      }),
    ),
  );
}

describe('however a series is cut into pieces', () => {
  const anyCuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });
  const placesOf = (cuts: readonly number[], { count }: ReadingColumns): number[] =>
    cuts.map((cut) => Math.floor(cut * count)).sort((a, b) => a - b);

  it('a series of readings gets the same quality flags in whatever pieces it arrives', () => {
    fc.assert(
      fc.property(anyReadings, anyCuts, (pieces, cuts) => {
        const columns = spread(pieces);
        expect(testsOf(columns, placesOf(cuts, columns))).toEqual(testsOf(columns));
      }),
    );
  });

  it('FlaggedBatches returns each batch of readings once, in order, with the flags of its readings', () => {
    fc.assert(
      fc.property(anyReadings, anyCuts, (pieces, cuts) => {
        const columns = spread(pieces);
        const ends = [...placesOf(cuts, columns), columns.count];
        const batches = new FlaggedBatches<number>(NOW_MS);
        const given = ends.flatMap((end, i) =>
          batches.add(i, sliceRows(columns, ends[i - 1] ?? 0, end)),
        );
        given.push(...batches.finish());
        expect(given.map(({ batch }) => batch)).toEqual(ends.map((_, i) => i));
        expect(given.flatMap(({ flags }) => flags)).toEqual(testsOf(columns).map(qualityFlagOf));
      }),
    );
  });

  it('Flagger holds back a reading only until its quality flag can no longer change', () => {
    const steady = everyFour(
      Array.from({ length: 500 }, (_, i) => ({ avg: 10 + (i % 5), max: 20, heading: i % 360 })),
    );
    const flagger = new ReadingFlagger(NOW_MS);
    flagger.add(columnsOfReadings(steady));
    expect(flagger.removeFinal()).toHaveLength(499);
    const calm = everyFour(Array.from({ length: 5100 }, () => ({ avg: 0, max: 0 })));
    const still = new ReadingFlagger(NOW_MS);
    still.add(columnsOfReadings(calm.slice(0, 5000)));
    expect(still.removeFinal()).toHaveLength(0);
    still.add(columnsOfReadings(calm.slice(5000)));
    expect(still.removeFinal()).toHaveLength(5099);
  });
});
