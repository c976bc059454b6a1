import type { SelectedStation } from '../domain/selection.ts';
import { SPEED_FIELD_NAMES } from '../domain/stationFields.ts';
import { convertSpeed, round2, SPEED_UNITS, type SpeedUnit } from '../domain/units.ts';
import type { ValueStyle } from './format.ts';

/**
 * A station with speeds and dates in the chosen unit and zone, and with the field names of the
 * service. A known distance is rounded to 10 m, since positions of stations are no more exact.
 */
export function convertStation(
  { station, distanceKm }: SelectedStation,
  { unit, writeDate }: ValueStyle,
) {
  const date = (iso: string | null) => (iso === null ? null : writeDate(iso));
  const { meta, location, measurements, status } = station;
  const speeds = Object.fromEntries(
    SPEED_FIELD_NAMES.map((name) => [name, convertSpeed(measurements[name], unit)]),
  );
  return {
    ...station,
    meta: meta.date === undefined ? meta : { ...meta, date: date(meta.date) },
    location: { ...location, date: date(location.date) },
    measurements: { ...measurements, ...speeds, date: date(measurements.date) },
    status: { ...status, date: date(status.date) },
    ...(distanceKm !== undefined && { distance_km: round2(distanceKm) }),
  };
}

/**
 * Like {@link convertStation}, but names of speeds end in their unit, as {@link speedName} writes
 * it.
 */
export function convertAndNameStation(selected: SelectedStation, style: ValueStyle) {
  const station = convertStation(selected, style);
  const measurements = Object.fromEntries(
    Object.entries(station.measurements).map(([name, value]) => [
      speedName(name, style.unit),
      value,
    ]),
  );
  return { ...station, measurements };
}

/**
 * The name of a field in a format without another place for its unit, such as
 * `wind_speed_avg_kn`. The name stays the service's own for a speed in km/h, and for a field that
 * is no speed.
 */
export function speedName(name: string, unit: SpeedUnit): string {
  return (SPEED_FIELD_NAMES as readonly string[]).includes(name)
    ? name + SPEED_UNITS[unit].suffix
    : name;
}
