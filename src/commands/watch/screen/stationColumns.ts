import { gustFactor } from '../../../domain/gustFactor.ts';
import type { SelectedStation } from '../../../domain/selection.ts';
import { measurementAgeMs } from '../../../domain/station.ts';
import { convertSpeed, isForceScale, type SpeedUnit } from '../../../domain/units.ts';
import {
  findTroubles,
  type StationTrouble,
  samplesOfLastHour,
} from '../../../domain/watching/diagnostics.ts';
import {
  isStale,
  TREND_SPAN_MS,
  type WindSample,
  windSampleOf,
} from '../../../domain/watching/recentMeasurements.ts';
import { formatAge, MISSING_VALUE_SIGN } from '../../../formats/humanReadable.ts';
import {
  DIRECTION_COLUMN,
  paintSpeed,
  speedColumn,
  textCell,
} from '../../../formats/stationsTable.ts';
import type { TableCell, TableColumn } from '../../../formats/textTable.ts';
import type { WatchedStation } from '../watchStore.ts';
import { ALERT_MARK, OUTDATED_MARK, type Scene, type ScreenStyle } from './scene.ts';

/** A row of the table: a station, and values that several cells need. */
interface StationRow extends WatchedStation, SelectedStation {
  readonly latest: WindSample | undefined;
  readonly troubles: readonly StationTrouble[];
  /** Whether the station's values are not the current wind, since it is old, off or gone. */
  readonly isOutdated: boolean;
  readonly trend: Sparkline;
}

type Column = TableColumn<StationRow>;

/**
 * Creates rows for some of the scene's stations. All sparklines share one scale, for all stations
 * of the scene.
 */
export function stationRowsOf(
  stations: readonly WatchedStation[],
  scene: Scene,
  style: ScreenStyle,
): StationRow[] {
  const current = scene.stations.filter(({ recent }) => !isStale(recent, scene.now));
  const averages = current.flatMap(({ recent }) =>
    samplesOfLastHour(recent.samples).map(({ avgKmh }) => avgKmh ?? 0),
  );
  const topKmh = averages.reduce((top, avgKmh) => Math.max(top, avgKmh), 0);
  return stations.map((watched) => {
    const { station, samples } = watched.recent;
    const troubles = findTroubles(watched.recent, scene.now);
    return {
      ...watched,
      station,
      latest: windSampleOf(station),
      troubles,
      isOutdated: troubles.some((trouble) => trouble !== 'frozen'),
      trend: drawSparkline(samples, topKmh, style.isUnicode),
    };
  });
}

/**
 * The columns of `vane watch`: the station, its wind, how the wind changes, and doubts about the
 * values.
 */
export function watchColumns(
  scene: Scene,
  rows: readonly StationRow[],
  style: ScreenStyle,
): Column[] {
  const { unit, now, failures } = scene;
  const { chalk } = style;
  const write = speedWriter(unit);
  const number = (
    head: string,
    rank: number,
    read: (row: StationRow) => string | undefined,
  ): Column => ({
    ...{ head, isDecimal: true, rank, cell: (row) => ({ text: read(row) ?? MISSING_VALUE_SIGN }) },
  });
  const speed = (head: 'avg' | 'gust' | 'lull', rank: number): Column =>
    speedColumn(head, { rank, unit, chalk }, write);
  /** Shows changed values of a column in bold. */
  const marked = (column: Column, value: 'maxKmh' | 'minKmh' | 'headingDeg'): Column => ({
    ...column,
    cell(row) {
      const { text, paint = (plain) => plain } = column.cell(row);
      const { before } = row.recent;
      if (before === undefined || before[value] === row.latest?.[value]) return { text, paint };
      return { text, paint: (plain) => paint(chalk.bold(plain)) };
    },
  });
  const hasDistance = rows.some(({ distanceKm }) => distanceKm !== undefined);
  const hasNote = rows.some(({ troubles }) => troubles.length > 0);
  const values: Column[] = [
    ...(hasDistance ? [number('km', 4, ({ distanceKm }) => distanceKm?.toFixed(1))] : []),
    // Do not show a changed average in bold, since the change has its own column.
    speed('avg', 0),
    number('change', 5, (row) => writeChange(row, unit)),
    marked(speed('gust', 2), 'maxKmh'),
    marked(speed('lull', 7), 'minKmh'),
    marked({ ...DIRECTION_COLUMN, rank: 3 }, 'headingDeg'),
    number('gust/avg', 9, ({ latest }) => (latest && gustFactor(latest))?.toFixed(2)),
    { head: 'last hour', rank: 6, cell: ({ trend }) => trendCell(trend, style) },
    number(
      'min–max',
      8,
      ({ trend: { rangeKmh } }) => rangeKmh && [...new Set(rangeKmh.map(write))].join('–'),
    ),
    {
      head: 'age',
      rank: 1,
      cell({ station }) {
        const ageMs = measurementAgeMs(station, now);
        if (ageMs === undefined) return { text: MISSING_VALUE_SIGN };
        return { text: formatAge(ageMs) + (failures ? ` ${OUTDATED_MARK}` : '') };
      },
    },
  ];
  /** Dims a column for stations whose values are not the current wind. */
  const dimmed = (column: Column): Column => ({
    ...column,
    cell(row) {
      const cell = column.cell(row);
      return row.isOutdated ? { ...cell, paint: chalk.dim } : cell;
    },
  });
  const note: Column = {
    ...{ head: 'note', rank: 0, room: { comfortable: 10, tight: 4 } },
    cell: ({ troubles }) => ({ text: troubles.join(' '), paint: chalk.yellow }),
  };
  return [
    dimmed(idColumn(scene, style)),
    nameColumn(scene, style),
    ...values.map(dimmed),
    ...(hasNote ? [note] : []),
  ];
}

