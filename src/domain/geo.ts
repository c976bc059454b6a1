import { RADIANS_PER_DEGREE } from './compass.ts';
import type { Position } from './station.ts';

/** Mean Earth radius of the IUGG, km. */
const EARTH_RADIUS_KM = 6371.0088;

/**
 * The great-circle distance in km by the haversine formula (R. W. Sinnott, "Virtues of the
 * Haversine", Sky and Telescope 68, 1984). It treats the Earth as a sphere, and is within 0.5 % of
 * the ellipsoid.
 */
export function distanceKm(a: Position, b: Position): number {
  const dLat = RADIANS_PER_DEGREE * (b.latitude - a.latitude);
  const dLon = RADIANS_PER_DEGREE * (b.longitude - a.longitude);
  const h =
    Math.sin(dLat / 2) ** 2 +
    Math.cos(RADIANS_PER_DEGREE * a.latitude) *
      Math.cos(RADIANS_PER_DEGREE * b.latitude) *
      Math.sin(dLon / 2) ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(h)));
}

/**
 * A box in degrees. If `west` is greater than `east`, it crosses the antimeridian (RFC 7946, 5.2).
 */
export interface GeoBox {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Whether a position is in a box, including its edges. */
export function isInGeoBox({ latitude, longitude }: Position, box: GeoBox): boolean {
  if (latitude < box.south || latitude > box.north) return false;
  return box.west <= box.east
    ? longitude >= box.west && longitude <= box.east
    : longitude >= box.west || longitude <= box.east;
}

/**
 * Parses `latitude,longitude` in degrees, with or without a blank between; undefined for other
 * text.
 */
export function parsePosition(text: string): Position | undefined {
  const [latitude, longitude, ...rest] = text
    .trim()
    .split(/\s*,\s*|\s+/)
    .map(parseDecimal);
  const isPosition = isWithin(latitude, 90) && isWithin(longitude, 180) && rest.length === 0;
  return isPosition ? { latitude, longitude } : undefined;
}

/** Parses `west,south,east,north` in degrees; undefined for other text. */
export function parseGeoBox(text: string): GeoBox | undefined {
  const [west, south, east, north, ...rest] = text.split(',').map(parseDecimal);
  const isBox =
    isWithin(west, 180) && isWithin(south, 90) && isWithin(east, 180) && isWithin(north, 90);
  return isBox && south <= north && rest.length === 0 ? { west, south, east, north } : undefined;
}

function parseDecimal(text: string): number | undefined {
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text.trim()) ? Number(text) : undefined;
}

function isWithin(degrees: number | undefined, most: number): degrees is number {
  return degrees !== undefined && Math.abs(degrees) <= most;
}
