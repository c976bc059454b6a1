import { HOUR_MS, MINUTE_MS } from '../dates.ts';
import {
  FROZEN_SAMPLES,
  isStale,
  type RecentMeasurements,
  TREND_SPAN_MS,
  type WindSample,
} from './recentMeasurements.ts';

/** Reasons why a station's values may not show the current wind, the most serious first. */
const TROUBLES = ['gone', 'off', 'old', 'frozen'] as const;
export type StationTrouble = (typeof TROUBLES)[number];

/**
 * Finds the reasons why a station's values may not show the current wind, the most serious first.
 */
export function findTroubles(recent: RecentMeasurements, now: number): StationTrouble[] {
  const diagnostics: Record<StationTrouble, boolean> = {
    gone: recent.isGone,
    off: recent.station.status.state === 'off',
    old: isStale(recent, now),
    frozen: isFrozen(recent.samples),
  };
  return TROUBLES.filter((trouble) => diagnostics[trouble]);
}

/** Whether the last three measurements have the same speeds and heading. */
function isFrozen(samples: readonly WindSample[]): boolean {
  const last = samples.slice(-FROZEN_SAMPLES);
  const [first] = last;
  if (first === undefined || last.length < FROZEN_SAMPLES || first.avgKmh === null) return false;
  return last.every(
    ({ avgKmh, maxKmh, minKmh, headingDeg }) =>
      avgKmh === first.avgKmh &&
      maxKmh === first.maxKmh &&
      minKmh === first.minKmh &&
      headingDeg === first.headingDeg,
  );
}

/** The latest measurement, and those up to an hour before it. */
export function samplesOfLastHour(samples: readonly WindSample[]): readonly WindSample[] {
  const latest = samples.at(-1);
  return latest ? samples.filter(({ timeMs }) => timeMs > latest.timeMs - TREND_SPAN_MS) : [];
}

/** Minimum duration of a trend. The slope over a shorter time shows gusts instead. */
const MIN_TREND_MS = 10 * MINUTE_MS;

/**
 * The trend of the mean wind over the last hour in km/h per hour: the slope of the least-squares
 * line through the measurements. Null for fewer than three measurements, and for less than ten
 * minutes.
 */
export function trendKmhPerHour(samples: readonly WindSample[]): number | null {
  const known = samplesOfLastHour(samples).filter((sample) => sample.avgKmh !== null) as Known[];
  const [first] = known;
  const last = known.at(-1);
  if (!first || !last || known.length < 3 || last.timeMs - first.timeMs < MIN_TREND_MS) {
    return null;
  }
  const hours = known.map(({ timeMs }) => (timeMs - first.timeMs) / HOUR_MS);
  const meanHours = mean(hours);
  const meanKmh = mean(known.map(({ avgKmh }) => avgKmh));
  let rise = 0;
  let run = 0;
  for (const [index, { avgKmh }] of known.entries()) {
    const offset = (hours[index] as number) - meanHours;
    rise += offset * (avgKmh - meanKmh);
    run += offset ** 2;
  }
  return rise / run;
}

type Known = WindSample & { readonly avgKmh: number };

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
