import { describe, expect, it } from 'vitest';
import { type Condition, parseCondition } from '../../src/domain/condition/condition.ts';
import type { Observation } from '../../src/domain/condition/evaluate.ts';
import { parseSpeed } from '../../src/domain/condition/literals.ts';
import { ConditionError } from '../../src/domain/condition/scanner.ts';
import { selectStations } from '../../src/domain/selection.ts';
import type { Station } from '../../src/domain/station.ts';
import { alternatives, pointAt } from '../../src/domain/text.ts';
import { LINEAR_UNIT_NAMES, SPEED_UNIT_NAMES } from '../../src/domain/units.ts';
import { evaluateAlert, INITIAL_ALERT } from '../../src/domain/watching/alert.ts';
import { observeStation } from '../../src/domain/watching/observe.ts';
import { vane } from '../support/run.ts';
import { station } from '../support/watching.ts';

const KN = 1.852;

const NOTHING: Observation = {
  avgKmh: null,
  maxKmh: null,
  minKmh: null,
  gustFactor: null,
  dirDeg: null,
  ageMs: null,
  state: 'unknown',
  distanceKm: null,
  trendKmhPerHour: null,
};

const avg = (avgKmh: number): Partial<Observation> => ({ avgKmh });
const max = (maxKmh: number): Partial<Observation> => ({ maxKmh });
const min = (minKmh: number): Partial<Observation> => ({ minKmh });
const factor = (gustFactor: number): Partial<Observation> => ({ gustFactor });
const dir = (dirDeg: number): Partial<Observation> => ({ dirDeg });
const age = (minutes: number): Partial<Observation> => ({ ageMs: minutes * 60_000 });
const distance = (distanceKm: number): Partial<Observation> => ({ distanceKm });
const trend = (trendKmhPerHour: number): Partial<Observation> => ({ trendKmhPerHour });

type Case = [condition: string, observation: Partial<Observation>, expected: boolean | undefined];

function itHolds(cases: Case[]): void {
  const rows = cases.map(([text, known, expected]) => {
    return [text, known, expected ?? 'unknown', expected] as const;
  });
  it.each(rows)('“%s” for a station with the values %j is %s', (text, known, _, expected) => {
    const condition = parseCondition(text);
    expect(condition.holds({ ...NOTHING, ...known })).toBe(expected);
    // One response has no trend.
    if (condition.fields.has('trend')) return;
    expect(alerts(condition, known)).toBe(expected === true);
    expect(isChosen(condition, known)).toBe(expected === true);
  });
}

const NOW = Date.UTC(2024, 0, 15, 12);
const HERE = { latitude: 0, longitude: 0 };
const KM_OF_DEGREE = 111.195;

/** A station of which no more is known than an observation says. */
function stationOf(known: Partial<Observation>): Station {
  const { gustFactor, ageMs = 0, dirDeg = null, minKmh = null, distanceKm = 0 } = known;
  const avg = known.avgKmh ?? (gustFactor === undefined ? null : 10);
  const max = known.maxKmh ?? (avg && gustFactor ? avg * gustFactor : null);
  const wind = { avg, max, min: minKmh, heading: dirDeg };
  const state = known.state === undefined || known.state === 'unknown' ? null : known.state;
  const made = station({ timeMs: NOW - (ageMs ?? 0), ...wind, state });
  const hasDate = Object.keys(known).some((name) => name !== 'state' && name !== 'distanceKm');
  return {
    ...made,
    location: { ...made.location, latitude: 0, longitude: (distanceKm ?? 0) / KM_OF_DEGREE },
    measurements: hasDate ? made.measurements : { ...made.measurements, date: null },
  };
}

/** Whether `watch --when` alerts at such a station. */
function alerts(condition: Condition, known: Partial<Observation>): boolean {
  const rule = { condition, forMs: 0, hysteresisKmh: 0, cooldownMs: 0 };
  const observation = observeStation(stationOf(known), known.distanceKm ?? undefined, NOW);
  return evaluateAlert(INITIAL_ALERT, rule, observation, NOW).event === 'true';
}

/** Whether `--where` selects such a station. */
function isChosen(where: Condition, known: Partial<Observation>): boolean {
  return selectStations([stationOf(known)], { near: HERE, where }, NOW).length === 1;
}

