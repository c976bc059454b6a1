import { nearestCompassPoint, normalizeDegrees } from '../compass.ts';
import { createOffsetFinder, HOUR_MS } from '../dates.ts';
import { gustFactor } from '../gustFactor.ts';
import { POWER_STATES } from '../station.ts';
import { SUNSET_ELEVATION_DEG, sunElevationDeg } from '../sun.ts';
import { joinAlternatives } from '../text.ts';
import {
  arcTest,
  COMPARISON_TESTS,
  type Comparator,
  type ComparisonBound,
  type Observation,
  type ObservationReader,
  type ObservationTest,
  rangeTest,
  testOfValue,
} from './evaluate.ts';
import {
  type ConditionLiteral,
  directionLiteral,
  distanceLiteral,
  durationLiteral,
  factorLiteral,
  hourLiteral,
  isDescendingRange,
  type LiteralParser,
  parseCompassPoint,
  speedLiteral,
  trendLiteral,
} from './literals.ts';
import {
  type ConditionScanner,
  type ConditionToken,
  quoteConditionPart,
  refuseToken,
} from './scanner.ts';

/**
 * How a field of a condition is compared. Each function parses the text after the operator and
 * returns a test, or throws ConditionError.
 */
interface FieldTests {
  compare(
    scanner: ConditionScanner,
    comparator: Comparator,
    operator: ConditionToken,
  ): ObservationTest;
  /** Parses the range after `in`, such as `10..20kn`. */
  range(scanner: ConditionScanner, operator: ConditionToken): ObservationTest;
}

type FieldEntry = FieldNotes &
  (
    | FieldTests
    | { /** The test of a field without a comparison. */ readonly alone: ObservationTest }
  );

interface FieldNotes {
  /** The meaning of the field, with an example, for the manual page and completion. */
  readonly meaning: string;
  /** The name of the field in version 1.0. It still works, but is not documented. */
  readonly formerName?: string;
  /** A sentence that says why rows of history lack the field; undefined if they have it. */
  readonly notInHistory?: string;
}

const DOTS = /\.\./y;

function readOne(scanner: ConditionScanner, kind: LiteralParser): ConditionLiteral {
  const literal = kind.read(scanner);
  if (scanner.sees(DOTS)) scanner.expected('one value (a range follows “in”)');
  return literal;
}

function readEnds(
  scanner: ConditionScanner,
  kind: LiteralParser,
): { low: ComparisonBound; high: ComparisonBound; written: ConditionToken } {
  const low = kind.read(scanner);
  if (scanner.read(DOTS) === undefined) scanner.expected('“..” and the other end of the range');
  const high = kind.read(scanner);
  // Parse the upper bound first, so that the error for a range without a unit points at its end.
  const highBound = kind.bound(high, high.unit);
  return {
    low: kind.bound(low, low.unit ?? high.unit),
    high: highBound,
    written: { text: scanner.text.slice(low.at, scanner.at), at: low.at },
  };
}

function measured(kind: LiteralParser, read: ObservationReader): FieldTests {
  return {
    compare(scanner, comparator) {
      const literal = readOne(scanner, kind);
      return testOfValue(read, COMPARISON_TESTS[comparator](kind.bound(literal, literal.unit)));
    },
    range(scanner) {
      const { low, high, written } = readEnds(scanner, kind);
      if (isDescendingRange(low, high)) refuseToken('the lower end of the range first', written);
      return testOfValue(read, rangeTest(low, high));
    },
  };
}

function readDirection({ dirDeg }: Observation): number | null {
  return dirDeg === null ? null : normalizeDegrees(dirDeg);
}

const directions: FieldTests = {
  compare(scanner, comparator) {
    const literal = readOne(scanner, directionLiteral);
    const point = parseCompassPoint(literal.text);
    const bound = directionLiteral.bound(literal, literal.unit);
    if (comparator !== '=') {
      if (point === undefined)
        return testOfValue(readDirection, COMPARISON_TESTS[comparator](bound));
      const wanted = `degrees after ${quoteConditionPart(comparator)}, or a range such as “dir in SW..NW”`;
      return refuseToken(wanted, literal);
    }
    if (point === undefined) return testOfValue(readDirection, arcTest(bound.value, bound.value));
    return testOfValue(readDirection, (degrees) => nearestCompassPoint(degrees) === point);
  },
  range(scanner) {
    const { low, high } = readEnds(scanner, directionLiteral);
    return testOfValue(readDirection, arcTest(low.value, high.value));
  },
};

const states: FieldTests = {
  compare(scanner, comparator, operator) {
    if (comparator !== '=') refuseToken('“=” or “!=” after “state”', operator);
    const wanted = scanner.readWord((word) => POWER_STATES.some((state) => state === word));
    if (wanted === undefined) return scanner.expected(joinAlternatives(POWER_STATES));
    const state = wanted.text.toLowerCase();
    return (observation) => observation.state === state;
  },
  range: (_, operator) => refuseToken('“=” or “!=” after “state”', operator),
};

/** Creates a reader of the hour of the day in a time zone, 0 to 23. */
function hourIn(zone: string): ObservationReader {
  const offsetsAt = createOffsetFinder(zone);
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
    return testOfValue(hourIn(scanner.zone), (value) => modulo24(value - low.value) <= length);
  },
};

const daylight: ObservationTest = ({ timeMs, position }) =>
  timeMs === undefined || position === undefined
    ? undefined
    : sunElevationDeg(timeMs, position) >= SUNSET_ELEVATION_DEG;

const ofLatest = (field: string): string =>
  `“${field}” describes a station now; the readings of a period have none.`;

/**
 * The fields of conditions, in the order of the help. Hysteresis only applies to the three speeds.
 */
export const CONDITION_FIELDS = {
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
    meaning: `power state, with = or !=: ${POWER_STATES.join(', ')}`,
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

export type ConditionField = keyof typeof CONDITION_FIELDS;

/** The fields that a condition must not use, each with a sentence that says why. */
export type RefusedFields = Partial<Readonly<Record<ConditionField, string>>>;

const ENTRIES = Object.entries(CONDITION_FIELDS) as [ConditionField, FieldEntry][];

/** The fields that rows of history lack, each with a sentence that says why. */
export const FIELDS_NOT_IN_HISTORY: RefusedFields = Object.fromEntries(
  ENTRIES.flatMap(([field, { notInHistory }]) => (notInHistory ? [[field, notInHistory]] : [])),
);

/** The names of the fields for a sentence: `avg, gust or trend`. */
export const CONDITION_FIELD_NAMES = joinAlternatives(Object.keys(CONDITION_FIELDS));

/** The field that a lower-case word names; undefined for any other word. */
export function findConditionField(word: string): ConditionField | undefined {
  return ENTRIES.find(([field, { formerName }]) => word === field || word === formerName)?.[0];
}
