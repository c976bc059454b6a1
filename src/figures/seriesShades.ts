import { DAY_MS } from '../domain/dates.ts';
import { SUNSET_DEG, sunElevation } from '../domain/sun.ts';
import { timeBefore } from '../statistics/gaps.ts';
import type { Mark, RectangleMark } from './figure.ts';
import type { PlotData, PlotOptions, PlotStation } from './plotData.ts';
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
 * Shades the times when the condition of `--where` held: the time that each reading stands for.
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
  let latest = start;
  for (const chunk of readings) {
    for (let row = 0; row < chunk.count; row++) {
      if (Number.isNaN(chunk.windSpeedAvg[row])) continue;
      const ms = chunk.time[row] as number;
      const fromMs = ms - timeBefore(ms - latest, usualMs);
      latest = ms;
      if (where.holds(chunk, row) !== true) continue;
      const from = Math.floor((fromMs - start) * scale);
      held.fill(1, from, Math.max(from + 1, Math.floor((ms - start) * scale)));
    }
  }
  return shade(panel, style, (column) => held[column] === 1, { role: 'held', sign: '.' });
}
