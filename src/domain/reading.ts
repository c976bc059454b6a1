import type { Json } from './json.ts';

/**
 * A row of an archive: the interface's eight columns in its order, then any further columns.
 * A tuple takes less memory than an object, and an export has millions of rows.
 */
export type Reading = readonly [
  /** `yyyy-MM-ddTHH:mm:ss.SSSZ`; comparing the texts compares the times. */
  time: string,
  latitude: number | null,
  longitude: number | null,
  /** Lull, mean and gust, km/h. */
  windSpeedMin: number | null,
  windSpeedAvg: number | null,
  windSpeedMax: number | null,
  /** Degrees the wind comes from. */
  windHeading: number | null,
  pressure: number | null,
  ...extra: Json[],
];

export interface Column {
  readonly name: string;
  readonly unit: string;
}

/** The interface's eight columns, in its order. */
export const COLUMNS = [
  { name: 'time', unit: 'utc' },
  { name: 'latitude', unit: 'degrees' },
  { name: 'longitude', unit: 'degrees' },
  { name: 'wind_speed_min', unit: 'km/h' },
  { name: 'wind_speed_avg', unit: 'km/h' },
  { name: 'wind_speed_max', unit: 'km/h' },
  { name: 'wind_heading', unit: 'degrees' },
  { name: 'pressure', unit: '(deprecated)' },
] as const satisfies readonly Column[];
