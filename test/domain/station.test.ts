import { describe, expect, it } from 'vitest';
import {
  type Location,
  measurementAgeMs,
  parseStationId,
  parseUnambiguousStationId,
  positionOf,
  powerStateOf,
  type Station,
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
    ['MW800', 800],
    ['A900', 900],
    ['abc7', 7],
    ['pioupiou-385', 385],
    ['windbird-1500', 1500],
    ['PIOU_37', 37],
    ['https://example.org/PIOU_37', 37],
    ['https://example.org/110', 110],
    ['https://example.org/110/', 110],
    ['http://example.org/PP603', 603],
    ['https://example.org/windbird-1500', 1500],
    ['https://example.org/MW800', 800],
    ['https://example.org/A900', 900],
    ['https://example.org/map/windbird-1500?lang=fr', 1500],
    ['https://example.org/station/WB1234#wind', 1234],
    ['HTTPS://EXAMPLE.ORG/110', 110],
  ])('parseStationId reads %s as station %i', (text, id) => {
    expect(parseStationId(text)).toBe(id);
  });

  it.each([
    ['an empty text', ''],
    ['a blank', ' '],
    ['the word for all stations', 'all'],
    ['a name', 'Dune'],
    ['a sign', '-1'],
    ['a sign', '+1'],
    ['decimals', '1.5'],
    ['an exponent', '1e3'],
    ['a hexadecimal number', '0x6e'],
    ['a blank after the number', '110 '],
    ['a line end', '110\n'],
    ['two ids', '1,2'],
    ['a prefix without a number', 'PP'],
    ['four letters before the number', 'ABCD603'],
    ['the address of a service', 'https://example.org/v1'],
    ['a blank after the prefix', 'PP 603'],
    ['a number of 16 digits', '1000000000000000'],
    ['an address without a path', 'https://example.org'],
    ['an address without a path', 'https://example.org/'],
    ['an address whose path ends in no id', 'https://example.org/dune'],
    ['an address whose path ends in no id', 'https://example.org/dune110'],
    ['an id in the query of an address', 'https://example.org/?station=110'],
    ['an address that is not http', 'ftp://example.org/110'],
    ['an address without a scheme', 'example.org/110'],
    ['Arabic digits', '١١٠'],
  ])('parseStationId rejects %s: %j', (_, text) => {
    expect(parseStationId(text)).toBeUndefined();
  });
});

describe('parseUnambiguousStationId', () => {
  it.each([
    ['110', 110],
    ['pp603', 603],
    ['WB1234', 1234],
    ['MW800', 800],
    ['windbird-1500', 1500],
    ['https://example.org/PP603', 603],
    ['A900', undefined],
    ['jan24', undefined],
    ['v2', undefined],
  ])('parseUnambiguousStationId reads %s as %s', (text, id) => {
    expect(parseUnambiguousStationId(text)).toBe(id);
  });
});

describe('positionOf', () => {
  const NOWHERE: Location = { latitude: 0, longitude: 0, date: null, success: false };

  it.each<[string, Location, object | undefined]>([
    [
      'gives the position of a station that was located',
      STATION.location,
      { latitude: 44.589, longitude: -1.2136 },
    ],
    [
      'gives the last position of a station whose position is no longer valid',
      { ...STATION.location, success: false },
      { latitude: 44.589, longitude: -1.2136 },
    ],
    ['gives undefined for a station that was never located', NOWHERE, undefined],
    [
      'gives 0, 0 for a station that was located there',
      { ...NOWHERE, success: true },
      { latitude: 0, longitude: 0 },
    ],
    [
      'gives 0, 0 for a station that was once located there',
      { ...NOWHERE, date: '2024-01-15T10:30:25.000Z' },
      { latitude: 0, longitude: 0 },
    ],
    [
      'gives the position of a station on the equator',
      { ...NOWHERE, longitude: 9 },
      { latitude: 0, longitude: 9 },
    ],
    [
      'gives undefined for a station without a latitude',
      { ...STATION.location, latitude: null },
      undefined,
    ],
    [
      'gives undefined for a station without a longitude',
      { ...STATION.location, longitude: null },
      undefined,
    ],
  ])('positionOf %s', (_what, location, expected) => {
    expect(positionOf({ ...STATION, location })).toEqual(expected);
  });
});

describe('measurementAgeMs', () => {
  it('the age of a measurement is the time from the measurement to now', () => {
    expect(measurementAgeMs(STATION, Date.UTC(2024, 0, 15, 12, 45))).toBe(2_700_000);
  });

  it('the age of a measurement is negative when the clock of this machine is behind the clock of the station', () => {
    expect(measurementAgeMs(STATION, Date.UTC(2024, 0, 15, 11, 59, 59))).toBe(-1000);
  });

  it('the age of a measurement is undefined for a station without a measurement', () => {
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
])('powerStateOf reads the power state %s of a station as %s', (state, expected) => {
  expect(powerStateOf({ ...STATION, status: { ...STATION.status, state } })).toBe(expected);
});
