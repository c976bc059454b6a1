const POINTS = [
  'N', 'NNE', 'NE', 'ENE', 'E', 'ESE', 'SE', 'SSE',
  'S', 'SSW', 'SW', 'WSW', 'W', 'WNW', 'NW', 'NNW',
] as const; // biome-ignore format: a compass reads by quarters

export type CompassPoint = (typeof POINTS)[number];

/** From N clockwise, the way the air moves: a north wind points down. */
const ARROWS = ['↓', '↙', '←', '↖', '↑', '↗', '→', '↘'] as const;

/** The nearest of `count` directions that divide the circle, for any finite angle in degrees. */
function sector(headingDeg: number, count: number): number {
  // Within a turn first: times the count, an angle near the largest number there is has no end.
  return ((Math.round(((headingDeg % 360) * count) / 360) % count) + count) % count;
}

/**
 * The nearest of the 16 compass points to the direction the wind comes from.
 * @param headingDeg degrees, any finite number; 0 is a wind from north to south
 */
export function compassPoint(headingDeg: number): CompassPoint {
  return POINTS[sector(headingDeg, POINTS.length)] as CompassPoint;
}

/**
 * An arrow that points where the wind goes (↓ for a wind from the north), to the nearest 45°.
 * @param headingDeg degrees the wind comes from, any finite number
 */
export function windArrow(headingDeg: number): string {
  return ARROWS[sector(headingDeg, ARROWS.length)] as string;
}
