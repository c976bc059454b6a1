import { BEAUFORT_FROM_KMH, beaufort, type SpeedUnit } from '../domain/units.ts';
import type { LegendEntry } from './drawing.ts';
import { roundedSpeed } from './labels.ts';

/** Classes of values, each with a colour, a character in place of the colour, and a label. */
export interface Classes {
  readonly entries: readonly LegendEntry[];
  /** The index of the class that a value belongs to. */
  readonly indexOf: (value: number) => number;
}

/** One character for each class of speed, in place of its colour on a terminal without colours. */
const SIGNS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const FORCES = BEAUFORT_FROM_KMH.length;

/**
 * Makes classes of values.
 * @param bounds the lowest value of each class but the first, ascending
 * @param roles the Beaufort force that gives each class its colour
 */
function createClasses(
  bounds: readonly number[],
  roles: readonly number[],
  label: (from: number | undefined, to: number | undefined) => string,
): Classes {
  const entries = roles.map((role, index) => ({
    role,
    sign: SIGNS[index % SIGNS.length] as string,
    label: label(bounds[index - 1], bounds[index]),
  }));
  const indexOf = (value: number): number => bounds.filter((bound) => value >= bound).length;
  return { entries, indexOf };
}

/**
 * Classes of speed in the colours of their Beaufort forces. If two neighbouring classes have the
 * same force, the classes take the colours of the forces from 0 upwards.
 */
export function speedClasses(boundsKmh: readonly number[], unit: SpeedUnit): Classes {
  const forces = [0, ...boundsKmh].map(beaufort);
  const isDistinct = forces.every((force, index) => index === 0 || force !== forces[index - 1]);
  const spread = forces.map((_, index) =>
    Math.round((index * FORCES) / Math.max(FORCES, boundsKmh.length)),
  );
  const speed = (speedKmh: number) => roundedSpeed(speedKmh, unit);
  return createClasses(boundsKmh, isDistinct ? forces : spread, (from, to) => {
    if (from === undefined) return `<${speed(to ?? 0)}`;
    if (unit === 'bft' && isDistinct) return speed(from);
    return to === undefined ? `≥${speed(from)}` : `${speed(from)}–${speed(to)}`;
  });
}

/** Classes of amounts of time, such as hours; the first class is for an amount of 0. */
export function amountClasses(bounds: readonly number[], unit: string): Classes {
  const all = [Number.MIN_VALUE, ...bounds];
  const roles = all.map((_, index) => index + 1);
  return createClasses(all, [0, ...roles], (from, to) => {
    if (from === undefined) return `0 ${unit}`;
    if (from === Number.MIN_VALUE) return `<${to} ${unit}`;
    return to === undefined ? `≥${from} ${unit}` : `${from}–${to} ${unit}`;
  });
}

/**
 * Makes a filter for a legend: it keeps the classes from the lowest to the highest that occur.
 * @param used the indexes of the classes that occur
 */
export function isWithin(used: ReadonlySet<number>): (_: unknown, index: number) => boolean {
  const [first, last] = [Math.min(...used), Math.max(...used)];
  return (_, index) => index >= first && index <= last;
}
