/** Radians of one degree. */
export const RADIANS_PER_DEGREE = Math.PI / 180;

/** Reduces an angle to one turn: 0 ≤ degrees < 360. */
export function normalizeDegrees(degrees: number): number {
  return ((degrees % 360) + 360) % 360;
}

/** The direction in which a vector points: degrees clockwise from north, 0 to below 360. */
export function bearingDeg(east: number, north: number): number {
  // Remove floating-point noise such as 255.00000000000009°. Round last, since adding 360° to a
  // rounded number would add noise again.
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

/** Arrows from north clockwise, by where the wind comes from. A north wind blows south: ↓. */
const ARROWS = ['↓', '↙', '←', '↖', '↑', '↗', '→', '↘'] as const;

/** The numbers of sectors that a wind rose may have. */
export const SECTOR_COUNTS = [8, 12, 16, 32, 36] as const;
export type SectorCount = (typeof SECTOR_COUNTS)[number];

/**
 * The index of the sector that contains an angle. The circle has `count` equal sectors, clockwise
 * from the one centred on north. The angle may be any finite number of degrees.
 */
function sectorIndex(headingDeg: number, count: number): number {
  // Reduce the angle to one turn first: a huge angle times `count` would be Infinity.
  return ((Math.round(((headingDeg % 360) * count) / 360) % count) + count) % count;
}

/**
 * The compass point, out of 16, that is nearest to a wind direction.
 * @param headingDeg the direction the wind comes from in degrees, any finite number
 */
export function nearestCompassPoint(headingDeg: number): CompassPoint {
  return COMPASS_POINTS[sectorIndex(headingDeg, COMPASS_POINTS.length)] as CompassPoint;
}

/**
 * An arrow in the direction the wind blows to, to the nearest 45°: ↓ for a north wind.
 * @param headingDeg the direction the wind comes from in degrees, any finite number
 */
export function windArrow(headingDeg: number): string {
  return ARROWS[sectorIndex(headingDeg, ARROWS.length)] as string;
}
