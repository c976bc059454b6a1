import type { Columns } from '../domain/columns.ts';
import { ValueCounts } from './counts.ts';
import type { Coverage } from './coverage.ts';
import { Vectors, yamartino } from './direction.ts';
import { lowest, placeOfHighest } from './extremes.ts';
import { beaufortShares, mean, powerDensity, shareBelow, standardDeviation } from './moments.ts';
import { median, PERCENTILES, percentiles } from './percentiles.ts';
import { fitWeibull } from './weibull.ts';

/** Least average for a gust factor, km/h; in weaker wind the factor says little. */
const GUST_FACTOR_FROM_KMH = 10;

/**
 * Statistics of one group of a station's readings, speeds in km/h. An unknown value is null, never
 * NaN.
 */
export interface WindSummary extends Coverage {
  /** Number of readings with distinct times. */
  readonly readings: number;
  /** Number of readings without an average speed. */
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
  readonly minLull: number | null;
  /** Percentiles of the average and of the gust, in the order of {@link PERCENTILES}. */
  readonly percentiles: readonly (number | null)[];
  readonly gustPercentiles: readonly (number | null)[];
  /** Share of calm readings among all readings with an average, 0 to 1. */
  readonly calm: number | null;
  readonly vectorSpeed: number | null;
  readonly vectorDirection: number | null;
  readonly prevailingDirection: number | null;
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
  #minLull = Number.POSITIVE_INFINITY;
  readonly #averages = new ValueCounts();
  readonly #gusts = new ValueCounts();
  readonly #gustFactors = new ValueCounts(0.0001);
  readonly #vectors = new Vectors();

  constructor(calmKmh: number) {
    this.#calmKmh = calmKmh;
  }

  /** Adds readings in order of time. */
  add(columns: Columns): void {
    const { count, time, windSpeedMin, windSpeedAvg, windSpeedMax } = columns;
    if (count === 0) return;
    this.#readings += count;
    this.#first = Math.min(this.#first, time[0] as number);
    this.#last = Math.max(this.#last, time[count - 1] as number);
    this.#minLull = Math.min(this.#minLull, lowest(windSpeedMin, count));
    const place = placeOfHighest(windSpeedMax, count);
    if (place >= 0) this.#raise(windSpeedMax[place] as number, time[place] as number);
    this.#averages.addAll(windSpeedAvg, count);
    this.#gusts.addAll(windSpeedMax, count);
    this.#gustFactors.addAll(gustFactors(columns), count);
    this.#vectors.add(columns, this.#calmKmh);
  }

  /** Keeps the highest gust so far, with the first time at which it came. */
  #raise(gust: number, time: number): void {
    if (gust < this.#maxGust) return;
    this.#maxGustAt = gust > this.#maxGust ? time : Math.min(this.#maxGustAt, time);
    this.#maxGust = gust;
  }

  merge(other: Wind): void {
    this.#readings += other.#readings;
    this.#first = Math.min(this.#first, other.#first);
    this.#last = Math.max(this.#last, other.#last);
    this.#raise(other.#maxGust, other.#maxGustAt);
    this.#minLull = Math.min(this.#minLull, other.#minLull);
    this.#averages.merge(other.#averages);
    this.#gusts.merge(other.#gusts);
    this.#gustFactors.merge(other.#gustFactors);
    this.#vectors.merge(other.#vectors);
  }

  summary(coverage: Coverage): WindSummary {
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
      ...coverage,
      mean: finite(meanSpeed),
      std: finite(standardDeviation(averages)),
      min: finite(averages.values[0]),
      max: finite(averages.values.at(-1)),
      maxGust: finite(this.#maxGust),
      maxGustAt: finite(this.#maxGustAt),
      minLull: finite(this.#minLull),
      percentiles: percentiles(averages, PERCENTILES).map(finite),
      gustPercentiles: percentiles(this.#gusts.sorted(), PERCENTILES).map(finite),
      calm: shareBelow(averages, this.#calmKmh),
      vectorSpeed: finite(resultant?.length),
      vectorDirection: finite(resultant?.direction),
      prevailingDirection: finite(unit?.direction),
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

/** Gust divided by average of each reading; NaN for averages below 10 km/h and unknown speeds. */
function gustFactors({ count, windSpeedAvg, windSpeedMax }: Columns): Float64Array {
  const factors = new Float64Array(count);
  for (let row = 0; row < count; row++) {
    const average = windSpeedAvg[row] as number;
    factors[row] =
      average >= GUST_FACTOR_FROM_KMH ? (windSpeedMax[row] as number) / average : Number.NaN;
  }
  return factors;
}

/** A number, or null where it is unknown or Infinity, the sum of absurdly great speeds. */
function finite(value: number | null | undefined): number | null {
  return value !== null && Number.isFinite(value) ? (value as number) : null;
}
