import type { ReadingColumns } from '../readings/columns.ts';
import { type FaultLevel, QUALITY_FLAGS, type QualityFlag } from './limits.ts';

/** The tests of single readings. The test `time` does not affect the flag. */
export const READING_TESTS = ['range', 'order', 'rate', 'spike', 'flat', 'time'] as const;

/**
 * A reading with its test results. Speeds are in km/h, directions in degrees, and missing values
 * NaN.
 */
export interface TestedReading extends Record<(typeof READING_TESTS)[number], FaultLevel> {
  readonly ms: number;
  readonly lull: number;
  readonly average: number;
  readonly gust: number;
  readonly heading: number;
  /** False for a reading in the future or out of order: only its time is tested. */
  isTested: boolean;
}

/** The flag of a reading, from its worst test result. */
export function qualityFlagOf(reading: TestedReading): QualityFlag {
  const { range, order, rate, spike, flat } = reading;
  const level = Math.max(range, order, rate, spike, flat);
  if (level > 0) return level === 2 ? QUALITY_FLAGS.fail : QUALITY_FLAGS.suspect;
  if (!reading.isTested) return QUALITY_FLAGS.notEvaluated;
  return Number.isNaN(reading.average) ? QUALITY_FLAGS.missing : QUALITY_FLAGS.pass;
}

/** Reads a row of columns as a reading without test results. */
export function testedReadingAt(columns: ReadingColumns, row: number): TestedReading {
  return {
    ms: columns.time[row] as number,
    lull: columns.windSpeedMin[row] as number,
    average: columns.windSpeedAvg[row] as number,
    gust: columns.windSpeedMax[row] as number,
    heading: columns.windHeading[row] as number,
    isTested: true,
    ...{ range: 0, order: 0, rate: 0, spike: 0, flat: 0, time: 0 },
  };
}
