import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/domain/json.ts';
import { UnexpectedResponseError } from '../../src/errors.ts';
import { decodeLiveStation, decodeLiveStations } from '../../src/wire/live.ts';
import { naming } from '../support/naming.ts';
import { ALL_WITH_META, NEVER_LOCATED, ONE_STATION } from './samples.ts';

const WITH_META = ALL_WITH_META.data[1] as NonNullable<(typeof ALL_WITH_META.data)[number]>;
const META_RESPONSE = { ...ALL_WITH_META, data: WITH_META };

/** A copy in which the value at a dotted path is another one, or gone. */
function withValue(document: object, path: string, value: unknown): string {
  const copy = structuredClone(document);
  const keys = path.split('.');
  const last = keys.pop() as string;
  const parent = keys.reduce<JsonObject>((at, key) => at[key] as JsonObject, copy as JsonObject);
  Object.assign(parent, { [last]: value });
  return JSON.stringify(copy);
}

describe('decodeLiveStation', () => {
  it.each([ONE_STATION, NEVER_LOCATED])(
    'decodeLiveStation keeps every value of the station $data.meta.name',
    (sample) => {
      expect(decodeLiveStation(JSON.stringify(sample), sample.data.id, false)).toEqual(sample);
    },
  );

  it('decodeLiveStation keeps the metadata of a station', () => {
    expect(decodeLiveStation(JSON.stringify(META_RESPONSE), 110, true)).toEqual(META_RESPONSE);
  });

  it('decodeLiveStation refuses missing metadata when they were requested', () => {
    expect(() => decodeLiveStation(JSON.stringify(ONE_STATION), 1333, true)).toThrow(
      naming('station 1333', 'meta.description', 'missing'),
    );
  });
});

describe('decodeLiveStations', () => {
  it('decodeLiveStations keeps every value of a list of stations', () => {
    expect(decodeLiveStations(JSON.stringify(ALL_WITH_META), true)).toEqual(ALL_WITH_META);
  });

  it('decodeLiveStations sorts the stations by id', () => {
    const reversed = { ...ALL_WITH_META, data: ALL_WITH_META.data.toReversed() };
    expect(decodeLiveStations(JSON.stringify(reversed), true)).toEqual(ALL_WITH_META);
  });

  it('decodeLiveStations accepts an empty list', () => {
    const none = { ...ALL_WITH_META, data: [] };
    expect(decodeLiveStations(JSON.stringify(none), true)).toEqual(none);
  });

  it.each([
    [['all stations', 'data', 'an object', 'an array'], { ...ALL_WITH_META, data: {} }],
    [['all stations', 'data[0]', 'number 7', 'an object'], { ...ALL_WITH_META, data: [7] }],
    [['all stations', 'data[0].id', 'missing', 'an integer'], { ...ALL_WITH_META, data: [{}] }],
    [
      ['station 5', 'status', 'null', 'an object'],
      { ...ALL_WITH_META, data: [WITH_META, { ...WITH_META, id: 5, status: null }] },
    ],
  ])(
    'decodeLiveStations refuses a wrong list of stations, and the error names %j',
    (names, answer) => {
      expect(() => decodeLiveStations(JSON.stringify(answer), true)).toThrow(naming(...names));
    },
  );
});

const OBJECT = { kind: 'an object', wrong: [null, [], 'x', 1, true] };
const TEXT = { kind: 'a string', wrong: [null, [], {}, 1, true] };
const TEXT_OR_NULL = { kind: 'a string or null', wrong: [[], {}, 1, false] };
const NUMBER_OR_NULL = { kind: 'a number or null', wrong: ['1', '', [], {}, true] };
const INTEGER = { kind: 'an integer', wrong: [1.5, '1', null, [], 1e20] };
const FLAG = { kind: 'true or false', wrong: [null, 0, 'true', []] };
const DATE = {
  kind: 'a date such as 2024-05-01T12:00:00.000Z, or null',
  wrong: [
    1_714_564_800_000,
    '',
    '2024-05-01',
    '2024-05-01T12:00:00Z',
    '2024-05-01T12:00:00.000',
    '2024-05-01T12:00:00.000+00:00',
    '2024-13-01T12:00:00.000Z',
    '2024-05-32T12:00:00.000Z',
    '2024-05-01T25:00:00.000Z',
    '2024-05-01T12:60:00.000Z',
    '2024-05-01 12:00:00.000Z',
    '2024-05-01T12:00:00.000Z\n',
  ],
};

