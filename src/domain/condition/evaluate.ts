import { normalizeDegrees } from '../compass.ts';
import type { Position, PowerState } from '../station.ts';
import { type SpeedUnit, unroundSpeed } from '../units.ts';

/**
 * The values that a condition is tested against; null means unknown. A row of an archive only has
 * the wind.
 */
export interface Observation {
  readonly avgKmh: number | null;
  readonly maxKmh: number | null;
  readonly minKmh: number | null;
  /** The unit in which a file stores the speeds with two decimals; undefined for exact speeds. */
  readonly writtenIn?: SpeedUnit | undefined;
  /** Direction the wind comes from, degrees. */
  readonly dirDeg: number | null;
  /** The time for the fields `hour` and `daylight`, milliseconds since 1970. */
  readonly timeMs?: number;
  /** The position of the station. */
  readonly position?: Position | undefined;
  /** Time since the measurement, milliseconds. */
  readonly ageMs?: number | null;
  readonly state?: PowerState;
  /** Distance from the place of `--near`, km. */
  readonly distanceKm?: number | null;
  /** Slope of the average wind over the last hour, km/h per hour. */
  readonly trendKmhPerHour?: number | null;
}

/**
 * Tests an observation. The result is undefined if unknown values leave it open. With a positive
 * `marginKmh`, a speed may miss its bound by that much; with a negative one, it must exceed the
 * bound by that much. `not` flips the sign, so that a margin always makes a condition easier to
 * fulfil.
 */
export type ObservationTest = (observation: Observation, marginKmh: number) => boolean | undefined;

/**
 * Combines tests with Kleene's logic: one `decisive` result decides, even if other results are
 * unknown.
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
 * Compares a known value with a bound, using the margin of {@link ObservationTest}.
 * @param writtenIn the unit in which a file stores the value with two decimals
 */
type Holds = (value: number, margin: number, writtenIn?: SpeedUnit) => boolean;

/** Creates a test of one measured value; the result is undefined if the value is unknown. */
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
   * Converts a measured value to the scale of `value`, for example km/h to Beaufort. Must be
   * monotonic.
   */
  readonly scale: (measured: number) => number;
  /** For a speed: its unit, and the speeds in km/h at which the scale rises. */
  readonly speed?: { readonly unit: SpeedUnit; readonly limitsKmh: readonly number[] };
}

/**
 * Converts a measured value to the scale of a bound. Margins only apply to speeds. Files store
 * rounded speeds, so if the bound has another unit than the file, a speed that may equal the bound
 * counts as equal.
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

/** Creates a test for a value in a range, including both ends. */
export function rangeTest(low: ComparisonBound, high: ComparisonBound): Holds {
  return (value, margin, unit) =>
    place(low, value, margin, unit) >= low.value && place(high, value, -margin, unit) <= high.value;
}

/**
 * Creates a test for a direction on the arc clockwise from `fromDeg` to `toDeg`, including both
 * ends. Equal ends mean that single direction; 0 to 360 is the whole circle.
 */
export function arcTest(fromDeg: number, toDeg: number): (directionDeg: number) => boolean {
  const arcDeg = toDeg - fromDeg === 360 ? 360 : normalizeDegrees(toDeg - fromDeg);
  return (directionDeg) => normalizeDegrees(directionDeg - fromDeg) <= arcDeg;
}
