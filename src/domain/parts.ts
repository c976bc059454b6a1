import { calendar } from './calendar.ts';
import type { Period } from './period.ts';

/** Calendar units that `--split` cuts an export by. */
export const SPLIT_UNITS = ['year', 'month'] as const;
export type SplitUnit = (typeof SPLIT_UNITS)[number];

/** The part of a period that goes into one file. */
export interface Part {
  readonly period: Period;
  /** Year (0 to 9999) and month (1 to 12) in UTC at the start of the part. */
  readonly year: number;
  readonly month: number;
}

/**
 * Cuts a period where a year or month begins in UTC. Without a unit the period is one part; an
 * empty period is one empty part. Lazy, like planChunks.
 */
export function* splitPeriod(
  { start, stop }: Period,
  unit: SplitUnit | undefined,
): Generator<Part> {
  let from = start;
  do {
    const begin = calendar().DateTime.fromMillis(from, { zone: 'utc' });
    const next = unit
      ? begin
          .startOf(unit)
          .plus({ [unit]: 1 })
          .toMillis()
      : stop;
    const to = Math.min(next, stop);
    yield { period: { start: from, stop: to }, year: begin.year, month: begin.month };
    from = to;
  } while (from < stop);
}
