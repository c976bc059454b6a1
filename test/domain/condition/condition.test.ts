import { describe, expect, it } from 'vitest';
import { type Condition, parseCondition } from '../../../src/domain/condition/condition.ts';
import type { Observation } from '../../../src/domain/condition/evaluate.ts';
import { CONDITION_FIELDS } from '../../../src/domain/condition/fields.ts';
import { parseSpeed } from '../../../src/domain/condition/literals.ts';
import { ConditionError } from '../../../src/domain/condition/scanner.ts';
import { selectStations } from '../../../src/domain/selection.ts';
import type { Station } from '../../../src/domain/station.ts';
import { showPlaceInText } from '../../../src/domain/text.ts';
import { LINEAR_UNIT_NAMES, SPEED_UNIT_NAMES } from '../../../src/domain/units.ts';
import { evaluateAlert, INITIAL_ALERT } from '../../../src/domain/watching/alert.ts';
import { observationOfStation } from '../../../src/domain/watching/observe.ts';
import { naming } from '../../support/naming.ts';
import { vane } from '../../support/run.ts';
import { station } from '../../support/watching.ts';

const KN = 1.852;

const NOTHING: Observation = {
  avgKmh: null,
  maxKmh: null,
  minKmh: null,
  dirDeg: null,
  ageMs: null,
  state: 'unknown',
  distanceKm: null,
  trendKmhPerHour: null,
};

const avg = (avgKmh: number): Partial<Observation> => ({ avgKmh });
const max = (maxKmh: number): Partial<Observation> => ({ maxKmh });
const min = (minKmh: number): Partial<Observation> => ({ minKmh });
const factor = (gustFactor: number): Partial<Observation> => ({
  avgKmh: 10,
  maxKmh: 10 * gustFactor,
});
const dir = (dirDeg: number): Partial<Observation> => ({ dirDeg });
const age = (minutes: number): Partial<Observation> => ({ ageMs: minutes * 60_000 });
const distance = (distanceKm: number): Partial<Observation> => ({ distanceKm });
const trend = (trendKmhPerHour: number): Partial<Observation> => ({ trendKmhPerHour });

type Case = [condition: string, observation: Partial<Observation>, expected: boolean | undefined];

function itHolds(cases: Case[]): void {
  const rows = cases.map(([text, known, expected]) => {
    return [text, known, expected ?? 'unknown', expected] as const;
  });
  it.each(rows)(
    'the condition “%s” for a station with the values %j is %s',
    (text, known, _, expected) => {
      const condition = parseCondition(text);
      expect(condition.holds({ ...NOTHING, ...known })).toBe(expected);
      // One response has no trend.
      if (condition.fields.has('trend')) return;
      expect(alerts(condition, known)).toBe(expected === true);
      expect(isChosen(condition, known)).toBe(expected === true);
    },
  );
}

const NOW = Date.UTC(2024, 0, 15, 12);
const HERE = { latitude: 0, longitude: 0 };
const KM_OF_DEGREE = 111.195;

/** A station of which no more is known than an observation says. */
function stationOf(known: Partial<Observation>): Station {
  const { avgKmh: avg = null, maxKmh: max = null, minKmh: min = null } = known;
  const { ageMs = 0, dirDeg: heading = null, distanceKm = 0 } = known;
  const wind = { avg, max, min, heading };
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
  const observation = observationOfStation(stationOf(known), known.distanceKm ?? undefined, NOW);
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
    ['gust_factor = 2 and avg > 3kn', { avgKmh: 30, maxKmh: 60 }, true],
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
    'the condition “%s” for a station with the values %j and %f km/h of hysteresis is %s',
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
  ])(
    'the condition “%s” in the zone %s at 14:59:59.999 UTC in June is %s',
    (text, zone, expected) => {
      expect(parseCondition(text, {}, zone).holds(at('2024-06-01T14:59:59.999Z'), 5)).toBe(
        expected,
      );
    },
  );

  it('the condition “hour = 23” is true at 23:00 of a day before 1970', () => {
    expect(parseCondition('hour = 23').holds(at('1969-12-31T23:00:00Z'))).toBe(true);
  });

  it.each([
    // Sunrise at 05:19 and sunset at 20:41 by NOAA's calculator.
    ['2024-06-21T04:15:00Z', false],
    ['2024-06-21T04:25:00Z', true],
    ['2024-06-21T19:45:00Z', true],
    ['2024-06-21T19:55:00Z', false],
  ])('the condition “daylight” at the Dune du Pilat at %s is %s', (iso, expected) => {
    const observation = { ...at(iso), position: PILAT };
    expect(parseCondition('daylight').holds(observation)).toBe(expected);
    expect(parseCondition('not daylight').holds(observation)).toBe(!expected);
    expect(parseCondition('DAYLIGHT and (hour < 23 or avg > 3kn)').holds(observation)).toBe(
      expected,
    );
  });

  it('a condition on the time is unknown for a reading without a time, and daylight also without a position', () => {
    expect(parseCondition('hour > 3').holds(NOTHING)).toBeUndefined();
    expect(parseCondition('daylight').holds(at('2024-06-21T12:00:00Z'))).toBeUndefined();
    expect(parseCondition('daylight').holds({ ...NOTHING, position: PILAT })).toBeUndefined();
  });
});

