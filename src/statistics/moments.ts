import { beaufort } from '../domain/units.ts';
import type { Counted } from './counts.ts';

/** Density of air at sea level in the International Standard Atmosphere (ISO 2533:1975), kg/m³. */
const AIR_DENSITY = 1.225;

const KMH_PER_MS = 3.6;

/** The mean of `of(value)` over all values; null without a value. */
export function meanOf(
  { values, counts, total }: Counted,
  of: (value: number) => number,
): number | null {
  if (total === 0) return null;
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += (counts[i] as number) * of(values[i] as number);
  return sum / total;
}

/** Arithmetic mean; null without a value. */
export function mean(counted: Counted): number | null {
  return meanOf(counted, (value) => value);
}

/** Population standard deviation, √(Σ(v − mean)² / n); null without a value. */
export function standardDeviation(counted: Counted): number | null {
  const centre = mean(counted);
  if (centre === null) return null;
  return Math.sqrt(meanOf(counted, (value) => (value - centre) ** 2) as number);
}

/** The share of values below a bound, 0 to 1; null without a value. */
export function shareBelow(counted: Counted, bound: number): number | null {
  return meanOf(counted, (value) => (value < bound ? 1 : 0));
}

/**
 * Mean power of the wind through an area, ½ · ρ · mean(v³) (Manwell, McGowan and Rogers, Wind
 * Energy Explained, 2009, section 2.3), of speeds in km/h.
 * @returns W/m²; null without a value
 */
export function powerDensity(counted: Counted): number | null {
  const cube = meanOf(counted, (speedKmh) => (speedKmh / KMH_PER_MS) ** 3);
  return cube === null ? null : 0.5 * AIR_DENSITY * cube;
}

/** Shares of the Beaufort forces 0 to 12 among speeds in km/h, each 0 to 1; null without speeds. */
export function beaufortShares({ values, counts, total }: Counted): number[] | null {
  if (total === 0) return null;
  const shares = new Array<number>(13).fill(0);
  values.forEach((speedKmh, i) => {
    shares[beaufort(speedKmh)] = (shares[beaufort(speedKmh)] as number) + (counts[i] as number);
  });
  return shares.map((count) => count / total);
}
