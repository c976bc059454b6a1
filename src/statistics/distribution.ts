import { beaufortForce } from '../domain/units.ts';
import type { ValueCounts } from './counts.ts';

export const PERCENTILES = [5, 10, 25, 50, 75, 90, 95, 99] as const;

/** Density of air at sea level in the International Standard Atmosphere (ISO 2533:1975), kg/m³. */
const AIR_DENSITY = 1.225;

const KMH_PER_MS = 3.6;

/** Above the rounding error of sums of fractional counts. */
const TINY = 1e-6;

/** Minimum number of values for a fit. */
const MIN_VALUES = 20;

/** Maximum number of iterations of Newton's method, which normally takes about six. */
const MAX_ITERATIONS = 100;

/** The mean of `of(value)` over all values; null without values. */
export function meanOf(
  { values, counts, total }: ValueCounts,
  of: (value: number) => number,
): number | null {
  if (total === 0) return null;
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += (counts[i] as number) * of(values[i] as number);
  return sum / total;
}

/** Arithmetic mean; null without values. */
export function mean(counted: ValueCounts): number | null {
  return meanOf(counted, (value) => value);
}

/** Population standard deviation, √(Σ(v − mean)² / n); null without values. */
export function standardDeviation(counted: ValueCounts): number | null {
  const centre = mean(counted);
  if (centre === null) return null;
  return Math.sqrt(meanOf(counted, (value) => (value - centre) ** 2) as number);
}

/** The share of values below a bound, 0 to 1; null without values. */
export function shareBelow(counted: ValueCounts, bound: number): number | null {
  return meanOf(counted, (value) => (value < bound ? 1 : 0));
}

/**
 * Percentiles by linear interpolation between the two nearest values: definition 7 of Hyndman and
 * Fan, Sample Quantiles in Statistical Packages, The American Statistician 50 (1996), as in NumPy,
 * R, DuckDB (`quantile_cont`) and Spark (`percentile`). Counts may be fractions.
 * @param ranks percentages in ascending order
 * @returns the percentile of each rank; nulls without values
 */
export function percentiles(
  { values, counts, total }: ValueCounts,
  ranks: readonly number[],
): (number | null)[] {
  if (total === 0) return ranks.map(() => null);
  let at = 0;
  /**
   * The number of all values, including equal ones, up to the distinct value with the index `at`.
   */
  let count = counts[0] as number;
  return ranks.map((rank) => {
    const position = ((total - 1) * rank) / 100;
    const lower = Math.floor(position);
    while (count <= lower + TINY) count += counts[++at] as number;
    const value = values[at] as number;
    if (lower === position) return value;
    let [above, countAbove] = [at, count];
    while (countAbove <= lower + 1 + TINY && above + 1 < values.length) {
      countAbove += counts[++above] as number;
    }
    return value + (position - lower) * ((values[above] as number) - value);
  });
}

/** The median: the middle value, or the mean of the two middle ones; null without values. */
export function median(counted: ValueCounts): number | null {
  return percentiles(counted, [50])[0] as number | null;
}

/**
 * Mean wind power per area, ½ · ρ · mean(v³) (Manwell, McGowan and Rogers, Wind Energy Explained,
 * 2009, section 2.3). Speeds are in km/h.
 * @returns W/m²; null without values
 */
export function powerDensity(counted: ValueCounts): number | null {
  const cube = meanOf(counted, (speedKmh) => (speedKmh / KMH_PER_MS) ** 3);
  return cube === null ? null : 0.5 * AIR_DENSITY * cube;
}

/**
 * The shares of the Beaufort forces 0 to 12 among speeds in km/h, each 0 to 1; null without speeds.
 */
export function beaufortShares({ values, counts, total }: ValueCounts): number[] | null {
  if (total === 0) return null;
  const shares = new Array<number>(13).fill(0);
  values.forEach((speedKmh, i) => {
    shares[beaufortForce(speedKmh)] =
      (shares[beaufortForce(speedKmh)] as number) + (counts[i] as number);
  });
  return shares.map((count) => count / total);
}

/**
 * Parameters of a Weibull distribution, F(v) = 1 − exp(−(v/a)ᵏ): the shape `k` and the scale `a`.
 */
interface WeibullParameters {
  readonly k: number;
  /** Scale, in the unit of the values. */
  readonly a: number;
}

/**
 * Fits a Weibull distribution to the values above 0 by maximum likelihood: Newton's method for 1/k
 * = Σvᵏ ln v / Σvᵏ − mean(ln v), then a = mean(vᵏ)^(1/k) (Seguro and Lambert, Modern estimation of
 * the parameters of the Weibull wind speed distribution, Journal of Wind Engineering and Industrial
 * Aerodynamics 85, 2000).
 * @returns undefined for fewer than 20 values above 0, and if all are equal
 */
export function fitWeibull({ values, counts }: ValueCounts): WeibullParameters | undefined {
  const from = values.findIndex((value) => value > 0);
  const weights = from < 0 ? counts.subarray(0, 0) : counts.subarray(from);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total < MIN_VALUES || weights.length < 2) return undefined;
  // Divide values by the greatest one, so that no power exceeds 1.
  const greatest = values.at(-1) as number;
  const logs = values.subarray(from).map((value) => Math.log(value / greatest));
  const average = (of: (log: number) => number): number =>
    logs.reduce((sum, log, i) => sum + (weights[i] as number) * of(log), 0) / total;
  const meanLog = average((log) => log);
  const spread = Math.sqrt(average((log) => (log - meanLog) ** 2));
  // Start with the k for which the logarithms of a Weibull distribution have this standard
  // deviation, π/(k√6).
  const k = solve(Math.PI / Math.sqrt(6) / spread, logs, weights, meanLog);
  const a = greatest * average((log) => Math.exp(k * log)) ** (1 / k);
  return Number.isFinite(k) && Number.isFinite(a) ? { k, a } : undefined;
}

/** Newton's method for f(k) = Σvᵏ ln v / Σvᵏ − mean(ln v) − 1/k, which increases everywhere. */
function solve(guess: number, logs: Float64Array, weights: Float64Array, meanLog: number): number {
  let k = guess;
  for (let step = 0; step < MAX_ITERATIONS; step++) {
    let [sum, first, second] = [0, 0, 0];
    for (let i = 0; i < logs.length; i++) {
      const log = logs[i] as number;
      const power = (weights[i] as number) * Math.exp(k * log);
      sum += power;
      first += power * log;
      second += power * log * log;
    }
    const centre = first / sum;
    const value = centre - meanLog - 1 / k;
    const slope = second / sum - centre * centre + 1 / (k * k);
    const next = k - value / slope;
    const isDone = Math.abs(next - k) <= 1e-14 * k;
    // Keep the shape k positive: if an iteration would end at or below 0, halve k instead.
    k = next > 0 ? next : k / 2;
    if (isDone) break;
  }
  return k;
}
