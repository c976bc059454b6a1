import { DAY_MS } from '../domain/dates.ts';
import { SUNSET_DEG, sunElevation } from '../domain/sun.ts';
import type { Mark, RectangleMark } from './figure.ts';
import type { PlotData, PlotStation } from './plotData.ts';
import type { PlotOptions } from './plotOptions.ts';
import type { Panel } from './seriesAxes.ts';
import type { Style } from './style.ts';

/** Where a day is narrower than this many pixels or characters, nights are not shaded. */
const LEAST_DAY_CELLS = 6;

/** Shades a plot at the times for which `holds` is true, in rectangles as high as the plot. */
function shade(
  panel: Panel,
  style: Style,
  holds: (column: number) => boolean,
  mark: Pick<RectangleMark, 'role' | 'sign'>,
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

/** Shades the hours when the sun is below the horizon of the station. */
export function drawNights(
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

/**
 * Shades the times when the condition of `--where` held.
 * @param usualMs the usual time between readings
 */
export function drawHeld(
  { readings }: PlotStation,
  { period: { start, stop } }: PlotData,
  { where }: PlotOptions,
  usualMs: number,
  panel: Panel,
  style: Style,
): Mark[] {
  if (where === undefined) return [];
  const held = new Uint8Array(panel.columns);
  const scale = panel.columns / Math.max(1, stop - start);
  const lengthMs = Math.min(usualMs, stop - start);
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
