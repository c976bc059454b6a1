import type { SelectedStation } from '../domain/selection.ts';
import { SPEED_FIELD_NAMES } from '../domain/stationFields.ts';
import { convertSpeed, roundTo2Decimals, SPEED_UNITS, type SpeedUnit } from '../domain/units.ts';
import type { ValueStyle } from './format.ts';

/**
 * Converts a station to the chosen unit and zone, and keeps the service's field names. The
 * distance, if known, is rounded to 10 m, since stations know their position no better.
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
    ...(distanceKm !== undefined && { distance_km: roundTo2Decimals(distanceKm) }),
  };
}

/** Like {@link convertStation}, but {@link speedFieldName} adds units to the names of speeds. */
export function convertStationWithUnitNames(selected: SelectedStation, style: ValueStyle) {
  const station = convertStation(selected, style);
  const measurements = Object.fromEntries(
    Object.entries(station.measurements).map(([name, value]) => [
      speedFieldName(name, style.unit),
      value,
    ]),
  );
  return { ...station, measurements };
}

/**
 * A field name with its unit, for formats that have no other place for units, such as
 * `wind_speed_avg_kn`. Names of other fields, and of speeds in km/h, stay unchanged.
 */
export function speedFieldName(name: string, unit: SpeedUnit): string {
  return (SPEED_FIELD_NAMES as readonly string[]).includes(name)
    ? name + SPEED_UNITS[unit].suffix
    : name;
}