describe('a comparison', () => {
  itHolds([
    ['avg > 10kn', avg(18.52), false],
    ['avg > 10kn', avg(18.53), true],
    ['avg >= 10kn', avg(18.52), true],
    ['avg ≥ 10kn', avg(18.51), false],
    ['avg < 10kn', avg(18.52), false],
    ['avg < 10kn', avg(0), true],
    ['avg <= 10kn', avg(18.52), true],
    ['avg ≤ 10kn', avg(18.53), false],
    ['avg = 10kn', avg(18.52), true],
    ['avg == 10kn', avg(18.51), false],
    ['avg != 10kn', avg(18.52), false],
    ['avg ≠ 10kn', avg(18.51), true],
    ['avg>10kn', avg(30), true],
    ['  avg  >  10  kn  ', avg(30), true],
    ['avg > 10\u00a0kn', avg(30), true],
    ['AVG > 10KN', avg(30), true],
    ['max > 10kn', max(30), true],
    ['gust > 10kn', max(30), true],
    ['min > 10kn', min(30), true],
    ['Lull > 10kn', min(30), true],
    ['avg > 10kn', max(30), undefined],
    ['avg != 10kn', {}, undefined],
  ]);
});

describe('a comparison with a unit of speed', () => {
  itHolds([
    ['avg = 25kmh', avg(25), true],
    ['avg = 25km/h', avg(25), true],
    ['avg = 7kn', avg(12.964), true],
    ['avg = 7kt', avg(12.964), true],
    ['avg = 7kts', avg(12.964), true],
    ['avg = 1.1ms', avg(3.96), true],
    ['avg = 1.1m/s', avg(3.96), true],
    ['avg = 1mph', avg(1.609344), true],
    ['avg = 007.50Km/H', avg(7.5), true],
    ['avg >= 5bft', avg(28.9), false],
    ['avg >= 5bft', avg(29), true],
    ['avg = 5bft', avg(38.9), true],
    ['avg = 5bft', avg(39), false],
    ['avg > 5bft', avg(38.9), false],
    ['avg > 5BFT', avg(39), true],
    ['avg < 1bft', avg(0.9), true],
    ['avg <= 0bft', avg(1), false],
    ['avg >= 12bft', avg(118), true],
    ['avg != 5bft', avg(30), false],
  ]);
});

describe('a comparison with a range', () => {
  itHolds([
    ['avg in 10..20kmh', avg(10), true],
    ['avg in 10..20kmh', avg(20), true],
    ['avg in 10..20kmh', avg(9.99), false],
    ['avg in 10..20kmh', avg(20.01), false],
    ['avg in 10 .. 20 kmh', avg(15), true],
    ['avg in 12.5..25.5kn', avg(12.5 * KN), true],
    ['avg in 12.5..25.5kn', avg(12.4 * KN), false],
    ['avg in 10kmh..10kn', avg(18), true],
    ['avg in 10kmh..10kn', avg(18.6), false],
    ['avg in 15..15kmh', avg(15), true],
    ['avg in 4..6bft', avg(20), true],
    ['avg in 4..6bft', avg(50), false],
    ['avg in 25kmh..5bft', avg(38.9), true],
    ['avg in 25kmh..5bft', avg(24.9), false],
    ['avg in 5bft..35kmh', avg(28.9), false],
    ['avg in 5bft..35kmh', avg(35), true],
    ['avg not in 10..20kmh', avg(15), false],
    ['avg NOT IN 10..20kmh', avg(21), true],
    ['avg !in 10..20kmh', avg(21), true],
    ['avg ! in 10..20kmh', {}, undefined],
    ['not avg not in 10..20kmh', avg(15), true],
  ]);
});

