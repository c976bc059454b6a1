import { calendar } from './calendar.ts';
import type { Period } from './period.ts';
import type { SplitUnit } from './splitUnit.ts';

/** A stretch of a period that goes into one file. */
export interface Part {
  readonly period: Period;
  /** The year, 0 to 9999, and month, 1 to 12, in UTC that it begins in. */
  readonly year: number;
  readonly month: number;
}

/**
 * Cuts a period where a year or month begins in UTC; without a unit it is one part. An empty
 * period is one empty part. Lazy, like planChunks.
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
