import {
  BEAUFORT_FROM_KMH,
  exactSpeed,
  lowestKmh,
  round2,
  type SpeedUnit,
} from '../../domain/units.ts';
import type { SpeedClasses } from '../../formats/format.ts';
import type { StatisticsOptions } from '../../statistics/statistics.ts';
import { parseAmount, wrong } from './values.ts';

/** Choices of `--sectors`. */
export const SECTOR_CHOICES = ['8', '12', '16', '32', '36'] as const;

/** @param text one of {@link SECTOR_CHOICES}; 16 without one */
export function readSectors(text = '16'): StatisticsOptions['sectors'] {
  return Number(text) as StatisticsOptions['sectors'];
}

const MOST_CLASSES = 50;

/**
 * The classes of speed of a rose, and their lowest speeds but the first in km/h.
 * @param text as in `--classes`; Beaufort forces without one
 * @throws UsageError
 */
export function readClasses(
  text: string | undefined,
  unit: SpeedUnit,
): SpeedClasses & { readonly kmh: readonly number[] } {
  if (text === undefined) {
    const lowest = [0, ...BEAUFORT_FROM_KMH].map((kmh) => round2(exactSpeed(kmh, unit) ?? 0));
    return { lowest, kmh: BEAUFORT_FROM_KMH, isBeaufort: true };
  }
  const numbers = text.split(',').map((word) => parseAmount(word) ?? Number.NaN);
  const kmh = numbers.map((number) => lowestKmh(number, unit) ?? Number.NaN);
  const isAscending = kmh.every((speed, place) => speed > (kmh[place - 1] ?? 0));
  if (!isAscending || kmh.length > MOST_CLASSES) {
    const forms = `at most ${MOST_CLASSES} ascending numbers above 0 in the unit of --units, such as 5,10,15,20`;
    throw wrong('--classes', forms, text);
  }
  return { lowest: [0, ...numbers], kmh, isBeaufort: false };
}