describe('a condition on gust factor, age, state, distance or trend', () => {
  itHolds([
    ['gust_factor > 1.5', factor(1.6), true],
    ['gust_factor in 1..1.5', factor(1.5), true],
    ['gust_factor = 2 and avg > 3kn', { ...factor(2), ...avg(30) }, true],
    ['age < 45m', age(44), true],
    ['age < 45 m', age(45), false],
    ['age <= PT45M', age(45), true],
    ['age = PT1.5H', age(90), true],
    ['age > 1h30m', age(91), true],
    ['age in 5..45m', age(5), true],
    ['age in 5m..PT1H', age(61), false],
    ['age > 1d', {}, undefined],
    ['state = on', { state: 'on' }, true],
    ['STATE == On', { state: 'off' }, false],
    ['state != on', { state: 'unknown' }, true],
    ['state = unknown', {}, true],
    ['distance < 25', distance(24.9), true],
    ['distance < 25km', distance(25.1), false],
    ['distance > 25 KM', distance(25.1), true],
    ['distance in 10..20km', distance(15), true],
    ['not distance in 10..20', distance(15), false],
    ['trend > 5kn', trend(9.3), true],
    ['trend > 5kn/h', trend(9.2), false],
    ['trend < -3kn', trend(-6), true],
    ['trend < −3kn', trend(-5), false],
    ['trend < −3kn', trend(-6), true],
    ['trend = 1ms/h', trend(3.6), true],
    ['trend = 1m/s/h', trend(3.6), true],
    ['trend = 5km/h/h', trend(5), true],
    ['trend = 5km/h', trend(5), true],
    ['trend = 5KMH/H', trend(5), true],
    ['trend = 2mph/h', trend(3.218688), true],
    ['trend in -3..3kmh', trend(-3), true],
    ['trend in -3kmh..0kn', trend(0.1), false],
  ]);
});

describe('a condition on direction', () => {
  itHolds([
    ['dir = SW', dir(214), true],
    ['dir = sw', dir(236.2), true],
    ['dir = SW', dir(237), false],
    ['dir != SW', dir(237), true],
    ['dir = N', dir(355), true],
    ['dir = 225', dir(225), true],
    ['dir = 225', dir(226), false],
    ['dir = 225deg', dir(225), true],
    ['dir = 225°', dir(225), true],
    ['dir = 360', dir(0), true],
    ['dir = 0', dir(360), true],
    ['dir != 360', dir(0), false],
    ['dir < 90', dir(360), true],
    ['dir > 90.5 DEG', dir(91), true],
    ['dir >= 360', dir(360), false],
    ['dir in S..W', dir(180), true],
    ['dir in S..W', dir(270), true],
    ['dir in S..W', dir(270.1), false],
    ['dir in SW..SW', dir(225), true],
    ['dir in SW..SW', dir(226), false],
    ['dir in NW..NE', dir(0), true],
    ['dir in NW..NE', dir(45.1), false],
    ['dir in nw .. ne', dir(180), false],
    ['dir in 350..10', dir(355), true],
    ['dir in 350..10', dir(11), false],
    ['dir in 350..10°', dir(10), true],
    ['dir in 350..N', dir(0), true],
    ['dir in 10..350', dir(0), false],
    ['dir in 180..360', dir(0), true],
    ['dir in 0..360', dir(123), true],
    ['dir in 360..0', dir(123), false],
    ['dir not in S..W', dir(90), true],
    ['dir not in S..W', {}, undefined],
  ]);
});

describe('a condition with and, or, not', () => {
  const both = { ...avg(20), ...max(30) };
  itHolds([
    ['avg > 10kmh and max > 40kmh', both, false],
    ['avg > 10kmh && max > 20kmh', both, true],
    ['avg > 10kmh or max > 40kmh', both, true],
    ['avg > 30kmh||max > 40kmh', both, false],
    ['not avg > 10kmh', both, false],
    ['!avg > 30kmh', both, true],
    ['!!avg > 10kmh', both, true],
    ['not(avg > 30kmh)and(max > 20kmh)', both, true],
    // `not` before `and` before `or`.
    ['avg > 10kmh or avg > 10kmh and avg > 30kmh', both, true],
    ['(avg > 10kmh or avg > 10kmh) and avg > 30kmh', both, false],
    ['not avg > 10kmh and avg > 30kmh', both, false],
    ['not (avg > 10kmh and avg > 30kmh)', both, true],
    ['not avg > 30kmh or avg > 10kmh', both, true],
    // Kleene.
    ['avg > 10kmh and min > 5kmh', both, undefined],
    ['avg > 30kmh and min > 5kmh', both, false],
    ['min > 5kmh and avg > 30kmh', both, false],
    ['avg > 10kmh or min > 5kmh', both, true],
    ['min > 5kmh or avg > 10kmh', both, true],
    ['avg > 30kmh or min > 5kmh', both, undefined],
    ['not min > 5kmh', both, undefined],
    ['min > 5kmh or not min > 5kmh', both, undefined],
  ]);
});

