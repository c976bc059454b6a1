import type { ReadingColumns } from '../../src/domain/readings/columns.ts';
import type { Station } from '../../src/domain/station.ts';
import { BEAUFORT_FROM_KMH } from '../../src/domain/units.ts';
import type { FigureOptions } from '../../src/figures/figureOptions.ts';
import { FIGURE_KINDS } from '../../src/figures/kinds.ts';
import type { PlotData, PlotStation } from '../../src/figures/plotData.ts';

/** The kinds of picture that show a period. */
export const KINDS_OF_PERIODS = FIGURE_KINDS.filter((kind) => kind !== 'now');

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const START = Date.parse('2024-05-01T00:00:00Z');

/**
 * A reading for a picture: minutes after {@link START}, lull, mean and gust in km/h, heading in
 * degrees.
 */
export type Row = readonly [
  minutes: number,
  lull: number | null,
  mean: number | null,
  gust: number | null,
  heading: number | null,
];

/** Columns that were made before: most tests draw the same rows many times. */
const madeColumns = new WeakMap<readonly Row[], ReadingColumns>();

export function columnsFrom(rows: readonly Row[]): ReadingColumns {
  const columns = madeColumns.get(rows) ?? makeColumns(rows);
  madeColumns.set(rows, columns);
  return columns;
}

function makeColumns(rows: readonly Row[]): ReadingColumns {
  const column = (at: number): Float64Array =>
    Float64Array.from(rows, (row) => row[at] ?? Number.NaN);
  const unknown = new Float64Array(rows.length).fill(Number.NaN);
  return {
    count: rows.length,
    time: Float64Array.from(rows, ([minutes]) => START + minutes * 60_000),
    latitude: unknown,
    longitude: unknown,
    windSpeedMin: column(1),
    windSpeedAvg: column(2),
    windSpeedMax: column(3),
    windHeading: column(4),
    pressure: unknown,
  };
}

const madeRows = new Map<number, readonly Row[]>();

/**
 * Readings every 10 minutes, with a breeze each day and a storm about once a month; for the same
 * number of days the same array.
 */
export function swingingRows(days: number): readonly Row[] {
  const rows = madeRows.get(days) ?? makeSwingingRows(days);
  madeRows.set(days, rows);
  return rows;
}

function makeSwingingRows(days: number): Row[] {
  return Array.from({ length: days * 144 }, (_, index): Row => {
    const day = index / 144;
    const breeze = 12 - 10 * Math.cos(2 * Math.PI * day);
    const storm = 30 * Math.max(0, Math.sin(day / 5)) ** 4;
    const mean = Math.max(0, breeze + storm + 3 * Math.sin(index * 1.7));
    const gust = mean * (1.4 + 0.2 * Math.sin(index * 2.3));
    const heading = (225 + 60 * Math.sin(day * 2) + 360) % 360;
    return [
      index * 10,
      Math.round(mean * 6) / 10,
      Math.round(mean * 10) / 10,
      Math.round(gust * 10) / 10,
      Math.round(heading),
    ];
  });
}

export function stationOf(rows: readonly Row[], changes: Partial<PlotStation> = {}): PlotStation {
  const position = { latitude: 45.9, longitude: 6.2 };
  const live = liveOf(rows.at(-1));
  return {
    id: 110,
    name: 'Col du Vent',
    position,
    readings: [columnsFrom(rows)],
    live,
    ...changes,
  };
}

/** A station whose latest measurement is a row; without a row it has none. */
export function liveOf(row: Row | undefined, state: string | null = 'on'): Station {
  const [minutes, lull, mean, gust, heading] = row ?? [undefined, null, null, null, null];
  const date =
    minutes === undefined ? null : new Date(START + Math.round(minutes * 60_000)).toISOString();
  return {
    id: 110,
    meta: { name: 'Col du Vent' },
    location: { latitude: 45.9, longitude: 6.2, date: null, success: true },
    measurements: {
      date,
      pressure: null,
      wind_heading: heading,
      wind_speed_avg: mean,
      wind_speed_max: gust,
      wind_speed_min: lull,
    },
    status: { date, snr: 20, state },
  };
}

export function plotData(stations: readonly PlotStation[], days: number): PlotData {
  return {
    stations,
    period: { start: START, stop: START + days * DAY },
    zone: 'utc',
    unit: 'kmh',
    license: 'https://example.org/license',
    attribution: '(c) contributors of the network',
  };
}

export const OPTIONS: FigureOptions = {
  marksKmh: [],
  where: undefined,
  sectors: 16,
  classesKmh: BEAUFORT_FROM_KMH,
  calmKmh: 1,
  value: 'mean',
  by: undefined,
};
