import { measurementAgeMs, type Station } from '../../../domain/station.ts';
import { convertSpeed, isForceScale, SPEED_UNITS, type SpeedUnit } from '../../../domain/units.ts';
import {
  findTroubles,
  gustFactor,
  lastHour,
  type Trouble,
} from '../../../domain/watching/diagnostics.ts';
import { isStale, type Sample, TREND_MS } from '../../../domain/watching/recentMeasurements.ts';
import { formatElapsed, NOTHING } from '../../../formats/forPeople.ts';
import { DIRECTION, directionCell, paintSpeed, textCell } from '../../../formats/table.ts';
import type { Cell, TableColumn } from '../../../formats/textTable.ts';
import { ALARM_MARK, KEPT_MARK, type Scene, type Style, type Watched } from './scene.ts';

/** A station of `vane watch`, with what several cells of its row need. */
export interface Row extends Watched {
  readonly troubles: readonly Trouble[];
  /** Whether the station's values are not the present wind, as it is old, off or gone. */
  readonly isOutdated: boolean;
  readonly trend: Trend;
}

type Column = TableColumn<Row>;

/** The rows of some of the scene's stations; their sparklines have the scale of all stations. */
export function rowsOf(stations: readonly Watched[], scene: Scene, style: Style): Row[] {
  const current = scene.stations.filter(({ track }) => !isStale(track, scene.now));
  const averages = current.flatMap(({ track }) =>
    lastHour(track.samples).map(({ avgKmh }) => avgKmh),
  );
  const topKmh = averages.reduce<number>((top, avgKmh) => Math.max(top, avgKmh ?? 0), 0);
  return stations.map((station) => rowOf(station, topKmh, scene, style));
}

function rowOf(watched: Watched, topKmh: number, { now }: Scene, style: Style): Row {
  const { track } = watched;
  const troubles = findTroubles(track, now);
  return {
    ...watched,
    troubles,
    isOutdated: troubles.some((trouble) => trouble !== 'frozen'),
    trend: drawTrend(track.samples, topKmh, style.isUnicode),
  };
}

/**
 * Columns of `vane watch`: the station, its wind, the change of the wind, and doubts about the
 * values.
 */
export function watchColumns(scene: Scene, rows: readonly Row[], style: Style): Column[] {
  const hasDistance = rows.some(({ distanceKm }) => distanceKm !== undefined);
  const hasNote = rows.some(({ troubles }) => troubles.length > 0);
  const values = [
    ...(hasDistance ? [numberColumn('km', 4, ({ distanceKm }) => distanceKm?.toFixed(1))] : []),
    speedColumn('avg', 0, 'avg', scene.unit, style),
    changeColumn(scene.unit),
    speedColumn('gust', 2, 'max', scene.unit, style),
    speedColumn('lull', 7, 'min', scene.unit, style),
    directionColumn(style),
    numberColumn('gust/avg', 9, ({ track: { station } }) => {
      const { wind_speed_avg: avgKmh, wind_speed_max: maxKmh } = station.measurements;
      return gustFactor({ avgKmh, maxKmh })?.toFixed(2);
    }),
    trendColumn(style),
    numberColumn('min–max', 8, ({ trend }) => formatRange(trend, scene.unit)),
    { head: 'age', rank: 1, cell: ({ track }: Row) => ageCell(track.station, scene) },
  ];
  const dim = (column: Column): Column => dimWhenOutdated(column, style);
  return [
    dim(idColumn(scene, style)),
    nameColumn(scene, style),
    ...values.map(dim),
    ...(hasNote ? [noteColumn(style)] : []),
  ];
}

function numberColumn(
  head: string,
  rank: number,
  read: (row: Row) => string | null | undefined,
): Column {
  return { head, isDecimal: true, rank, cell: (row) => ({ text: read(row) ?? NOTHING }) };
}

/** The ids; a mark stands before that of the chosen station. */
function idColumn({ chosen }: Scene, { chalk }: Style): Column {
  const cell = ({ track: { station } }: Row): Cell => {
    if (chosen === undefined) return { text: String(station.id) };
    const isChosen = station.id === chosen;
    return {
      text: `${isChosen ? '>' : ' '}${station.id}`,
      paint: isChosen ? chalk.inverse : undefined,
    };
  };
  return { head: 'id', isDecimal: true, rank: 0, cell };
}

function nameColumn({ condition }: Scene, { chalk }: Style): Column {
  // A margin is kept free for the mark of an alarm, so that the mark shifts no name.
  const margin = condition === undefined ? '' : '  ';
  return {
    head: `${margin}name`,
    rank: 0,
    room: {
      roomy: 26 + margin.length,
      comfortable: 12 + margin.length,
      tight: 6,
    },
    cell: ({ track, isAlarmed, isOutdated }) => {
      const { text } = textCell(track.station.meta.name.trim());
      if (isAlarmed) return { text: `${ALARM_MARK} ${text}`, paint: chalk.bold.inverse };
      return { text: margin + text, paint: isOutdated ? chalk.dim : undefined };
    },
  };
}

function speedColumn(
  head: string,
  rank: number,
  name: 'avg' | 'max' | 'min',
  unit: SpeedUnit,
  { chalk }: Style,
): Column {
  const cell = ({ track }: Row): Cell => {
    const speedKmh = track.station.measurements[`wind_speed_${name}`];
    if (speedKmh === null) return { text: NOTHING };
    const paint = paintSpeed(speedKmh, chalk);
    // A gust or lull that changed is bold. The average is not: its change has its own column.
    const isMarked = name !== 'avg' && track.before && track.before[`${name}Kmh`] !== speedKmh;
    return { text: formatSpeed(speedKmh, unit), paint: isMarked ? paint.bold : paint };
  };
  const named = {
    head: `${head} ${SPEED_UNITS[unit].label}`,
    ...(name !== 'avg' && { brief: { head } }),
  };
  return { ...named, isDecimal: true, rank, cell };
}

