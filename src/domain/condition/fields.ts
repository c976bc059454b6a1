import { compassPoint, normalDeg } from '../compass.ts';
import { HOUR_MS, zoneOffsets } from '../dates.ts';
import { gustFactor } from '../gustFactor.ts';
import { STATES } from '../station.ts';
import { SUNSET_DEG, sunElevation } from '../sun.ts';
import { alternatives } from '../text.ts';
import {
  type Bound,
  between,
  COMPARISONS,
  type Comparator,
  clockwise,
  type Observation,
  type Read,
  type Test,
  testOf,
} from './evaluate.ts';
import {
  directionLiteral,
  distanceLiteral,
  durationLiteral,
  factorLiteral,
  hourLiteral,
  isBackwards,
  type Literal,
  type LiteralKind,
  pointOf,
  speedLiteral,
  trendLiteral,
} from './literals.ts';
import { excerpt, refuse, type Scanner, type Token } from './scanner.ts';

/**
 * How a field of a condition is compared. Each function reads the text after the operator and makes
 * a test of it, or throws ConditionError.
 */
interface FieldTests {
  compare(scanner: Scanner, comparator: Comparator, operator: Token): Test;
  /** Reads the range after `in`, such as `10..20kn`. */
  range(scanner: Scanner, operator: Token): Test;
}

type FieldEntry = FieldNotes &
  (FieldTests | { /** The test of a field without a comparison. */ readonly alone: Test });

interface FieldNotes {
  /** The meaning, with an example, for the manual page and completion. */
  readonly meaning: string;
  /** The name of the field in version 1.0, which still works and is shown nowhere. */
  readonly formerName?: string;
  /** Why a row of history lacks the field, as a sentence; without it a row has the field. */
  readonly notInHistory?: string;
}

const DOTS = /\.\./y;

function readOne(scanner: Scanner, kind: LiteralKind): Literal {
  const literal = kind.read(scanner);
  if (scanner.sees(DOTS)) scanner.expected('one value (a range follows “in”)');
  return literal;
}

function readEnds(
  scanner: Scanner,
  kind: LiteralKind,
): { low: Bound; high: Bound; written: Token } {
  const low = kind.read(scanner);
  if (scanner.read(DOTS) === undefined) scanner.expected('“..” and the other end of the range');
  const high = kind.read(scanner);
  // Read the upper bound first, so that the error for a range without a unit points at that end.
  const highBound = kind.bound(high, high.unit);
  return {
    low: kind.bound(low, low.unit ?? high.unit),
    high: highBound,
    written: { text: scanner.text.slice(low.at, scanner.at), at: low.at },
  };
}

function measured(kind: LiteralKind, read: Read): FieldTests {
  return {
    compare(scanner, comparator) {
      const literal = readOne(scanner, kind);
      return testOf(read, COMPARISONS[comparator](kind.bound(literal, literal.unit)));
    },
    range(scanner) {
      const { low, high, written } = readEnds(scanner, kind);
      if (isBackwards(low, high)) refuse('the lower end of the range first', written);
      return testOf(read, between(low, high));
    },
  };
}

function readDirection({ dirDeg }: Observation): number | null {
  return dirDeg === null ? null : normalDeg(dirDeg);
}

const directions: FieldTests = {
  compare(scanner, comparator) {
    const literal = readOne(scanner, directionLiteral);
    const point = pointOf(literal.text);
    const bound = directionLiteral.bound(literal, literal.unit);
    if (comparator !== '=') {
      if (point === undefined) return testOf(readDirection, COMPARISONS[comparator](bound));
      const wanted = `degrees after ${excerpt(comparator)}, or a range such as “dir in SW..NW”`;
      return refuse(wanted, literal);
    }
    if (point === undefined) return testOf(readDirection, clockwise(bound.value, bound.value));
    return testOf(readDirection, (degrees) => compassPoint(degrees) === point);
  },
  range(scanner) {
    const { low, high } = readEnds(scanner, directionLiteral);
    return testOf(readDirection, clockwise(low.value, high.value));
  },
};

const states: FieldTests = {
  compare(scanner, comparator, operator) {
    if (comparator !== '=') refuse('“=” or “!=” after “state”', operator);
    const wanted = scanner.readWord((word) => STATES.some((state) => state === word));
    if (wanted === undefined) return scanner.expected(alternatives(STATES));
    const state = wanted.text.toLowerCase();
    return (observation) => observation.state === state;
  },
  range: (_, operator) => refuse('“=” or “!=” after “state”', operator),
};

