import { normalizeDegrees } from '../compass.ts';
import type { Position, PowerState } from '../station.ts';
import { type SpeedUnit, unroundSpeed } from '../units.ts';

/**
 * The values that a condition is tested against; null is an unknown value. A row of history has the
 * wind alone.
 */
export interface Observation {
  readonly avgKmh: number | null;
  readonly maxKmh: number | null;
  readonly minKmh: number | null;
  /** The unit of a file that has the speeds with two decimals; undefined for exact speeds. */
  readonly writtenIn?: SpeedUnit | undefined;
  /** Direction that the wind comes from, degrees. */
  readonly dirDeg: number | null;
  /** The time for which hour and daylight are computed, milliseconds since 1970. */
  readonly timeMs?: number;
  /** Where the station is. */
  readonly position?: Position | undefined;
  /** Time since the measurement, milliseconds. */
  readonly ageMs?: number | null;
  readonly state?: PowerState;
  /** Kilometres from the place that the user named. */
  readonly distanceKm?: number | null;
  /** Slope of the average wind over the last hour, km/h per hour. */
  readonly trendKmhPerHour?: number | null;
}

/**
 * Tests an observation: true, false, or undefined where unknown values leave the result open. With
 * `marginKmh` above 0 a speed may miss its bound by that many km/h; below 0 a speed has to pass its
 * bound by that many. `not` turns the sign, so that a margin makes every condition easier to hold.
 */
export type ObservationTest = (observation: Observation, marginKmh: number) => boolean | undefined;

/**
 * Combines tests by Kleene's logic: one test with the `decisive` result decides, even where other
 * results are unknown.
 * @param decisive false for “and”, true for “or”
 */
export function combineTests(
  tests: readonly ObservationTest[],
  decisive: boolean,
): ObservationTest {
  return (observation, marginKmh) => {
    const results = tests.map((test) => test(observation, marginKmh));
    if (results.includes(decisive)) return decisive;
    return results.includes(undefined) ? undefined : !decisive;
  };
}

export function negateTest(test: ObservationTest): ObservationTest {
  return (observation, marginKmh) => {
    const inner = test(observation, -marginKmh);
    return inner === undefined ? undefined : !inner;
  };
}

export type ObservationReader = (observation: Observation) => number | null | undefined;

/**
 * Whether a known value fulfils a comparison, with the margin of {@link ObservationTest}.
 * @param writtenIn the unit of a file that has the value with two decimals
 */
type Holds = (value: number, margin: number, writtenIn?: SpeedUnit) => boolean;

/** A test of one measured value; undefined where the value is not known. */
export function testOfValue(read: ObservationReader, holds: Holds): ObservationTest {
  return (observation, margin) => {
    const value = read(observation);
    if (value === null || value === undefined) return undefined;
    return holds(value, margin, observation.writtenIn);
  };
}

/** The number on the right of a comparison. */
export interface ComparisonBound {
  readonly value: number;
  /**
   * Maps a measured value to the scale of `value`, such as km/h to Beaufort. The result never
   * falls as the measured value rises.
   */
  readonly scale: (measured: number) => number;
  /** Of a speed: the unit that the user wrote, and the speeds in km/h at which the scale rises. */
  readonly speed?: { readonly unit: SpeedUnit; readonly limitsKmh: readonly number[] };
}

/**
 * A measured value on the scale of a bound. A margin moves only speeds. Files have rounded
 * speeds: in a comparison in another unit than that of the file, a speed that may be the bound
 * counts as the bound.
 */
function place(
  { scale, speed }: ComparisonBound,
  measured: number,
  marginKmh: number,
  writtenIn?: SpeedUnit,
): number {
  if (speed === undefined) return scale(measured);
  const movedKmh = measured + marginKmh;
  const isExact = writtenIn === undefined || speed.unit === writtenIn;
  return scale(isExact ? movedKmh : unroundSpeed(movedKmh, writtenIn, speed.limitsKmh));
}

export type Comparator = '<' | '<=' | '>' | '>=' | '=';

export const COMPARISON_TESTS = {
  '<': (bound) => (value, margin, unit) => place(bound, value, -margin, unit) < bound.value,
  '<=': (bound) => (value, margin, unit) => place(bound, value, -margin, unit) <= bound.value,
  '>': (bound) => (value, margin, unit) => place(bound, value, margin, unit) > bound.value,
  '>=': (bound) => (value, margin, unit) => place(bound, value, margin, unit) >= bound.value,
  '=': (bound) => rangeTest(bound, bound),
} as const satisfies Record<Comparator, (bound: ComparisonBound) => Holds>;

/** Tests whether a value lies in a range, both ends included. */
export function rangeTest(low: ComparisonBound, high: ComparisonBound): Holds {
  return (value, margin, unit) =>
    place(low, value, margin, unit) >= low.value && place(high, value, -margin, unit) <= high.value;
}

/**
 * Tests whether a direction lies in the arc clockwise from `fromDeg` to `toDeg`, both ends
 * included. Equal ends make an arc of that one direction; 0 to 360 is the whole circle.
 */
export function arcTest(fromDeg: number, toDeg: number): (directionDeg: number) => boolean {
  const arcDeg = toDeg - fromDeg === 360 ? 360 : normalizeDegrees(toDeg - fromDeg);
  return (directionDeg) => normalizeDegrees(directionDeg - fromDeg) <= arcDeg;
}
