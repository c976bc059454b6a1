import { BEAUFORT_FROM_KMH, beaufort, type SpeedUnit } from '../domain/units.ts';
import type { LegendEntry } from './drawing.ts';
import { roundedSpeed } from './labels.ts';

/** One character for each class, on a terminal whose colours cannot distinguish the classes. */
export const SIGNS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const FORCES = BEAUFORT_FROM_KMH.length;

/**
 * Classes of speed in the colours of their Beaufort forces. If two neighbouring classes have the
 * same force, the classes take the colours of the forces from 0 upwards.
 */
export function speedClasses(boundsKmh: readonly number[], unit: SpeedUnit): LegendEntry[] {
  const forces = [0, ...boundsKmh].map(beaufort);
  const isDistinct = new Set(forces).size === forces.length;
  const spread = FORCES / Math.max(FORCES, boundsKmh.length);
  const speeds = boundsKmh.map((speedKmh) => roundedSpeed(speedKmh, unit));
  return forces.map((force, index) => {
    const [from, to] = [speeds[index - 1], speeds[index]];
    const range = to === undefined ? `≥${from ?? '0'}` : `${from}–${to}`;
    const whole = unit === 'bft' && isDistinct ? from : range;
    return {
      role: isDistinct ? force : Math.round(index * spread),
      sign: SIGNS[index % SIGNS.length] as string,
      label: index === 0 ? `<${to ?? '0'}` : (whole as string),
    };
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
