import type { Field } from '../domain/condition/fields.ts';
import type { COLUMNS, STEP_COLUMNS } from '../domain/reading.ts';
import type { GroupKey } from '../statistics/statistics.ts';

/** Meanings of the columns of an archive: the unit, and the minutes that a value is taken over. */
export const COLUMN_MEANINGS = {
  time: 'UTC; the end of the 4 minutes that the speeds of the row are taken over',
  latitude: 'degrees, WGS84; the last position known at that time',
  longitude: 'degrees, WGS84',
  wind_speed_min: 'lull, km/h: the lowest speed of the 4 minutes before time',
  wind_speed_avg: 'mean, km/h, of the 4 minutes before time',
  wind_speed_max: 'gust, km/h: the highest speed of the 4 minutes before time',
  wind_heading: 'degrees that the wind comes from; 0 is north, 90 east',
  pressure: 'null, or in the unit that the service gives; deprecated',
} as const satisfies Record<(typeof COLUMNS)[number]['name'], string>;

/** Meanings of the columns that `vane archive --every` adds. */
export const STEP_COLUMN_MEANINGS = {
  readings: 'with --every: number of readings of the step',
  coverage: 'with --every: share of the step that readings cover, 0 to 1',
} as const satisfies Record<(typeof STEP_COLUMNS)[number]['name'], string>;

/** Meanings of the keys of `vane stats --by`. */
export const KEY_MEANINGS = {
  hour: 'each hour of the period',
  day: 'each day',
  month: 'each month',
  year: 'each year',
  'hour-of-day': 'hours 0 to 23 of all days',
  'month-of-year': 'months 1 to 12 of all years',
  sector: 'direction, in the sectors of --sectors',
} as const satisfies Record<GroupKey, string>;

/** Meanings of the fields that a condition can compare, each with an example. */
export const CONDITION_FIELDS = {
  avg: 'mean speed with its unit: avg > 15kn, avg in 3..5bft',
  max: 'gust, or the other name gust: max < 30kn',
  min: 'lull, or the other name lull: min >= 8kn',
  gust_factor: 'gust divided by mean, a number without unit: gust_factor < 1.6',
  dir: 'direction the wind comes from, degrees or one of 16 points; ranges go clockwise: dir in NW..NE',
  age: 'time since the measurement: age < 20m',
  state: 'power state, with = or != only: on, off, unknown',
  distance: 'kilometres from the place of --near: distance < 25',
  trend: 'change of the mean over the last hour, a speed per hour: trend > 5kn',
} as const satisfies Record<Field, string>;
