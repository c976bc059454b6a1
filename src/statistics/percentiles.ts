import type { Counted } from './counts.ts';

export const PERCENTILES = [5, 10, 25, 50, 75, 90, 95, 99] as const;

/**
 * Percentiles by linear interpolation between the two nearest values: definition 7 of Hyndman and
 * Fan, Sample Quantiles in Statistical Packages, The American Statistician 50 (1996), which NumPy,
 * R, DuckDB (`quantile_cont`) and Spark (`percentile`) use too.
 * @param ranks per cents in ascending order
 * @returns the percentile of each rank; nulls where there are no values
 */
export function percentiles(
  { values, counts, total }: Counted,
  ranks: readonly number[],
): (number | null)[] {
  if (total === 0) return ranks.map(() => null);
  let at = 0;
  /** How many values lie up to place `at` of the distinct values, equal values counted each. */
  let count = counts[0] as number;
  return ranks.map((rank) => {
    const position = ((total - 1) * rank) / 100;
    const lower = Math.floor(position);
    while (count <= lower) count += counts[++at] as number;
    const value = values[at] as number;
    if (lower === position || count > lower + 1) return value;
    return value + (position - lower) * ((values[at + 1] as number) - value);
  });
}

/** The median: the middle value or the mean of the two middle values; null without a value. */
export function median(counted: Counted): number | null {
  return percentiles(counted, [50])[0] as number | null;
}
