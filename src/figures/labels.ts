import { DateTime, Info } from 'luxon';
import type { Period } from '../domain/period.ts';
import { convertSpeedExactly, SPEED_UNITS, type SpeedUnit } from '../domain/units.ts';

/** Short names of the months. */
export const MONTHS = Info.months('short', { locale: 'en' });

/** Formats a speed with one decimal and without its unit; NaN becomes `–`. */
export function formatRoundedSpeed(speedKmh: number, unit: SpeedUnit): string {
  if (Number.isNaN(speedKmh)) return '–';
  return String(Number((convertSpeedExactly(speedKmh, unit) as number).toFixed(1)));
}

/** Formats a speed with its unit: `12.5 km/h`, `4 Bft`. */
export function formatSpeedWithUnit(speedKmh: number, unit: SpeedUnit): string {
  return `${formatRoundedSpeed(speedKmh, unit)} ${SPEED_UNITS[unit].label}`;
}

/** Formats a time in a zone to the minute: `2024-05-01 14:00`. */
export function formatMinute(ms: number, zone: string): string {
  return DateTime.fromMillis(ms, { zone, locale: 'en' }).toFormat('yyyy-MM-dd HH:mm');
}

/**
 * Formats a period: `2024-05-01 to 2024-05-03`. Times are added unless it begins and ends at
 * midnight.
 */
export function formatPeriod({ start, stop }: Period, zone: string): string {
  const [from, to] = [start, stop].map((ms) => DateTime.fromMillis(ms, { zone }));
  const isWhole = [from, to].every((date) => date?.toFormat('HHmm') === '0000');
  const format = isWhole ? 'yyyy-MM-dd' : 'yyyy-MM-dd HH:mm';
  return `${from?.toFormat(format)} to ${to?.toFormat(format)}`;
}