describe('a condition with hysteresis', () => {
  const cases: [string, Partial<Observation>, number, boolean | undefined][] = [
    ['avg > 20kmh', avg(18.1), 2, true],
    ['avg > 20kmh', avg(18), 2, false],
    ['avg >= 20kmh', avg(18), 2, true],
    ['max < 30kmh', max(31.9), 2, true],
    ['max < 30kmh', max(32), 2, false],
    ['min in 10..20kmh', min(8), 2, true],
    ['min in 10..20kmh', min(22), 2, true],
    ['min in 10..20kmh', min(22.1), 2, false],
    ['avg = 20kmh', avg(22), 2, true],
    ['avg = 20kmh', avg(22.1), 2, false],
    ['avg != 20kmh', avg(20), 0, false],
    ['avg != 20kmh', avg(20), 2, true],
    ['not avg != 20kmh', avg(21), 2, true],
    ['not (avg < 10kmh)', avg(8), 2, true],
    ['not (avg < 10kmh)', avg(7.9), 2, false],
    ['not not avg > 20kmh', avg(18.1), 2, true],
    ['avg not in 10..20kmh', avg(11.9), 2, true],
    ['avg not in 10..20kmh', avg(12), 2, false],
    ['avg not in 10..12kmh', avg(11), 2, true],
    ['not (avg < 10kmh or avg > 20kmh)', avg(22), 2, true],
    ['avg >= 5bft', avg(27), 2, true],
    ['avg <= 0bft', avg(2.9), 2, true],
    ['avg < 5bft', avg(30.9), 2, true],
    ['avg < 5bft', avg(31), 2, false],
    ['avg < 1bft', avg(0), 2, true],
    ['avg = 5bft', avg(40), 2, true],
    ['avg != 5bft', avg(30), 2, true],
    ['avg != 5bft', avg(31), 2, false],
    ['trend > 20kmh', trend(19), 2, false],
    ['gust_factor > 2', factor(1), 2, false],
    ['dir > 20', dir(19), 2, false],
    ['age < 45m', age(45), 2, false],
    ['state = on', { state: 'off' }, 2, false],
    ['avg > 20kmh', {}, 2, undefined],
  ];
  const rows = cases.map(([text, known, kmh, expected]) => {
    return [text, known, kmh, expected ?? 'unknown', expected] as const;
  });
  it.each(rows)(
    '“%s” for a station with the values %j and %f km/h of hysteresis is %s',
    (text, known, hysteresisKmh, _, expected) => {
      expect(parseCondition(text).holds({ ...NOTHING, ...known }, hysteresisKmh)).toBe(expected);
    },
  );
});

describe('a condition on the time', () => {
  const at = (iso: string) => ({ ...NOTHING, timeMs: Date.parse(iso) });
  const PILAT = { latitude: 44.6, longitude: -1.2 };

  it.each([
    ['hour = 14', 'utc', true],
    ['hour = 16', 'Europe/Paris', true],
    ['hour = 20', 'Asia/Kathmandu', true],
    ['hour in 8..14', 'utc', true],
    ['hour in 8..13', 'utc', false],
    ['hour not in 22..5', 'utc', true],
    ['hour in 22..14', 'utc', true],
    ['hour in 15..13', 'utc', false],
    ['hour in 0..23', 'utc', true],
    ['hour >= 14 and hour < 15', 'utc', true],
    ['hour != 14', 'utc', false],
  ])('“%s” in the zone %s at 14:59:59.999 UTC in June is %s', (text, zone, expected) => {
    expect(parseCondition(text, {}, zone).holds(at('2024-06-01T14:59:59.999Z'), 5)).toBe(expected);
  });

  it('counts hours before 1970 too', () => {
    expect(parseCondition('hour = 23').holds(at('1969-12-31T23:00:00Z'))).toBe(true);
  });

  it.each([
    // Sunrise at 05:19 and sunset at 20:41 by NOAA's calculator.
    ['2024-06-21T04:15:00Z', false],
    ['2024-06-21T04:25:00Z', true],
    ['2024-06-21T19:45:00Z', true],
    ['2024-06-21T19:55:00Z', false],
  ])('daylight at the Dune du Pilat at %s is %s', (iso, expected) => {
    const observation = { ...at(iso), position: PILAT };
    expect(parseCondition('daylight').holds(observation)).toBe(expected);
    expect(parseCondition('not daylight').holds(observation)).toBe(!expected);
    expect(parseCondition('DAYLIGHT and (hour < 23 or avg > 3kn)').holds(observation)).toBe(
      expected,
    );
  });

  it('is unknown without a time, and daylight without a position', () => {
    expect(parseCondition('hour > 3').holds(NOTHING)).toBeUndefined();
    expect(parseCondition('daylight').holds(at('2024-06-21T12:00:00Z'))).toBeUndefined();
    expect(parseCondition('daylight').holds({ ...NOTHING, position: PILAT })).toBeUndefined();
  });
});

