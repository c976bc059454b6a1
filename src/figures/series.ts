import { bearingDeg } from '../domain/compass.ts';
import { SPEED_UNITS, type SpeedUnit } from '../domain/units.ts';
import { formatDirection } from '../formats/humanReadable.ts';
import type { Drawing } from './drawing.ts';
import type { Mark, PixelPoint } from './figure.ts';
import type { FigureOptions } from './figureOptions.ts';
import { formatMinute, formatRoundedSpeed } from './labels.ts';
import { panelTitle } from './panels.ts';
import type { PlotData, PlotStation } from './plotData.ts';
import { drawAxes, FORCE_TICKS, layOutPlotArea, type PlotArea } from './seriesAxes.ts';
import { type GaplessPoints, type SeriesPoint, seriesPoints } from './seriesPoints.ts';
import { drawShades, nightAndConditionShades } from './seriesShades.ts';
import { drawPanelTitle, type LayoutStyle, roundDownToCell, textMark } from './style.ts';
import { coverageOfStations, describeCoverage } from './summaries.ts';

/** The axis of speeds always reaches this speed, km/h. */
const MIN_TOP_KMH = 10;
/** Distance between the arrows that show the wind direction, px. */
const ARROW_PX = 24;

/**
 * Prepares a picture of the wind over time: a band from lull to gust, a line for the mean, and
 * arrows below.
 */
export function prepareSeries(data: PlotData, options: FigureOptions, style: LayoutStyle): Drawing {
  const { stations, unit } = data;
  const topKmh = Math.max(MIN_TOP_KMH, ...options.marksKmh, ...stations.map(highestGust));
  const coverages = coverageOfStations(data);
  const shades = nightAndConditionShades(data, options, style);
  return {
    subject: 'wind',
    facts: describeCoverage(data, coverages),
    legend: shades.legend,
    notes: ['Area: lull to gust. Line: mean. Arrows: where the wind blows to.'],
    minWidth: 40 * style.charPx,
    minHeight: (style.gridY === 1 ? 11 : 8) * style.linePx,
    squeezed: { width: 24 * style.charPx, height: 4 * style.linePx },
    tableHead: ['time', `mean ${SPEED_UNITS[unit].label}`, 'gust', 'lull', 'direction'],
    panels: stations.map((station, index) => (box) => {
      const stepS = coverages[index]?.stepS ?? null;
      const panel = layOutPlotArea(topKmh, data, options.marksKmh, box, style, stations.length > 1);
      const runs = seriesPoints(
        station.readings,
        data.period,
        { columns: panel.columns, columnPx: style.gridX },
        1000 * (stepS ?? Number.POSITIVE_INFINITY),
        options.calmKmh,
      );
      const points = runs.flat();
      const above = [panel.left + panel.width / 2, box.top + style.linePx / 2] as const;
      const titlePx = panel.width - 4 * style.charPx;
      const marks = [
        ...drawPanelTitle(panelTitle({ station }, data), above, titlePx, style),
        ...drawShades(station, data, options, 1000 * (stepS ?? 0), shades.hasNights, panel, style),
        ...drawAxes(data, box, panel, style),
        ...runs.flatMap((run) => drawRun(run, panel, style)),
        ...drawMarks(options.marksKmh, unit, panel, style),
        ...(panel.hasArrows ? drawArrows(points, panel, style) : []),
        ...(style.hasTips ? drawTips(points, data, panel, index) : []),
      ];
      return { marks, rows: () => points.map((point) => describePoint(point, data)) };
    }),
  };
}

function highestGust({ readings }: PlotStation): number {
  let highest = 0;
  for (const { count, windSpeedAvg, windSpeedMax } of readings) {
    for (let row = 0; row < count; row++) {
      highest = Math.max(highest, windSpeedMax[row] || windSpeedAvg[row] || 0);
    }
  }
  return highest;
}

