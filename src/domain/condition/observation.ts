import type { State } from '../selection.ts';

/** The values that a condition is tested against; null is not known. */
export interface Observation {
  readonly avgKmh: number | null;
  readonly maxKmh: number | null;
  readonly minKmh: number | null;
  /** Maximum over average. */
  readonly gustFactor: number | null;
  /** Degrees the wind comes from. */
  readonly dirDeg: number | null;
  /** Since the measurement. */
  readonly ageMs: number | null;
  readonly state: State;
  /** Change of the average. */
  readonly trendKmhPerHour: number | null;
}
