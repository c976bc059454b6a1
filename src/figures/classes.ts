import { scaleLinear } from 'd3-scale';
import {
  BEAUFORT_FROM_KMH,
  beaufort,
  exactSpeed,
  lowestKmh,
  SPEED_UNITS,
  type SpeedUnit,
} from '../domain/units.ts';
import type { LegendEntry } from './drawing.ts';
import type { Role } from './figure.ts';
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
 * @param roles what gives each class its colour, such as a Beaufort force
 */
function createClasses(
  bounds: readonly number[],
  roles: readonly Role[],
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

/** Where fewer Beaufort forces occur, a picture of cells has classes of its own. */
const LEAST_FORCES = 4;
/** Least width of these classes, in a unit of speed: legends have one decimal. */
const LEAST_STEP = 0.1;

/**
 * Classes for the speeds of cells: the Beaufort forces or, where fewer than four forces occur,
 * classes of equal width in the colours of neighbouring forces.
 */
export function cellClasses(speedsKmh: readonly number[], unit: SpeedUnit) {
  const forces = speedClasses(BEAUFORT_FROM_KMH, unit);
  const isVaried = new Set(speedsKmh.map(forces.indexOf)).size >= LEAST_FORCES;
  // Forces are no steps of equal width, so a picture in Beaufort has classes in km/h.
  const linear = SPEED_UNITS[unit].kmh === undefined ? 'kmh' : unit;
  const lowest = speedsKmh.reduce((least, speed) => Math.min(least, speed), Infinity);
  const highest = speedsKmh.reduce((most, speed) => Math.max(most, speed), -Infinity);
  const ends = [lowest, highest].map((speedKmh) => exactSpeed(speedKmh, linear) as number);
  const limits = isVaried ? [] : scaleLinear(ends, [0, 1]).nice(5).ticks(5);
  const [first = 0, second = 0] = limits;
  if (limits.length < 3 || second - first < LEAST_STEP) return { ...forces, isEven: false, unit };
  const bounds = limits.slice(1, -1).map((limit) => lowestKmh(limit, linear) as number);
  const roles = [...bounds, highest].map((_, index) => index + 1);
  const label = (at: number) => String(Number((limits[at] as number).toFixed(1)));
  let at = 0;
  const classes = createClasses(bounds, roles, () => `${label(at)}–${label(++at)}`);
  return { ...classes, isEven: true, unit: linear };
}

/** Classes of amounts of time, such as hours; the first class is for an amount of 0. */
export function amountClasses(bounds: readonly number[], unit: string): Classes {
  const all = [Number.MIN_VALUE, ...bounds];
  const roles = all.map((_, index) => index + 1);
  const { entries, indexOf } = createClasses(all, ['night', ...roles], (from, to) => {
    if (from === undefined) return `0 ${unit}`;
    if (from === Number.MIN_VALUE) return `<${to} ${unit}`;
    return to === undefined ? `≥${from} ${unit}` : `${from}–${to} ${unit}`;
  });
  return {
    entries: entries.map((entry, index) => (index ? entry : { ...entry, sign: '.' })),
    indexOf,
  };
}

/**
 * Makes a filter for a legend: it keeps the classes from the lowest to the highest that occur.
 * @param used the indexes of the classes that occur
 */
export function isWithin(used: ReadonlySet<number>): (_: unknown, index: number) => boolean {
  const [first, last] = [Math.min(...used), Math.max(...used)];
  return (_, index) => index >= first && index <= last;
}
