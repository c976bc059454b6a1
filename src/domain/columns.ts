import type { Rows } from './rows.ts';

/**
 * The interface's columns of rows as numbers, one typed array for each: speeds in km/h, angles in
 * degrees. NaN stands for null.
 */
export interface Columns {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly time: Float64Array;
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  readonly windSpeedMin: Float64Array;
  readonly windSpeedAvg: Float64Array;
  readonly windSpeedMax: Float64Array;
  /** Degrees the wind comes from. */
  readonly windHeading: Float64Array;
  readonly pressure: Float64Array;
}

/** The names of the columns in the order of the interface. */
const NAMES = [
  'time',
  'latitude',
  'longitude',
  'windSpeedMin',
  'windSpeedAvg',
  'windSpeedMax',
  'windHeading',
  'pressure',
] as const satisfies readonly (keyof Columns)[];

/** The interface's eight columns of rows, without any further column. */
export function columnsOf(rows: Rows): Columns {
  const arrays = NAMES.map(() => new Float64Array(rows.count));
  rows.readings.forEach((reading, row) => {
    arrays.forEach((values, place) => {
      const value = reading[place];
      values[row] =
        typeof value === 'string'
          ? Date.parse(value)
          : typeof value === 'number'
            ? value
            : Number.NaN;
    });
  });
  const columns = Object.fromEntries(NAMES.map((name, place) => [name, arrays[place]]));
  return { count: rows.count, ...columns } as unknown as Columns;
}