/** The column of ids. The chosen station has inverse colours. */
function idColumn({ chosen }: Scene, { chalk }: ScreenStyle): Column {
  const cell = ({ station: { id } }: StationRow): TableCell => ({
    text: String(id),
    ...(id === chosen && { paint: chalk.inverse }),
  });
  return { head: 'id', isDecimal: true, rank: 0, cell };
}

function nameColumn({ condition }: Scene, { chalk }: ScreenStyle): Column {
  // Reserve a margin for the mark of an alert, so that names do not move.
  const margin = condition === undefined ? '' : '  ';
  return {
    head: `${margin}name`,
    rank: 0,
    room: { roomy: 21 + margin.length, comfortable: 12 + margin.length, tight: 5 },
    cell: ({ station, isAlerting, isOutdated }) => {
      const { text } = textCell(station.meta.name.trim());
      if (isAlerting) return { text: `${ALERT_MARK} ${text}`, paint: chalk.bold.inverse };
      return { text: margin + text, paint: isOutdated ? chalk.dim : undefined };
    },
  };
}

/**
 * Creates a writer of speeds in a unit. They have one decimal, so that columns keep their width.
 */
function speedWriter(unit: SpeedUnit): (speedKmh: number) => string {
  const decimals = isForceScale(unit) ? 0 : 1;
  return (speedKmh) => (convertSpeed(speedKmh, unit) as number).toFixed(decimals);
}

function writeChange({ recent: { before }, latest }: StationRow, unit: SpeedUnit): string {
  const from = convertSpeed(before?.avgKmh ?? null, unit);
  const to = convertSpeed(latest?.avgKmh ?? null, unit);
  if (from === null || to === null) return '';
  const text = Math.abs(to - from).toFixed(isForceScale(unit) ? 0 : 1);
  if (Number(text) === 0) return '';
  return (to > from ? '+' : '-') + text;
}

function trendCell({ barsKmh, sparkline }: Sparkline, { chalk }: ScreenStyle): TableCell {
  const paintBar = (bar: string, place: number): string => {
    const speedKmh = barsKmh[place];
    return speedKmh === undefined ? bar : paintSpeed(speedKmh, chalk)(bar);
  };
  return { text: sparkline, paint: (text) => [...text].map(paintBar).join('') };
}

/** The bars of a sparkline, lowest first. */
const UNICODE_LEVELS = [...'▁▂▃▄▅▆▇█'];
const ASCII_LEVELS = [...'_.-=+*#'];

/**
 * A sparkline of an hour has cells of five minutes, which is about the time between measurements.
 */
const CELLS = 12;
const CELL_MS = TREND_SPAN_MS / CELLS;

/** The average speeds of the last hour, as a range and as the bars of a sparkline. */
interface Sparkline {
  /** Lowest and highest average, km/h; undefined if no average is known. */
  readonly rangeKmh: readonly [lowest: number, highest: number] | undefined;
  readonly sparkline: string;
  /** The speed of each bar; undefined for a blank. */
  readonly barsKmh: readonly (number | undefined)[];
}

/**
 * Draws the average speeds of the hour up to the latest measurement, which is at the right. Each
 * cell shows the last average of its five minutes; without one it is blank.
 * @param topKmh the speed of the highest bar; the lowest bar is 0
 */
export function drawSparkline(
  samples: readonly WindSample[],
  topKmh: number,
  isUnicode: boolean,
): Sparkline {
  const latestMs = samples.at(-1)?.timeMs ?? 0;
  const barsKmh = Array<number | undefined>(CELLS).fill(undefined);
  const speeds = samplesOfLastHour(samples).flatMap(({ timeMs, avgKmh }) => {
    if (avgKmh === null) return [];
    // Round the age, so that a few seconds of jitter do not put two measurements into one cell.
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
