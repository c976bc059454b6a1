import { beaufort } from '../units.ts';
import type { Bound } from './evaluate.ts';

const KMH_OF: ReadonlyMap<string, number> = new Map([
  ['kmh', 1],
  ['km/h', 1],
  ['kn', 1.852],
  ['kt', 1.852],
  ['kts', 1.852],
  ['ms', 3.6],
  ['m/s', 3.6],
  ['mph', 1.609344],
]);

/** Above any wind, age or ratio, and far from where arithmetic ends. */
export const MAX_NUMBER = 1e9;

/**
 * A speed in km/h, free of the noise of binary multiplication: 1.1 m/s is 3.96 km/h, not
 * 3.9600000000000004, which a measured 3.96 would not reach.
 * @param unit in lower case, without Beaufort
 * @returns undefined for an unknown unit
 */
export function toKmh(speed: number, unit: string): number | undefined {
  const kmh = KMH_OF.get(unit);
  return kmh === undefined ? undefined : Number((speed * kmh).toPrecision(15));
}

const SPEED = /^(\d+(?:\.\d+)?)\p{Zs}*([a-z/]+)$/iu;

/**
 * Reads a speed with its unit, such as `2kn`. A Beaufort force is no speed but a range of them.
 * @returns km/h, 0 or more; undefined for other text, also without a unit
 */
export function parseSpeed(text: string): number | undefined {
  const [, digits, unit] = SPEED.exec(text.trim()) ?? [];
  if (digits === undefined || unit === undefined) return undefined;
  return Number(digits) > MAX_NUMBER ? undefined : toKmh(Number(digits), unit.toLowerCase());
}

export function identity(value: number): number {
  return value;
}

/** A margin may have taken the speed below 0. */
export function forceOf(speedKmh: number): number {
  return beaufort(Math.max(0, speedKmh));
}

/** Whether no speed fits between the bounds, each of which is in km/h or a Beaufort force. */
export function isBackwards(low: Bound, high: Bound): boolean {
  if (low.scale === high.scale) return low.value > high.value;
  return low.scale === forceOf ? low.value > forceOf(high.value) : forceOf(low.value) > high.value;
}
