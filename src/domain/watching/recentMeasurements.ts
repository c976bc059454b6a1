import { HOUR_MS, MINUTE_MS } from '../dates.ts';
import type { Columns } from '../readings/columns.ts';
import { OLD_MEASUREMENT_MS, type Station } from '../station.ts';

/** A measurement as numbers; null is a value that the station did not send. */
export interface WindSample {
  /** Time of the measurement, milliseconds since 1970. */
  readonly timeMs: number;
  readonly avgKmh: number | null;
  readonly maxKmh: number | null;
  readonly minKmh: number | null;
  /** Direction that the wind comes from, degrees. */
  readonly headingDeg: number | null;
}

/** The known measurements of a watched station. */
export interface RecentMeasurements {
  /** The station as last reported, with the latest measurement of all responses. */
  readonly station: Station;
  /** Measurements of the hour before the latest, but at least the last three, ascending by time. */
  readonly samples: readonly WindSample[];
  /**
   * The measurement before the latest; undefined where the last response brought no newer latest
   * one.
   */
  readonly before: WindSample | undefined;
  /** Whether the last response of the service left the station out. */
  readonly isGone: boolean;
}

/** Time span of a trend, milliseconds: one hour. */
export const TREND_SPAN_MS = HOUR_MS;

/** Number of identical samples in a row that indicate a frozen sensor. */
export const FROZEN_SAMPLES = 3;

/** How far a measurement may be ahead of this machine's clock, ms: clocks of stations drift. */
const CLOCK_SLACK_MS = 5 * MINUTE_MS;

/**
 * Adds a response about a station to its track, the measurements known of it. Measurements are
 * identified by their time: a repeated measurement is not new, and a late measurement takes its
 * place among the others.
 * @param track undefined for a station not seen before
 * @param now milliseconds since 1970
 * @returns the track, and in `fresh` the station if the response brought a new measurement, even
 *   one older than the latest
 */
export function addLiveMeasurement(
  track: RecentMeasurements | undefined,
  station: Station,
  now: number,
): { track: RecentMeasurements; fresh: Station | undefined } {
  const sample = windSampleOf(station);
  const samples = track?.samples ?? [];
  const { measurements } = track?.station ?? station;
  if (sample === undefined) {
    const updated = { station: { ...station, measurements }, samples, before: undefined };
    return { track: { ...updated, isGone: false }, fresh: undefined };
  }
  const latest = samples.at(-1);
  const isLatestAhead = latest !== undefined && isAhead(latest, now);
  const isSeen = samples.some(({ timeMs }) => timeMs === sample.timeMs);
  // Measurements over an hour older than the latest are dropped, so such a measurement may be a
  // repeated one.
  const isTooOld = latest !== undefined && sample.timeMs < latest.timeMs - TREND_SPAN_MS;
  const isFresh = !isSeen && (!isTooOld || isLatestAhead);
  const isLatest =
    latest === undefined || sample.timeMs >= latest.timeMs || (isFresh && isLatestAhead);
  // Drop measurements with a time in the future, from a station clock that ran fast: one of them
  // would stay the latest for hours.
  const known =
    isFresh && !isAhead(sample, now) ? samples.filter((other) => !isAhead(other, now)) : samples;
  return {
    track: {
      station: isLatest ? station : { ...station, measurements },
      samples: isFresh ? insert(known, sample) : replace(known, sample),
      before: isFresh && isLatest ? latest : undefined,
      isGone: false,
    },
    fresh: isFresh ? station : undefined,
  };
}

function isAhead({ timeMs }: WindSample, now: number): boolean {
  return timeMs > now + CLOCK_SLACK_MS;
}

/** Marks a station as left out by the last response of the service. */
export function markStationGone(track: RecentMeasurements): RecentMeasurements {
  return { ...track, before: undefined, isGone: true };
}

/**
 * Adds those readings of an archive to a watched station that are older than its latest
 * measurement. The last of them is the one before the first measurement of the watch.
 */
export function addArchiveReadings(
  track: RecentMeasurements,
  columns: Columns,
): RecentMeasurements {
  // A newer reading is left to the live response, which reports it as new.
  const latestMs = track.samples.at(-1)?.timeMs ?? Number.POSITIVE_INFINITY;
  const orNull = (value: number | undefined) =>
    value === undefined || Number.isNaN(value) ? null : value;
  const samples = Array.from(columns.time, (timeMs, row) => ({
    timeMs,
    avgKmh: orNull(columns.windSpeedAvg[row]),
    maxKmh: orNull(columns.windSpeedMax[row]),
    minKmh: orNull(columns.windSpeedMin[row]),
    headingDeg: orNull(columns.windHeading[row]),
  })).filter(({ timeMs }) => timeMs < latestMs);
  const known = samples.reduce(insert, track.samples);
  const before = track.samples.length === 1 ? known.at(-2) : track.before;
  return { ...track, samples: known, before };
}

/** Adds a sample in order of time, and drops samples that are too old to matter. */
function insert(samples: readonly WindSample[], sample: WindSample): readonly WindSample[] {
  const all = [...samples, sample].sort((a, b) => a.timeMs - b.timeMs);
  const latest = all.at(-1) as WindSample;
  return all.filter(
    ({ timeMs }, index) =>
      timeMs >= latest.timeMs - TREND_SPAN_MS || index >= all.length - FROZEN_SAMPLES,
  );
}

/** Replaces the known measurement of the same time: the service may complete its values later. */
function replace(samples: readonly WindSample[], sample: WindSample): readonly WindSample[] {
  return samples.map((known) => (known.timeMs === sample.timeMs ? sample : known));
}

/** Whether a station has no measurement of the last 45 minutes. */
export function isStale({ samples }: Pick<RecentMeasurements, 'samples'>, now: number): boolean {
  const latest = samples.at(-1);
  return latest === undefined || now - latest.timeMs > OLD_MEASUREMENT_MS;
}

/** The measurement of a station; undefined where it has none. */
export function windSampleOf({ measurements }: Station): WindSample | undefined {
  if (measurements.date === null) return undefined;
  return {
    timeMs: Date.parse(measurements.date),
    avgKmh: measurements.wind_speed_avg,
    maxKmh: measurements.wind_speed_max,
    minKmh: measurements.wind_speed_min,
    headingDeg: measurements.wind_heading,
  };
}
