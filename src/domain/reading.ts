/**
 * A row of an archive: the eight columns in the service's order and, with `--every`, those of
 * {@link STEP_COLUMNS}, or the flag. A tuple takes less memory than an object, and an export has millions of
 * rows.
 */
export type Reading = readonly [
  /** Time of the reading as `yyyy-MM-ddTHH:mm:ss.SSSZ`; comparing the texts compares the times. */
  time: string,
  latitude: number | null,
  longitude: number | null,
  /** Lowest, mean and highest wind speed (lull, average and gust), km/h. */
  windSpeedMin: number | null,
  windSpeedAvg: number | null,
  windSpeedMax: number | null,
  /** Direction that the wind comes from, degrees. */
  windHeading: number | null,
  pressure: number | null,
  ...step: (number | null)[],
];

export interface Column {
  readonly name: string;
  /** The short name of the column; the option `--columns` takes it as well as the full name. */
  readonly short: string;
  readonly unit: string;
}

/** The unit of a pressure that is not measured: its values are null. */
export const NO_PRESSURE = '(deprecated)';

/**
 * The eight columns of an archive, in the service's order. The unit of the pressure is the
 * service's own where responses have another one.
 */
export const COLUMNS = [
  { name: 'time', short: 'time', unit: 'utc' },
  { name: 'latitude', short: 'lat', unit: 'degrees' },
  { name: 'longitude', short: 'lon', unit: 'degrees' },
  { name: 'wind_speed_min', short: 'lull', unit: 'km/h' },
  { name: 'wind_speed_avg', short: 'avg', unit: 'km/h' },
  { name: 'wind_speed_max', short: 'gust', unit: 'km/h' },
  { name: 'wind_heading', short: 'dir', unit: 'degrees' },
  { name: 'pressure', short: 'pressure', unit: NO_PRESSURE },
] as const satisfies readonly Column[];

/** The columns after the eight of an archive where each row sums up a time step of `--every`. */
export const STEP_COLUMNS = [
  { name: 'readings', short: 'readings', unit: 'count' },
  { name: 'coverage', short: 'coverage', unit: 'share' },
] as const satisfies readonly Column[];

/** The column that `--columns` adds for the flag of each reading. */
export const FLAG_COLUMN = {
  name: 'flag',
  short: 'flag',
  unit: 'qartod',
} as const satisfies Column;

/** The meaning of each column, for the manual page and completion. */
export const COLUMN_MEANINGS = {
  time: 'UTC; end of the 4 minutes over which the speeds are measured',
  latitude: 'degrees, WGS84; last known position',
  longitude: 'degrees, WGS84',
  wind_speed_min: 'lull, km/h: lowest speed of the 4 minutes before time',
  wind_speed_avg: 'mean of the 4 minutes before time, km/h',
  wind_speed_max: 'gust, km/h: highest speed of the 4 minutes before time',
  wind_heading: 'direction the wind comes from, degrees: 0 is north, 90 is east',
  pressure: 'deprecated; null unless a service measures it',
  readings: 'with --every: number of readings in the interval',
  coverage: 'with --every: coverage of the interval, 0 to 1',
  flag: 'only with --columns: quality flag: 1 pass, 2 not tested, 3 suspect, 4 fail, 9 no mean',
} as const satisfies Record<
  (typeof COLUMNS | typeof STEP_COLUMNS | readonly [typeof FLAG_COLUMN])[number]['name'],
  string
>;