function drawRun(run: GaplessPoints, panel: PlotArea, style: LayoutStyle): Mark[] {
  const { left, top, bottom, yOf } = panel;
  // On a terminal, draw calm air an eighth of a line higher, so that it is in the plot's last line.
  const lowest = bottom - (style.gridY === 1 ? 0 : style.gridY / 8);
  const known = (value: number, other: number) => yOf(Number.isNaN(value) ? other : value);
  const points = run.map(({ x, lull, gust }) => ({
    x: left + x,
    top: Math.min(lowest, known(gust, lull)),
    bottom: known(lull, gust),
  }));
  const layers = FORCE_TICKS.map(({ speedKmh }, role) => ({ from: yOf(speedKmh), role })).filter(
    ({ from }) => from >= top,
  );
  const means = run
    .filter(({ mean }) => !Number.isNaN(mean))
    .map(({ x, mean }) => ({ x: left + x, y: Math.min(lowest, yOf(mean)) }));
  const line = widenAlone(means, style).map(({ x, y }): PixelPoint => [x, y]);
  return [
    { kind: 'band', points: widenAlone(points, style), layers },
    ...(line.length === 0 ? [] : [{ kind: 'line', role: 'ink', points: line } as const]),
  ];
}

/** Widens a single point between two gaps to one cell: a pixel or a character. */
function widenAlone<P extends { readonly x: number }>(
  points: readonly P[],
  { gridX }: LayoutStyle,
): readonly P[] {
  const [only, ...others] = points;
  if (only === undefined || others.length > 0) return points;
  const x = roundDownToCell(only.x, gridX);
  return [
    { ...only, x },
    { ...only, x: x + 0.99 * gridX },
  ];
}

function drawMarks(
  marksKmh: readonly number[],
  unit: SpeedUnit,
  { left, right, bottom, yOf }: PlotArea,
  { charPx, gridY }: LayoutStyle,
): Mark[] {
  return marksKmh.flatMap((speedKmh): Mark[] => {
    const y = Math.min(yOf(speedKmh), bottom - gridY / 2);
    return [
      { kind: 'rule', role: 'mark', isDashed: true, from: [left, y], to: [right, y] },
      textMark(formatRoundedSpeed(speedKmh, unit), [left - charPx, y], {
        role: 'mark',
        anchor: 'end',
      }),
    ];
  });
}

function drawArrows(points: GaplessPoints, panel: PlotArea, { linePx }: LayoutStyle): Mark[] {
  const slots = Math.floor(panel.width / ARROW_PX);
  const sums = Array.from({ length: slots }, () => ({ east: 0, north: 0 }));
  for (const { x, east, north } of points) {
    const sum = sums[Math.floor(x / ARROW_PX)];
    if (sum === undefined) continue;
    sum.east += east;
    sum.north += north;
  }
  const y = panel.bottom + 1.5 * linePx;
  return sums.flatMap(({ east, north }, slot): Mark[] => {
    const headingDeg = headingOf(east, north);
    if (headingDeg === null) return [];
    const centre = [panel.left + (slot + 0.5) * ARROW_PX, y] as const;
    return [{ kind: 'arrow', role: 'ink', centre, headingDeg }];
  });
}

/** The direction of a vector in degrees; null if it is almost 0. */
function headingOf(east: number, north: number): number | null {
  if (Math.hypot(east, north) < 1e-6) return null;
  return bearingDeg(east, north);
}

function describePoint(point: SeriesPoint, { zone, unit }: PlotData): string[] {
  const { ms, mean, gust, lull, east, north } = point;
  const headingDeg = headingOf(east, north);
  return [
    formatMinute(ms, zone),
    ...[mean, gust, lull].map((speedKmh) => formatRoundedSpeed(speedKmh, unit)),
    formatDirection(headingDeg),
  ];
}

/** Creates invisible rectangles with tooltips around the points of a curve. */
function drawTips(points: GaplessPoints, data: PlotData, panel: PlotArea, place: number): Mark[] {
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
      panel: place,
      x,
      width,
      y: panel.top,
      height: panel.height,
      tip,
    };
  });
}
