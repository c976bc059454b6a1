import type { Period } from '../domain/period.ts';
import { Vectors } from './direction.ts';
import type { Group, WindSummary } from './statistics.ts';
import { intervalsOf, zoneCalendar } from './zoneCalendar.ts';

/**
 * The gusts, m/s, of which a climate table counts the days, as the climate tables of Météo-France
 * do.
 */
export const STRONG_GUSTS_MS = [16, 28] as const;

/** Least share of a month that readings must cover for the month to count in means over years. */
const LEAST_COVERAGE = 0.8;

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
  /** The reading with the highest gust of all years, also of those left out; of equals the first. */
  readonly highest: Pick<WindSummary, 'maxGust' | 'maxGustAt' | 'maxGustDirection'>;
  /** Mean over the years of the number of days with each of {@link STRONG_GUSTS_MS} or more. */
  readonly strongGustDays: readonly (number | null)[];
  /** Share of the whole months, of all years, that readings cover, 0 to 1. */
  readonly coverage: number | null;
}

/** A month of one year. */
interface Month extends Group {
  readonly lengthMs: number;
  readonly coverage: number;
}

/**
 * The climate table of a station: each year counts alike in the means, however many readings it has.
 * @param groups the months of the period, with exceedances of {@link STRONG_GUSTS_MS}
 */
export function climateOf(
  groups: readonly Group[],
  period: Period,
  zone: string,
): readonly ClimateMonth[] {
  const { intervalAt } = zoneCalendar(zone);
  const intervals = [...intervalsOf((ms) => intervalAt('month', ms), period)];
  const months = groups.map((group, place): Month => {
    const { start, stop } = intervals[place] as Period;
    const withinMs = Math.min(stop, period.stop) - Math.max(start, period.start);
    const lengthMs = stop - start;
    const coverage = ((group.summary.coverage ?? 0) * withinMs) / lengthMs;
    return { ...group, lengthMs, coverage };
  });
  return Array.from({ length: 12 }, (_, place) => {
    const month = place + 1;
    return climateMonth(
      month,
      months.filter(({ keys }) => Number(String(keys[0]).slice(-2)) === month),
    );
  });
}

function climateMonth(month: number, all: readonly Month[]): ClimateMonth {
  const counted = all.filter(({ coverage }) => coverage >= LEAST_COVERAGE);
  const meanOver = (read: (month: Month) => number): number | null =>
    counted.length > 0 ? total(counted.map(read)) / counted.length : null;
  const directions = new Vectors();
  for (const { summary } of counted) {
    const { prevailingDirection: direction, directionLength } = summary;
    directions.add(1, direction ?? Number.NaN, 0, directionLength ?? 0);
  }
  const [highest] = all
    .map(({ summary }) => summary)
    .sort((a, b) => (b.maxGust ?? -1) - (a.maxGust ?? -1));
  const { maxGust = null, maxGustAt = null, maxGustDirection = null } = highest ?? {};
  const lengthMs = total(all.map((one) => one.lengthMs));
  return {
    month,
    years: counted.length,
    leftOut: all.length - counted.length,
    mean: meanOver(({ summary }) => summary.mean ?? 0),
    prevailingDirection: directions.unit()?.direction ?? null,
    highest: { maxGust, maxGustAt, maxGustDirection },
    strongGustDays: STRONG_GUSTS_MS.map((_, i) =>
      meanOver(({ exceedances }) => exceedances[i]?.days ?? 0),
    ),
    coverage: lengthMs > 0 ? total(all.map((one) => one.coverage * one.lengthMs)) / lengthMs : null,
  };
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
