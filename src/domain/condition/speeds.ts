import { findSpeedUnit, lowestSpeedKmh, type SpeedUnit } from '../units.ts';
import { parseSpeed } from './literals.ts';

/** Parses a number of 0 or more such as `12.5`; undefined for other text. */
function parseAmount(text: string): number | undefined {
  return /^\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}

/**
 * Parses a speed such as `15kn`, or a number in `unit`.
 * @returns km/h; undefined for other text
 */
export function parseSpeedIn(text: string, unit: SpeedUnit): number | undefined {
  const number = parseAmount(text);
  return number === undefined ? parseSpeed(text) : lowestSpeedKmh(number, unit);
}

/** Ascending speeds, both in the user's unit and in km/h. */
export interface SpeedList {
  readonly numbers: readonly number[];
  readonly unit: SpeedUnit;
  readonly kmh: readonly number[];
}

/** Speed classes for a wind rose. Each class ends where the next begins. */
export interface SpeedClasses {
  /** The lower bound of each class in the user's unit; the first is 0. */
  readonly lowest: readonly number[];
  /** The lower bound of each class except the first, km/h. */
  readonly kmh: readonly number[];
  /** Whether the classes are the Beaufort forces. */
  readonly isBeaufort: boolean;
}

const MAX_SPEEDS = 50;

/** Matches numbers that JavaScript prints with the same digits. */
const SHORT_NUMBER = /^\s*\d{1,6}(?:\.\d{1,6})?\s*$/;

/** The form that {@link parseSpeedList} accepts, for error messages. */
export const SPEED_LIST_FORM = `at most ${MAX_SPEEDS} ascending speeds above 0, such as 5,10,15,20kn`;

/**
 * Parses a list of speeds such as `10,15,20kn`. The unit comes at the end; without one the speeds
 * are in `unit`.
 * @returns the numbers, their unit, and the speeds in km/h; undefined for other text
 */
export function parseSpeedList(text: string, unit: SpeedUnit): SpeedList | undefined {
  const end = text.search(/[a-z]|$/i);
  const name = text.slice(end).trim();
  const written = name === '' ? unit : findSpeedUnit(name);
  const numbers = text
    .slice(0, end)
    .split(',')
    .map((word) => (SHORT_NUMBER.test(word) ? Number(word) : Number.NaN));
  const kmh = numbers.map((number) => (written && lowestSpeedKmh(number, written)) ?? Number.NaN);
  const isAscending = kmh.every((speed, place) => speed > (kmh[place - 1] ?? 0));
  if (!written || !isAscending || kmh.length > MAX_SPEEDS) return undefined;
  return { numbers, unit: written, kmh };
}
