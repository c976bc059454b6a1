import { scaleLinear } from 'd3-scale';
import { compassPoint } from '../domain/compass.ts';
import { SUNSET_DEG, sunElevation } from '../domain/sun.ts';
import { BEAUFORT_FROM_KMH, SPEED_UNITS, type SpeedUnit } from '../domain/units.ts';
import type { FigureTable, Mark, Point } from './figure.ts';
import type { Drawing, PlotData, PlotOptions, PlotStation } from './plotData.ts';
import { type SeriesPoint, type SeriesRun, seriesPoints, stepMs } from './seriesPoints.ts';
import { type Box, fitText, type Style, snap, textMark } from './style.ts';
import { coverageFacts } from './summaries.ts';
import { timeTicks } from './timeTicks.ts';
import { writeMoment, writeSpeed, writeSpeedIn } from './words.ts';

/** Highest speed of the axis where there is no wind, km/h. */
const LEAST_TOP_KMH = 10;
/** Arrows stand this far apart. */
const ARROW_PX = 24;
/** Nights are left out where a day is narrower than this many cells. */
const LEAST_DAY_CELLS = 6;
const DAY_MS = 86_400_000;
const RADIANS = Math.PI / 180;

interface Tick {
  readonly speedKmh: number;
  readonly label: string;
}

/** The course of the wind: an area from lull to gust, the mean as a line, arrows beneath. */
export function prepareSeries(data: PlotData, options: PlotOptions, style: Style): Drawing {
  const { stations, unit } = data;
  const topKmh = Math.max(LEAST_TOP_KMH, ...options.marksKmh, ...stations.map(highestGust));
  const isSeveral = stations.length > 1;
  const head = ['time', `mean ${SPEED_UNITS[unit].label}`, 'gust', 'lull', 'direction'];
  const drawn: (readonly [PlotStation, readonly SeriesPoint[]])[] = [];
  const table: FigureTable = {
    head: isSeveral ? ['station', ...head] : head,
    // Few writers need the texts of all points.
    get rows() {
      return drawn.flatMap(([{ name }, points]) =>
        points.map((point) => [...(isSeveral ? [name.trim()] : []), ...describePoint(point, data)]),
      );
    },
  };
  return {
    subject: 'wind',
    facts: coverageFacts(data, options),
    legend: [],
    notes: ['Area: lull to gust. Line: mean. Arrows: where the wind blows to.'],
    leastWidth: 40 * style.charPx,
    leastHeight: (style.gridY === 1 ? 11 : 8) * style.linePx,
    table,
    draw(index, box) {
      const station = stations[index] as PlotStation;
      const panel = layOut(topKmh, data, box, style);
      const runs = seriesPoints(station.readings, data.period, panel.columns, style.gridX);
      drawn.push([station, runs.flat()]);
      const name = isSeveral ? [nameMark(station, box, panel, style)] : [];
      return [
        ...name,
        ...drawNights(station, data, panel, style),
        ...drawHeld(station, data, options, panel, style),
        ...drawAxes(data, box, panel, style),
        ...runs.flatMap((run) => drawRun(run, panel, style)),
        ...drawMarks(options.marksKmh, unit, panel, style),
        ...drawArrows(runs, panel, style),
        ...(style.hasTips ? drawTips(runs, data, panel) : []),
      ];
    },
  };
}

/** The plot's area within a box, and its scales. */
interface Panel extends Box {
  readonly right: number;
  readonly bottom: number;
  /** Cells that the plot is wide. */
  readonly columns: number;
  readonly ticks: readonly Tick[];
  readonly yOf: (speedKmh: number) => number;
  readonly xOf: (ms: number) => number;
}

/** Height of the row above the plot; the highest label reaches half a line into it. */
const unitRowPx = ({ linePx, gridY }: Style): number => (gridY === 1 ? 1.5 : 1) * linePx;

function highestGust({ readings }: PlotStation): number {
  let highest = 0;
  for (const { count, windSpeedAvg, windSpeedMax } of readings) {
    for (let row = 0; row < count; row++) {
      highest = Math.max(highest, windSpeedMax[row] || windSpeedAvg[row] || 0);
    }
  }
  return highest;
}

