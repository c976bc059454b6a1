import { RADIANS_PER_DEGREE } from '../../domain/compass.ts';
import { formatDate, HOUR_MS, MINUTE_MS } from '../../domain/dates.ts';
import type { Period } from '../../domain/period.ts';
import type { Position } from '../../domain/station.ts';
import type { ArchiveRow } from '../../wire/archive.ts';
import { lineNoise, randomFraction } from './noise.ts';
import { type SiteClimate, surfaceWind, type WindVelocity } from './weather.ts';

/** The reporting interval and the resolution of a hardware generation. */
export interface StationHardware {
  readonly cadenceS: number;
  /** Maximum random delay of a reading, seconds. */
  readonly jitterS: number;
  /** Resolution of speeds: 4 means steps of 0.25 km/h, and 10 steps of 0.1. */
  readonly stepsPerKmh: number;
  /** Number of distinct headings in the circle. */
  readonly headings: number;
}

/** All properties of a simulated station that affect its readings. */
export interface SimulatedStation {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly picture: string | null;
  readonly describedMs: number;
  readonly upvotes: number;
  readonly downvotes: number;
  readonly hardware: StationHardware;
  readonly climate: SiteClimate;
  /** Readings exist for `installedMs ≤ time < retiredMs`. */
  readonly installedMs: number;
  readonly retiredMs: number;
  /** The power state after the station was retired. */
  readonly retiredState: string | null;
  /** The position that the station reported before `untilMs`; null for an unknown one. */
  readonly former: { readonly untilMs: number; readonly position: Position | null } | undefined;
  /** Whether the station has no readings from November to March. */
  readonly isClosedInWinter: boolean;
  readonly isPositionValid: boolean;
  /** Horizontal dilution of precision of the position; undefined omits the field. */
  readonly hdop: number | null | undefined;
  /** Seconds from a reading to the station's next contact with the service; may be negative. */
  readonly contactLagS: number;
  /** Whether the dates of the station have non-zero milliseconds. */
  readonly hasMilliseconds: boolean;
  /** The share of readings lost by the radio, 0 to below 1. */
  readonly lossRate: number;
  /** The wind sensor: `meanOnly` reports no minimum and maximum, `dead` no wind at all. */
  readonly sensor: 'whole' | 'meanOnly' | 'dead';
  /** Whether some readings have a second row with the same time, identical or different. */
  readonly doubles: 'none' | 'identical' | 'differing';
  /** Signal-to-noise ratio, dB: random around a value, or constant. */
  readonly snrDb: { readonly around: number } | number;
}

/** The position that a station reports at a time; null if unknown. */
export function positionAt({ climate, former }: SimulatedStation, timeMs: number): Position | null {
  return former !== undefined && timeMs < former.untilMs ? former.position : climate.position;
}

/*
 * A slot is one step of a station's reporting interval, numbered from 1970 on. A reading depends on
 * its station and slot alone, so every period that contains the reading gives the same row.
 */

/** The share of readings that are sent twice by a station with `doubles`. */
const DOUBLE_SHARE = 0.125;

function phaseS({ id, hardware: { cadenceS } }: SimulatedStation): number {
  return (id * 37) % cadenceS;
}

/**
 * The time of the reading in a slot. Times ascend, since the random delay is shorter than the
 * interval.
 */
function slotTimeMs(station: SimulatedStation, slot: number): number {
  const { cadenceS, jitterS } = station.hardware;
  const lateS = Math.floor(randomFraction(station.id, 'jitter', slot) * (jitterS + 1));
  const ms = station.hasMilliseconds
    ? Math.floor(randomFraction(station.id, 'milliseconds', slot) * 1000)
    : 0;
  return (slot * cadenceS + phaseS(station) + lateS) * 1000 + ms;
}

/** The last slot that begins at or before a time. Its reading may come later than the time. */
function slotDue(station: SimulatedStation, timeMs: number): number {
  return Math.floor((timeMs / 1000 - phaseS(station)) / station.hardware.cadenceS);
}

/**
 * Simulates the rows of a station in a period, up to `now`, in order of time.
 * @param period milliseconds since 1970, without the stop
 */
export function simulateReadings(
  station: SimulatedStation,
  period: Period,
  now: number,
): ArchiveRow[] {
  const start = Math.max(period.start, station.installedMs);
  const stop = Math.min(period.stop, station.retiredMs, now + 1);
  const measure = createInstrument(station);
  const rows: ArchiveRow[] = [];
  for (let slot = slotDue(station, start); ; slot++) {
    const timeMs = slotTimeMs(station, slot);
    if (timeMs >= stop) return rows;
    if (timeMs < start) continue;
    if (isReceived(station, slot, timeMs)) {
      rows.push(measure(slot, timeMs));
      if (isDoubled(station, slot)) rows.push(measure(slot, timeMs, true));
    }
  }
}