describe('a condition', () => {
  it('keeps its text and the fields it names', () => {
    const text = ' Gust > 20kn or lull > 5kn and not dir in S..W and max < 50kn ';
    expect(parseCondition(text)).toMatchObject({ text, fields: new Set(['gust', 'lull', 'dir']) });
  });

  it('may have 10,000 characters and 100 levels of nesting', () => {
    const long = Array.from({ length: 700 }, () => 'avg > 10kmh').join('||');
    const nested = `${'('.repeat(100)}avg > 10kmh${')'.repeat(100)}`;
    const beside = Array.from({ length: 200 }, () => '(avg > 10kmh)').join(' and ');
    for (const text of [long, nested, beside, `${'not '.repeat(100)}avg > 10kmh`]) {
      expect(parseCondition(text).holds({ ...NOTHING, avgKmh: 11 })).toBe(true);
    }
  });
});

const FIELDS =
  'a field (avg, gust, lull, gust_factor, dir, age, state, distance, trend, hour or daylight)';
const SPEED = 'a speed of 0 or more with its unit, such as 15kn';
const SPEED_UNITS = alternatives(SPEED_UNIT_NAMES);
const TREND_UNITS = alternatives(LINEAR_UNIT_NAMES);
const DEGREES = 'degrees from 0 to 360';
const DURATION = 'a length of time such as 45m, 1h30m or PT5M';

/** The condition and under it the caret, as a user sees them. */
type Refusal = [condition: string, message: string, caret: string];

