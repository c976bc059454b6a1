import { lastHour } from '../../../domain/watching/diagnostics.ts';
import { type Sample, TREND_MS } from '../../../domain/watching/recentMeasurements.ts';

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
}

/**
 * Draws the average speeds of the hour that ends with the latest measurement, at the right. A cell
 * shows the last average of its five minutes, and is blank without one. Bars go from the lowest to
 * the highest average of the hour; if all averages are equal, all bars are lowest.
 */
export function drawTrend(samples: readonly Sample[], isUnicode: boolean): Trend {
  const latestMs = samples.at(-1)?.timeMs ?? 0;
  const known = lastHour(samples).flatMap(({ timeMs, avgKmh }) =>
    avgKmh === null ? [] : [{ timeMs, avgKmh }],
  );
  if (known.length === 0) return { rangeKmh: undefined, sparkline: '' };
  const speeds = known.map(({ avgKmh }) => avgKmh);
  const lowest = Math.min(...speeds);
  const highest = Math.max(...speeds);
  const levels = isUnicode ? UNICODE_LEVELS : ASCII_LEVELS;
  const cells = Array<string>(CELLS).fill(' ');
  for (const { timeMs, avgKmh } of known) {
    // Ages are rounded, so that a few seconds of jitter do not put two measurements into one cell.
    const cellsAgo = Math.min(CELLS - 1, Math.round((latestMs - timeMs) / CELL_MS));
    const height = highest === lowest ? 0 : (avgKmh - lowest) / (highest - lowest);
    cells[CELLS - 1 - cellsAgo] = levels[Math.round(height * (levels.length - 1))] as string;
  }
  return { rangeKmh: [lowest, highest], sparkline: cells.join('') };
}