/** Simulates the last row of a station up to `now`; undefined before its first row. */
export function simulateLastReading(
  station: SimulatedStation,
  now: number,
): ArchiveRow | undefined {
  const latest = Math.min(now, station.retiredMs - 1);
  for (let slot = slotDue(station, latest); ; slot--) {
    const timeMs = slotTimeMs(station, slot);
    if (timeMs < station.installedMs) return undefined;
    if (timeMs > latest) continue;
    if (isReceived(station, slot, timeMs)) {
      return createInstrument(station)(slot, timeMs, isDoubled(station, slot));
    }
  }
}

function isReceived(station: SimulatedStation, slot: number, timeMs: number): boolean {
  if (station.isClosedInWinter && [10, 11, 0, 1, 2].includes(new Date(timeMs).getUTCMonth())) {
    return false;
  }
  return randomFraction(station.id, 'loss', slot) >= station.lossRate;
}

function isDoubled(station: SimulatedStation, slot: number): boolean {
  return station.doubles !== 'none' && randomFraction(station.id, 'double', slot) < DOUBLE_SHARE;
}

/**
 * Simulates a station's reading in a slot of its reporting interval. `isSecond` means the second of
 * two readings.
 */
type Instrument = (slot: number, timeMs: number, isSecond?: boolean) => ArchiveRow;

/** The friction of the anemometer's cups, which reduces every wind speed, down to 0. */
const FRICTION_KMH = 2;
/** Height of an anemometer over open ground (Guide to Instruments and Methods, WMO-No. 8). */
const SENSOR_HEIGHT_M = 10;
/**
 * The simulated wind rises and falls in waves of this period. The other number is their relative
 * height.
 */
const WAVE_MS = 25 * MINUTE_MS;
const WAVE_SHARE = 0.25;

function createInstrument(station: SimulatedStation): Instrument {
  const { id, climate, hardware, sensor, doubles } = station;
  const windAt = createWind(station);
  const turbulence = turbulenceIntensity(climate.roughnessM);
  const report = (trueKmh: number): number =>
    Math.round(Math.max(0, trueKmh - FRICTION_KMH) * hardware.stepsPerKmh) / hardware.stepsPerKmh;

  return (slot, timeMs, isSecond = false) => {
    const position = positionAt(station, timeMs);
    const [latitude, longitude] = [position?.latitude ?? null, position?.longitude ?? null];
    const time = formatDate(timeMs);
    if (sensor === 'dead') return [time, latitude, longitude, null, null, null, null, null];

    // A different second reading has the same mean wind and other turbulence.
    const draw = isSecond && doubles === 'differing' ? -slot : slot;
    const { eastKmh, northKmh } = windAt(timeMs);
    const wave = WAVE_SHARE * lineNoise(id, timeMs / WAVE_MS);
    const eddy = turbulence * (randomFraction(id, 'mean', draw) - 0.5);
    const meanKmh = Math.hypot(eastKmh, northKmh) * (1 + wave + eddy);
    const gustKmh = meanKmh * (1 + turbulence * (2 + 2 * randomFraction(id, 'gust', draw)));
    const lullKmh = meanKmh * (1 - turbulence * (1.5 + randomFraction(id, 'lull', draw)));
    const min = sensor === 'whole' ? report(lullKmh) : null;
    const max = sensor === 'whole' ? report(gustKmh) : null;
    // The direction varies more in light wind.
    const swingDeg = (600 / (10 + meanKmh)) * (randomFraction(id, 'swing', draw) - 0.5);
    const headingDeg = Math.atan2(-eastKmh, -northKmh) / RADIANS_PER_DEGREE + swingDeg;
    const heading = nearestHeading(headingDeg, hardware.headings);
    return [time, latitude, longitude, min, report(meanKmh), max, heading, null];
  };
}

/**
 * Creates a function for the mean wind at any time. It interpolates between whole hours, and
 * computes each hour once.
 */
function createWind({ climate }: SimulatedStation): (timeMs: number) => WindVelocity {
  const winds = new Map<number, WindVelocity>();
  const windIn = (hour: number): WindVelocity => {
    const known = winds.get(hour);
    if (known) return known;
    const wind = surfaceWind(climate, hour);
    winds.set(hour, wind);
    return wind;
  };
  return (timeMs) => {
    const hour = Math.floor(timeMs / HOUR_MS);
    const [from, to] = [windIn(hour), windIn(hour + 1)];
    const part = timeMs / HOUR_MS - hour;
    return {
      eastKmh: from.eastKmh + (to.eastKmh - from.eastKmh) * part,
      northKmh: from.northKmh + (to.northKmh - from.northKmh) * part,
    };
  };
}

/**
 * Turbulence intensity, the standard deviation of the wind divided by its mean: 1 / ln(z / z0) for
 * height z and roughness length z0. It follows from the logarithmic wind profile with a deviation
 * of 2.5 friction velocities over level ground.
 */
function turbulenceIntensity(roughnessM: number): number {
  return 1 / Math.log(SENSOR_HEIGHT_M / roughnessM);
}

/** The nearest of `count` headings in the circle, degrees from 0 to below 360. */
function nearestHeading(deg: number, count: number): number {
  return (((Math.round((deg * count) / 360) % count) + count) % count) * (360 / count);
}
