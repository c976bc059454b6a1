import { isCalm } from './units.ts';

interface Wind {
  readonly avgKmh: number | null;
  readonly maxKmh: number | null;
}

/**
 * The gust factor: the strongest gust divided by the mean of the same 4 minutes (WMO-No. 8, Guide
 * to Instruments and Methods of Observation, part I, chapter 5). Null if gust or mean is unknown or
 * the air is calm, since a tiny mean gives no useful factor.
 */
export function gustFactor({ avgKmh, maxKmh }: Wind): number | null {
  if (avgKmh === null || maxKmh === null || isCalm(avgKmh)) return null;
  return maxKmh / avgKmh;
}