function layOut(leastTopKmh: number, { period, unit }: PlotData, box: Box, style: Style): Panel {
  const { charPx, linePx, gridX } = style;
  const unitPx = unitRowPx(style);
  const height = box.height - unitPx - 2 * linePx;
  const { ticks, topKmh } = speedTicks(unit, leastTopKmh, height / (2.5 * linePx));
  const labels = ticks.map(({ label }) => label.length);
  const margin = snap((Math.max(2, ...labels) + 1) * charPx + gridX - 1, gridX);
  const left = box.left + margin;
  const columns = Math.max(1, Math.floor((box.width - margin - 3 * charPx) / gridX));
  const [top, width] = [box.top + unitPx, columns * gridX];
  const bottom = top + height;
  const x = scaleLinear(
    [period.start, Math.max(period.stop, period.start + 1)],
    [left, left + width],
  );
  const y = scaleLinear([0, topKmh], [bottom, top]);
  return { left, top, width, height, right: left + width, bottom, columns, ticks, xOf: x, yOf: y };
}

/** Round speeds of a unit, from 0 to at least the highest. */
function speedTicks(unit: SpeedUnit, highestKmh: number, count: number) {
  const { kmh } = SPEED_UNITS[unit];
  if (kmh === undefined) {
    const force = BEAUFORT_FROM_KMH.findIndex((lowest) => lowest >= highestKmh);
    const topKmh = force === -1 ? highestKmh : (BEAUFORT_FROM_KMH[force] as number);
    return { ticks: forceTicks(), topKmh };
  }
  const scale = scaleLinear([0, highestKmh / kmh], [0, 1]).nice(Math.max(5, count));
  const ticks = scale.ticks(Math.max(2, count)).map((speed) => ({
    speedKmh: speed * kmh,
    label: String(speed),
  }));
  return { ticks, topKmh: (scale.domain()[1] as number) * kmh };
}

/** Where each Beaufort force begins. */
const forceTicks = (): Tick[] => [
  { speedKmh: 0, label: '0' },
  ...BEAUFORT_FROM_KMH.map((speedKmh, index) => ({ speedKmh, label: String(index + 1) })),
];

/** Ticks within the axis whose labels do not touch, from below. */
function readable(ticks: readonly Tick[], { yOf, top }: Panel, { linePx }: Style): Tick[] {
  const kept: Tick[] = [];
  let last = Number.POSITIVE_INFINITY;
  for (const tick of ticks) {
    const y = yOf(tick.speedKmh);
    if (y < top - 0.01 || last - y < linePx) continue;
    kept.push(tick);
    last = y;
  }
  return kept;
}

function drawAxes({ period, zone, unit }: PlotData, box: Box, panel: Panel, style: Style): Mark[] {
  const { left, right, top, bottom, width, yOf, xOf } = panel;
  const { charPx, linePx, gridY } = style;
  const isForce = SPEED_UNITS[unit].kmh === undefined;
  const other: SpeedUnit = isForce ? 'kn' : 'bft';
  const highestKmh = speedAt(panel, top);
  const second = isForce
    ? speedTicks('kn', highestKmh, panel.height / (2.5 * linePx)).ticks
    : forceTicks();
  // The lowest tick stays within the plot's last row.
  const tickY = (speedKmh: number): number => Math.min(yOf(speedKmh), bottom - gridY / 2);
  const muted = { role: 'muted' } as const;
  const ticks = readable(panel.ticks, panel, style);
  const times = timeTicks(period, zone, width / (8 * charPx));
  return [
    ...ticks.map(({ speedKmh }): Mark => {
      const y = tickY(speedKmh);
      return { kind: 'rule', role: 'grid', from: [left, y], to: [right, y] };
    }),
    ...times.map(({ ms }): Mark => {
      const x = xOf(ms);
      return { kind: 'rule', role: 'grid', from: [x, top], to: [x, bottom] };
    }),
    textMark(SPEED_UNITS[unit].label, [box.left, box.top + linePx / 2], muted),
    textMark(SPEED_UNITS[other].label, [right + 3 * charPx, box.top + linePx / 2], {
      ...muted,
      anchor: 'end',
    }),
    ...ticks.map(({ speedKmh, label }) =>
      textMark(label, [left - charPx, tickY(speedKmh)], { ...muted, anchor: 'end' }),
    ),
    ...readable(second, panel, style).map(({ speedKmh, label }) =>
      textMark(label, [right + charPx, tickY(speedKmh)], muted),
    ),
    ...times.flatMap(({ ms, label }) => {
      const half = (label.length * charPx) / 2;
      const x = xOf(ms);
      // A label at an edge would reach beyond the plot.
      if (x - half < left - 3 * charPx || x + half > right + 3 * charPx) return [];
      return [textMark(label, [x, bottom + linePx / 2], { ...muted, anchor: 'middle' })];
    }),
  ];
}

