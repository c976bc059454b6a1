import type { Measurements, Station } from './station.ts';

/** The description of one field of a station object; a field is null where its value is unknown. */
export interface StationField {
  /** The kind of the value: a `date` is ISO 8601 text in UTC, a `speed` is in km/h. */
  readonly kind: 'integer' | 'number' | 'speed' | 'date' | 'text' | 'flag';
  /** The field's description in the OpenAPI document; missing where the service documents none. */
  readonly description?: string;
  /** Whether the value is never null. */
  readonly isRequired?: true;
  readonly isDeprecated?: true;
  /** Whether only answers with complete metadata have the field. */
  readonly isMeta?: true;
  /** Whether an InfluxDB point has the field. */
  readonly isSeries?: true;
}

/** The paths to the values of an object, such as `status.snr`. */
type PathOf<T, Prefix extends string = ''> = {
  [K in keyof T & string]-?: NonNullable<T[K]> extends string | number | boolean
    ? `${Prefix}${K}`
    : PathOf<NonNullable<T[K]>, `${Prefix}${K}.`>;
}[keyof T & string];

export type StationPath = PathOf<Station> | 'location.hdop';

const speed = (what: string): StationField => ({
  kind: 'speed',
  description: `${what} wind speed over the 4 minutes before \`date\`, km/h.`,
  isSeries: true,
});

/**
 * Every field of a station by its path, in the service's order: the columns of csv and txt, the
 * schema of the OpenAPI document and the fields of an InfluxDB point follow from this table.
 */
// biome-ignore format: one line for each field
export const STATION_FIELDS: Readonly<Record<StationPath, StationField>> = {
  id: { kind: 'integer', description: 'Id of the station.', isRequired: true },
  'meta.name': { kind: 'text', description: 'Name of the station.', isRequired: true },
  'meta.description': { kind: 'text', description: 'Description of the station.', isMeta: true },
  'meta.picture': { kind: 'text', description: "Address of the station's picture.", isMeta: true },
  'meta.date': { kind: 'date', description: 'Last update of the metadata.', isMeta: true },
  'meta.rating.upvotes': { kind: 'integer', description: 'Votes for the station.', isMeta: true, isRequired: true },
  'meta.rating.downvotes': { kind: 'integer', description: 'Votes against the station.', isMeta: true, isRequired: true },
  'location.latitude': { kind: 'number', description: 'Last known latitude, WGS84.', isSeries: true },
  'location.longitude': { kind: 'number', description: 'Last known longitude, WGS84.', isSeries: true },
  'location.date': { kind: 'date', description: 'Last attempt to locate, successful or not.' },
  'location.success': { kind: 'flag', description: 'True when the last known position is still valid.', isRequired: true },
  'location.hdop': { kind: 'number' },
  'measurements.date': { kind: 'date', description: 'Time of the last measurements.' },
  'measurements.pressure': { kind: 'number', description: 'Always null.', isDeprecated: true, isSeries: true },
  'measurements.wind_heading': { kind: 'number', description: 'Degrees the wind comes from; 0 blows from north to south.', isSeries: true },
  'measurements.wind_speed_avg': speed('Mean'),
  'measurements.wind_speed_max': speed('Highest'),
  'measurements.wind_speed_min': speed('Lowest'),
  'status.date': { kind: 'date', description: 'Last contact with the station.' },
  'status.snr': { kind: 'number', description: 'Signal-to-noise ratio of the radio, dB: below 10 is bad, above 20 very good.', isSeries: true },
  'status.state': { kind: 'text', description: '`on`, `off` (shut down by its switch), or null (unknown).', isSeries: true },
};

export const STATION_PATHS = Object.keys(STATION_FIELDS) as StationPath[];

/** Names of the speeds among the measurements. */
export const SPEED_NAMES = STATION_PATHS.filter(
  (path) => STATION_FIELDS[path].kind === 'speed',
).map((path) => path.slice(path.indexOf('.') + 1) as keyof Measurements & `wind_speed_${string}`);

/** The value of a field; undefined where the service did not send it. */
export function readField(station: Station, path: StationPath) {
  // biome-ignore lint/suspicious/noExplicitAny: the value at a path of JSON may have any type
  const value: any = path.split('.').reduce((node: any, name) => node?.[name], station);
  return value as number | string | boolean | null | undefined;
}
