import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCondition } from '../../../src/domain/condition/condition.ts';
import type { Observation } from '../../../src/domain/condition/evaluate.ts';
import { CONDITION_FIELDS } from '../../../src/domain/condition/fields.ts';
import { ConditionError } from '../../../src/domain/condition/scanner.ts';
import { showPlaceInText } from '../../../src/domain/text.ts';
import { anyCharacter } from '../../support/anyCharacter.ts';

fc.configureGlobal({ seed: 20240115, numRuns: 200 });

/** Units by how many km/h a million of them are, so that the test multiplies whole numbers only. */
const MILLIONTHS = {
  kmh: 1_000_000,
  'km/h': 1_000_000,
  kn: 1_852_000,
  Kts: 1_852_000,
  ms: 3_600_000,
  'm/s': 3_600_000,
  MPH: 1_609_344,
} as const;
type Unit = keyof typeof MILLIONTHS;

const POINTS = 'N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW'.split(' ');
const FORCES_FROM_KMH = [1, 6, 12, 20, 29, 39, 50, 62, 75, 89, 103, 118];

const SPEEDS = {
  avg: 'avgKmh',
  max: 'maxKmh',
  GUST: 'maxKmh',
  min: 'minKmh',
  lull: 'minKmh',
} as const;
const OTHERS = {
  age: 'ageMs',
  distance: 'distanceKm',
  trend: 'trendKmhPerHour',
} as const;

type Op = '<' | '<=' | '>' | '>=' | '=' | '!=';
const OPS: Record<Op, readonly string[]> = {
  '<': ['<'],
  '<=': ['<=', '≤'],
  '>': ['>'],
  '>=': ['>=', '≥'],
  '=': ['=', '=='],
  '!=': ['!=', '≠'],
};

interface Spelling {
  /** Picks one of several ways to write something. */
  readonly pick: number;
  readonly space: string;
}

/** A number on the right: its text, and the value that it is compared as. */
interface Value {
  readonly text: string;
  readonly number: number;
}

interface Leaf {
  readonly kind: 'speed' | 'force' | 'other' | 'dir' | 'point' | 'state';
  readonly field: string;
  readonly spelling: Spelling;
  readonly test:
    | { readonly op: Op; readonly value: Value }
    | { readonly low: Value; readonly high: Value; readonly isDenied: boolean };
}

type Tree =
  | Leaf
  | { readonly kind: 'not'; readonly part: Tree; readonly spelling: Spelling }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Tree[]; readonly spelling: Spelling };

// The evaluator: false is 0, unknown is 1/2, true is 1.

function truth(tree: Tree, observation: Observation, margin: number): number {
  switch (tree.kind) {
    case 'and':
      return Math.min(...tree.parts.map((part) => truth(part, observation, margin)));
    case 'or':
      return Math.max(...tree.parts.map((part) => truth(part, observation, margin)));
    case 'not':
      return 1 - truth(tree.part, observation, -margin);
    default:
      return leafTruth(tree, observation, margin);
  }
}

function leafTruth(leaf: Leaf, observation: Observation, margin: number): number {
  const { kind, test } = leaf;
  if ('low' in test) {
    if (test.isDenied) {
      return 1 - leafTruth({ ...leaf, test: { ...test, isDenied: false } }, observation, -margin);
    }
    if (kind === 'dir') return directionTruth(observation, test.low.number, test.high.number);
    return Math.min(
      leafTruth({ ...leaf, test: { op: '>=', value: test.low } }, observation, margin),
      leafTruth({ ...leaf, test: { op: '<=', value: test.high } }, observation, margin),
    );
  }
  const { op, value } = test;
  if (op === '!=') {
    return 1 - leafTruth({ ...leaf, test: { op: '=', value } }, observation, -margin);
  }
  if (kind === 'state') return Number(observation.state === value.text);
  const measured = measuredFor(leaf, observation);
  if (measured === null) return 1 / 2;
  if (kind === 'point') return Number(nearestPoint(measured) === value.number);
  const slack = kind === 'speed' || kind === 'force' ? margin : 0;
  const scale = kind === 'force' ? force : (number: number): number => number;
  const raised = scale(measured + slack);
  const lowered = scale(measured - slack);
  const outcomes = {
    '>': raised > value.number,
    '>=': raised >= value.number,
    '<': lowered < value.number,
    '<=': lowered <= value.number,
    '=': raised >= value.number && lowered <= value.number,
  };
  return Number(outcomes[op]);
}

