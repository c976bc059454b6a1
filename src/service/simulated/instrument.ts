import { RADIANS } from '../../domain/compass.ts';
import { formatDate, HOUR_MS, MINUTE_MS } from '../../domain/dates.ts';
import type { Reading } from '../../domain/reading.ts';
import { chance, noise1 } from './noise.ts';
import { positionAt, type SimulatedStation } from './station.ts';
import { surfaceWind, type Wind } from './weather.ts';

/** A station's reading of a slot, a step of its interval; with `isSecond` the second of two. */
export type Instrument = (slot: number, timeMs: number, isSecond?: boolean) => Reading;

/** Friction of an anemometer's cups: this much is taken off every wind speed, down to 0. */
const FRICTION_KMH = 2;
/** Height of an anemometer over open ground (Guide to Instruments and Methods, WMO-No. 8). */
const SENSOR_HEIGHT_M = 10;
/** The simulated wind speed rises and falls in waves of this period, by this share of itself. */
const WAVE_MS = 25 * MINUTE_MS;
const WAVE_SHARE = 0.25;

export function createInstrument(station: SimulatedStation): Instrument {
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

    // A second reading that differs from the first has the same mean wind and other turbulence.
    const draw = isSecond && doubles === 'differing' ? -slot : slot;
    const { eastKmh, northKmh } = windAt(timeMs);
    const wave = WAVE_SHARE * noise1(id, timeMs / WAVE_MS);
    const eddy = turbulence * (chance(id, 'mean', draw) - 0.5);
    const meanKmh = Math.hypot(eastKmh, northKmh) * (1 + wave + eddy);
    const gustKmh = meanKmh * (1 + turbulence * (2 + 2 * chance(id, 'gust', draw)));
    const lullKmh = meanKmh * (1 - turbulence * (1.5 + chance(id, 'lull', draw)));
    const min = sensor === 'whole' ? report(lullKmh) : null;
    const max = sensor === 'whole' ? report(gustKmh) : null;
    // The direction of light wind varies more.
    const swingDeg = (600 / (10 + meanKmh)) * (chance(id, 'swing', draw) - 0.5);
    const headingDeg = Math.atan2(-eastKmh, -northKmh) / RADIANS + swingDeg;
    const heading = nearestHeading(headingDeg, hardware.headings);
    return [time, latitude, longitude, min, report(meanKmh), max, heading, null];
  };
}

/** The mean wind at any time, linear between whole hours. Each hour is computed once. */
function createWind({ climate }: SimulatedStation): (timeMs: number) => Wind {
  const winds = new Map<number, Wind>();
  const windIn = (hour: number): Wind => {
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
 * Turbulence intensity, the standard deviation of the wind divided by its mean: 1 / ln(z / z0) with
 * height z and roughness length z0, by the logarithmic wind profile with a deviation of 2.5
 * friction velocities over level ground.
 */
function turbulenceIntensity(roughnessM: number): number {
  return 1 / Math.log(SENSOR_HEIGHT_M / roughnessM);
}

/** The nearest of `count` headings around the circle, degrees from 0 up to 360. */
function nearestHeading(deg: number, count: number): number {
  return (((Math.round((deg * count) / 360) % count) + count) % count) * (360 / count);
}
