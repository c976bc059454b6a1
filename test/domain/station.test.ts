import { describe, expect, it } from 'vitest';
import {
  type Location,
  measurementAgeMs,
  parseStationId,
  positionOf,
  type Station,
  stateOf,
} from '../../src/domain/station.ts';

const STATION: Station = {
  id: 110,
  meta: { name: 'Dune' },
  location: {
    latitude: 44.589,
    longitude: -1.2136,
    date: '2024-01-15T10:30:25.000Z',
    success: true,
  },
  measurements: {
    date: '2024-01-15T12:00:00.000Z',
    pressure: null,
    wind_heading: 270,
    wind_speed_avg: 18.5,
    wind_speed_max: 27.75,
    wind_speed_min: 9.25,
  },
  status: { date: '2024-01-15T12:00:00.000Z', snr: 22.5, state: 'on' },
};

describe('parseStationId', () => {
  it.each([
    ['110', 110],
    ['0', 0],
    ['007', 7],
    ['999999999999999', 999_999_999_999_999],
    ['PP603', 603],
    ['pp603', 603],
    ['WB1234', 1234],
    ['https://example.org/110', 110],
    ['https://example.org/110/', 110],
    ['http://example.org/PP603', 603],
    ['https://example.org/windbird-1500', 1500],
    ['https://example.org/map/windbird-1500?lang=fr', 1500],
    ['https://example.org/station/WB1234#wind', 1234],
    ['HTTPS://EXAMPLE.ORG/110', 110],
  ])('parseStationId reads %s as station %i', (text, id) => {
    expect(parseStationId(text)).toBe(id);
  });

  it.each([
    '',
    ' ',
    'all',
    'Dune',
    '-1',
    '+1',
    '1.5',
    '1e3',
    '0x6e',
    '110 ',
    '110\n',
    '1,2',
    'PP',
    'XX603',
    'PP 603',
    '1000000000000000',
    'https://example.org',
    'https://example.org/',
    'https://example.org/dune',
    'https://example.org/dune110',
    'https://example.org/?station=110',
    'ftp://example.org/110',
    'example.org/110',
    '١١٠',
  ])('parseStationId rejects %j', (text) => {
    expect(parseStationId(text)).toBeUndefined();
  });
});

describe('positionOf', () => {
  const NOWHERE: Location = { latitude: 0, longitude: 0, date: null, success: false };

  it.each<[string, Location, object | undefined]>([
    ['a station that was located', STATION.location, { latitude: 44.589, longitude: -1.2136 }],
    [
      'a station whose position is no longer valid',
      { ...STATION.location, success: false },
      { latitude: 44.589, longitude: -1.2136 },
    ],
    ['a station that was never located', NOWHERE, undefined],
    ['a station at 0, 0', { ...NOWHERE, success: true }, { latitude: 0, longitude: 0 }],
    [
      'a station that was once at 0, 0',
      { ...NOWHERE, date: '2024-01-15T10:30:25.000Z' },
      { latitude: 0, longitude: 0 },
    ],
    ['a station on the equator', { ...NOWHERE, longitude: 9 }, { latitude: 0, longitude: 9 }],
    ['a station without a latitude', { ...STATION.location, latitude: null }, undefined],
    ['a station without a longitude', { ...STATION.location, longitude: null }, undefined],
  ])('positionOf %s', (_what, location, expected) => {
    expect(positionOf({ ...STATION, location })).toEqual(expected);
  });
});

describe('measurementAgeMs', () => {
  it('measurementAgeMs is the time from the measurement to now', () => {
    expect(measurementAgeMs(STATION, Date.UTC(2024, 0, 15, 12, 45))).toBe(2_700_000);
  });

  it('measurementAgeMs is negative where our clock is behind that of the station', () => {
    expect(measurementAgeMs(STATION, Date.UTC(2024, 0, 15, 11, 59, 59))).toBe(-1000);
  });

  it('measurementAgeMs is undefined without a measurement', () => {
    const measurements = { ...STATION.measurements, date: null };
    expect(measurementAgeMs({ ...STATION, measurements }, 0)).toBeUndefined();
  });
});

it.each([
  ['on', 'on'],
  ['off', 'off'],
  [null, 'unknown'],
  ['ON', 'unknown'],
  ['asleep', 'unknown'],
])('a station that reports the power state %s is %s', (state, expected) => {
  expect(stateOf({ ...STATION, status: { ...STATION.status, state } })).toBe(expected);
});
