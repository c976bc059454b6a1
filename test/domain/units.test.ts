import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  beaufortForce,
  convertSpeed,
  findSpeedUnit,
  parseDistanceKm,
  SPEED_UNITS,
  type SpeedUnit,
} from '../../src/domain/units.ts';

fc.configureGlobal({ seed: 20240115, numRuns: 500 });

const speeds = fc.double({ min: 0, max: 500, noNaN: true });
const units = Object.keys(SPEED_UNITS) as SpeedUnit[];

describe('convertSpeed', () => {
  it.each<[number, SpeedUnit, number]>([
    [1.852, 'kn', 1],
    [18.52, 'kn', 10],
    [100, 'kn', 54],
    [1, 'kn', 0.54],
    [3.6, 'ms', 1],
    [10, 'ms', 2.78],
    [1.609344, 'mph', 1],
    [100, 'mph', 62.14],
    [72.5, 'kmh', 72.5],
    [72.5, 'bft', 8],
    [0, 'kn', 0],
    [0, 'bft', 0],
  ])('convertSpeed converts %f km/h to %s as %f', (speedKmh, unit, expected) => {
    expect(convertSpeed(speedKmh, unit)).toBe(expected);
  });

  it.each(units)('convertSpeed returns null for a missing speed in %s', (unit) => {
    expect(convertSpeed(null, unit)).toBeNull();
  });

  it('convertSpeed leaves a speed in km/h unchanged', () => {
    fc.assert(fc.property(speeds, (speedKmh) => convertSpeed(speedKmh, 'kmh') === speedKmh));
  });

  it.each([
    ['kn', 1.852],
    ['ms', 3.6],
    ['mph', 1.609344],
  ] as const)('convertSpeed rounds a speed in %s to two decimals', (unit, kmh) => {
    fc.assert(
      fc.property(speeds, (speedKmh) => {
        const converted = convertSpeed(speedKmh, unit) as number;
        expect(String(converted)).toMatch(/^\d+(?:\.\d{1,2})?$/);
        expect(Math.abs(converted * kmh - speedKmh)).toBeLessThan(0.02);
      }),
    );
  });
});

describe('findSpeedUnit', () => {
  it.each(
    Object.entries({
      kmh: 'kmh km/h KPH kmph',
      kn: 'kn KN kt kts KTS knot Knots',
      ms: 'ms m/s M/S mps',
      mph: 'mph MPH mi/h',
      bft: 'bft Bft bf Beaufort BEAUFORT',
    }),
  )('findSpeedUnit finds %s by each of the spellings %s', (unit, spellings) => {
    for (const spelling of spellings.split(' ')) expect(findSpeedUnit(spelling)).toBe(unit);
  });

  it('findSpeedUnit finds one unit for each spelling, since no two units share a spelling', () => {
    for (const unit of units) {
      const { label, spellings } = SPEED_UNITS[unit];
      for (const spelling of [unit, label, ...spellings])
        expect(findSpeedUnit(spelling)).toBe(unit);
    }
  });
});

describe('parseDistanceKm', () => {
  it.each([
    ['25', '25 km', 25],
    ['30km', '30 km', 30],
    ['30 KM', '30 km', 30],
    ['15nm', '27.78 km', 27.78],
    ['1nmi', '1.852 km', 1.852],
    ['10mi', '16.09344 km', 16.09344],
    ['10miles', '16.09344 km', 16.09344],
    ['.5', '0.5 km', 0.5],
    ['0', 'no distance', undefined],
    ['0km', 'no distance', undefined],
    ['-5', 'no distance', undefined],
    ['5m', 'no distance', undefined],
    ['5ft', 'no distance', undefined],
    ['km', 'no distance', undefined],
    ['', 'no distance', undefined],
    ['1e3', 'no distance', undefined],
  ])('parseDistanceKm reads %j as %s', (text, _, km) => {
    if (km === undefined) expect(parseDistanceKm(text)).toBeUndefined();
    else expect(parseDistanceKm(text)).toBeCloseTo(km, 9);
  });
});

describe('beaufort', () => {
  it.each([
    [1, 1],
    [6, 2],
    [12, 3],
    [20, 4],
    [29, 5],
    [39, 6],
    [50, 7],
    [62, 8],
    [75, 9],
    [89, 10],
    [103, 11],
    [118, 12],
  ])(
    'the Beaufort force of %i km/h is %i, and of a little less is one force lower',
    (lowest, force) => {
      expect(beaufortForce(lowest)).toBe(force);
      expect(beaufortForce(lowest - 0.01)).toBe(force - 1);
    },
  );

  it('the Beaufort force is 0 without wind and never over 12', () => {
    expect(beaufortForce(0)).toBe(0);
    expect(beaufortForce(1000)).toBe(12);
  });
});

describe('the units of speed', () => {
  it('each unit of speed except km/h adds its name to the names of columns', () => {
    const suffixes = units.map((unit) => SPEED_UNITS[unit].suffix);
    expect(suffixes).toEqual(units.map((unit) => (unit === 'kmh' ? '' : `_${unit}`)));
  });
});
