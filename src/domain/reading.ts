import type { Json } from './json.ts';

/**
 * One row of a station's history, in the interface's column order; values of columns the
 * interface does not name follow the eight. A tuple, not an object: an export holds millions.
 */
export type Reading = readonly [
  /** `yyyy-MM-ddTHH:mm:ss.SSSZ`, so readings compare by time as text. */
  time: string,
  latitude: number | null,
  longitude: number | null,
  /** Lull, mean and gust in km/h. */
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