describe('a condition', () => {
  it('a parsed condition keeps its text and the fields it names', () => {
    const text = ' Gust > 20kn or lull > 5kn and not dir in S..W and max < 50kn ';
    expect(parseCondition(text)).toMatchObject({ text, fields: new Set(['gust', 'lull', 'dir']) });
  });

  it('a condition may have 10,000 characters and 100 levels of nesting', () => {
    const long = Array.from({ length: 700 }, () => 'avg > 10kmh').join('||');
    const nested = `${'('.repeat(100)}avg > 10kmh${')'.repeat(100)}`;
    const beside = Array.from({ length: 200 }, () => '(avg > 10kmh)').join(' and ');
    for (const text of [long, nested, beside, `${'not '.repeat(100)}avg > 10kmh`]) {
      expect(parseCondition(text).holds({ ...NOTHING, avgKmh: 11 })).toBe(true);
    }
  });
});

const FIELD_NAMES = Object.keys(CONDITION_FIELDS);

/** A condition, the words that its error names, and the caret as a user sees it under the text. */
type Refusal = [condition: string, names: string[], caret: string];

describe('the wrong condition', () => {
  it.each<Refusal>([
    ['', ['empty'], '^'],
    ['   ', ['empty'], '^'],

    ['wind > 5kn', [...FIELD_NAMES, '“wind”'], '^'],
    ['constructor > 5kn', [...FIELD_NAMES, '“constructor”'], '^'],
    ['or avg > 10kn', [...FIELD_NAMES, '“or”'], '^'],
    ['avg > 10kn or ', ['ends', ...FIELD_NAMES], '             ^'],
    ['not', ['ends', ...FIELD_NAMES], '   ^'],
    ['()', [...FIELD_NAMES, '“)”'], ' ^'],

    ['avg', ['ends', '“>”', '“in”'], '   ^'],
    ['avg ☃ 5kn', ['“>”', '“in”', '“☃”'], '    ^'],
    ['avg 5kn', ['“>”', '“in”', '“5kn”'], '    ^'],
    ['avg not > 3kn', ['“in”', '“>”'], '        ^'],
    ['avg > 10kn < 20kn', ['one comparison', '“<”'], '           ^'],
    ['10kn < avg < 20kn', ['left', '“10kn”'], '^'],
    ['not -3kn > trend', ['left', '“-3kn”'], '    ^'],

    ['avg >', ['ends', 'a speed'], '     ^'],
    ['avg => 10kn', ['a speed', '“>”'], '     ^'],
    ['avg > max', ['a speed', '“max”'], '      ^'],
    ['avg > -5kn', ['a speed', '“-5kn”'], '      ^'],
    ['avg > .5kn', ['a speed', '“.5kn”'], '      ^'],
    ['avg > ٣kn', ['a speed', '“٣kn”'], '      ^'],
    ['avg > 12.', ['digits', 'ends', '“12.”'], '         ^'],
    ['avg > 12.kn', ['digits', '“12.”', '“kn”'], '         ^'],
    ['avg > 1,5kn', ['decimal point', '“,”'], '       ^'],
    ['avg > 1000000001kn', ['1000000000', '“1000000001”'], '      ^'],

    ['avg > 15', ['no unit', ...SPEED_UNIT_NAMES, '“15”'], '        ^'],
    ['avg > 15  ', ['no unit', ...SPEED_UNIT_NAMES, '“15”'], '        ^'],
    ['avg > 15 and max < 3kn', ['no unit', ...SPEED_UNIT_NAMES, '“15”'], '        ^'],
    ['avg > 15 max < 3kn', ['no unit', ...SPEED_UNIT_NAMES, '“15”'], '        ^'],
    ['avg in 12..25', ['no unit', ...SPEED_UNIT_NAMES, '“25”'], '             ^'],
    ['avg in 12kn..25', ['no unit', ...SPEED_UNIT_NAMES, '“25”'], '               ^'],
    ['avg > 15knocks', ['unit', ...SPEED_UNIT_NAMES, '“knocks”'], '        ^'],
    ['avg > 15 kn/h', ['unit', ...SPEED_UNIT_NAMES, '“kn/h”'], '         ^'],
    ['avg > 1e3kn', ['unit', ...SPEED_UNIT_NAMES, '“e3kn”'], '       ^'],
    ['avg > 4.5bft', ['Beaufort', '12', '“4.5”'], '      ^'],
    ['avg in 10..13bft', ['Beaufort', '12', '“13”'], '           ^'],

    ['avg in 12kn', ['other end', 'ends', '“..”'], '           ^'],
    ['avg in 12..', ['ends', 'a speed'], '           ^'],
    ['avg in 12...25kn', ['a speed', '“.25kn”'], '           ^'],
    ['avg in (12..25kn)', ['a speed', '“(”'], '       ^'],
    ['avg > 10..20kn', ['one value', '“in”', '“..20kn”'], '        ^'],
    ['dir = N..E', ['one value', '“in”', '“..E”'], '       ^'],
    ['avg in 25..12kn', ['lower', '“25..12kn”'], '       ^'],
    ['avg in 20kn..4bft', ['lower', '“20kn..4bft”'], '       ^'],
    ['avg in 6bft..20kn', ['lower', '“6bft..20kn”'], '       ^'],
    ['age in 45..5m', ['lower', '“45..5m”'], '       ^'],

    ['(avg > 10kn', ['ends', '“and”', '“or”', '“)”'], '           ^'],
    ['(avg > 10kn,', ['“and”', '“or”', '“)”', '“,”'], '           ^'],
    ['avg > 10kn)', ['“and”', '“or”', '“)”'], '          ^'],
    ['avg > 10kn & max < 3kn', ['“and”', '“or”', '“&”'], '           ^'],
    ['avg > 10kn 💨', ['“and”', '“or”', '“💨”'], '           ^'],
    ['avg > 10kn max > 3kn', ['“and”', '“or”', '“max”'], '           ^'],
    ['avg > 10kn (max > 3kn)', ['“and”', '“or”', '“(”'], '           ^'],
    ['(avg > 10kn !max > 3kn)', ['“and”', '“or”', '“!”'], '            ^'],

    ['dir > SW', ['“>”', '“SW”'], '      ^'],
    ['dir >= 400', ['360', '“400”'], '       ^'],
    ['dir in 0..361deg', ['360', '“361”'], '          ^'],
    ...['O', 'no', 'SSO'].map(
      (word): Refusal => [
        `dir in N..${word}`,
        [{ O: 'E or W', no: 'NE or NW', SSO: 'SSE or SSW' }[word] ?? '', `“${word}”`],
        '          ^',
      ],
    ),
    ['dir = north', ['compass point', '360', '“north”'], '      ^'],
    ['dir = -90', ['compass point', '360', '“-90”'], '      ^'],
    ['dir = 225kn', ['degrees', '“kn”'], '         ^'],
    ['dir in SW', ['other end', 'ends', '“..”'], '         ^'],

    ['age > 45', ['no unit', 'unit of time', '“45”'], '        ^'],
    ['age in 5..1h30m', ['no unit', 'unit of time', '“5”'], '        ^'],
    ['age > 45M', ['45m', '“45M”'], '      ^'],
    ['age > -5m', ['45m', '“-5m”'], '      ^'],
    ['age > 1h 30m', ['“and”', '“or”', '“30m”'], '         ^'],

    ['distance < 25nm', ['kilometres', '“nm”'], '             ^'],
    ['distance < far', ['kilometres', '“far”'], '           ^'],

    ['state > on', ['“=”', '“!=”', '“state”', '“>”'], '      ^'],
    ['state not in on..off', ['“=”', '“!=”', '“state”', '“in”'], '          ^'],
    ['state = maybe', ['on', 'off', 'unknown', '“maybe”'], '        ^'],

    ['trend > 5', ['no unit', ...LINEAR_UNIT_NAMES, '“5”'], '         ^'],
    ['trend > 5bft', ['unit', '/h', ...LINEAR_UNIT_NAMES, '“bft”'], '         ^'],
    ['trend > 5kn/h/h', ['unit', '/h', ...LINEAR_UNIT_NAMES, '“kn/h/h”'], '         ^'],
    ['trend > - 5kn', ['per hour', '“-”'], '        ^'],

    ['hour > 8h', ['hour', 'without a unit', '“h”'], '        ^'],
    ['hour = 24', ['hour', '23', '“24”'], '       ^'],
    ['hour in 8.5..12', ['hour', '23', '“8.5”'], '        ^'],
    ['hour = noon', ['hour', '23', '“noon”'], '       ^'],
    ['daylight = 1', ['“and”', '“or”', '“=”'], '         ^'],
    ['daylight avg > 3kn', ['“and”', '“or”', '“avg”'], '         ^'],
    ['gust_factor > 1.5kn', ['without a unit', '“kn”'], '                 ^'],
    ['gust_factor > -1', ['0 or more', '“-1”'], '              ^'],

    ['avg\t> 5kn', ['control characters', 'U+0009'], '   ^'],
    ['avg > 5kn\u001b[2J', ['control characters', 'U+001B'], '         ^'],
    [`${'x'.repeat(30)} > 5kn`, [...FIELD_NAMES, `“${'x'.repeat(24)}…”`], '^'],
    ['\u202egva', [...FIELD_NAMES, '“\ufffd”'], '^'],
  ])(
    'the wrong condition %j is refused with a mark at the mistake, and the error names %j',
    async (text, names, caret) => {
      const error = errorOf(text);
      expect(error).toBeInstanceOf(ConditionError);
      expect(error?.message).toMatch(naming(...names));
      expect(error?.at).toBe(caret.length - 1);
      expect(showPlaceInText(text, error?.at ?? 0).split('\n')[1]).toBe(caret);
      const near = ['--near', '0,0'];
      const when = await vane(['watch', '--when', text, ...near]);
      expect(when.err).toContain(`vane: --when: ${error?.message}\n`);
      expect({ code: when.code, out: when.out }).toEqual({ code: 2, out: '' });
      // The message is the same in --where, unless it comes after a trend.
      const where = await vane(['live', '--where', text, ...near]);
      const isTrend = text.slice(0, error?.at).includes('trend');
      if (isTrend) expect(where.err).toMatch(naming('“trend”', 'vane watch'));
      else
        expect(where).toMatchObject({
          ...when,
          err: when.err.replace('--when', '--where'),
          io: {},
        });
    },
  );

  it.each([
    ['(', 'avg > 5kn', 101, 100],
    ['not ', 'avg > 5kn', 101, 400],
    ['!', '', 10_000, 100],
    ['(', '', 10_000, 100],
  ])('a condition of %j nested $2 levels deep is refused', (level, rest, levels, at) => {
    const error = errorOf(level.repeat(levels) + rest);
    expect(error).toMatchObject({
      message: expect.stringMatching(naming(100, `“${level.trim()}”`)),
      at,
    });
  });

  it('a condition of over 10,000 characters is refused', () => {
    expect(errorOf(`avg > 15kn${' '.repeat(9_991)}`)).toMatchObject({
      message: expect.stringMatching(naming(10_000, 10_001)),
      at: 10_000,
    });
    expect(errorOf(`avg > 15kn${' '.repeat(9_990)}`)).toBeUndefined();
  });

  it.each(['9', 'a', ' ', '.', '(', '1.', 'avg ', 'h1', 'km/', '<', '-', '\u00a0'])(
    'a condition of %j repeated up to 10,000 characters is refused',
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

describe('showPlaceInText', () => {
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
  ])(
    'showPlaceInText shows the text %j with a caret under the character at index %i',
    (text, at, expected) => {
      expect(showPlaceInText(text, at)).toBe(expected);
    },
  );
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
  ])('parseSpeed reads %j as %f km/h', (text, expected) => {
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
  ])('parseSpeed refuses %s: $1', (_, text) => {
    expect(parseSpeed(text)).toBeUndefined();
  });
});
