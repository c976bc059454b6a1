import type { Period } from '../domain/period.ts';
import { WindVectorSums } from './direction.ts';
import type { GroupStatistics, WindSummary } from './statistics.ts';
import { intervalsOf, zoneCalendar } from './zoneCalendar.ts';

/**
 * The gusts, m/s, of which a climate table counts the days, as the climate tables of Météo-France
 * do.
 */
export const STRONG_GUSTS_METRES_PER_S = [16, 28] as const;

/** Least share of a month that readings must cover for the month to count in means over years. */
const MIN_COVERAGE = 0.8;

/** A month of the year, over all years of a period. */
export interface ClimateMonth {
  /** 1 to 12. */
  readonly month: number;
  /** Number of years in which readings cover 80 % of the whole month or more. */
  readonly years: number;
  /** Number of other years, which the means and the direction leave out. */
  readonly leftOut: number;
  /** Mean over the years of each year's mean, km/h; null without a year that counts. */
  readonly mean: number | null;
  /** The direction of the mean over the years of each year's mean of vectors of length 1. */
  readonly prevailingDirection: number | null;
  /** The year with the highest gust, which may be one left out; of equals the first. */
  readonly highest: WindSummary | undefined;
  /** Mean over the years of the number of days with each of {@link STRONG_GUSTS_METRES_PER_S} or more. */
  readonly strongGustDays: readonly (number | null)[];
  /** Share of the whole months, of all years, that readings cover, 0 to 1. */
  readonly coverage: number | null;
}

/** A month of one year. */
interface Month extends GroupStatistics {
  readonly lengthMs: number;
  readonly coveredMs: number;
}

/**
 * The climate table of a station: each year counts alike in the means, however many readings it has.
 * @param groups the months of the period, with exceedances of {@link STRONG_GUSTS_METRES_PER_S}
 */
export function computeClimate(
  groups: readonly GroupStatistics[],
  period: Period,
  zone: string,
): readonly ClimateMonth[] {
  const { intervalAt } = zoneCalendar(zone);
  const years = Array.from({ length: 12 }, (): Month[] => []);
  let place = 0;
  for (const { start, stop } of intervalsOf((ms) => intervalAt('month', ms), period)) {
    const group = groups[place++] as GroupStatistics;
    const lengthMs = stop - start;
    const withinMs = Math.min(stop, period.stop) - Math.max(start, period.start);
    const coveredMs = (group.summary.coverage ?? 0) * withinMs;
    years[Number(String(group.keys[0]).slice(-2)) - 1]?.push({ ...group, lengthMs, coveredMs });
  }
  return years.map((all, place) => climateMonth(place + 1, all));
}

function climateMonth(month: number, all: readonly Month[]): ClimateMonth {
  const counted = all.filter(({ coveredMs, lengthMs }) => coveredMs >= MIN_COVERAGE * lengthMs);
  const directions = new WindVectorSums();
  for (const { summary } of counted) {
    const { prevailingDirection, directionLength } = summary;
    directions.add(1, prevailingDirection ?? Number.NaN, 0, directionLength ?? 0);
  }
  return {
    month,
    years: counted.length,
    leftOut: all.length - counted.length,
    mean: ratio(counted, ({ summary }) => summary.mean ?? 0),
    prevailingDirection: directions.unit()?.direction ?? null,
    highest: all
      .map(({ summary }) => summary)
      .sort((a, b) => (b.maxGust ?? -1) - (a.maxGust ?? -1))[0],
    strongGustDays: STRONG_GUSTS_METRES_PER_S.map((_, i) =>
      ratio(counted, ({ exceedances }) => exceedances[i]?.days ?? 0),
    ),
    coverage: ratio(
      all,
      ({ coveredMs }) => coveredMs,
      ({ lengthMs }) => lengthMs,
    ),
  };
}

/** The sum of a value over months, divided by that of another, or by their number. */
function ratio(
  months: readonly Month[],
  read: (month: Month) => number,
  divisor: (month: Month) => number = () => 1,
): number | null {
  const total = (of: (month: Month) => number) => months.reduce((sum, one) => sum + of(one), 0);
  return months.length > 0 ? total(read) / total(divisor) : null;
}
