import { beaufort, findUnit, speedInKmh } from '../units.ts';
import type { Bound } from './evaluate.ts';

/** Above any wind, age or ratio, and far from where arithmetic ends. */
export const MAX_NUMBER = 1e9;

const SPEED = /^(\d+(?:\.\d+)?)\p{Zs}*([a-z/]+)$/iu;

/**
 * Reads a speed with its unit, such as `2kn`. A Beaufort force is no speed but a range of them.
 * @returns km/h, 0 or more; undefined for other text, also without a unit
 */
export function parseSpeed(text: string): number | undefined {
  const [, digits, spelling = ''] = SPEED.exec(text.trim()) ?? [];
  const unit = findUnit(spelling);
  if (unit === undefined || Number(digits) > MAX_NUMBER) return undefined;
  return speedInKmh(Number(digits), unit);
}

export function identity(value: number): number {
  return value;
}

/** Beaufort force of a speed from which a margin was subtracted, so that it may be below 0. */
export function forceOf(speedKmh: number): number {
  return beaufort(Math.max(0, speedKmh));
}

/** Whether no speed fits between the bounds, each of which is in km/h or a Beaufort force. */
export function isBackwards(low: Bound, high: Bound): boolean {
  if (low.scale === high.scale) return low.value > high.value;
  return low.scale === forceOf ? low.value > forceOf(high.value) : forceOf(low.value) > high.value;
}
