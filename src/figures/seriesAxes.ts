import { type ScaleLinear, scaleLinear } from 'd3-scale';
import { BEAUFORT_FROM_KMH, SPEED_UNITS, type SpeedUnit } from '../domain/units.ts';
import type { Mark } from './figure.ts';
import { formatRoundedSpeed } from './labels.ts';
import type { PlotData } from './plotData.ts';
import { type LayoutStyle, type PixelBox, roundDownToCell, textMark } from './style.ts';
import { timeTicks } from './timeTicks.ts';

interface Tick {
  readonly speedKmh: number;
  readonly label: string;
}

/** The area within a station's panel where the curve is drawn, without labels, and its scales. */
export interface PlotArea extends PixelBox {
  readonly right: number;
  readonly bottom: number;
  /** Width of the plot in pixels, or in characters on a terminal. */
  readonly columns: number;
  /** Whether a line above the plot names the units, and whether there are arrows below it. */
  readonly hasUnits: boolean;
  readonly hasArrows: boolean;
  readonly marksKmh: readonly number[];
  readonly ticks: readonly Tick[];
  readonly yOf: ScaleLinear<number, number>;
  readonly xOf: (ms: number) => number;
}

/** Ticks at the lowest speed of each Beaufort force. */
export const FORCE_TICKS: readonly Tick[] = [0, ...BEAUFORT_FROM_KMH].map((speedKmh, force) => ({
  speedKmh,
  label: String(force),
}));

/**
 * Places a plot in a box and computes its scales.
 * @param minTopKmh the minimum speed at the top of the axis
 * @param marksKmh speeds with a marked line; its label replaces the ticks beside it
 * @param hasTitle whether the line above the plot is used by the panel's title
 */
export function layOutPlotArea(
  minTopKmh: number,
  { period, unit }: PlotData,
  marksKmh: readonly number[],
  box: PixelBox,
  style: LayoutStyle,
  hasTitle: boolean,
): PlotArea {
  const { charPx, linePx, gridX, gridY } = style;
  // A low panel first drops the units, which the subtitle also contains, then the arrows, then the
  // times.
  const lines = box.height / linePx;
  const [hasUnits, hasArrows] = [hasTitle || lines >= 7, lines >= 6];
  const hasTimes = lines >= (hasTitle ? 4 : 3);
  // In pixels, the label of speed 0 extends half a line into the panel below.
  const half = gridY === 1 && hasTitle ? 0.5 : 0;
  const belowPx = (hasArrows ? 2 : hasTimes ? 1 : half) * linePx;
  // A line above the plot names the units of both axes. In pixels, the top label needs half a line
  // more.
  const unitPx = ((hasUnits ? 1 : 0) + (gridY === 1 && lines >= 3 ? 0.5 : 0)) * linePx;
  const height = Math.max(gridY, box.height - unitPx - belowPx);
  const { ticks, topKmh } = speedTicks(unit, minTopKmh, height / (2.5 * linePx));
  const labels = [
    ...ticks.map(({ label }) => label.length),
    ...marksKmh.map((speedKmh) => formatRoundedSpeed(speedKmh, unit).length),
  ];
  const margin = roundDownToCell((Math.max(2, ...labels) + 1) * charPx + gridX - 1, gridX);
  const left = box.left + margin;
  const columns = Math.max(1, Math.floor((box.width - margin - 3 * charPx) / gridX));
  const [top, width] = [box.top + unitPx, columns * gridX];
  const bottom = top + height;
  const x = scaleLinear(
    [period.start, Math.max(period.stop, period.start + 1)],
    [left, left + width],
  );
  const y = scaleLinear([0, topKmh], [bottom, top]);
  const place = { left, top, width, height, right: left + width, bottom, columns };
  return { ...place, hasUnits, hasArrows, marksKmh, ticks, xOf: x, yOf: y };
}

/** Creates ticks at round speeds of a unit, from 0 to at least the maximum speed. */
function speedTicks(unit: SpeedUnit, maxKmh: number, count: number) {
  const { kmh } = SPEED_UNITS[unit];
  if (kmh === undefined) {
    const topKmh = BEAUFORT_FROM_KMH.find((lowest) => lowest >= maxKmh) ?? maxKmh;
    return { ticks: FORCE_TICKS, topKmh };
  }
  const scale = scaleLinear([0, maxKmh / kmh], [0, 1]).nice(Math.max(5, count));
  const ticks = scale.ticks(Math.max(2, count)).map((speed) => ({
    speedKmh: speed * kmh,
    label: String(speed),
  }));
  return { ticks, topKmh: (scale.domain()[1] as number) * kmh };
}

/** Keeps the ticks within the axis, from below, and skips those whose labels would touch. */
function readable(ticks: readonly Tick[], { yOf, top }: PlotArea, { linePx }: LayoutStyle): Tick[] {
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

/**
 * Whether two labels at these heights would touch. On a terminal they do if they are in the same
 * line.
 */
function isBeside(some: number, other: number, { linePx, gridY }: LayoutStyle): boolean {
  if (gridY === 1) return Math.abs(some - other) < 0.7 * linePx;
  return roundDownToCell(some, gridY) === roundDownToCell(other, gridY);
}

/** Draws axes and labels: times below, speeds on the left, Beaufort or knots on the right. */
export function drawAxes(
  { period, zone, unit }: PlotData,
  box: PixelBox,
  panel: PlotArea,
  style: LayoutStyle,
): Mark[] {
  const { left, right, top, bottom, width, yOf, xOf } = panel;
  const { charPx, linePx, gridY } = style;
  const isForce = SPEED_UNITS[unit].kmh === undefined;
  const other: SpeedUnit = isForce ? 'kn' : 'bft';
  const second = isForce
    ? speedTicks('kn', yOf.invert(top), panel.height / (2.5 * linePx)).ticks
    : FORCE_TICKS;
  // On a terminal, move the tick of speed 0 up into the last line of the plot.
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
    ...(panel.hasUnits
      ? [
          textMark(SPEED_UNITS[unit].label, [box.left, box.top + linePx / 2], muted),
          textMark(SPEED_UNITS[other].label, [right + 3 * charPx, box.top + linePx / 2], {
            ...muted,
            anchor: 'end',
          }),
        ]
      : []),
    ...ticks
      .filter(({ speedKmh }) =>
        panel.marksKmh.every((mark) => !isBeside(tickY(mark), tickY(speedKmh), style)),
      )
      .map(({ speedKmh, label }) =>
        textMark(label, [left - charPx, tickY(speedKmh)], { ...muted, anchor: 'end' }),
      ),
    ...readable(second, panel, style).map(({ speedKmh, label }) =>
      textMark(label, [right + charPx, tickY(speedKmh)], muted),
    ),
    ...times.flatMap(({ ms, label }) => {
      if (bottom + linePx > box.top + box.height + 0.01) return [];
      const half = (label.length * charPx) / 2;
      const x = xOf(ms);
      // Skip a time label near an edge if it would extend too far beyond the plot.
      if (x - half < left - 3 * charPx || x + half > right + 3 * charPx) return [];
      return [textMark(label, [x, bottom + linePx / 2], { ...muted, anchor: 'middle' })];
    }),
  ];
}
