import type { Counted } from './counts.ts';

/** Least number of values for a fit; fewer values say nothing of a distribution. */
const LEAST_VALUES = 20;

/** Most iterations of Newton's method: it takes about six, unless rounding keeps it from ending. */
const MOST_STEPS = 100;

/** Shape and scale of a Weibull distribution, F(v) = 1 − exp(−(v/a)ᵏ). */
export interface Weibull {
  readonly k: number;
  /** Scale, in the unit of the values. */
  readonly a: number;
}

/**
 * The Weibull distribution of greatest likelihood of the values above 0: Newton's method on
 * 1/k = Σvᵏ ln v / Σvᵏ − mean(ln v), then a = mean(vᵏ)^(1/k) (Seguro and Lambert, Modern estimation
 * of the parameters of the Weibull wind speed distribution, Journal of Wind Engineering and
 * Industrial Aerodynamics 85, 2000).
 * @returns undefined for fewer than 20 values above 0, and where all are equal
 */
export function fitWeibull({ values, counts }: Counted): Weibull | undefined {
  const from = values.findIndex((value) => value > 0);
  const weights = from < 0 ? counts.subarray(0, 0) : counts.subarray(from);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total < LEAST_VALUES || weights.length < 2) return undefined;
  // Values are divided by the greatest one before taking logarithms, so that no power exceeds 1.
  const greatest = values.at(-1) as number;
  const logs = values.subarray(from).map((value) => Math.log(value / greatest));
  const average = (of: (log: number) => number): number =>
    logs.reduce((sum, log, i) => sum + (weights[i] as number) * of(log), 0) / total;
  const meanLog = average((log) => log);
  const spread = Math.sqrt(average((log) => (log - meanLog) ** 2));
  // The logarithms of values of a Weibull distribution have the standard deviation π/(k√6).
  const k = solve(Math.PI / Math.sqrt(6) / spread, logs, weights, meanLog);
  const a = greatest * average((log) => Math.exp(k * log)) ** (1 / k);
  return Number.isFinite(k) && Number.isFinite(a) ? { k, a } : undefined;
}

/** Newton's method on f(k) = Σvᵏ ln v / Σvᵏ − mean(ln v) − 1/k, which rises everywhere. */
function solve(guess: number, logs: Float64Array, weights: Float64Array, meanLog: number): number {
  let k = guess;
  for (let step = 0; step < MOST_STEPS; step++) {
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
    // Keep the shape k above 0: an iteration that would end below 0 halves k instead.
    k = next > 0 ? next : k / 2;
    if (isDone) break;
  }
  return k;
}
