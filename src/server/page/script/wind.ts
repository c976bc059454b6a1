import { nearestCompassPoint } from '../../../domain/compass.ts';
import { displayName, OLD_MEASUREMENT_MS, type Station } from '../../../domain/station.ts';
import {
  beaufortForce,
  convertSpeed,
  isCalm,
  SPEED_UNITS,
  type SpeedUnit,
} from '../../../domain/units.ts';
import { MISSING_VALUE_TEXT } from './dom.ts';

/** Formats a duration in its largest fitting unit. */
export function formatAge(ms: number | null): string {
  if (ms === null) return MISSING_VALUE_TEXT;
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h`;
  if (seconds < 63_072_000) return `${Math.floor(seconds / 86_400)} d`;
  return `${Math.floor(seconds / 31_536_000)} y`;
}

/** The age of a station's latest measurement in milliseconds; null without one. */
export function measurementAgeOf({ measurements }: Station): number | null {
  const measured = Date.parse(measurements.date ?? '');
  return Number.isNaN(measured) ? null : Date.now() - measured;
}

/** The condition of a station on map and table; `old` means that it has no current average. */
type StationCondition = 'windy' | 'calm' | 'old' | 'off';

export function conditionOf(station: Station): StationCondition {
  if (station.status.state === 'off') return 'off';
  const ageMs = measurementAgeOf(station);
  const avg = station.measurements.wind_speed_avg;
  if (ageMs === null || ageMs > OLD_MEASUREMENT_MS || avg === null) return 'old';
  return isCalm(avg) ? 'calm' : 'windy';
}

/** Whether a station's latest measurement shows its current wind. */
export function isMeasurementCurrent(station: Station): boolean {
  const condition = conditionOf(station);
  return condition === 'windy' || condition === 'calm';
}

/** The current average wind of a station, km/h; null if unknown. */
export const currentSpeedKmh = (station: Station): number | null =>
  isMeasurementCurrent(station) ? station.measurements.wind_speed_avg : null;

/** The current Beaufort force at a station; null if unknown. */
export function currentForce(station: Station): number | null {
  const speedKmh = currentSpeedKmh(station);
  return speedKmh === null ? null : beaufortForce(speedKmh);
}

/** The CSS class of a Beaufort force. */
export const forceCssClass = (force: number | null): string => (force === null ? '' : `f${force}`);

/** The name of a station on the page; its id if it has none. */
export const stationNameOf = (station: Station): string =>
  station.meta.name.trim() === '' ? `Station ${station.id}` : displayName(station);

/** The minimum share of names for an ending to count as shared. */
const SHARED = 0.95;
/** In shorter lists, equal endings of names may be chance. */
const MIN_NAMES = 10;

/** The last word that nearly all names share, such as “(simulated)”; empty if there is none. */
export function sharedNameEnding(stations: readonly Station[]): string {
  const counts = new Map<string, number>();
  for (const station of stations) {
    const ending = /\S\s+(\S+)\s*$/.exec(stationNameOf(station))?.[1] ?? '';
    counts.set(ending, (counts.get(ending) ?? 0) + 1);
  }
  const [ending, count] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0]);
  return stations.length >= MIN_NAMES && count >= SHARED * stations.length ? ending : '';
}

/** The name of a station without the shared ending. */
export function shortName(station: Station, ending: string): string {
  const name = stationNameOf(station);
  const kept = name.trimEnd();
  return ending && kept.endsWith(` ${ending}`) ? kept.slice(0, -ending.length).trimEnd() : name;
}

export function writeSpeed(speedKmh: number | null, unit: SpeedUnit): string {
  const speed = convertSpeed(speedKmh, unit);
  return speed === null ? MISSING_VALUE_TEXT : speed.toFixed(unit === 'bft' ? 0 : 1);
}

/** Describes the latest wind of a station in one line. */
export function describeWind(station: Station, unit: SpeedUnit): string {
  const { measurements, status } = station;
  const avg = measurements.wind_speed_avg;
  const off = status.state === 'off' ? ' The station is switched off.' : '';
  if (avg === null) return `No wind was measured.${off}`;
  const heading = measurements.wind_heading;
  const from = heading === null || isCalm(avg) ? '' : ` from ${nearestCompassPoint(heading)}`;
  const speed = (kmh: number | null) => `${writeSpeed(kmh, unit)} ${SPEED_UNITS[unit].label}`;
  const { wind_speed_max: gust, wind_speed_min: lull } = measurements;
  const speeds = `Mean ${speed(avg)}, gusts ${speed(gust)}, lulls ${speed(lull)}`;
  return `${speeds}${from}, ${formatAge(measurementAgeOf(station))} ago.${off}`;
}
