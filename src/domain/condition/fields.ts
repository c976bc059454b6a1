import { compassPoint } from '../compass.ts';
import { STATES } from '../selection.ts';
import { alternatives } from '../text.ts';
import {
  type Bound,
  between,
  COMPARE,
  type Comparator,
  clockwise,
  normalDeg,
  type Read,
  type Test,
  testOf,
  withoutMargin,
} from './evaluate.ts';
import {
  direction,
  duration,
  factor,
  type Literal,
  type LiteralKind,
  pointOf,
  speed,
  trend,
} from './literals.ts';
import type { Observation } from './observation.ts';
import { excerpt, refuse, type Scanner, type Token } from './scanner.ts';
import { isBackwards } from './speed.ts';
import type { Field } from './words.ts';

/** The tests of a field. Each reads the text after the operator and throws ConditionError. */
interface Tests {
  compare(scanner: Scanner, comparator: Comparator, operator: Token): Test;
  /** The range after `in`. */
  range(scanner: Scanner, operator: Token): Test;
}

const DOTS = /\.\./y;

function readOne(scanner: Scanner, kind: LiteralKind): Literal {
  const literal = kind.read(scanner);
  if (scanner.sees(DOTS)) scanner.expected('one value (a range follows “in”)');
  return literal;
}

interface Ends {
  readonly low: Bound;
  readonly high: Bound;
  readonly written: Token;
}

function readEnds(scanner: Scanner, kind: LiteralKind): Ends {
  const low = kind.read(scanner);
  if (scanner.take(DOTS) === undefined) scanner.expected('“..” and the other end of the range');
  const high = kind.read(scanner);
  // The upper end first, so that the error for a range without a unit points there.
  const highBound = kind.bound(high, high.unit);
  return {
    low: kind.bound(low, low.unit ?? high.unit),
    high: highBound,
    written: { text: scanner.text.slice(low.at, scanner.at), at: low.at },
  };
}

function measured(kind: LiteralKind, read: Read): Tests {
  return {
    compare(scanner, comparator) {
      const literal = readOne(scanner, kind);
      return testOf(read, COMPARE[comparator](kind.bound(literal, literal.unit)));
    },
    range(scanner) {
      const { low, high, written } = readEnds(scanner, kind);
      if (isBackwards(low, high)) refuse('the lower end of the range first', written);
      return testOf(read, between(low, high));
    },
  };
}

function withoutMargins({ compare, range }: Tests): Tests {
  return {
    compare: (...from) => withoutMargin(compare(...from)),
    range: (...from) => withoutMargin(range(...from)),
  };
}

function readDirection({ dirDeg }: Observation): number | null {
  return dirDeg === null ? null : normalDeg(dirDeg);
}

function compareDirection(comparator: Comparator, literal: Literal): Test {
  const point = pointOf(literal);
  const bound = direction.bound(literal, literal.unit);
  if (comparator === '=') {
    const isThere = point
      ? (degrees: number) => compassPoint(degrees) === point
      : clockwise(bound.value, bound.value);
    return testOf(readDirection, isThere);
  }
  if (point !== undefined) {
    refuse(`degrees after ${excerpt(comparator)}, or a range such as “dir in SW..NW”`, literal);
  }
  return testOf(readDirection, COMPARE[comparator](bound));
}

const directions: Tests = {
  compare: (scanner, comparator) => compareDirection(comparator, readOne(scanner, direction)),
  range(scanner) {
    const { low, high } = readEnds(scanner, direction);
    return testOf(readDirection, clockwise(low.value, high.value));
  },
};

const states: Tests = {
  compare(scanner, comparator, operator) {
    if (comparator !== '=') refuse('“=” or “!=” after “state”', operator);
    const wanted = scanner.takeWord((word) => STATES.some((state) => state === word));
    if (wanted === undefined) return scanner.expected(alternatives(STATES));
    const state = wanted.text.toLowerCase();
    return (observation) => observation.state === state;
  },
  range: (_, operator) => refuse('“=” or “!=” after “state”', operator),
};

/** The tests of each field. A margin, in km/h, applies to the three speeds only. */
export const TESTS = {
  avg: measured(speed, ({ avgKmh }) => avgKmh),
  max: measured(speed, ({ maxKmh }) => maxKmh),
  min: measured(speed, ({ minKmh }) => minKmh),
  gust_factor: withoutMargins(measured(factor, ({ gustFactor }) => gustFactor)),
  dir: withoutMargins(directions),
  age: withoutMargins(measured(duration, ({ ageMs }) => ageMs)),
  state: states,
  trend: withoutMargins(measured(trend, ({ trendKmhPerHour }) => trendKmhPerHour)),
} as const satisfies Record<Field, Tests>;