function measuredFor({ field }: Leaf, observation: Observation): number | null {
  if (field in SPEEDS) return observation[SPEEDS[field as keyof typeof SPEEDS]];
  if (field === 'gust_factor') return factorOf(observation);
  if (field in OTHERS) return observation[OTHERS[field as keyof typeof OTHERS]] ?? null;
  return observation.dirDeg;
}

function factorOf({ avgKmh, maxKmh }: Observation): number | null {
  return avgKmh === null || avgKmh < 1 || maxKmh === null ? null : maxKmh / avgKmh;
}

function force(speedKmh: number): number {
  return FORCES_FROM_KMH.filter((from) => from <= speedKmh).length;
}

function nearestPoint(degrees: number): number {
  const away = POINTS.map((_, index) => {
    const turn = Math.abs(degrees - index * 22.5);
    return Math.min(turn, 360 - turn);
  });
  return away.indexOf(Math.min(...away));
}

function directionTruth({ dirDeg }: Observation, from: number, to: number): number {
  if (dirDeg === null) return 1 / 2;
  return Number(from <= to ? dirDeg >= from && dirDeg <= to : dirDeg >= from || dirDeg <= to);
}

// The printer.

const BINDING = { or: 1, and: 2, not: 3 };

function print(tree: Tree): string {
  if (tree.kind === 'not') {
    const sign = ['not ', 'NOT ', '!', '! '][tree.spelling.pick % 4];
    return `${sign}${inner(tree.part, BINDING.not)}`;
  }
  if (!('parts' in tree)) return printLeaf(tree);
  const { kind, parts, spelling } = tree;
  const sign = { and: '&&', or: '||' }[kind];
  const connective = [` ${kind} `, ` ${kind.toUpperCase()} `, sign, ` ${sign} `][spelling.pick % 4];
  return parts.map((part) => inner(part, BINDING[kind])).join(connective);
}

function inner(tree: Tree, outside: number): string {
  const binding = BINDING[tree.kind as keyof typeof BINDING] ?? 4;
  const space = tree.spelling.space;
  const isBare = binding >= outside && tree.spelling.pick % 3 > 0;
  return isBare ? print(tree) : `(${space}${print(tree)}${space})`;
}

function printLeaf({ field, spelling: { pick, space }, test }: Leaf): string {
  if ('op' in test) {
    const signs = OPS[test.op];
    return `${field}${space}${signs[pick % signs.length]}${space}${test.value.text}`;
  }
  const not = test.isDenied ? (['not ', '!'] as const)[pick % 2] : '';
  return `${field} ${not}in ${test.low.text}${space}..${space}${test.high.text}`;
}

// The generators.

const spellings = fc.record({ pick: fc.nat({ max: 11 }), space: fc.constantFrom('', ' ', '  ') });
const ops = fc.constantFrom(...(Object.keys(OPS) as Op[]));

function leaves(kind: Leaf['kind'], fields: readonly string[], tests: fc.Arbitrary<Leaf['test']>) {
  return fc.record({
    kind: fc.constant(kind),
    field: fc.constantFrom(...fields),
    spelling: spellings,
    test: tests,
  });
}

function comparisons(values: fc.Arbitrary<Value>, some = ops): fc.Arbitrary<Leaf['test']> {
  return fc.record({ op: some, value: values });
}

function ranges(values: fc.Arbitrary<Value>, isOrdered = true): fc.Arbitrary<Leaf['test']> {
  return fc.tuple(values, values, fc.boolean()).map(([one, other, isDenied]) => {
    const isTurned = isOrdered && one.number > other.number;
    return { low: isTurned ? other : one, high: isTurned ? one : other, isDenied };
  });
}

