import type { Observation } from '../condition/evaluate.ts';
import { positionOf, powerStateOf, type Station } from '../station.ts';
import { isCalm } from '../units.ts';
import { trendKmhPerHour } from './diagnostics.ts';
import { isStale, type RecentMeasurements, windSampleOf } from './recentMeasurements.ts';

/**
 * The values for a condition, from a single live response. The trend stays unknown, since it needs
 * several responses.
 */
export function observationOfStation(
  station: Station,
  distanceKm: number | undefined,
  now: number,
): Observation {
  const sample = windSampleOf(station);
  return observationOfMeasurements({ station, samples: sample ? [sample] : [] }, distanceKm, now);
}

/**
 * The values for a condition, from a station's recent measurements. Wind older than 45 minutes is
 * unknown.
 */
export function observationOfMeasurements(
  recent: Pick<RecentMeasurements, 'station' | 'samples'>,
  distanceKm: number | undefined,
  now: number,
): Observation {
  const { station, samples } = recent;
  const latest = samples.at(-1);
  const isOld = isStale(recent, now);
  const sample = isOld ? undefined : latest;
  return {
    avgKmh: sample?.avgKmh ?? null,
    maxKmh: sample?.maxKmh ?? null,
    minKmh: sample?.minKmh ?? null,
    dirDeg: sample && !isCalm(sample.avgKmh) ? sample.headingDeg : null,
    timeMs: now,
    position: positionOf(station),
    ageMs: latest ? Math.max(0, now - latest.timeMs) : null,
    state: powerStateOf(station),
    distanceKm: distanceKm ?? null,
    trendKmhPerHour: isOld ? null : trendKmhPerHour(samples),
  };
}