const speedAt = ({ yOf, top, bottom }: Panel, y: number): number => {
  const pxOfKmh = (bottom - yOf(1000)) / 1000;
  return top === bottom ? 0 : (bottom - y) / pxOfKmh;
};

function nameMark(station: PlotStation, box: Box, { left, width }: Panel, style: Style): Mark {
  const room = width - 4 * style.charPx;
  const name = fitText(station.name.trim(), room, style);
  return textMark(name, [left + width / 2, box.top + style.linePx / 2], {
    anchor: 'middle',
    isBold: box.width > 0,
  });
}

/** The columns of a panel where something holds, as rectangles of its height. */
function shade(
  panel: Panel,
  style: Style,
  holds: (column: number) => boolean,
  mark: Pick<Extract<Mark, { kind: 'rectangle' }>, 'role' | 'sign'>,
): Mark[] {
  const marks: Mark[] = [];
  for (let column = 0, from = -1; column <= panel.columns; column++) {
    const isOn = column < panel.columns && holds(column);
    if (isOn && from === -1) from = column;
    if (isOn || from === -1) continue;
    const [x, width] = [panel.left + from * style.gridX, (column - from) * style.gridX];
    marks.push({ kind: 'rectangle', ...mark, x, width, y: panel.top, height: panel.height });
    from = -1;
  }
  return marks;
}

function drawNights(
  { position }: PlotStation,
  { period: { start, stop } }: PlotData,
  panel: Panel,
  style: Style,
): Mark[] {
  const columnMs = (stop - start) / panel.columns;
  if (position === undefined || columnMs * LEAST_DAY_CELLS > DAY_MS || columnMs === 0) return [];
  const isNight = (column: number): boolean =>
    sunElevation(start + (column + 0.5) * columnMs, position) < SUNSET_DEG;
  return shade(panel, style, isNight, { role: 'night' });
}

function drawHeld(
  { readings }: PlotStation,
  { period: { start, stop } }: PlotData,
  { where }: PlotOptions,
  panel: Panel,
  style: Style,
): Mark[] {
  if (where === undefined) return [];
  const held = new Uint8Array(panel.columns);
  const scale = panel.columns / Math.max(1, stop - start);
  const lengthMs = Math.min(stepMs(readings), stop - start);
  for (const chunk of readings) {
    for (let row = 0; row < chunk.count; row++) {
      if (where.holds(chunk, row) !== true) continue;
      const fromMs = (chunk.time[row] as number) - start;
      const from = Math.floor(fromMs * scale);
      if (from >= 0)
        held.fill(1, from, Math.max(from + 1, Math.floor((fromMs + lengthMs) * scale)));
    }
  }
  return shade(panel, style, (column) => held[column] === 1, { role: 'held', sign: '.' });
}

