import { COLUMNS } from './reading.ts';
import { convertSpeed, type SpeedUnit } from './units.ts';

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

/** Columns of so many rows in one piece of memory, one after the other in the interface's order. */
export function columnsIn(values: Float64Array, count: number): Columns {
  const column = (place: number): Float64Array =>
    values.subarray(place * count, (place + 1) * count);
  return {
    count,
    time: column(0),
    latitude: column(1),
    longitude: column(2),
    windSpeedMin: column(3),
    windSpeedAvg: column(4),
    windSpeedMax: column(5),
    windHeading: column(6),
    pressure: column(7),
  };
}

/** Columns with their speeds in another unit than km/h. */
export function convertColumns(columns: Columns, unit: SpeedUnit): Columns {
  if (unit === 'kmh') return columns;
  const convert = (speedKmh: number): number =>
    Number.isNaN(speedKmh) ? speedKmh : (convertSpeed(speedKmh, unit) as number);
  const speeds = NAMES.filter((_, place) => COLUMNS[place]?.unit === 'km/h');
  const converted = speeds.map((name) => [name, (columns[name] as Float64Array).map(convert)]);
  return { ...columns, ...Object.fromEntries(converted) };
}

/** The values of a column by the interface's name of it; undefined for a column of another. */
export function columnNamed(columns: Columns, name: string): Float64Array | undefined {
  const key = NAMES[COLUMNS.findIndex((column) => column.name === name)];
  return key && columns[key];
}

/** Rows `from` to before `to`. */
export function sliceRows(columns: Columns, from: number, to: number): Columns {
  if (from === 0 && to === columns.count) return columns;
  return mapColumns(columns, to - from, (values) => values.subarray(from, to));
}

/** Some rows, in the order of the list. */
export function pickRows(columns: Columns, rows: Int32Array): Columns {
  return mapColumns(columns, rows.length, (values) => {
    const picked = new Float64Array(rows.length);
    for (let i = 0; i < rows.length; i++) picked[i] = values[rows[i] as number] as number;
    return picked;
  });
}

function mapColumns(
  columns: Columns,
  count: number,
  of: (values: Float64Array) => Float64Array,
): Columns {
  return {
    count,
    time: of(columns.time),
    latitude: of(columns.latitude),
    longitude: of(columns.longitude),
    windSpeedMin: of(columns.windSpeedMin),
    windSpeedAvg: of(columns.windSpeedAvg),
    windSpeedMax: of(columns.windSpeedMax),
    windHeading: of(columns.windHeading),
    pressure: of(columns.pressure),
  };
}

/** Chunks whose rows ascend by time, each time once: the chunks as they are, or all in one. */
export function ascendingColumns(chunks: readonly Columns[]): readonly Columns[] {
  let last = Number.NEGATIVE_INFINITY;
  const isAscending = chunks.every(({ count, time }) => {
    for (let row = 0; row < count; row++) {
      if ((time[row] as number) <= last) return false;
      last = time[row] as number;
    }
    return true;
  });
  if (isAscending) return chunks;
  const count = chunks.reduce((sum, chunk) => sum + chunk.count, 0);
  const all = Object.fromEntries(
    NAMES.map((name) => {
      const values = new Float64Array(count);
      let at = 0;
      for (const chunk of chunks) {
        values.set(chunk[name].subarray(0, chunk.count), at);
        at += chunk.count;
      }
      return [name, values];
    }),
  ) as unknown as Omit<Columns, 'count'>;
  const { time } = all;
  const rows = Uint32Array.from({ length: count }, (_, row) => row)
    .sort((a, b) => (time[a] as number) - (time[b] as number) || a - b)
    .filter((row, place, sorted) => place === 0 || time[row] !== time[sorted[place - 1] as number]);
  const picked = NAMES.map((name) => {
    return [name, Float64Array.from(rows, (row) => all[name][row] as number)];
  });
  return [{ count: rows.length, ...Object.fromEntries(picked) }];
}
