import {
  type Group,
  Statistics,
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
): Group[] {
  const statistics = new Statistics(optionsOf(options, readings.length));
  statistics.add(columnsOfReadings(readings));
  return statistics.groups();
}

export function summaryOf(
  readings: readonly TestReading[],
  options: Partial<StatisticsOptions> = {},
): WindSummary {
  return (groupsOf(readings, options)[0] as Group).summary;
}

/** Times from the start, one every five minutes. */
export function times(count: number, start = START_MS, stepMs = STEP_MS): number[] {
  return Array.from({ length: count }, (_, i) => start + i * stepMs);
}
