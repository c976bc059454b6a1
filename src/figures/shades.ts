import { interpolateViridis } from 'd3-scale-chromatic';
import type { Theme } from '../domain/palette.ts';

/** A colour step of the cells' scale, from `s0` for the lowest values. Also its CSS class. */
export type Shade = `s${number}`;

/** Number of colour steps. Neighbouring steps differ so little that the scale looks continuous. */
export const SHADE_COUNT = 40;

/**
 * The colour step at a position in the scale.
 * @param share 0 at the low end, 1 at the high end
 */
export function shadeAt(share: number): Shade {
  return `s${Math.min(SHADE_COUNT - 1, Math.floor(share * SHADE_COUNT))}`;
}

/** The position of a colour step in the scale, from 0 to 1. */
export const shadePosition = (shade: Shade): number => Number(shade.slice(1)) / (SHADE_COUNT - 1);

export const isShade = (role: unknown): role is Shade =>
  typeof role === 'string' && /^s\d+$/.test(role);

/**
 * The colour of a step as `#rrggbb`, from Viridis. Low values are close to the background in both
 * themes. Viridis gets lighter evenly, even for people who cannot see red or green.
 */
export function shadeColour(shade: Shade, theme: Theme): string {
  const share = shadePosition(shade);
  return interpolateViridis(theme === 'dark' ? share : 1 - share);
}
