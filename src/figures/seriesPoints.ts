import { RADIANS_PER_DEGREE } from '../domain/compass.ts';
import type { Period } from '../domain/period.ts';
import type { ReadingColumns } from '../domain/readings/columns.ts';
import { hasDirection } from '../domain/units.ts';
import { isGap } from '../statistics/gaps.ts';

/** A point on the time axis: one reading, or all readings within one column of the picture. */
export interface SeriesPoint {
  /** Distance from the left edge of the plot, px. */
  readonly x: number;
  /** Time of the point's earliest reading, milliseconds since 1970. */
  readonly ms: number;
  /** The lowest lull, highest gust and mean of averages, km/h; NaN if unknown. */
  readonly lull: number;
  readonly gust: number;
  readonly mean: number;
  /** Sum of unit vectors that point to where the wind comes from; calm readings are left out. */
  readonly east: number;
  readonly north: number;
}

/** Points without gaps between them, in order of time. */
export type GaplessPoints = readonly SeriesPoint[];

/**
 * Converts readings of a period to points on an axis of `columns` pixels or characters. A new list
 * begins after each gap. If there are more readings than columns, each column becomes one point in
 * its middle.
 * @param usualMs the usual time between readings
 * @param calmKmh a reading with a lower average has no direction
 */
export function seriesPoints(
  readings: readonly ReadingColumns[],
  { start, stop }: Period,
  { columns, columnPx }: { readonly columns: number; readonly columnPx: number },
  usualMs: number,
  calmKmh: number,
): GaplessPoints[] {
  const scale = columns / Math.max(1, stop - start);
  const count = readings.reduce((sum, chunk) => sum + chunk.count, 0);
  const isDense = count > columns;
  const runs: Collector[][] = [];
  let last: { readonly ms: number; readonly column: number } | undefined;
  for (const chunk of readings) {
    for (let row = 0; row < chunk.count; row++) {
      const ms = chunk.time[row] as number;
      const mean = chunk.windSpeedAvg[row] as number;
      const lull = orElse(chunk.windSpeedMin[row] as number, mean);
      const gust = orElse(chunk.windSpeedMax[row] as number, mean);
      if (ms < start || ms >= stop || (Number.isNaN(lull) && Number.isNaN(gust))) continue;
      const column = Math.floor((ms - start) * scale);
      const isApart = last === undefined || isGap(ms - last.ms, usualMs);
      // Ignore a gap that ends in the same or the next column, since the picture cannot show it.
      if (isApart && !(isDense && last && column - last.column < 2)) runs.push([]);
      const run = runs.at(-1) as Collector[];
      if (!isDense || column !== last?.column) {
        const place = isDense ? column + 0.5 : (ms - start) * scale;
        run.push(new Collector(place * columnPx, ms));
      }
      const headingDeg = chunk.windHeading[row] as number;
      run.at(-1)?.add(lull, gust, mean);
      if (hasDirection(mean, headingDeg, calmKmh)) run.at(-1)?.turn(headingDeg);
      last = { ms, column };
    }
  }
  return runs;
}

const orElse = (value: number, other: number): number => (Number.isNaN(value) ? other : value);

class Collector implements SeriesPoint {
  readonly x: number;
  readonly ms: number;
  lull = Number.NaN;
  gust = Number.NaN;
  east = 0;
  north = 0;
  #sum = 0;
  #averages = 0;

  constructor(x: number, ms: number) {
    this.x = x;
    this.ms = ms;
  }

  get mean(): number {
    return this.#sum / this.#averages;
  }

  add(lull: number, gust: number, mean: number): void {
    if (lull < this.lull || Number.isNaN(this.lull)) this.lull = lull;
    if (gust > this.gust || Number.isNaN(this.gust)) this.gust = gust;
    if (Number.isNaN(mean)) return;
    this.#sum += mean;
    this.#averages++;
  }

  turn(headingDeg: number): void {
    this.east += Math.sin(headingDeg * RADIANS_PER_DEGREE);
    this.north += Math.cos(headingDeg * RADIANS_PER_DEGREE);
  }
}
