import { HOUR_MS, MINUTE_MS } from '../dates.ts';
import type { ReadingColumns } from '../readings/columns.ts';
import { OLD_MEASUREMENT_MS, type Station } from '../station.ts';

/** A measurement as numbers. Null means that the station did not send the value. */
export interface WindSample {
  /** Time of the measurement, milliseconds since 1970. */
  readonly timeMs: number;
  readonly avgKmh: number | null;
  readonly maxKmh: number | null;
  readonly minKmh: number | null;
  /** Direction the wind comes from, degrees. */
  readonly headingDeg: number | null;
}

/** A watched station and its measurements of the last hour. */
export interface RecentMeasurements {
  /** The latest state of the station, with its latest measurement. */
  readonly station: Station;
  /**
   * The measurements of the hour before the latest one, and at least the last three, in order of
   * time.
   */
  readonly samples: readonly WindSample[];
  /**
   * The measurement before the latest one; undefined if the last response brought no newer
   * measurement.
   */
  readonly before: WindSample | undefined;
  /** Whether the last response did not contain the station. */
  readonly isGone: boolean;
}

/** Time span of a trend, milliseconds: one hour. */
export const TREND_SPAN_MS = HOUR_MS;

/** A sensor counts as frozen after this many identical measurements in a row. */
export const FROZEN_SAMPLES = 3;

/** Measurements may be this far in the future, since the clocks of stations drift. */
const CLOCK_SLACK_MS = 5 * MINUTE_MS;

/**
 * Adds the measurement of a live response to a station's recent measurements. Measurements are
 * identified by their time, so a repeated one is not new, and a late one is sorted in.
 * @param recent undefined for a station not seen before
 * @param now milliseconds since 1970
 * @returns the recent measurements, and in `fresh` the station if its measurement is new, even if
 *   it is older than the latest
 */
export function addLiveMeasurement(
  recent: RecentMeasurements | undefined,
  station: Station,
  now: number,
): { recent: RecentMeasurements; fresh: Station | undefined } {
  const sample = windSampleOf(station);
  const samples = recent?.samples ?? [];
  const { measurements } = recent?.station ?? station;
  if (sample === undefined) {
    const updated = { station: { ...station, measurements }, samples, before: undefined };
    return { recent: { ...updated, isGone: false }, fresh: undefined };
  }
  const latest = samples.at(-1);
  const isLatestAhead = latest !== undefined && isAhead(latest, now);
  const isSeen = samples.some(({ timeMs }) => timeMs === sample.timeMs);
  // A measurement over an hour older than the latest may be a repetition, since such measurements
  // are no longer stored.
  const isTooOld = latest !== undefined && sample.timeMs < latest.timeMs - TREND_SPAN_MS;
  const isFresh = !isSeen && (!isTooOld || isLatestAhead);
  const isLatest =
    latest === undefined || sample.timeMs >= latest.timeMs || (isFresh && isLatestAhead);
  // Drop earlier measurements with a time in the future, from a station clock that ran fast.
  // Otherwise one of them would stay the latest for hours.
  const known =
    isFresh && !isAhead(sample, now) ? samples.filter((other) => !isAhead(other, now)) : samples;
  return {
    recent: {
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

/** Marks a station as missing from the service's last response. */
export function markStationGone(recent: RecentMeasurements): RecentMeasurements {
  return { ...recent, before: undefined, isGone: true };
}

/**
 * Adds archive readings that are older than a station's latest measurement. The last of them
 * becomes the one before the latest.
 */
export function addArchiveReadings(
  recent: RecentMeasurements,
  columns: ReadingColumns,
): RecentMeasurements {
  // Skip newer readings: the next live response will report them as new.
  const latestMs = recent.samples.at(-1)?.timeMs ?? Number.POSITIVE_INFINITY;
  const orNull = (value: number | undefined) =>
    value === undefined || Number.isNaN(value) ? null : value;
  const samples = Array.from(columns.time, (timeMs, row) => ({
    timeMs,
    avgKmh: orNull(columns.windSpeedAvg[row]),
    maxKmh: orNull(columns.windSpeedMax[row]),
    minKmh: orNull(columns.windSpeedMin[row]),
    headingDeg: orNull(columns.windHeading[row]),
  })).filter(({ timeMs }) => timeMs < latestMs);
  const known = samples.reduce(insert, recent.samples);
  const before = recent.samples.length === 1 ? known.at(-2) : recent.before;
  return { ...recent, samples: known, before };
}

/** Inserts a measurement in order of time, and drops those that are too old. */
function insert(samples: readonly WindSample[], sample: WindSample): readonly WindSample[] {
  const all = [...samples, sample].sort((a, b) => a.timeMs - b.timeMs);
  const latest = all.at(-1) as WindSample;
  return all.filter(
    ({ timeMs }, index) =>
      timeMs >= latest.timeMs - TREND_SPAN_MS || index >= all.length - FROZEN_SAMPLES,
  );
}

/** Replaces the measurement of the same time: the service may add values later. */
function replace(samples: readonly WindSample[], sample: WindSample): readonly WindSample[] {
  return samples.map((known) => (known.timeMs === sample.timeMs ? sample : known));
}

/** Whether a station has had no measurement for 45 minutes. */
export function isStale({ samples }: Pick<RecentMeasurements, 'samples'>, now: number): boolean {
  const latest = samples.at(-1);
  return latest === undefined || now - latest.timeMs > OLD_MEASUREMENT_MS;
}

/** Reads the measurement of a station; undefined if it has none. */
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
