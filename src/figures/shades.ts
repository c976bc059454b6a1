import { interpolateViridis } from 'd3-scale-chromatic';
import type { Theme } from '../domain/palette.ts';

/** A shade of the scale of cells, `s0` for the lowest values; also its CSS class. */
export type Shade = `s${number}`;

/** Number of shades; neighbouring ones differ so little that the scale looks continuous. */
export const SHADE_COUNT = 40;

/** The shade at a place of the scale. @param share 0 at its low end, 1 at its high end */
export function shadeAt(share: number): Shade {
  return `s${Math.min(SHADE_COUNT - 1, Math.floor(share * SHADE_COUNT))}`;
}

/** The place of a shade in the scale, from 0 to 1. */
export const shadePosition = (shade: Shade): number => Number(shade.slice(1)) / (SHADE_COUNT - 1);

export const isShade = (role: unknown): role is Shade =>
  typeof role === 'string' && /^s\d+$/.test(role);

/**
 * The colour of a shade, `#rrggbb`. Low values are near the background in both themes. Viridis gets
 * lighter in even steps, also for people who see no red or no green.
 */
export function shadeColour(shade: Shade, theme: Theme): string {
  const share = shadePosition(shade);
  return interpolateViridis(theme === 'dark' ? share : 1 - share);
}