const tenths = fc.oneof(
  fc.integer({ min: 0, max: 60 }).map((whole) => whole * 10),
  fc.nat(600),
);
const units = fc.constantFrom(...(Object.keys(MILLIONTHS) as Unit[]));

const speeds = fc.tuple(tenths, units, spellings).map(([tenth, unit, { space }]) => ({
  text: `${tenth / 10}${space}${unit}`,
  number: (tenth * MILLIONTHS[unit]) / 10_000_000,
}));
/** Ranges such as `12..25kn`, whose first end has no unit of its own. */
const shortRanges = fc.tuple(tenths, tenths, units, fc.boolean()).map(([a, b, unit, isDenied]) => {
  const [low, high] = [Math.min(a, b), Math.max(a, b)];
  return {
    low: { text: `${low / 10}`, number: (low * MILLIONTHS[unit]) / 10_000_000 },
    high: { text: `${high / 10}${unit}`, number: (high * MILLIONTHS[unit]) / 10_000_000 },
    isDenied,
  };
});
const forces = fc.nat(12).map((number) => ({ text: `${number}bft`, number }));
const trends = fc
  .tuple(fc.integer({ min: -200, max: 200 }), units, fc.constantFrom('', '/h'))
  .map(([tenth, unit, hour]) => ({
    text: `${tenth / 10}${unit}${hour}`,
    number: (tenth * MILLIONTHS[unit]) / 10_000_000,
  }));
const factors = fc.nat(30).map((tenth) => ({ text: `${tenth / 10}`, number: tenth / 10 }));
const ages = fc.tuple(fc.integer({ min: 1, max: 90 }), fc.boolean()).map(([minutes, isIso]) => ({
  text: isIso ? `PT${minutes}M` : `${minutes}m`,
  number: minutes * 60_000,
}));
const points = fc.nat(15).map((index) => ({ text: POINTS[index] as string, number: index }));
const pointDegrees = points.map(({ text, number }) => ({
  text: text.toLowerCase(),
  number: number * 22.5,
}));
const degrees = fc
  .tuple(fc.nat(359), fc.constantFrom('', 'deg', '°', ' deg'))
  .map(([number, unit]) => ({ text: `${number}${unit}`, number }));
const states = fc.constantFrom('on', 'off', 'unknown').map((text) => ({ text, number: 0 }));
const equality = fc.constantFrom<Op>('=', '!=');

const leaf: fc.Arbitrary<Leaf> = fc.oneof(
  leaves('speed', Object.keys(SPEEDS), fc.oneof(comparisons(speeds), ranges(speeds), shortRanges)),
  leaves('force', Object.keys(SPEEDS), fc.oneof(comparisons(forces), ranges(forces))),
  leaves('other', ['gust_factor', 'distance'], fc.oneof(comparisons(factors), ranges(factors))),
  leaves('other', ['age'], fc.oneof(comparisons(ages), ranges(ages))),
  leaves('other', ['trend'], fc.oneof(comparisons(trends), ranges(trends))),
  leaves('dir', ['dir'], comparisons(degrees)),
  leaves('dir', ['dir'], ranges(fc.oneof(degrees, pointDegrees), false)),
  leaves('point', ['dir'], comparisons(points, equality)),
  leaves('state', ['state'], comparisons(states, equality)),
);

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    leaf,
    fc.record({ kind: fc.constant('not' as const), part: tie('tree'), spelling: spellings }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      parts: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }),
      spelling: spellings,
    }),
  ),
}));

function known<T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.option(values, { freq: 4 });
}

