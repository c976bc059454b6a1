import { RADIANS_PER_DEGREE } from './compass.ts';
import { DAY_MS } from './dates.ts';
import type { Position } from './station.ts';

const sin = (degrees: number): number => Math.sin(degrees * RADIANS_PER_DEGREE);
const cos = (degrees: number): number => Math.cos(degrees * RADIANS_PER_DEGREE);

/**
 * The epoch J2000, 2000-01-01T12:00Z, which the formulas count from, in milliseconds since 1970.
 */
const J2000_MS = 946_728_000_000;

/**
 * Elevation of the sun's centre above the horizon in degrees, without refraction. Uses the formulas
 * of NOAA's solar calculator (gml.noaa.gov/grad/solcalc, after Meeus, Astronomical Algorithms),
 * which are accurate to 0.01° from 1900 to 2100.
 * @param ms milliseconds since 1970
 */
export function sunElevationDeg(ms: number, { latitude, longitude }: Position): number {
  const century = (ms - J2000_MS) / DAY_MS / 36_525;
  const meanLongitude = 280.46646 + century * (36_000.76983 + century * 0.0003032);
  const anomaly = 357.52911 + century * (35_999.05029 - 0.0001537 * century);
  const eccentricity = 0.016708634 - century * (0.000042037 + 0.0000001267 * century);
  const centre =
    sin(anomaly) * (1.914602 - century * (0.004817 + 0.000014 * century)) +
    sin(2 * anomaly) * (0.019993 - 0.000101 * century) +
    sin(3 * anomaly) * 0.000289;
  const node = 125.04 - 1934.136 * century;
  const apparent = meanLongitude + centre - 0.00569 - 0.00478 * sin(node);
  const obliquity =
    23.4392911 -
    century * (0.0130041667 + century * (0.00000016389 - 0.000000503611 * century)) +
    0.00256 * cos(node);
  const declination = Math.asin(sin(obliquity) * sin(apparent)) / RADIANS_PER_DEGREE;
  const y = Math.tan((obliquity / 2) * RADIANS_PER_DEGREE) ** 2;
  const equationOfTime =
    (y * sin(2 * meanLongitude) -
      2 * eccentricity * sin(anomaly) +
      4 * eccentricity * y * sin(anomaly) * cos(2 * meanLongitude) -
      0.5 * y * y * sin(4 * meanLongitude) -
      1.25 * eccentricity * eccentricity * sin(2 * anomaly)) /
    RADIANS_PER_DEGREE;
  // The angle in degrees: a day is 360°. The equation of time, often in minutes, is an angle here
  // too.
  const hourAngle = (ms / DAY_MS) * 360 + equationOfTime + longitude - 180;
  const height =
    sin(latitude) * sin(declination) + cos(latitude) * cos(declination) * cos(hourAngle);
  return Math.asin(Math.max(-1, Math.min(1, height))) / RADIANS_PER_DEGREE;
}

/**
 * Elevation of the sun's centre in degrees at sunset, when its upper rim disappears. Includes
 * refraction.
 */
export const SUNSET_ELEVATION_DEG = -0.833;
