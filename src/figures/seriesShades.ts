import { DAY_MS } from '../domain/dates.ts';
import type { Period } from '../domain/period.ts';
import { SUNSET_ELEVATION_DEG, sunElevationDeg } from '../domain/sun.ts';
import { printable } from '../domain/text.ts';
import { representedMs } from '../statistics/gaps.ts';
import type { LegendEntry } from './drawing.ts';
import type { Mark } from './figure.ts';
import type { FigureOptions } from './figureOptions.ts';
import type { PlotData, PlotStation } from './plotData.ts';
import type { PlotArea } from './seriesAxes.ts';
import type { LayoutStyle } from './style.ts';

/** Nights are not shaded if a day is narrower than this many pixels or characters. */
const MIN_DAY_CELLS = 6;

/** Decides which shades a series has, and returns their legend. */
export function nightAndConditionShades(
  { stations, period: { start, stop } }: PlotData,
  { where }: FigureOptions,
  { width, gridX, hasShades }: LayoutStyle,
): { readonly hasNights: boolean; readonly legend: readonly LegendEntry[] } {
  const isWide = (width / gridX) * DAY_MS >= (stop - start) * MIN_DAY_CELLS;
  const hasPosition = stations.some(({ position }) => position !== undefined);
  const hasNights = hasShades && isWide && stop > start && hasPosition;
  return {
    hasNights,
    legend: [
      ...(where ? [{ role: 'held', sign: HELD_SIGN, label: printable(where.text) } as const] : []),
      ...(hasNights ? [{ role: 'night', sign: ' ', label: 'night' } as const] : []),
    ],
  };
}

/** The character for times with a true condition on a terminal without colours. */
const HELD_SIGN = '.';

/**
 * Shades nights, when the sun is below the station's horizon, and times when the condition of
 * `--where` was true. Overlaps have their own shade.
 * @param usualMs the usual time between readings
 */
export function drawShades(
  station: PlotStation,
  { period: { start, stop } }: PlotData,
  { where }: FigureOptions,
  usualMs: number,
  hasNights: boolean,
  panel: PlotArea,
  { gridX }: LayoutStyle,
): Mark[] {
  const { position } = station;
  const columnMs = (stop - start) / panel.columns;
  const held = where
    ? heldColumns(station, where.holds, { start, stop }, usualMs, panel.columns)
    : [];
  const roleAt = (column: number): 'held' | 'night' | 'heldNight' | undefined => {
    const isNight =
      hasNights &&
      position !== undefined &&
      sunElevationDeg(start + (column + 0.5) * columnMs, position) < SUNSET_ELEVATION_DEG;
    if (held[column]) return isNight ? 'heldNight' : 'held';
    return isNight ? 'night' : undefined;
  };
  const marks: Mark[] = [];
  for (let from = 0; from < panel.columns; ) {
    const role = roleAt(from);
    let to = from + 1;
    while (to < panel.columns && roleAt(to) === role) to++;
    const place = { x: panel.left + from * gridX, width: (to - from) * gridX };
    const sign = role === 'night' ? undefined : HELD_SIGN;
    if (role) {
      marks.push({ kind: 'rectangle', role, sign, ...place, y: panel.top, height: panel.height });
    }
    from = to;
  }
  return marks;
}

/**
 * For each column of a plot, whether a condition was true. Each reading counts for the time before
 * it.
 */
function heldColumns(
  { readings }: PlotStation,
  holds: NonNullable<FigureOptions['where']>['holds'],
  { start, stop }: Period,
  usualMs: number,
  columns: number,
): Uint8Array {
  const held = new Uint8Array(columns);
  const scale = columns / Math.max(1, stop - start);
  let latest = start;
  for (const chunk of readings) {
    for (let row = 0; row < chunk.count; row++) {
      if (Number.isNaN(chunk.windSpeedAvg[row])) continue;
      const ms = chunk.time[row] as number;
      const fromMs = ms - representedMs(ms - latest, usualMs);
      latest = ms;
      if (holds(chunk, row) !== true) continue;
      const from = Math.floor((fromMs - start) * scale);
      held.fill(1, from, Math.max(from + 1, Math.floor((ms - start) * scale)));
    }
  }
  return held;
}
