import { parseSpeed } from '../domain/condition/literals.ts';
import {
  BEAUFORT_FROM_KMH,
  exactSpeed,
  lowestKmh,
  round2,
  type SpeedUnit,
} from '../domain/units.ts';
import type { SpeedClasses } from '../formats/format.ts';
import { accept, wrong } from './values.ts';

/** Reads a speed without a unit, a number of 0 or more such as `12.5`; undefined for other text. */
function parseAmount(text: string): number | undefined {
  return /^\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}

/** Reads a speed such as `15kn`, or a number in `unit`. @returns km/h @throws UsageError */
export function readSpeed(flag: string, text: string, unit: SpeedUnit): number {
  const number = parseAmount(text);
  const speedKmh = number === undefined ? parseSpeed(text) : lowestKmh(number, unit);
  return accept(speedKmh, flag, 'a speed such as 1kn', text);
}

const MOST_CLASSES = 50;

/**
 * Reads the speed classes of a wind rose; `kmh` has the lowest speed of each but the first, in
 * km/h.
 * @param text the text of `--classes`; without it the classes are the Beaufort forces
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
