import type { Period } from '../domain/period.ts';
import { WindVectorSums } from './direction.ts';
import type { GroupStatistics, WindSummary } from './statistics.ts';
import { intervalsOf, zoneCalendar } from './zoneCalendar.ts';

/** Gusts in m/s whose days a climate table counts, as in the climate tables of Météo-France. */
export const STRONG_GUSTS_METRES_PER_S = [16, 28] as const;

/** Minimum coverage of a month to count in means over several years. */
const MIN_COVERAGE = 0.8;

/** A month of the year, combined over all years of a period. */
export interface ClimateMonth {
  /** 1 for January to 12 for December. */
  readonly month: number;
  /** Number of years in which readings cover at least 80 % of the month. */
  readonly years: number;
  /** Number of the other years, which are left out of means and direction. */
  readonly leftOut: number;
  /** Mean of the yearly means, km/h; null if no year counts. */
  readonly mean: number | null;
  /** Prevailing direction: that of the mean of the yearly mean unit vectors. */
  readonly prevailingDirection: number | null;
  /**
   * The year with the highest gust, the first among equals. It may be a year that is left out of
   * means.
   */
  readonly highest: WindSummary | undefined;
  /**
   * Mean number of days per year with a gust of at least each of {@link STRONG_GUSTS_METRES_PER_S}.
   */
  readonly strongGustDays: readonly (number | null)[];
  /** Coverage of this month in all years, 0 to 1. */
  readonly coverage: number | null;
}

/** A month of a particular year. */
interface Month extends GroupStatistics {
  readonly lengthMs: number;
  readonly coveredMs: number;
}

/**
 * Computes the climate table of a station. In means, each year has the same weight, however many
 * readings it has.
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

/** Divides the sum of a value over months by the sum of another, or by their number. */
function ratio(
  months: readonly Month[],
  read: (month: Month) => number,
  divisor: (month: Month) => number = () => 1,
): number | null {
  const total = (of: (month: Month) => number) => months.reduce((sum, one) => sum + of(one), 0);
  return months.length > 0 ? total(read) / total(divisor) : null;
}
