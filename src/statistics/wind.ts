import type { Columns } from '../domain/readings/columns.ts';
import { ValueCounts } from './counts.ts';
import type { Coverage } from './coverage.ts';
import { Vectors, yamartino } from './direction.ts';
import {
  beaufortShares,
  fitWeibull,
  mean,
  median,
  PERCENTILES,
  percentiles,
  powerDensity,
  shareBelow,
  standardDeviation,
} from './distribution.ts';

/** Least average for a gust factor, km/h; in weaker wind the factor says little. */
const GUST_FACTOR_FROM_KMH = 10;

/**
 * Statistics of one group of a station's readings, speeds in km/h. An unknown value is null, never
 * NaN.
 */
export interface WindSummary extends Coverage {
  /** Number of readings without an average speed; in a group of one sector 0. */
  readonly missing: number;
  /** Times of the first and the last reading, milliseconds since 1970. */
  readonly first: number | null;
  readonly last: number | null;
  /** Mean, population standard deviation and extremes of the average speed, calms included. */
  readonly mean: number | null;
  readonly std: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly maxGust: number | null;
  /** Time of the highest gust, of equals the first, milliseconds since 1970. */
  readonly maxGustAt: number | null;
  /** Direction of the reading with the highest gust, degrees. */
  readonly maxGustDirection: number | null;
  readonly minLull: number | null;
  /** Percentiles of the average and of the gust, in the order of {@link PERCENTILES}. */
  readonly percentiles: readonly (number | null)[];
  readonly gustPercentiles: readonly (number | null)[];
  /** Share of calm readings among all readings with an average, 0 to 1. */
  readonly calm: number | null;
  readonly vectorSpeed: number | null;
  readonly vectorDirection: number | null;
  readonly prevailingDirection: number | null;
  /** Length of the mean of vectors of length 1 with the directions of the readings, 0 to 1. */
  readonly directionLength: number | null;
  readonly steadiness: number | null;
  readonly directionStd: number | null;
  /** Median of gust divided by average, over readings with an average of 10 km/h or more. */
  readonly gustFactor: number | null;
  readonly weibullK: number | null;
  readonly weibullA: number | null;
  /** Mean power of the wind through an area, W/m². */
  readonly powerDensity: number | null;
  /** Shares of the Beaufort forces 0 to 12, each 0 to 1. */
  readonly beaufort: readonly number[] | null;
}

/** Collects the readings of one group and computes their statistics. */
export class Wind {
  readonly #calmKmh: number;
  #readings = 0;
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;
  #maxGust = Number.NEGATIVE_INFINITY;
  #maxGustAt = Number.POSITIVE_INFINITY;
  #maxGustDirection = Number.NaN;
  #minLull = Number.POSITIVE_INFINITY;
  readonly #averages = new ValueCounts();
  readonly #gusts = new ValueCounts();
  readonly #gustFactors = new ValueCounts(0.0001);
  readonly #vectors = new Vectors();

  constructor(calmKmh: number) {
    this.#calmKmh = calmKmh;
  }

  /**
   * Adds readings in order of time.
   * @param parts the part of each reading that counts, above 0 to 1; without it readings count whole
   */
  add(columns: Columns, parts?: Float64Array): void {
    const { count, time, windSpeedMin, windSpeedAvg, windSpeedMax, windHeading } = columns;
    if (count === 0) return;
    this.#first = Math.min(this.#first, time[0] as number);
    this.#last = Math.max(this.#last, time[count - 1] as number);
    for (let row = 0; row < count; row++) {
      const average = windSpeedAvg[row] as number;
      const gust = windSpeedMax[row] as number;
      const lull = windSpeedMin[row] as number;
      const part = parts?.[row] ?? 1;
      this.#readings += part;
      if (lull < this.#minLull) this.#minLull = lull;
      this.#averages.add(average, part);
      this.#gusts.add(gust, part);
      if (gust >= this.#maxGust) {
        this.#raise(gust, time[row] as number, windHeading[row] as number);
      }
      if (average >= GUST_FACTOR_FROM_KMH) this.#gustFactors.add(gust / average, part);
      this.#vectors.add(average, windHeading[row] as number, this.#calmKmh, part);
    }
  }

  /** Records a gust that is at least as high as the highest so far, with the first time of it. */
  #raise(gust: number, time: number, heading: number): void {
    if (gust === this.#maxGust && time >= this.#maxGustAt) return;
    this.#maxGust = gust;
    this.#maxGustAt = time;
    this.#maxGustDirection = heading;
  }

  /** The statistics of the readings. @param covered the coverage of the group, in all sectors */
  summary(covered: Coverage): WindSummary {
    const averages = this.#averages.sorted();
    const resultant = this.#vectors.resultant();
    const unit = this.#vectors.unit();
    const weibull = fitWeibull(averages);
    const meanSpeed = mean(averages);
    const steadiness = resultant && meanSpeed ? resultant.length / meanSpeed : null;
    return {
      readings: this.#readings,
      missing: this.#readings - averages.total,
      first: finite(this.#first),
      last: finite(this.#last),
      stepS: covered.stepS,
      coverage: covered.coverage,
      gaps: covered.gaps,
      longestGap: covered.longestGap,
      mean: finite(meanSpeed),
      std: finite(standardDeviation(averages)),
      min: finite(averages.values[0]),
      max: finite(averages.values.at(-1)),
      maxGust: finite(this.#maxGust),
      maxGustAt: finite(this.#maxGustAt),
      maxGustDirection: finite(this.#maxGustDirection),
      minLull: finite(this.#minLull),
      percentiles: percentiles(averages, PERCENTILES).map(finite),
      gustPercentiles: percentiles(this.#gusts.sorted(), PERCENTILES).map(finite),
      calm: shareBelow(averages, this.#calmKmh),
      vectorSpeed: finite(resultant?.length),
      vectorDirection: finite(resultant?.direction),
      prevailingDirection: finite(unit?.direction),
      directionLength: finite(unit?.length),
      steadiness: finite(steadiness),
      directionStd: unit ? yamartino(unit.length) : null,
      gustFactor: finite(median(this.#gustFactors.sorted())),
      weibullK: weibull?.k ?? null,
      weibullA: weibull?.a ?? null,
      powerDensity: finite(powerDensity(averages)),
      beaufort: beaufortShares(averages),
    };
  }
}

/** A number, or null where it is unknown or Infinity, the sum of absurdly great speeds. */
function finite(value: number | null | undefined): number | null {
  return value !== null && Number.isFinite(value) ? (value as number) : null;
}
