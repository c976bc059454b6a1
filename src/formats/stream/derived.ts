import { measurementAgeMs } from '../../domain/station.ts';
import { convertSpeed, round2, SPEED_UNITS, type SpeedUnit } from '../../domain/units.ts';
import { gustFactor, trendKmhPerHour } from '../../domain/watching/diagnostics.ts';
import type { StreamRecord } from './stream.ts';

/** Whole seconds since the measurement, 0 for a date in the future; null where there is none. */
export function ageSeconds({ station, now }: StreamRecord): number | null {
  const ageMs = measurementAgeMs(station, now);
  return ageMs === undefined ? null : Math.max(0, Math.floor(ageMs / 1000));
}

/** {@link gustFactor} of the measurement, two decimals. */
export function gustFactorOf({ station: { measurements } }: StreamRecord): number | null {
  return roundKnown(
    gustFactor({ avgKmh: measurements.wind_speed_avg, maxKmh: measurements.wind_speed_max }),
  );
}

/**
 * {@link trendKmhPerHour} in a unit per hour, two decimals. Always null in Beaufort, whose forces
 * are not equally far apart.
 */
export function trendOf({ samples }: StreamRecord, unit: SpeedUnit): number | null {
  if (SPEED_UNITS[unit].kmh === undefined) return null;
  return roundKnown(convertSpeed(trendKmhPerHour(samples), unit));
}

function roundKnown(value: number | null): number | null {
  return value === null ? null : round2(value);
}