const windsKmh = fc.oneof(
  fc.nat(60),
  tenths.map((tenth) => tenth / 10),
  speeds.map(({ number }) => number),
);
const observations: fc.Arbitrary<Observation> = fc.record({
  avgKmh: known(windsKmh),
  maxKmh: known(windsKmh),
  minKmh: known(windsKmh),
  dirDeg: known(
    fc.oneof(
      fc.nat(359),
      pointDegrees.map(({ number }) => number),
    ),
  ),
  ageMs: known(ages.map(({ number }) => number)),
  state: fc.constantFrom('on', 'off', 'unknown'),
  distanceKm: known(factors.map(({ number }) => number)),
  trendKmhPerHour: known(trends.map(({ number }) => number)),
});

const NUMBER_OF = new Map<boolean | undefined, number>([
  [false, 0],
  [undefined, 1 / 2],
  [true, 1],
]);

describe('a condition', () => {
  it('a random condition that is printed and parsed again has the result of its syntax tree', () => {
    fc.assert(
      fc.property(tree, fc.array(observations, { minLength: 1, maxLength: 8 }), (root, many) => {
        const condition = parseCondition(print(root));
        for (const observation of many) {
          for (const hysteresisKmh of [0, 0.5, 3.704, 40]) {
            expect(NUMBER_OF.get(condition.holds(observation, hysteresisKmh))).toBe(
              truth(root, observation, hysteresisKmh),
            );
          }
          expect(condition.holds(observation)).toBe(condition.holds(observation, 0));
        }
      }),
    );
  });

  it('a condition that is true with some hysteresis stays true with more hysteresis', () => {
    const hysteresesKmh = fc.array(
      fc.oneof(fc.nat(30), fc.double({ min: 0, max: 1, noNaN: true })),
    );
    fc.assert(
      fc.property(tree, observations, hysteresesKmh, (root, observation, hystereses) => {
        const condition = parseCondition(print(root));
        const rising = [0, ...hystereses.sort((one, other) => one - other)];
        const truths = rising.map((kmh) => NUMBER_OF.get(condition.holds(observation, kmh)) ?? -1);
        expect(truths).toEqual(truths.toSorted((one, other) => one - other));
      }),
    );
  });
});

describe('any text', () => {
  const pieces = fc.constantFrom(
    ...[...Object.keys(CONDITION_FIELDS), 'max', 'min'],
    ...'and or not in on off unknown'.split(' '),
    ...'( ) < <= > >= = == != ≤ ≥ ≠ && || ! & | .. . ... , - − + / : ; % °'.split(' '),
    ...'0 1 12 12.5 360 361 1e9 9999999999 kn kmh km/h ms m/s mph bft kn/h h m s d 45m PT5M'.split(
      ' ',
    ),
    ...'N SW NNW deg ☃ 💨 \u00a0 \u202e \ud83d'.split(' '),
    ' ',
    '\t',
    '\u001b',
    'avg > 15kn',
    'dir in SW..NW',
    'age < 45m',
  );
  const sentences = fc
    .tuple(fc.array(pieces, { maxLength: 20 }), fc.constantFrom('', ' '))
    .map(([words, space]) => words.join(space));

  it.each([
    ['ASCII characters', fc.string({ maxLength: 60 })],
    ['any Unicode characters', fc.string({ unit: anyCharacter, maxLength: 60 })],
    ['words of the condition language', sentences],
  ] as const)(
    'a text of %s is parsed as a condition, or refused with a position inside the text',
    (_, texts) => {
      fc.assert(
        fc.property(texts, (text) => {
          const error = errorOf(text);
          if (error === undefined) return;
          expect(error).toBeInstanceOf(ConditionError);
          const { at, message } = error as ConditionError;
          expect(at).toBeGreaterThanOrEqual(0);
          expect(at).toBeLessThanOrEqual(text.length);
          expect(message).toMatch(/^[^\p{Cc}\p{Bidi_Control}]+\.$/u);
          expect(showPlaceInText(text, at)).toMatch(/^[^\p{Cc}\p{Bidi_Control}]*\n *\^$/u);
        }),
      );
    },
  );
});

function errorOf(text: string): unknown {
  try {
    parseCondition(text);
    return undefined;
  } catch (error) {
    return error;
  }
}
