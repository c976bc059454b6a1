import type { Observation } from './observation.ts';

/**
 * Tests an observation: true, false, or undefined where what is known does not decide.
 * With `marginKmh` above 0 a speed may miss the test by that much, below 0 it has to pass the
 * test by that much; so `not` only has to turn the sign for the whole to become easier to hold.
 */
export type Test = (observation: Observation, marginKmh: number) => boolean | undefined;

/** Kleene's conjunction: one false decides, whatever is unknown. */
export function every(tests: readonly Test[]): Test {
  return (observation, marginKmh) => decide(tests, observation, marginKmh, false);
}

/** Kleene's disjunction: one true decides, whatever is unknown. */
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

/** A test of something that is no speed of the wind, so a margin in km/h says nothing about it. */
export function withoutMargin(test: Test): Test {
  return (observation) => test(observation, 0);
}

export type Read = (observation: Observation) => number | null;

/** Makes a test of one measured value; where that is not known, neither is the outcome. */
export function testOf(read: Read, holds: (value: number, margin: number) => boolean): Test {
  return (observation, margin) => {
    const value = read(observation);
    return value === null ? undefined : holds(value, margin);
  };
}

/** The number on the right of a comparison. */
export interface Bound {
  readonly value: number;
  /** From the measured value to what is compared with `value`; never falls as its argument grows. */
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
 * Whether a direction lies on the way clockwise from one to another, both included. Between
 * equal ones lies that direction alone; from 0 to 360 lies every direction.
 */
export function clockwise(fromDeg: number, toDeg: number): (directionDeg: number) => boolean {
  const arcDeg = toDeg - fromDeg === 360 ? 360 : normalDeg(toDeg - fromDeg);
  return (directionDeg) => normalDeg(directionDeg - fromDeg) <= arcDeg;
}