const FIELDS = {
  meta: OBJECT,
  'meta.name': TEXT,
  'meta.description': TEXT_OR_NULL,
  'meta.picture': TEXT_OR_NULL,
  'meta.date': DATE,
  'meta.rating': OBJECT,
  'meta.rating.upvotes': INTEGER,
  'meta.rating.downvotes': INTEGER,
  location: OBJECT,
  'location.latitude': NUMBER_OR_NULL,
  'location.longitude': NUMBER_OR_NULL,
  'location.date': DATE,
  'location.success': FLAG,
  measurements: OBJECT,
  'measurements.date': DATE,
  'measurements.pressure': NUMBER_OR_NULL,
  'measurements.wind_heading': NUMBER_OR_NULL,
  'measurements.wind_speed_avg': NUMBER_OR_NULL,
  'measurements.wind_speed_max': NUMBER_OR_NULL,
  'measurements.wind_speed_min': NUMBER_OR_NULL,
  status: OBJECT,
  'status.date': DATE,
  'status.snr': NUMBER_OR_NULL,
  'status.state': TEXT_OR_NULL,
};

describe('decodeLiveStation refuses', () => {
  describe.each(Object.entries(FIELDS))('%s', (path, { kind, wrong }) => {
    it.each([undefined, ...wrong].map((value) => [value]))(
      `decodeLiveStation refuses ${path} = %j, since the interface allows only ${kind} there, with an error that names field and station`,
      (value) => {
        const text = withValue(META_RESPONSE, `data.${path}`, value);
        const decode = () => decodeLiveStation(text, 110, true);
        expect(decode).toThrow(UnexpectedResponseError);
        expect(decode).toThrow(naming('station 110', path, kind));
      },
    );
  });

  it.each([
    ['id', null, ['station 110', 'id', 'null', 'an integer']],
    ['id', '110', ['station 110', 'id', '"110"', 'an integer']],
    ['location', [], ['location', 'an array', 'an object']],
    [
      'measurements.wind_speed_avg',
      '12',
      ['measurements.wind_speed_avg', '"12"', 'a number or null'],
    ],
    ['measurements.wind_speed_avg', undefined, ['wind_speed_avg', 'missing', 'a number']],
    ['location.success', 1, ['location.success', 'number 1', 'true or false']],
    ['status.snr', true, ['status.snr', 'boolean true', 'a number or null']],
    ['status.snr', '\u001b[2J', ['status.snr', '"\\u001b[2J"', 'a number']],
    ['status.snr', '\u009b2J', ['status.snr', '"\ufffd2J"', 'a number or null']],
    ['status.snr', 'x'.repeat(1000), ['status.snr', `"${'x'.repeat(56)}…`]],
  ])(
    'decodeLiveStation refuses %s = %j with an error that contains the value',
    (path, value, names) => {
      const text = withValue(META_RESPONSE, `data.${path}`, value);
      expect(() => decodeLiveStation(text, 110, true)).toThrow(naming(...names));
    },
  );

  it('decodeLiveStation names the station of the response in the error for a wrong field, even if another station was requested', () => {
    const text = withValue(META_RESPONSE, 'data.status', []);
    expect(() => decodeLiveStation(text, 7, true)).toThrow(naming('station 110', 'status'));
  });
});

describe('decodeLiveStation refuses a response', () => {
  it.each([
    ['the document', '[]'],
    ['null', 'null'],
    ['"text"', '"text"'],
    ['doc', withValue(ONE_STATION, 'doc', undefined)],
    ['license', withValue(ONE_STATION, 'license', null)],
    ['attribution', withValue(ONE_STATION, 'attribution', 7)],
    ['missing', withValue(ONE_STATION, 'data', undefined)],
    ['an array', withValue(ONE_STATION, 'data', [])],
  ])(
    'decodeLiveStation refuses a response with an error that names the station and “%s”: %s',
    (name, text) => {
      const decode = () => decodeLiveStation(text, 1333, false);
      expect(decode).toThrow(UnexpectedResponseError);
      expect(decode).toThrow(naming('station 1333', name));
    },
  );
});
