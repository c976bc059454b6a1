import type { Reading } from '../reading.ts';
import type { Station } from '../station.ts';

/** A measurement in numbers, null where the station did not send one. */
export interface Sample {
  /** Milliseconds since 1970. */
  readonly timeMs: number;
  readonly avgKmh: number | null;
  readonly maxKmh: number | null;
  readonly minKmh: number | null;
  /** Degrees the wind comes from. */
  readonly headingDeg: number | null;
}

/** What watching a station has shown so far. */
export interface Track {
  /** As the last answer that had it says, with the latest measurement seen. */
  readonly station: Station;
  /** Ascending by time: those of the last hour, and the last three in any case. */
  readonly samples: readonly Sample[];
  /** The sample before the latest, where the last answer brought the latest; else undefined. */
  readonly before: Sample | undefined;
  /** Whether the last answer left the station out. */
  readonly isGone: boolean;
}

/** What an answer brought of one station. */
export interface Following {
  readonly track: Track;
  /** The station with a measurement that was not seen before, whether or not it is the latest. */
  readonly fresh: Station | undefined;
}

/** How long a trend looks back. */
export const TREND_MS = 3_600_000;

/** How many identical samples in a row make a frozen sensor. */
export const FROZEN_SAMPLES = 3;

/** A clock may be this far ahead of ours before its dates are taken for wrong. */
const CLOCK_SLACK_MS = 5 * 60_000;

/**
 * Adds what an answer says of a station to what is known of it. A measurement is known by its
 * time: one that comes again is nothing new, one that comes late takes its place among the
 * samples, and the latest stays the latest.
 * @param track undefined for a station not seen before
 * @param now milliseconds since 1970
 */
export function follow(track: Track | undefined, station: Station, now: number): Following {
  const sample = sampleOf(station);
  if (track === undefined) {
    const samples = sample ? [sample] : [];
    return {
      track: { station, samples, before: undefined, isGone: false },
      fresh: sample && station,
    };
  }
  if (sample === undefined) {
    const { measurements } = track.station;
    return {
      track: { ...track, station: { ...station, measurements }, before: undefined, isGone: false },
      fresh: undefined,
    };
  }
  const latest = track.samples.at(-1);
  const isSeen = track.samples.some(({ timeMs }) => timeMs === sample.timeMs);
  // One that comes after all its successors are forgotten cannot be told from one seen long ago.
  const isForgotten = latest !== undefined && sample.timeMs < latest.timeMs - TREND_MS;
  const isFresh = !isSeen && (!isForgotten || isAhead(latest, now));
  const isLatest =
    latest === undefined || sample.timeMs >= latest.timeMs || (isFresh && isAhead(latest, now));
  // What a clock that ran ahead has left would stay the latest for as long as it was ahead.
  const known =
    isFresh && !isAhead(sample, now)
      ? track.samples.filter((other) => !isAhead(other, now))
      : track.samples;
  return {
    track: {
      station: isLatest ? station : { ...station, measurements: track.station.measurements },
      samples: isFresh ? insert(known, sample) : replace(known, sample),
      before: isFresh && isLatest ? latest : undefined,
      isGone: false,
    },
    fresh: isFresh ? station : undefined,
  };
}

function isAhead({ timeMs }: Sample, now: number): boolean {
  return timeMs > now + CLOCK_SLACK_MS;
}

/** A track after an answer that left its station out. */
export function lose(track: Track): Track {
  return { ...track, before: undefined, isGone: true };
}

/** Puts the readings of an archive before what is known. */
export function recall(track: Track, readings: readonly Reading[]): Track {
  // A newer one than the service has told would be no news when it tells it.
  const latestMs = track.samples.at(-1)?.timeMs ?? Number.POSITIVE_INFINITY;
  const samples = readings
    .map(([time, , , min, avg, max, heading]) => ({
      timeMs: Date.parse(time),
      avgKmh: avg,
      maxKmh: max,
      minKmh: min,
      headingDeg: heading,
    }))
    .filter(({ timeMs }) => timeMs < latestMs);
  return { ...track, samples: samples.reduce(insert, track.samples) };
}

/** Adds a sample in its place, and lets go of what is too long ago to matter. */
function insert(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const all = [...samples, sample].sort((a, b) => a.timeMs - b.timeMs);
  const latest = all.at(-1) as Sample;
  return all.filter(
    ({ timeMs }, index) =>
      timeMs >= latest.timeMs - TREND_MS || index >= all.length - FROZEN_SAMPLES,
  );
}

/** What came first may have been filled in since. */
function replace(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  return samples.map((known) => (known.timeMs === sample.timeMs ? sample : known));
}

function sampleOf({ measurements }: Station): Sample | undefined {
  if (measurements.date === null) return undefined;
  return {
    timeMs: Date.parse(measurements.date),
    avgKmh: measurements.wind_speed_avg,
    maxKmh: measurements.wind_speed_max,
    minKmh: measurements.wind_speed_min,
    headingDeg: measurements.wind_heading,
  };
}
