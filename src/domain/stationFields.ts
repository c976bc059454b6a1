import type { Measurements, Station } from './station.ts';

/** Describes a field of a station. The value of a field is null if it is unknown. */
export interface StationField {
  /** The kind of the value: a `date` is ISO 8601 text in UTC, a `speed` is in km/h. */
  readonly kind: 'integer' | 'number' | 'speed' | 'date' | 'text' | 'flag';
  /** Whether the service sends the field although its documentation lacks it. */
  readonly isExtra?: true;
  /** Whether the value is never null. */
  readonly isRequired?: true;
  /** Whether only responses with full metadata have the field. */
  readonly isMeta?: true;
  /** Whether points of InfluxDB have the field. */
  readonly isSeries?: true;
}

/** The paths to the leaf values of an object, such as `status.snr`. */
type PathOf<T, Prefix extends string = ''> = {
  [K in keyof T & string]-?: NonNullable<T[K]> extends string | number | boolean
    ? `${Prefix}${K}`
    : PathOf<NonNullable<T[K]>, `${Prefix}${K}.`>;
}[keyof T & string];

export type StationPath = PathOf<Station> | 'location.hdop';

/**
 * Every field of a station by its path, in the service's order. Columns of csv and txt and fields
 * of InfluxDB points are derived from this table.
 */
// biome-ignore format: one line for each field
export const STATION_FIELDS: Readonly<Record<StationPath, StationField>> = {
  id: { kind: 'integer', isRequired: true },
  'meta.name': { kind: 'text', isRequired: true },
  'meta.description': { kind: 'text', isMeta: true },
  'meta.picture': { kind: 'text', isMeta: true },
  'meta.date': { kind: 'date', isMeta: true },
  'meta.rating.upvotes': { kind: 'integer', isMeta: true, isRequired: true },
  'meta.rating.downvotes': { kind: 'integer', isMeta: true, isRequired: true },
  'location.latitude': { kind: 'number', isSeries: true },
  'location.longitude': { kind: 'number', isSeries: true },
  'location.date': { kind: 'date' },
  'location.success': { kind: 'flag', isRequired: true },
  'location.hdop': { kind: 'number', isExtra: true },
  'measurements.date': { kind: 'date' },
  'measurements.pressure': { kind: 'number', isSeries: true },
  'measurements.wind_heading': { kind: 'number', isSeries: true },
  'measurements.wind_speed_avg': { kind: 'speed', isSeries: true },
  'measurements.wind_speed_max': { kind: 'speed', isSeries: true },
  'measurements.wind_speed_min': { kind: 'speed', isSeries: true },
  'status.date': { kind: 'date' },
  'status.snr': { kind: 'number', isSeries: true },
  'status.state': { kind: 'text', isSeries: true },
};

export const STATION_PATHS = Object.keys(STATION_FIELDS) as StationPath[];

/** Names of the measurements that are speeds. */
export const SPEED_FIELD_NAMES = STATION_PATHS.filter(
  (path) => STATION_FIELDS[path].kind === 'speed',
).map((path) => path.slice(path.indexOf('.') + 1) as keyof Measurements & `wind_speed_${string}`);

/** The value of a field; undefined if the service did not send it. */
export function readStationField(station: Station, path: StationPath) {
  // biome-ignore lint/suspicious/noExplicitAny: the value at a path of JSON may have any type
  const value: any = path.split('.').reduce((node: any, name) => node?.[name], station);
  return value as number | string | boolean | null | undefined;
}