/** Reads the hour of the day in a time zone, 0 to 23. */
function hourIn(zone: string): Read {
  const offsetsAt = zoneOffsets(zone);
  return ({ timeMs }) =>
    timeMs === undefined
      ? null
      : modulo24(Math.floor((timeMs + offsetsAt(timeMs).offsetMs) / HOUR_MS));
}

const modulo24 = (hours: number): number => ((hours % 24) + 24) % 24;

const hours: FieldTests = {
  compare: (scanner, comparator, operator) =>
    measured(hourLiteral, hourIn(scanner.zone)).compare(scanner, comparator, operator),
  range(scanner) {
    const { low, high } = readEnds(scanner, hourLiteral);
    const length = modulo24(high.value - low.value);
    return testOf(hourIn(scanner.zone), (value) => modulo24(value - low.value) <= length);
  },
};

const daylight: Test = ({ timeMs, position }) =>
  timeMs === undefined || position === undefined
    ? undefined
    : sunElevation(timeMs, position) >= SUNSET_DEG;

const ofLatest = (field: string): string =>
  `“${field}” describes a station now; the readings of a period have none.`;

/**
 * The fields that a condition can compare, in the order of the help. The hysteresis of alerts
 * applies to the three speeds only.
 */
export const FIELDS = {
  avg: {
    meaning: 'mean wind speed, with a unit: avg > 15kn, avg in 3..5bft',
    ...measured(speedLiteral, ({ avgKmh }) => avgKmh),
  },
  gust: {
    meaning: 'gust, with a unit: gust < 30kn',
    formerName: 'max',
    ...measured(speedLiteral, ({ maxKmh }) => maxKmh),
  },
  lull: {
    meaning: 'lull, with a unit: lull >= 8kn',
    formerName: 'min',
    ...measured(speedLiteral, ({ minKmh }) => minKmh),
  },
  gust_factor: {
    meaning: 'gust divided by mean, a number: gust_factor < 1.6',
    ...measured(factorLiteral, gustFactor),
  },
  dir: {
    meaning:
      'direction the wind comes from, in degrees or as one of 16 compass points; ranges go clockwise: dir in NW..NE',
    ...directions,
  },
  age: {
    meaning: 'time since the measurement: age < 20m',
    notInHistory: ofLatest('age'),
    ...measured(durationLiteral, ({ ageMs }) => ageMs),
  },
  state: {
    meaning: `power state, with = or !=: ${STATES.join(', ')}`,
    notInHistory: ofLatest('state'),
    ...states,
  },
  distance: {
    meaning: 'kilometres from the place of --near: distance < 25',
    notInHistory: '“distance” describes a station; the readings of a period have none.',
    ...measured(distanceLiteral, ({ distanceKm }) => distanceKm),
  },
  trend: {
    meaning: 'change of the mean over the last hour: trend > 5kn',
    notInHistory: '“trend” works only in vane watch and vane plot --kind now.',
    ...measured(trendLiteral, ({ trendKmhPerHour }) => trendKmhPerHour),
  },
  hour: {
    meaning:
      'hour of the day, 0 to 23, in the zone of --tz; a range can cross midnight: hour in 8..19',
    ...hours,
  },
  daylight: {
    meaning:
      'true while the sun is above the horizon at the station, without a comparison: not daylight',
    alone: daylight,
  },
} as const satisfies Record<string, FieldEntry>;

export type Field = keyof typeof FIELDS;

/** Fields that a condition may not name, each with the reason as a sentence. */
export type RefusedFields = Partial<Readonly<Record<Field, string>>>;

const ENTRIES = Object.entries(FIELDS) as [Field, FieldEntry][];

/** The fields that a row of history lacks, each with the reason as a sentence. */
export const NOT_IN_HISTORY: RefusedFields = Object.fromEntries(
  ENTRIES.flatMap(([field, { notInHistory }]) => (notInHistory ? [[field, notInHistory]] : [])),
);

/** The names of the fields as a sentence lists them: `avg, gust or trend`. */
export const FIELD_NAMES = alternatives(Object.keys(FIELDS));

/** The field of a condition that a word in lower case names; undefined for any other word. */
export function fieldOf(word: string): Field | undefined {
  return ENTRIES.find(([field, { formerName }]) => word === field || word === formerName)?.[0];
}
