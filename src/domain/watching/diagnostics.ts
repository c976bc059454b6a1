import { HOUR_MS, MINUTE_MS } from '../dates.ts';
import {
  FROZEN_SAMPLES,
  isStale,
  type RecentMeasurements,
  TREND_SPAN_MS,
  type WindSample,
} from './recentMeasurements.ts';

/** Reasons why a station's values do not show the current wind, the gravest first. */
const TROUBLES = ['gone', 'off', 'old', 'frozen'] as const;
export type StationTrouble = (typeof TROUBLES)[number];

/** The reasons why a station's values do not show the current wind, the gravest first. */
export function findTroubles(track: RecentMeasurements, now: number): StationTrouble[] {
  const diagnostics: Record<StationTrouble, boolean> = {
    gone: track.isGone,
    off: track.station.status.state === 'off',
    old: isStale(track, now),
    frozen: isFrozen(track.samples),
  };
  return TROUBLES.filter((trouble) => diagnostics[trouble]);
}

/** Whether the last three measurements agree in every speed and in heading. */
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

/** The latest measurement and those of the hour before it. */
export function samplesOfLastHour(samples: readonly WindSample[]): readonly WindSample[] {
  const latest = samples.at(-1);
  return latest ? samples.filter(({ timeMs }) => timeMs > latest.timeMs - TREND_SPAN_MS) : [];
}

/** Shortest time that a trend spans: a slope over less shows gusts rather than a trend. */
const MIN_TREND_MS = 10 * MINUTE_MS;

/**
 * Trend of the mean wind over the last hour: slope of the least-squares line through the samples,
 * km/h per hour. Null for fewer than three samples and for less than ten minutes.
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
