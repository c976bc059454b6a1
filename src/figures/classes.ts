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

/** Makes classes of values. @param bounds the lowest value of each class but the first, ascending */
function createClasses(
  bounds: readonly number[],
  classes: readonly Omit<LegendEntry, 'sign'>[],
): Classes {
  return {
    entries: classes.map((entry, index) => ({
      sign: entry.role === 'night' ? '.' : (SIGNS[index % SIGNS.length] as string),
      ...entry,
    })),
    indexOf: (value) => bounds.filter((bound) => value >= bound).length,
  };
}

/**
 * Classes of speed in the colours of their Beaufort forces. If two neighbouring classes have the
 * same force, the classes take the colours of the forces from 0 upwards.
 */
export function speedClasses(boundsKmh: readonly number[], unit: SpeedUnit): Classes {
  const forces = [0, ...boundsKmh].map(beaufort);
  const isDistinct = new Set(forces).size === forces.length;
  const spread = FORCES / Math.max(FORCES, boundsKmh.length);
  const speeds = boundsKmh.map((speedKmh) => roundedSpeed(speedKmh, unit));
  const classes = forces.map((force, index) => {
    const [from, to] = [speeds[index - 1], speeds[index]];
    const range = to === undefined ? `≥${from ?? '0'}` : `${from}–${to}`;
    const whole = unit === 'bft' && isDistinct ? from : range;
    return {
      role: isDistinct ? force : Math.round(index * spread),
      label: index === 0 ? `<${to ?? '0'}` : (whole as string),
    };
  });
  return createClasses(boundsKmh, classes);
}

/** Where fewer Beaufort forces occur, a picture of cells has classes of its own. */
const LEAST_FORCES = 4;
/** Least width of these classes, in a unit of speed: legends have one decimal. */
const LEAST_STEP = 0.1;

/**
 * Classes for the speeds of cells: the Beaufort forces or, where fewer than four forces occur,
 * classes of equal width in the colours of neighbouring forces. `note` says which.
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
  if (limits.length < 3 || second - first < LEAST_STEP) {
    return { ...forces, note: `Colours: ${SPEED_UNITS[unit].label}. ` };
  }
  const bounds = limits.slice(1, -1).map((limit) => lowestKmh(limit, linear) as number);
  const labels = limits.map((limit) => String(Number(limit.toFixed(1))));
  const classes = labels.slice(1).map((to, index) => {
    return { role: index + 1, label: `${labels[index]}–${to}` };
  });
  const note = `Colours: ${SPEED_UNITS[linear].label}, in classes of equal width. `;
  return { ...createClasses(bounds, classes), note };
}

/**
 * Classes of amounts of time, such as hours; the first class is for an amount of 0.
 * @param bounds the lowest amount of each class but the first two
 */
export function amountClasses(bounds: readonly number[], unit: string): Classes {
  const classes = [...bounds, undefined].map((to, index) => {
    const from = bounds[index - 1];
    const range = to === undefined ? `≥${from}` : from === undefined ? `<${to}` : `${from}–${to}`;
    return { role: index + 1, label: `${range} ${unit}` };
  });
  const none = { role: 'night', label: `0 ${unit}` } as const;
  return createClasses([Number.MIN_VALUE, ...bounds], [none, ...classes]);
}

/**
 * Makes a filter for a legend: it keeps the classes from the lowest to the highest that occur.
 * @param used the indexes of the classes that occur
 */
export function isWithin(used: ReadonlySet<number>): (_: unknown, index: number) => boolean {
  const [first, last] = [Math.min(...used), Math.max(...used)];
  return (_, index) => index >= first && index <= last;
}