describe('the wrong condition', () => {
  it.each<Refusal>([
    ['', 'Expected a condition such as “avg > 15kn”, not an empty text.', '^'],
    ['   ', 'Expected a condition such as “avg > 15kn”, not an empty text.', '^'],

    ['wind > 5kn', `Expected ${FIELDS}, not “wind”.`, '^'],
    ['constructor > 5kn', `Expected ${FIELDS}, not “constructor”.`, '^'],
    ['or avg > 10kn', `Expected ${FIELDS}, not “or”.`, '^'],
    ['avg > 10kn or ', `Expected ${FIELDS}, but the condition ends.`, '             ^'],
    ['not', `Expected ${FIELDS}, but the condition ends.`, '   ^'],
    ['()', `Expected ${FIELDS}, not “)”.`, ' ^'],

    ['avg', 'Expected a comparison such as “>”, or “in”, but the condition ends.', '   ^'],
    ['avg ☃ 5kn', 'Expected a comparison such as “>”, or “in”, not “☃”.', '    ^'],
    ['avg 5kn', 'Expected a comparison such as “>”, or “in”, not “5kn”.', '    ^'],
    ['avg not > 3kn', 'Expected “in”, not “>”.', '        ^'],
    [
      'avg > 10kn < 20kn',
      'Expected one comparison, or a range such as “avg in 10..20kn”, not “<”.',
      '           ^',
    ],
    [
      '10kn < avg < 20kn',
      'Expected a field on the left, as in “avg > 10kn” or “avg in 10..20kn”, not “10kn”.',
      '^',
    ],
    [
      'not -3kn > trend',
      'Expected a field on the left, as in “avg > 10kn” or “avg in 10..20kn”, not “-3kn”.',
      '    ^',
    ],

    ['avg >', `Expected ${SPEED}, but the condition ends.`, '     ^'],
    ['avg => 10kn', `Expected ${SPEED}, not “>”.`, '     ^'],
    ['avg > max', `Expected ${SPEED}, not “max”.`, '      ^'],
    ['avg > -5kn', `Expected ${SPEED}, not “-5kn”.`, '      ^'],
    ['avg > .5kn', `Expected ${SPEED}, not “.5kn”.`, '      ^'],
    ['avg > ٣kn', `Expected ${SPEED}, not “٣kn”.`, '      ^'],
    ['avg > 12.', 'Expected digits right after “12.”, but the condition ends.', '         ^'],
    ['avg > 12.kn', 'Expected digits right after “12.”, not “kn”.', '         ^'],
    ['avg > 1,5kn', 'Expected a decimal point, not “,”.', '       ^'],
    ['avg > 1000000001kn', 'Expected a number up to 1000000000, not “1000000001”.', '      ^'],

    ['avg > 15', `“15” has no unit: expected ${SPEED_UNITS} after it.`, '        ^'],
    ['avg > 15  ', `“15” has no unit: expected ${SPEED_UNITS} after it.`, '        ^'],
    ['avg > 15 and max < 3kn', `“15” has no unit: expected ${SPEED_UNITS} after it.`, '        ^'],
    ['avg > 15 max < 3kn', `“15” has no unit: expected ${SPEED_UNITS} after it.`, '        ^'],
    ['avg in 12..25', `“25” has no unit: expected ${SPEED_UNITS} after it.`, '             ^'],
    ['avg in 12kn..25', `“25” has no unit: expected ${SPEED_UNITS} after it.`, '               ^'],
    ['avg > 15knocks', `Expected the unit ${SPEED_UNITS}, not “knocks”.`, '        ^'],
    ['avg > 15 kn/h', `Expected the unit ${SPEED_UNITS}, not “kn/h”.`, '         ^'],
    ['avg > 1e3kn', `Expected the unit ${SPEED_UNITS}, not “e3kn”.`, '       ^'],
    ['avg > 4.5bft', 'Expected a whole Beaufort force from 0 to 12, not “4.5”.', '      ^'],
    ['avg in 10..13bft', 'Expected a whole Beaufort force from 0 to 12, not “13”.', '           ^'],

    [
      'avg in 12kn',
      'Expected “..” and the other end of the range, but the condition ends.',
      '           ^',
    ],
    ['avg in 12..', `Expected ${SPEED}, but the condition ends.`, '           ^'],
    ['avg in 12...25kn', `Expected ${SPEED}, not “.25kn”.`, '           ^'],
    ['avg in (12..25kn)', `Expected ${SPEED}, not “(”.`, '       ^'],
    ['avg > 10..20kn', 'Expected one value (a range follows “in”), not “..20kn”.', '        ^'],
    ['dir = N..E', 'Expected one value (a range follows “in”), not “..E”.', '       ^'],
    ['avg in 25..12kn', 'Expected the lower end of the range first, not “25..12kn”.', '       ^'],
    [
      'avg in 20kn..4bft',
      'Expected the lower end of the range first, not “20kn..4bft”.',
      '       ^',
    ],
    [
      'avg in 6bft..20kn',
      'Expected the lower end of the range first, not “6bft..20kn”.',
      '       ^',
    ],
    ['age in 45..5m', 'Expected the lower end of the range first, not “45..5m”.', '       ^'],

    ['(avg > 10kn', 'Expected “and”, “or” or “)”, but the condition ends.', '           ^'],
    ['(avg > 10kn,', 'Expected “and”, “or” or “)”, not “,”.', '           ^'],
    ['avg > 10kn)', 'Expected “and”, “or” or the end of the condition, not “)”.', '          ^'],
    [
      'avg > 10kn & max < 3kn',
      'Expected “and”, “or” or the end of the condition, not “&”.',
      '           ^',
    ],
    [
      'avg > 10kn 💨',
      'Expected “and”, “or” or the end of the condition, not “💨”.',
      '           ^',
    ],
    [
      'avg > 10kn max > 3kn',
      'Expected “and” or “or” between two conditions, not “max”.',
      '           ^',
    ],
    [
      'avg > 10kn (max > 3kn)',
      'Expected “and” or “or” between two conditions, not “(”.',
      '           ^',
    ],
    [
      '(avg > 10kn !max > 3kn)',
      'Expected “and” or “or” between two conditions, not “!”.',
      '            ^',
    ],

    [
      'dir > SW',
      'Expected degrees after “>”, or a range such as “dir in SW..NW”, not “SW”.',
      '      ^',
    ],
    ['dir >= 400', `Expected ${DEGREES}, not “400”.`, '       ^'],
    ['dir in 0..361deg', `Expected ${DEGREES}, not “361”.`, '          ^'],
    ...['O', 'no', 'SSO'].map((word): [string, string, string] => [
      `dir in N..${word}`,
      `Expected ${{ O: 'E or W', no: 'NE or NW', SSO: 'SSE or SSW' }[word]}, since O is east in German and west in French, not “${word}”.`,
      '          ^',
    ]),
    ['dir = north', `Expected ${DEGREES} or a compass point such as SW, not “north”.`, '      ^'],
    ['dir = -90', `Expected ${DEGREES} or a compass point such as SW, not “-90”.`, '      ^'],
    ['dir = 225kn', 'Expected degrees such as 225 or 225deg, not “kn”.', '         ^'],
    [
      'dir in SW',
      'Expected “..” and the other end of the range, but the condition ends.',
      '         ^',
    ],

    ['age > 45', '“45” has no unit: expected a unit of time as in 45m after it.', '        ^'],
    [
      'age in 5..1h30m',
      '“5” has no unit: expected a unit of time as in 45m after it.',
      '        ^',
    ],
    ['age > 45M', `Expected ${DURATION}, not “45M”.`, '      ^'],
    ['age > -5m', `Expected ${DURATION}, not “-5m”.`, '      ^'],
    ['age > 1h 30m', 'Expected “and”, “or” or the end of the condition, not “30m”.', '         ^'],

    ['distance < 25nm', 'Expected kilometres such as 25 or 25km, not “nm”.', '             ^'],
    ['distance < far', 'Expected kilometres of 0 or more, such as 25, not “far”.', '           ^'],

    ['state > on', 'Expected “=” or “!=” after “state”, not “>”.', '      ^'],
    ['state not in on..off', 'Expected “=” or “!=” after “state”, not “in”.', '          ^'],
    ['state = maybe', 'Expected on, off or unknown, not “maybe”.', '        ^'],

    ['trend > 5', `“5” has no unit: expected ${TREND_UNITS} after it.`, '         ^'],
    [
      'trend > 5bft',
      `Expected the unit ${TREND_UNITS}, each with or without /h, not “bft”.`,
      '         ^',
    ],
    [
      'trend > 5kn/h/h',
      `Expected the unit ${TREND_UNITS}, each with or without /h, not “kn/h/h”.`,
      '         ^',
    ],
    [
      'trend > - 5kn',
      'Expected a speed per hour with its unit, such as 5kn/h or -5kn/h, not “-”.',
      '        ^',
    ],

    ['hour > 8h', 'Expected an hour without a unit, not “h”.', '        ^'],
    ['hour = 24', 'Expected a whole hour from 0 to 23, not “24”.', '       ^'],
    ['hour in 8.5..12', 'Expected a whole hour from 0 to 23, not “8.5”.', '        ^'],
    ['hour = noon', 'Expected an hour from 0 to 23, not “noon”.', '       ^'],
    ['daylight = 1', 'Expected “and”, “or” or the end of the condition, not “=”.', '         ^'],
    [
      'daylight avg > 3kn',
      'Expected “and” or “or” between two conditions, not “avg”.',
      '         ^',
    ],
    ['gust_factor > 1.5kn', 'Expected a number without a unit, not “kn”.', '                 ^'],
    [
      'gust_factor > -1',
      'Expected a number of 0 or more, such as 1.5, not “-1”.',
      '              ^',
    ],

    ['avg\t> 5kn', 'Expected text without control characters, not U+0009.', '   ^'],
    ['avg > 5kn\u001b[2J', 'Expected text without control characters, not U+001B.', '         ^'],
    [`${'x'.repeat(30)} > 5kn`, `Expected ${FIELDS}, not “${'x'.repeat(24)}…”.`, '^'],
    ['\u202egva', `Expected ${FIELDS}, not “\ufffd”.`, '^'],
  ])('%j is refused with a mark at the mistake: %s', async (text, message, caret) => {
    const error = errorOf(text);
    expect(error).toBeInstanceOf(ConditionError);
    expect(error?.message).toBe(message);
    expect(error?.at).toBe(caret.length - 1);
    expect(pointAt(text, error?.at ?? 0).split('\n')[1]).toBe(caret);
    const near = ['--near', '0,0'];
    const when = await vane(['watch', '--when', text, ...near]);
    expect(when.err).toMatch(`vane: --when: ${message}\n`);
    expect({ code: when.code, out: when.out }).toEqual({ code: 2, out: '' });
    // The message is the same in --where, unless it comes after a trend.
    const where = await vane(['live', '--where', text, ...near]);
    const isTrend = text.slice(0, error?.at).includes('trend');
    if (isTrend) expect(where.err).toMatch('“trend” works only in vane watch');
    else
      expect(where).toMatchObject({
        ...when,
        err: when.err.replace('--when', '--where'),
        io: {},
      });
  });

  it.each([
    ['(', 'avg > 5kn', 101, 100],
    ['not ', 'avg > 5kn', 101, 400],
    ['!', '', 10_000, 100],
    ['(', '', 10_000, 100],
  ])('of %j nested $2 levels deep is refused', (level, rest, levels, at) => {
    const error = errorOf(level.repeat(levels) + rest);
    expect(error).toMatchObject({
      message: `Expected at most 100 levels of nesting, not “${level.trim()}”.`,
      at,
    });
  });

  it('of over 10,000 characters is refused', () => {
    expect(errorOf(`avg > 15kn${' '.repeat(9_991)}`)).toMatchObject({
      message: 'Expected at most 10000 characters, not 10001 characters.',
      at: 10_000,
    });
    expect(errorOf(`avg > 15kn${' '.repeat(9_990)}`)).toBeUndefined();
  });

  it.each(['9', 'a', ' ', '.', '(', '1.', 'avg ', 'h1', 'km/', '<', '-', '\u00a0'])(
    'of %j repeated up to 10,000 characters is refused',
    (piece) => {
      const starts = ['', 'avg > ', 'avg in 1..', 'age > ', 'dir = ', '(trend > 1kn'];
      for (const start of starts) {
        expect(errorOf((start + piece.repeat(10_000)).slice(0, 10_000))).toBeDefined();
      }
    },
  );
});

