import { describe, expect, it } from 'vitest';
import type { TestReading } from '../support/columns.ts';
import { drawsOf, expectNear, START_MS, STEP_MS, summaryOf } from './support.ts';
import vectors from './vectors.json' with { type: 'json' };

const everyStep = (readings: readonly Omit<TestReading, 'time'>[]): TestReading[] =>
  readings.map((reading, i) => ({ ...reading, time: START_MS + i * STEP_MS }));

describe('statistics give the figures of SciPy 1.17', () => {
  it('the statistics of four directions with their speeds equal those of SciPy 1.17', () => {
    const headings = [350, 10, 30, 340];
    const winds = [2, 4, 6, 8].map((avg, i) => ({ avg, heading: headings[i] }));
    expectNear(
      summaryOf(everyStep(winds)),
      {
        vectorDirection: 1.8796,
        vectorSpeed: 4.658141,
        mean: 5,
        steadiness: 0.931628,
        prevailingDirection: 2.39616,
        directionStd: 19.2552,
      },
      5e-6,
    );
  });

  it('the statistics of twenty speeds in m/s equal those of SciPy 1.17', () => {
    const speeds = [1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 6, 6, 7, 8, 9, 10, 12];
    const summary = summaryOf(everyStep(speeds.map((speed) => ({ avg: 3.6 * speed }))));
    const [p5, , p25, p50, p75, , p95] = summary.percentiles.map((kmh) => (kmh as number) / 3.6);
    expect([p5, p25, p50, p75, p95].map((speed) => speed?.toFixed(6))).toEqual([
      '1.950000',
      '3.000000',
      '4.500000',
      '6.250000',
      '10.100000',
    ]);
    expectNear(summary, {
      mean: 5.15 * 3.6,
      std: 2.779838 * 3.6,
      weibullK: 1.966146,
      weibullA: 5.829486 * 3.6,
      powerDensity: 167.6106,
    });
  });

  it('the statistics of directions spread all around, which have no mean direction, equal those of SciPy 1.17', () => {
    const winds = Array.from({ length: 16 }, (_, i) => ({ avg: 10, heading: 22.5 * i }));
    const summary = summaryOf(everyStep(winds));
    expect(summary.vectorDirection).toBeNull();
    expect(summary.prevailingDirection).toBeNull();
    expect(summary.vectorSpeed).toBeCloseTo(0, 9);
    expect(summary.steadiness).toBeCloseTo(0, 9);
    // asin(1) · 2/√3 in degrees, the greatest value of Yamartino's formula.
    expect(summary.directionStd).toBeCloseTo(103.923, 3);
  });

  it.each(vectors)(
    'the statistics of $readings random readings equal those of SciPy 1.17',
    ({ readings, seed, summary }) => {
      const actual = summaryOf(everyStep(randomWinds(readings, seed)));
      expectNear(actual, summary, 1e-9);
    },
  );
});

/** The readings of vectors.py. */
function randomWinds(count: number, seed: number): Omit<TestReading, 'time'>[] {
  const next = drawsOf(seed);
  return Array.from({ length: count }, () => {
    const avg = Math.round(9.5 * (-Math.log(1 - next())) ** (1 / 1.8) * 4) / 4;
    const max = Math.round(avg * (1.2 + next()) * 4) / 4;
    return { avg, max, heading: Math.floor(360 * next() ** 2) };
  });
}
