import type { Observation } from './observation.ts';

/**
 * Tests an observation: true, false, or undefined where unknown values leave it open.
 * With `marginKmh` above 0 a speed may miss its bound by that much; below 0 it has to pass the
 * bound by that much. `not` turns the sign, so that a margin makes every condition easier to hold.
 */
export type Test = (observation: Observation, marginKmh: number) => boolean | undefined;

/** Kleene's conjunction: false if one test is false, also where others are unknown. */
export function every(tests: readonly Test[]): Test {
  return (observation, marginKmh) => decide(tests, observation, marginKmh, false);
}

/** Kleene's disjunction: true if one test is true, also where others are unknown. */
export function some(tests: readonly Test[]): Test {
  return (observation, marginKmh) => decide(tests, observation, marginKmh, true);
}

function decide(
  tests: readonly Test[],
  observation: Observation,
  marginKmh: number,
  decisive: boolean,
): boolean | undefined {
  let result: boolean | undefined = !decisive;
  for (const test of tests) {
    const one = test(observation, marginKmh);
    if (one === decisive) return decisive;
    if (one === undefined) result = undefined;
  }
  return result;
}

export function negate(test: Test): Test {
  return (observation, marginKmh) => {
    const inner = test(observation, -marginKmh);
    return inner === undefined ? undefined : !inner;
  };
}

/** A test without the margin, which is in km/h, for a field that is no wind speed. */
export function withoutMargin(test: Test): Test {
  return (observation) => test(observation, 0);
}

export type Read = (observation: Observation) => number | null;

/** A test of one measured value; undefined where the value is not known. */
export function testOf(read: Read, holds: (value: number, margin: number) => boolean): Test {
  return (observation, margin) => {
    const value = read(observation);
    return value === null ? undefined : holds(value, margin);
  };
}

/** The number on the right of a comparison. */
export interface Bound {
  readonly value: number;
  /** Maps a measured value to the scale of `value`; never falls as its argument grows. */
  readonly scale: (measured: number) => number;
}

export type Comparator = '<' | '<=' | '>' | '>=' | '=';

export const COMPARE = {
  '<': (bound) => (value, margin) => bound.scale(value - margin) < bound.value,
  '<=': (bound) => (value, margin) => bound.scale(value - margin) <= bound.value,
  '>': (bound) => (value, margin) => bound.scale(value + margin) > bound.value,
  '>=': (bound) => (value, margin) => bound.scale(value + margin) >= bound.value,
  '=': (bound) => between(bound, bound),
} as const satisfies Record<
  Comparator,
  (bound: Bound) => (value: number, margin: number) => boolean
>;

/** Both ends belong to the range. */
export function between(low: Bound, high: Bound): (value: number, margin: number) => boolean {
  return (value, margin) =>
    low.scale(value + margin) >= low.value && high.scale(value - margin) <= high.value;
}

/** The same direction in 0 ≤ degrees < 360. */
export function normalDeg(degrees: number): number {
  return ((degrees % 360) + 360) % 360;
}

/**
 * Tests whether a direction lies in the arc clockwise from one direction to another, both
 * included. The arc between equal directions is that direction; from 0 to 360 it is the circle.
 */
export function clockwise(fromDeg: number, toDeg: number): (directionDeg: number) => boolean {
  const arcDeg = toDeg - fromDeg === 360 ? 360 : normalDeg(toDeg - fromDeg);
  return (directionDeg) => normalDeg(directionDeg - fromDeg) <= arcDeg;
}
