import { nearestCompassPoint, windArrow } from '../domain/compass.ts';
import {
  createDateWriter,
  DAY_MS,
  formatDate,
  formatZoneName,
  HOUR_MS,
  MINUTE_MS,
} from '../domain/dates.ts';
import type { Period } from '../domain/period.ts';
import { isForceScale, type SpeedUnit } from '../domain/units.ts';

/** The sign for a missing value in output for people. */
export const MISSING_VALUE_SIGN = '–';

const UNITS_OF_TIME: readonly [name: string, ms: number][] = [
  ['y', 365.25 * DAY_MS],
  ['d', DAY_MS],
  ['h', HOUR_MS],
  ['min', MINUTE_MS],
  ['s', 1000],
];

/**
 * Formats an age in its largest whole unit: `45 s`, `12 min`, `5 h`, `30 d`, `4 y`. A date in the
 * future becomes `0 s`.
 */
export function formatAge(ageMs: number): string {
  const [name, ms] = UNITS_OF_TIME.find(([, unitMs]) => ageMs >= unitMs) ?? ['s', 1000];
  return `${Math.max(0, Math.floor(ageMs / ms))} ${name}`;
}

/**
 * Formats an ISO date with milliseconds as `2024-05-01 14:00:00 +02:00`. The offset is omitted in
 * UTC.
 */
export function formatTime(date: string): string {
  const offset = date.slice(23).replace('Z', '');
  return `${date.slice(0, 19).replace('T', ' ')}${offset && ` ${offset}`}`;
}

/**
 * Describes a period for people: “from 2024-05-01 to 2024-05-03 UTC”. Times are added, to the
 * minute, unless it begins and ends at midnight.
 */
export function describePeriodInZone({ start, stop }: Period, zone: string): string {
  const writeDate = createDateWriter(zone);
  const moments = [start, stop].map((ms) => formatTime(writeDate(formatDate(ms))).slice(0, 16));
  const isWhole = moments.every((moment) => moment.endsWith(' 00:00'));
  const [from, to] = moments.map((moment) => (isWhole ? moment.slice(0, 10) : moment));
  return `from ${from} to ${to} ${formatZoneName(zone)}`;
}

/** Formats a speed with one decimal; a Beaufort force has none. */
export function formatSpeed(speed: number | null, unit: SpeedUnit): string {
  return speed === null ? MISSING_VALUE_SIGN : speed.toFixed(isForceScale(unit) ? 0 : 1);
}

/** Formats a wind direction as arrow, compass point and degrees: `↓ N     0.0°`. */
export function formatHeading(headingDeg: number): string {
  const point = nearestCompassPoint(headingDeg).padEnd(3);
  return `${windArrow(headingDeg)} ${point} ${headingDeg.toFixed(1).padStart(5)}°`;
}

/**
 * Converts a share from 0 to 1 to a percentage. Rounds down, so that only a share of 1 becomes 100
 * %.
 */
export function roundDownToPercent(share: number, decimals = 0): number {
  const scale = 10 ** decimals;
  return Math.floor(share * 100 * scale + 1e-9) / scale;
}

/**
 * Formats a share from 0 to 1 as a whole percentage, rounded down by {@link roundDownToPercent}.
 * @param tiny the text for a share above 0 and below 1 %
 */
export function formatShare(share: number | null, tiny = '< 1 %'): string {
  if (share === null) return MISSING_VALUE_SIGN;
  if (share > 0 && share < 0.01) return tiny;
  return `${roundDownToPercent(share)} %`;
}

/** Formats the direction the wind comes from in whole degrees: `WSW 247°`. */
export function formatDirection(degrees: number | null): string {
  return degrees === null
    ? MISSING_VALUE_SIGN
    : `${nearestCompassPoint(degrees)} ${Math.round(degrees) % 360}°`;
}

/** Formats a value. A missing or empty one becomes {@link MISSING_VALUE_SIGN}. */
export function orMissingValueSign(value: number | string | null | undefined): string {
  return value === null || value === undefined || value === '' ? MISSING_VALUE_SIGN : String(value);
}

/**
 * Formats a duration in its two largest units, of which days are the largest: `1 d 3 h`, `25 min`.
 */
export function formatLength(lengthS: number): string {
  let restMs = Math.round(lengthS) * 1000;
  const parts = UNITS_OF_TIME.slice(1).flatMap(([name, ms]) => {
    const count = Math.floor(restMs / ms);
    restMs -= count * ms;
    return count > 0 ? [`${count} ${name}`] : [];
  });
  return parts.slice(0, 2).join(' ') || '0 s';
}
