interface ArchiveColumn {
  /** The column's name in files and in responses of the service. */
  readonly name: string;
  /** The name of the column's array in {@link Columns}. */
  readonly key: string;
  /** The short name, which `--columns` accepts besides the full one. */
  readonly short: string;
  readonly unit: string;
}

/** The unit of the service's pressure column, which is no longer measured: its values are null. */
export const DEPRECATED_PRESSURE_UNIT = '(deprecated)';

/**
 * The eight columns of an archive in the service's order. A response may state another unit for the
 * pressure.
 */
export const SERVICE_COLUMNS = [
  { name: 'time', key: 'time', short: 'time', unit: 'utc' },
  { name: 'latitude', key: 'latitude', short: 'lat', unit: 'degrees' },
  { name: 'longitude', key: 'longitude', short: 'lon', unit: 'degrees' },
  { name: 'wind_speed_min', key: 'windSpeedMin', short: 'lull', unit: 'km/h' },
  { name: 'wind_speed_avg', key: 'windSpeedAvg', short: 'avg', unit: 'km/h' },
  { name: 'wind_speed_max', key: 'windSpeedMax', short: 'gust', unit: 'km/h' },
  { name: 'wind_heading', key: 'windHeading', short: 'dir', unit: 'degrees' },
  { name: 'pressure', key: 'pressure', short: 'pressure', unit: DEPRECATED_PRESSURE_UNIT },
] as const satisfies readonly ArchiveColumn[];

/** Further columns of rows that combine an interval of `--every`. */
export const INTERVAL_COLUMNS = [
  { name: 'readings', key: 'readings', short: 'readings', unit: 'count' },
  { name: 'coverage', key: 'coverage', short: 'coverage', unit: 'share' },
] as const satisfies readonly ArchiveColumn[];

/** The flag of each reading, a column that `--columns` can add. */
export const FLAG_COLUMN = {
  name: 'flag',
  key: 'flag',
  short: 'flag',
  unit: 'qartod',
} as const satisfies ArchiveColumn;

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
  (
    | typeof SERVICE_COLUMNS
    | typeof INTERVAL_COLUMNS
    | readonly [typeof FLAG_COLUMN]
  )[number]['name'],
  string
>;

/** All columns that archive rows may have, in the order of output. */
export const ARCHIVE_COLUMNS = [...SERVICE_COLUMNS, ...INTERVAL_COLUMNS, FLAG_COLUMN] as const;

export type ColumnName = (typeof ARCHIVE_COLUMNS)[number]['name'];
/** A column of a file. Files with several stations also have the column `station`. */
export type WrittenColumnName = ColumnName | 'station';
export type ColumnKey = (typeof ARCHIVE_COLUMNS)[number]['key'];
