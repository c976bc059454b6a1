import type { Condition } from './condition/condition.ts';
import type { Observation } from './condition/evaluate.ts';
import { distanceKm, type GeoBox, isInGeoBox } from './geo.ts';
import {
  measurementAgeMs,
  type Position,
  type PowerState,
  positionOf,
  powerStateOf,
  type Station,
} from './station.ts';
import { foldForComparison, formatCount } from './text.ts';
import { observationOfStation } from './watching/observe.ts';

/**
 * Which stations to list. A station must match all filters; `sort` sets the order, `limit` the
 * maximum number.
 */
export interface StationSelection {
  readonly name?: string | undefined;
  readonly near?: Position | undefined;
  /** Maximum distance from `near`, which is required with this. */
  readonly radiusKm?: number | undefined;
  readonly box?: GeoBox | undefined;
  readonly state?: PowerState | undefined;
  /** Maximum age of the latest measurement, milliseconds. */
  readonly maxAgeMs?: number | undefined;
  /**
   * A condition that a station must meet. If unknown values leave the result open, the station is
   * not selected.
   */
  readonly where?: Condition | undefined;
  readonly sort?: StationSortKey | undefined;
  readonly limit?: number | undefined;
}

export interface SelectedStation {
  readonly station: Station;
  /**
   * Distance from `near` in km; undefined without `near` or if the station's position is unknown.
   */
  readonly distanceKm: number | undefined;
}

/**
 * Filters, sorts and limits stations. Stations without a position never match `near` or `box`.
 * @param observe returns the values for `where`; by default those of the live data
 */
export function selectStations(
  stations: readonly Station[],
  selection: StationSelection,
  now: number,
  observe = ({ station, distanceKm }: SelectedStation): Observation =>
    observationOfStation(station, distanceKm, now),
): SelectedStation[] {
  const { near, where } = selection;
  const kept = stations
    .map((station) => ({ station, distanceKm: distanceFrom(near, station) }))
    .filter((candidate) => isSelected(candidate, selection, now))
    .filter((candidate) => where === undefined || where.holds(observe(candidate)) === true);
  return sortStations(kept, sortKeyOf(selection)).slice(0, selection.limit);
}

/**
 * A sentence that no station matches. If some would match apart from their age of over 45 minutes,
 * it says how many.
 */
export function describeNoMatch(
  stations: readonly Station[],
  selection: StationSelection,
  now: number,
): string {
  const observeOld = ({ station, distanceKm }: SelectedStation): Observation => {
    const ageMs = measurementAgeMs(station, now) ?? null;
    return { ...observationOfStation(station, distanceKm, now - (ageMs ?? 0)), ageMs, timeMs: now };
  };
  const old = selectStations(stations, { ...selection, limit: undefined }, now, observeOld).length;
  if (old === 0) return 'No station matches.';
  const whose = old === 1 ? 'its last reading is' : 'their last readings are';
  return `No station matches. ${formatCount(old, 'station')} would match, but ${whose} older than 45 minutes.`;
}

/** The key to sort by: `sort`, else the distance with `near`, else the id. */
export function sortKeyOf({ sort, near }: StationSelection): StationSortKey {
  return sort ?? (near ? 'distance' : 'id');
}

/**
 * Distance of a station from `near` in km; undefined without `near` or if its position is unknown.
 */
export function distanceFrom(near: Position | undefined, station: Station): number | undefined {
  const position = positionOf(station);
  return near && position && distanceKm(near, position);
}

/** Normalizes a name for comparison. Some names have two blanks between words. */
const foldName = (name: string): string => foldForComparison(name).replace(/\s+/g, ' ');

function isSelected(
  { station, distanceKm }: SelectedStation,
  { name, near, radiusKm = Number.POSITIVE_INFINITY, box, state, maxAgeMs }: StationSelection,
  now: number,
): boolean {
  const position = positionOf(station);
  const ageMs = measurementAgeMs(station, now);
  return (
    (name === undefined || foldName(station.meta.name).includes(foldName(name))) &&
    (near === undefined || (distanceKm !== undefined && distanceKm <= radiusKm)) &&
    (box === undefined || (position !== undefined && isInGeoBox(position, box))) &&
    (state === undefined || powerStateOf(station) === state) &&
    (maxAgeMs === undefined || (ageMs !== undefined && ageMs <= maxAgeMs))
  );
}

/**
 * For each key of `--sort`, the value to sort by. The order is ascending with undefined last.
 * Speeds, signal and dates are negated, so that the strongest and the youngest come first.
 */
const ORDER = {
  id: ({ station }) => station.id,
  name: ({ station }) => foldForComparison(station.meta.name).trim(),
  avg: ({ station }) => negated(station.measurements.wind_speed_avg),
  gust: ({ station }) => negated(station.measurements.wind_speed_max),
  lull: ({ station }) => negated(station.measurements.wind_speed_min),
  age: ({ station }) => negated(Date.parse(station.measurements.date ?? '')),
  distance: ({ distanceKm }) => distanceKm,
  signal: ({ station }) => negated(station.status.snr),
} satisfies Record<string, (selected: SelectedStation) => number | string | undefined>;

export type StationSortKey = keyof typeof ORDER;
export const SORT_KEYS = Object.keys(ORDER) as readonly StationSortKey[];

function negated(value: number | null): number | undefined {
  return value === null || Number.isNaN(value) ? undefined : -value;
}

/** Sorts stations by a key: stations without a value last, equal ones by id. */
export function sortStations<S extends SelectedStation>(
  stations: readonly S[],
  key: StationSortKey,
): S[] {
  const order: (selected: SelectedStation) => number | string | undefined = ORDER[key];
  return stations.toSorted((a, b) => {
    const [x, y] = [order(a), order(b)];
    if (x === y) return a.station.id - b.station.id;
    if (x === undefined || y === undefined) return x === undefined ? 1 : -1;
    return x < y ? -1 : 1;
  });
}