function errorOf(text: string): ConditionError | undefined {
  try {
    parseCondition(text);
    return undefined;
  } catch (error) {
    if (error instanceof ConditionError) return error;
    throw error;
  }
}

describe('pointAt', () => {
  const digits = '0123456789';
  it.each([
    ['avg > 15', 8, 'avg > 15\n        ^'],
    ['avg', -1, 'avg\n^'],
    ['avg', 99, 'avg\n   ^'],
    ['', 0, '\n^'],
    ['a\r\n\tb > 5', 4, 'a b > 5\n  ^'],
    ['a\u001bb', 2, 'a␛b\n  ^'],
    ['💨💨x', 4, '💨💨x\n  ^'],
    ['💨💨x', 3, '💨💨x\n ^'],
    [digits.repeat(7), 70, `${digits.repeat(7)}\n${' '.repeat(70)}^`],
    [digits.repeat(9), 5, `${digits.repeat(7).slice(0, 69)}…\n     ^`],
    [digits.repeat(9), 90, `…${digits.repeat(7).slice(1)}\n${' '.repeat(70)}^`],
    [digits.repeat(20), 100, `…${digits.repeat(7).slice(1, 69)}…\n${' '.repeat(40)}^`],
  ])('shows the text %j with a caret under the character at index %i', (text, at, expected) => {
    expect(pointAt(text, at)).toBe(expected);
  });
});

describe('parseSpeed', () => {
  it.each([
    ['2kn', 3.704],
    ['2 kn', 3.704],
    [' 0.5M/S ', 1.8],
    ['0kmh', 0],
    ['10km/h', 10],
    ['7kts', 12.964],
    ['1mph', 1.609344],
    ['1000000000kmh', 1e9],
  ])('reads %j as %f km/h', (text, expected) => {
    expect(parseSpeed(text)).toBe(expected);
  });

  it.each([
    ['an empty text', ''],
    ['a number without a unit', '2'],
    ['a unit without a number', 'kn'],
    ['a negative speed', '-2kn'],
    ['a Beaufort force', '2bft'],
    ['an unknown unit', '2knocks'],
    ['a point without decimals', '2.kn'],
    ['a point without a digit before it', '.5kn'],
    ['a change per hour', '2kn/h'],
    ['an exponent', '1e3kn'],
    ['text after the unit', '2kn 3'],
    ['a number over 1000000000', '1000000001kmh'],
    ['a number of 30 digits', `${'9'.repeat(30)}kn`],
  ])('refuses %s: $1', (_, text) => {
    expect(parseSpeed(text)).toBeUndefined();
  });
});
