import { BEAUFORT_FROM_KMH, beaufortForce, type SpeedUnit } from '../domain/units.ts';
import type { LegendEntry } from './drawing.ts';
import { formatRoundedSpeed } from './labels.ts';

/** A character for each class, for terminals whose colours cannot distinguish them. */
export const CLASS_SIGNS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const FORCES = BEAUFORT_FROM_KMH.length;

/**
 * Creates the legend of speed classes in the colours of their Beaufort forces. If neighbouring
 * classes would get the same colour, the classes use the colours of the forces 0, 1, 2 and so on.
 */
export function speedClassLegend(boundsKmh: readonly number[], unit: SpeedUnit): LegendEntry[] {
  const forces = [0, ...boundsKmh].map(beaufortForce);
  const isDistinct = new Set(forces).size === forces.length;
  const spread = FORCES / Math.max(FORCES, boundsKmh.length);
  const speeds = boundsKmh.map((speedKmh) => formatRoundedSpeed(speedKmh, unit));
  return forces.map((force, index) => {
    const [from, to] = [speeds[index - 1], speeds[index]];
    const range = to === undefined ? `≥${from ?? '0'}` : `${from}–${to}`;
    const whole = unit === 'bft' && isDistinct ? from : range;
    return {
      role: isDistinct ? force : Math.round(index * spread),
      sign: CLASS_SIGNS[index % CLASS_SIGNS.length] as string,
      label: index === 0 ? `<${to ?? '0'}` : (whole as string),
    };
  });
}

/**
 * Creates a filter for a legend: it keeps all classes between the lowest and the highest that
 * occur.
 * @param used the indexes of the classes that occur
 */
export function usedClassFilter(used: ReadonlySet<number>): (_: unknown, index: number) => boolean {
  const [first, last] = [Math.min(...used), Math.max(...used)];
  return (_, index) => index >= first && index <= last;
}
