import { expect } from 'vitest';
import { joinWindReadings, windReadingsOf } from '../../src/statistics/readings.ts';
import {
  computeStatistics,
  type GroupStatistics,
  type StatisticsOptions,
  type WindSummary,
} from '../../src/statistics/statistics.ts';
import { columnsOfReadings, type TestReading } from '../support/columns.ts';

export const START_MS = Date.parse('2024-05-01T00:00:00Z');
export const STEP_MS = 300_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Options of one group for as many readings, one every five minutes. */
export function optionsOf(
  options: Partial<StatisticsOptions> = {},
  readings = 1,
): StatisticsOptions {
  return {
    period: { start: START_MS, stop: START_MS + readings * STEP_MS },
    zone: 'utc',
    by: [],
    calmKmh: 1,
    sectors: 16,
    classesKmh: undefined,
    where: undefined,
    ...options,
  };
}

export function groupsOf(
  readings: readonly TestReading[],
  options: Partial<StatisticsOptions> = {},
): GroupStatistics[] {
  return groupsOfChunks([readings], optionsOf(options, readings.length));
}

/** The groups of readings in chunks, each in order of time. */
export function groupsOfChunks(
  chunks: readonly (readonly TestReading[])[],
  options: StatisticsOptions,
): GroupStatistics[] {
  const parts = chunks.map((chunk) => windReadingsOf(columnsOfReadings(chunk), options));
  return computeStatistics(joinWindReadings(parts), options);
}

export function summaryOf(
  readings: readonly TestReading[],
  options: Partial<StatisticsOptions> = {},
): WindSummary {
  return (groupsOf(readings, options)[0] as GroupStatistics).summary;
}

/** Times from the start, one every five minutes. */
export function times(count: number, start = START_MS, stepMs = STEP_MS): number[] {
  return Array.from({ length: count }, (_, i) => start + i * stepMs);
}

/** Numbers of [0, 1) by the linear congruential generator of stations.py and of sectors.py. */
export function drawsOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Station {
  readonly days: number;
  readonly steps: readonly number[];
  readonly gaps: readonly (readonly number[])[];
}

/** The slots of stations.py: number, second since the start, and whether in a gap. */
export function* slotsOf({ days, steps, gaps }: Station): Generator<[number, number, boolean]> {
  const stop = days * 86_400;
  for (let at = 0, slot = 0; at < stop; slot++) {
    yield [slot, at, gaps.some(([first = 0, end = 0]) => slot >= first && slot < end)];
    at += steps[Math.min(steps.length - 1, Math.floor((at * steps.length) / stop))] as number;
  }
}

/** Compares numbers, lists of numbers and null by their names, to a relative 1e-6 or `digits`. */
export function expectNear(
  summary: WindSummary,
  expected: Readonly<Record<string, unknown>>,
  digits = 1e-6,
): void {
  for (const [name, value] of Object.entries(expected)) {
    const actual = [summary[name as keyof WindSummary]].flat() as number[];
    [value].flat().forEach((figure, i) => {
      const deviation = Math.abs((actual[i] as number) - Number(figure));
      expect(deviation, `${name} ${actual} against ${value}`).toBeLessThanOrEqual(
        digits * Math.max(1, Math.abs(Number(figure))),
      );
    });
  }
}
