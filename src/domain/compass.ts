/** Radians of one degree. */
export const RADIANS_PER_DEGREE = Math.PI / 180;

/** An angle within one turn: 0 ≤ degrees < 360. */
export function normalizeDegrees(degrees: number): number {
  return ((degrees % 360) + 360) % 360;
}

/** The bearing of a vector: degrees clockwise from north, 0 to below 360. */
export function bearingDeg(east: number, north: number): number {
  // Without the noise of the computation: 255°, not 255.00000000000009°. Rounding is the last step,
  // since 360° added to a rounded number would bring noise back.
  const degrees =
    Math.round(normalizeDegrees(Math.atan2(east, north) / RADIANS_PER_DEGREE) * 1e9) / 1e9;
  return degrees === 360 ? 0 : degrees;
}

/** Compass points clockwise from north, 22.5° apart. */
export const COMPASS_POINTS = [
  'N', 'NNE', 'NE', 'ENE', 'E', 'ESE', 'SE', 'SSE',
  'S', 'SSW', 'SW', 'WSW', 'W', 'WNW', 'NW', 'NNW',
] as const; // biome-ignore format: a compass reads by quarters

export type CompassPoint = (typeof COMPASS_POINTS)[number];

/**
 * Arrows by the direction the wind comes from, clockwise from north: a north wind blows downwards.
 */
const ARROWS = ['↓', '↙', '←', '↖', '↑', '↗', '→', '↘'] as const;

/** Numbers of sectors that a wind rose can have. */
export const SECTOR_COUNTS = [8, 12, 16, 32, 36] as const;
export type SectorCount = (typeof SECTOR_COUNTS)[number];

/**
 * Index of the nearest of `count` equal sectors of the circle, clockwise from the sector centred
 * on north, for any finite angle in degrees.
 */
export function sectorIndex(headingDeg: number, count: number): number {
  // Reduce the angle to one turn first: the largest numbers times `count` would be Infinity.
  return ((Math.round(((headingDeg % 360) * count) / 360) % count) + count) % count;
}

/**
 * The nearest of the 16 compass points to the direction the wind comes from.
 * @param headingDeg degrees, any finite number; 0 is a wind from north to south
 */
export function compassPoint(headingDeg: number): CompassPoint {
  return COMPASS_POINTS[sectorIndex(headingDeg, COMPASS_POINTS.length)] as CompassPoint;
}

/**
 * An arrow in the direction that the wind blows to (↓ for a north wind), to the nearest 45°.
 * @param headingDeg degrees the wind comes from, any finite number
 */
export function windArrow(headingDeg: number): string {
  return ARROWS[sectorIndex(headingDeg, ARROWS.length)] as string;
}
