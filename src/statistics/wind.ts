import { countValues } from './counts.ts';
import type { Coverage } from './coverage.ts';
import { WindVectorSums, yamartinoDeviation } from './direction.ts';
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
import type { WindColumns } from './readings.ts';

/** Minimum average for a gust factor, km/h. In weaker wind it says little. */
const GUST_FACTOR_FROM_KMH = 10;

/**
 * The statistics of one group of a station's readings. Speeds are in km/h. An unknown value is
 * null, never NaN.
 */
export interface WindSummary extends Coverage {
  /** Number of readings without an average; 0 for a sector. */
  readonly missing: number;
  /** Times of the first and the last reading, milliseconds since 1970. */
  readonly first: number | null;
  readonly last: number | null;
  /** Mean, population standard deviation and extremes of the average speed, including calms. */
  readonly mean: number | null;
  readonly std: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly maxGust: number | null;
  /** Time of the highest gust, the first among equals, milliseconds since 1970. */
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
  /** Length of the mean unit vector of directions, 0 to 1. */
  readonly directionLength: number | null;
  readonly steadiness: number | null;
  readonly directionStd: number | null;
  /** Median of gust divided by average, for averages of at least 10 km/h. */
  readonly gustFactor: number | null;
  readonly weibullK: number | null;
  readonly weibullA: number | null;
  /** Mean wind power per area, W/m². */
  readonly powerDensity: number | null;
  /** Shares of the Beaufort forces 0 to 12, each 0 to 1. */
  readonly beaufort: readonly number[] | null;
}

/**
 * Summarizes readings, which must be in order of time.
 * @param covered the coverage of the group, in all sectors
 * @param calmKmh a reading with a lower average is calm
 * @param parts the weight of each reading, above 0 to 1; by default 1
 */
export function summarizeWind(
  wind: WindColumns,
  covered: Coverage,
  calmKmh: number,
  parts?: Float64Array,
): WindSummary {
  const { time, windSpeedAvg, windSpeedMax, windHeading } = wind;
  const readings = parts ? parts.reduce((sum, part) => sum + part, 0) : time.length;
  const averages = countValues(windSpeedAvg, parts);
  const meanSpeed = mean(averages);
  const vectors = new WindVectorSums();
  for (let row = 0; row < time.length; row++) {
    const [speed, heading] = [windSpeedAvg[row] as number, windHeading[row] as number];
    vectors.add(speed, heading, calmKmh, parts?.[row]);
  }
  const resultant = vectors.resultant();
  const unit = vectors.unit();
  const weibull = fitWeibull(averages);
  const highest = highestOf(windSpeedMax);
  return {
    readings,
    missing: readings - averages.total,
    first: finite(time[0]),
    last: finite(time.at(-1)),
    stepS: covered.stepS,
    coverage: covered.coverage,
    gaps: covered.gaps,
    longestGap: covered.longestGap,
    mean: finite(meanSpeed),
    std: finite(standardDeviation(averages)),
    min: finite(averages.values[0]),
    max: finite(averages.values.at(-1)),
    maxGust: finite(windSpeedMax[highest]),
    maxGustAt: finite(time[highest]),
    maxGustDirection: finite(windHeading[highest]),
    minLull: finite(lowestOf(wind.windSpeedMin)),
    percentiles: percentiles(averages, PERCENTILES).map(finite),
    gustPercentiles: percentiles(countValues(windSpeedMax, parts), PERCENTILES).map(finite),
    calm: shareBelow(averages, calmKmh),
    vectorSpeed: finite(resultant?.length),
    vectorDirection: finite(resultant?.direction),
    prevailingDirection: finite(unit?.direction),
    directionLength: finite(unit?.length),
    steadiness: finite(resultant && meanSpeed ? resultant.length / meanSpeed : null),
    directionStd: unit ? yamartinoDeviation(unit.length) : null,
    gustFactor: finite(median(countValues(gustFactors(wind), parts))),
    weibullK: weibull?.k ?? null,
    weibullA: weibull?.a ?? null,
    powerDensity: finite(powerDensity(averages)),
    beaufort: beaufortShares(averages),
  };
}

/** The index of the highest value, the first among equals; -1 without values. */
function highestOf(values: Float64Array): number {
  let highest = -1;
  for (let row = 0; row < values.length; row++) {
    const value = values[row] as number;
    if (value > ((values[highest] as number | undefined) ?? Number.NEGATIVE_INFINITY))
      highest = row;
  }
  return highest;
}

function lowestOf(values: Float64Array): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (const value of values) if (value < lowest) lowest = value;
  return lowest;
}

/** The gust factor of each reading; NaN in weak wind. */
function gustFactors({ windSpeedAvg, windSpeedMax }: WindColumns): Float64Array {
  return windSpeedAvg.map((average, row) =>
    average >= GUST_FACTOR_FROM_KMH ? (windSpeedMax[row] as number) / average : Number.NaN,
  );
}

/**
 * Replaces an unknown number by null, and also Infinity, which is the sum of absurdly high speeds.
 */
function finite(value: number | null | undefined): number | null {
  return value !== null && Number.isFinite(value) ? (value as number) : null;
}