function drawRun(run: SeriesRun, panel: Panel, style: Style): Mark[] {
  const { left, top, bottom, yOf } = panel;
  // A calm stays within the last row of a terminal's plot.
  const lowest = bottom - (style.gridY === 1 ? 0 : style.gridY / 8);
  const known = (value: number, other: number) => yOf(Number.isNaN(value) ? other : value);
  const points = run.map(({ x, lull, gust }) => ({
    x: left + x,
    top: Math.min(lowest, known(gust, lull)),
    bottom: known(lull, gust),
  }));
  const layers = forceTicks()
    .map(({ speedKmh }, role) => ({ from: yOf(speedKmh), role }))
    .filter(({ from }) => from >= top);
  const means = run
    .filter(({ mean }) => !Number.isNaN(mean))
    .map(({ x, mean }): Point => [left + x, Math.min(lowest, yOf(mean))]);
  // A single reading is as wide as its cell.
  const widen = <P>(
    items: readonly P[],
    xOf: (item: P) => number,
    move: (item: P, x: number) => P,
  ) => {
    const [only, ...others] = items;
    if (only === undefined || others.length > 0) return items;
    const from = snap(xOf(only), style.gridX);
    return [move(only, from), move(only, from + 0.99 * style.gridX)];
  };
  const band = widen(
    points,
    ({ x }) => x,
    (point, x) => ({ ...point, x }),
  );
  const line = widen(
    means,
    ([x]) => x,
    ([, y], x): Point => [x, y],
  );
  return [
    { kind: 'band', points: band, layers },
    ...(line.length === 0 ? [] : [{ kind: 'line', role: 'ink', points: line } as const]),
  ];
}

function drawMarks(
  marksKmh: readonly number[],
  unit: SpeedUnit,
  { left, right, yOf }: Panel,
  { linePx, gridY }: Style,
): Mark[] {
  return marksKmh.flatMap((speedKmh): Mark[] => {
    const y = yOf(speedKmh);
    // Above the line, or on it where a line of text is as high as the cell.
    const textY = gridY === 1 ? y - linePx / 2 : y;
    return [
      { kind: 'rule', role: 'mark', isDashed: true, from: [left, y], to: [right, y] },
      textMark(writeSpeedIn(speedKmh, unit), [right, textY], {
        role: 'mark',
        anchor: 'end',
        hasEdge: true,
      }),
    ];
  });
}

function drawArrows(runs: readonly SeriesRun[], panel: Panel, { linePx }: Style): Mark[] {
  const slots = Math.floor(panel.width / ARROW_PX);
  const sums = Array.from({ length: slots }, () => ({ east: 0, north: 0 }));
  for (const { x, east, north } of runs.flat()) {
    const sum = sums[Math.floor(x / ARROW_PX)];
    if (sum === undefined) continue;
    sum.east += east;
    sum.north += north;
  }
  const y = panel.bottom + 1.5 * linePx;
  return sums.flatMap(({ east, north }, slot): Mark[] => {
    const headingDeg = headingOf(east, north);
    if (headingDeg === undefined) return [];
    const centre = [panel.left + (slot + 0.5) * ARROW_PX, y] as const;
    return [{ kind: 'arrow', role: 'ink', centre, headingDeg }];
  });
}

/** Degrees that a vector points to; undefined where it has hardly any length. */
function headingOf(east: number, north: number): number | undefined {
  if (Math.hypot(east, north) < 1e-6) return undefined;
  return (Math.atan2(east, north) / RADIANS + 360) % 360;
}

function describePoint(point: SeriesPoint, { zone, unit }: PlotData): string[] {
  const { ms, mean, gust, lull, east, north } = point;
  const headingDeg = headingOf(east, north);
  return [
    writeMoment(ms, zone),
    ...[mean, gust, lull].map((speedKmh) => writeSpeed(speedKmh, unit)),
    headingDeg === undefined ? '–' : `${compassPoint(headingDeg)} ${Math.round(headingDeg)}°`,
  ];
}

/** Invisible rectangles around the points. */
function drawTips(runs: readonly SeriesRun[], data: PlotData, panel: Panel): Mark[] {
  const points = runs.flat();
  return points.map((point, index): Mark => {
    const [time, mean, gust, lull, direction] = describePoint(point, data);
    const { label } = SPEED_UNITS[data.unit];
    const half = (other: SeriesPoint | undefined, least: number) =>
      Math.max(0.5, Math.min(least, Math.abs((other?.x ?? point.x) - point.x) / 2));
    const x = panel.left + point.x - half(points[index - 1], 4);
    const width = panel.left + point.x + half(points[index + 1], 4) - x;
    const tip = `${time}: mean ${mean}, gust ${gust}, lull ${lull} ${label}, from ${direction}`;
    return {
      kind: 'rectangle',
      role: undefined,
      x,
      width,
      y: panel.top,
      height: panel.height,
      tip,
    };
  });
}