/** A speed has one decimal, so that a column keeps its width when values change. */
const decimalsOf = (unit: SpeedUnit): number => (isForceScale(unit) ? 0 : 1);

function formatSpeed(speedKmh: number, unit: SpeedUnit): string {
  return (convertSpeed(speedKmh, unit) as number).toFixed(decimalsOf(unit));
}

function changeColumn(unit: SpeedUnit): Column {
  return numberColumn('change', 5, ({ track: { before, station } }) => {
    const from = convertSpeed(before?.avgKmh ?? null, unit);
    const to = convertSpeed(station.measurements.wind_speed_avg, unit);
    if (from === null || to === null) return '';
    const text = Math.abs(to - from).toFixed(decimalsOf(unit));
    if (Number(text) === 0) return '';
    return (to > from ? '+' : '-') + text;
  });
}

function directionColumn({ chalk }: Style): Column {
  return {
    ...DIRECTION,
    rank: 3,
    cell: ({ track: { station, before } }) => {
      const isMarked = before && before.headingDeg !== station.measurements.wind_heading;
      return { ...directionCell({ station }), paint: isMarked ? chalk.bold : undefined };
    },
  };
}

function trendColumn({ chalk }: Style): Column {
  const cell = ({ trend: { barsKmh, sparkline } }: Row): Cell => {
    const paintBar = (bar: string, place: number): string => {
      const speedKmh = barsKmh[place];
      return speedKmh === undefined ? bar : paintSpeed(speedKmh, chalk)(bar);
    };
    return { text: sparkline, paint: (text) => [...text].map(paintBar).join('') };
  };
  return { head: 'last hour', rank: 6, cell };
}

function formatRange({ rangeKmh }: Trend, unit: SpeedUnit): string | undefined {
  const [lowest, highest] = rangeKmh?.map((speedKmh) => formatSpeed(speedKmh, unit)) ?? [];
  return lowest === highest ? lowest : `${lowest}–${highest}`;
}

function ageCell(station: Station, { now, failures }: Scene): Cell {
  const ageMs = measurementAgeMs(station, now);
  if (ageMs === undefined) return { text: NOTHING };
  return { text: formatElapsed(ageMs) + (failures ? ` ${KEPT_MARK}` : '') };
}

function noteColumn({ chalk }: Style): Column {
  const cell = ({ troubles }: Row): Cell => ({ text: troubles.join(' '), paint: chalk.yellow });
  return { head: 'note', rank: 0, room: { comfortable: 10, tight: 4 }, cell };
}

/** Dims the cells of a column where the station's values are not the present wind. */
function dimWhenOutdated(column: Column, { chalk }: Style): Column {
  return {
    ...column,
    cell: (row) => {
      const cell = column.cell(row);
      return row.isOutdated ? { ...cell, paint: chalk.dim } : cell;
    },
  };
}

/** Bars of a sparkline, from the lowest to the highest. */
const UNICODE_LEVELS = [...'▁▂▃▄▅▆▇█'];
const ASCII_LEVELS = [...'_.-=+*#'];

/** A sparkline of one hour has cells of five minutes, about the time between two measurements. */
const CELLS = 12;
const CELL_MS = TREND_MS / CELLS;

/** The average speeds of the last hour, as a range and as a sparkline. */
export interface Trend {
  /** Lowest and highest average in km/h; undefined if no average is known. */
  readonly rangeKmh: readonly [lowest: number, highest: number] | undefined;
  readonly sparkline: string;
  /** The speed of each bar; undefined for a blank. */
  readonly barsKmh: readonly (number | undefined)[];
}

/**
 * Draws the average speeds of the hour that ends with the latest measurement, at the right. A cell
 * shows the last average of its five minutes, and is blank without one.
 * @param topKmh the speed of the highest bar; the lowest bar is 0
 */
export function drawTrend(samples: readonly Sample[], topKmh: number, isUnicode: boolean): Trend {
  const latestMs = samples.at(-1)?.timeMs ?? 0;
  const barsKmh = Array<number | undefined>(CELLS).fill(undefined);
  const speeds = lastHour(samples).flatMap(({ timeMs, avgKmh }) => {
    if (avgKmh === null) return [];
    // Ages are rounded, so that a few seconds of jitter do not put two measurements into one cell.
    const cellsAgo = Math.min(CELLS - 1, Math.round((latestMs - timeMs) / CELL_MS));
    barsKmh[CELLS - 1 - cellsAgo] = avgKmh;
    return [avgKmh];
  });
  if (speeds.length === 0) return { rangeKmh: undefined, sparkline: '', barsKmh: [] };
  const levels = isUnicode ? UNICODE_LEVELS : ASCII_LEVELS;
  const barOf = (speedKmh: number | undefined): string => {
    if (speedKmh === undefined) return ' ';
    const height = Math.max(0, Math.min(1, speedKmh / (topKmh || 1)));
    return levels[Math.round(height * (levels.length - 1))] as string;
  };
  const rangeKmh = [Math.min(...speeds), Math.max(...speeds)] as const;
  return { rangeKmh, sparkline: barsKmh.map(barOf).join(''), barsKmh };
}
