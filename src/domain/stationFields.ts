import type { Measurements, Station } from './station.ts';

/** One value of a station object. */
export interface StationField {
  /** A date is ISO 8601 text in UTC; a speed is in km/h. */
  readonly kind: 'integer' | 'number' | 'speed' | 'date' | 'text' | 'flag';
  /** As the OpenAPI document says it; undefined for a field that the interface does not document. */
  readonly description: string | undefined;
  /** Null is how the interface says that a value is not known. */
  readonly isNullable: boolean;
  readonly isDeprecated: boolean;
  /** Only answers with complete metadata have the field. */
  readonly isMeta: boolean;
  /** The value is a field of a point in a time series database. */
  readonly isSeries: boolean;
}

const field = (
  kind: StationField['kind'],
  description: string | undefined,
  traits: Partial<StationField> = {},
): StationField => ({
  kind,
  description,
  isNullable: true,
  isDeprecated: false,
  isMeta: false,
  isSeries: false,
  ...traits,
});

const ALWAYS = { isNullable: false };
const META = { isMeta: true };
const SERIES = { isSeries: true };

const speed = (what: string): StationField =>
  field('speed', `${what} wind speed over the 4 minutes before \`date\`, km/h.`, SERIES);

/**
 * Every field of a station by its path, in the order of the interface: the columns of csv and txt,
 * the schema of the OpenAPI document and the fields of an InfluxDB point follow from this table.
 */
// biome-ignore format: one line a field
export const STATION_FIELDS = {
  id: field('integer', 'Id of the station.', ALWAYS),
  'meta.name': field('text', 'Name of the station.', ALWAYS),
  'meta.description': field('text', 'Description of the station.', META),
  'meta.picture': field('text', "Address of the station's picture.", META),
  'meta.date': field('date', 'Last update of the metadata.', META),
  'meta.rating.upvotes': field('integer', 'Votes for the station.', { ...META, ...ALWAYS }),
  'meta.rating.downvotes': field('integer', 'Votes against the station.', { ...META, ...ALWAYS }),
  'location.latitude': field('number', 'Last known latitude, WGS84.', SERIES),
  'location.longitude': field('number', 'Last known longitude, WGS84.', SERIES),
  'location.date': field('date', 'Last attempt to locate, successful or not.'),
  'location.success': field('flag', 'True when the last known position is still valid.', ALWAYS),
  'location.hdop': field('number', undefined),
  'measurements.date': field('date', 'Time of the last measurements.'),
  'measurements.pressure': field('number', 'Always null.', { ...SERIES, isDeprecated: true }),
  'measurements.wind_heading': field('number', 'Degrees the wind comes from; 0 blows from north to south.', SERIES),
  'measurements.wind_speed_avg': speed('Mean'),
  'measurements.wind_speed_max': speed('Highest'),
  'measurements.wind_speed_min': speed('Lowest'),
  'status.date': field('date', 'Last contact with the station.'),
  'status.snr': field('number', 'Signal-to-noise ratio of the radio, dB: below 10 is bad, above 20 good.', SERIES),
  'status.state': field('text', '`on`, `off` (shut down by its switch), or null (unknown).', SERIES),
} as const satisfies Record<DocumentedPath<Station> | 'location.hdop', StationField>;

/** The paths to the values of an object: `status.snr`. A field of {@link Station} that the table lacks fails to compile. */
type DocumentedPath<T, Prefix extends string = ''> = {
  [K in keyof T & string]-?: NonNullable<T[K]> extends string | number | boolean
    ? `${Prefix}${K}`
    : DocumentedPath<NonNullable<T[K]>, `${Prefix}${K}.`>;
}[keyof T & string];

export type StationPath = keyof typeof STATION_FIELDS;

export const STATION_PATHS = Object.keys(STATION_FIELDS) as StationPath[];

type SpeedName = keyof Measurements & `wind_speed_${string}`;

/** Names of the speeds among the measurements. */
export const SPEED_NAMES = STATION_PATHS.filter(
  (path) => STATION_FIELDS[path].kind === 'speed',
).map((path) => path.slice(path.lastIndexOf('.') + 1) as SpeedName);

/** The value of a field; undefined for one that the station's answer does not have. */
export function readField(
  station: Station,
  path: StationPath,
): number | string | boolean | null | undefined {
  // biome-ignore lint/suspicious/noExplicitAny: a path into JSON
  return path.split('.').reduce((node: any, name) => node?.[name], station);
}
