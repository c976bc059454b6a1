/** What a condition is held against; null is not known. */
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
  readonly state: 'on' | 'off' | 'unknown';
  /** Change of the average. */
  readonly trendKmhPerHour: number | null;
}

/** What a condition can ask about. */
export type Field = 'avg' | 'max' | 'min' | 'gust_factor' | 'dir' | 'age' | 'state' | 'trend';
