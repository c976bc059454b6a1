import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distanceKm, type GeoBox, isInGeoBox, parsePosition } from '../../src/domain/geo.ts';

fc.configureGlobal({ seed: 20240115, numRuns: 500 });

const at = (latitude: number, longitude: number) => ({ latitude, longitude });

const positions = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
});

/** Half the circumference of a sphere with the mean Earth radius. */
const FARTHEST_KM = 20_015.115;

describe('parsePosition', () => {
  it.each(['45.96,6.24', '45.96, 6.24', '45.96 6.24', ' +45.96  6.24 '])(
    'parsePosition reads %j as 45.96° north, 6.24° east',
    (text) => expect(parsePosition(text)).toEqual(at(45.96, 6.24)),
  );

  it.each(['45.96', '95 6', '45.96,,6.24', '45.96;6.24', '1 2 3', ''])(
    'parsePosition reads no place in %j',
    (text) => expect(parsePosition(text)).toBeUndefined(),
  );
});

describe('distanceKm', () => {
  it.each([
    ['a degree of latitude', 111.195, at(0, 0), at(1, 0)],
    ['a degree of longitude on the equator', 111.195, at(0, 0), at(0, 1)],
    ['a degree of longitude at 60° north', 55.597, at(60, 0), at(60, 1)],
    ['a degree across the antimeridian', 111.195, at(0, 179.5), at(0, -179.5)],
    ['Paris to London', 343.557, at(48.8566, 2.3522), at(51.5074, -0.1278)],
    ['the north pole to the south pole', FARTHEST_KM, at(90, 0), at(-90, 123)],
    ['the north pole to itself at another longitude', 0, at(90, 0), at(90, 180)],
    ['a place to its antipode', FARTHEST_KM, at(10, 20), at(-10, -160)],
    ['a place to itself', 0, at(45, 6), at(45, 6)],
  ])('distanceKm of %s is %f km', (_what, km, a, b) => {
    expect(distanceKm(a, b)).toBeCloseTo(km, 2);
  });

  it('the distance between two positions is the same both ways and at most half the circumference of the Earth', () => {
    fc.assert(
      fc.property(positions, positions, (a, b) => {
        expect(distanceKm(a, b)).toBeCloseTo(distanceKm(b, a), 6);
        expect(distanceKm(a, b)).toBeGreaterThanOrEqual(0);
        expect(distanceKm(a, b)).toBeLessThanOrEqual(FARTHEST_KM + 0.001);
      }),
    );
  });
});

describe('isInGeoBox', () => {
  const alps: GeoBox = { west: 5, south: 44, east: 7, north: 46 };
  const fiji: GeoBox = { west: 177, south: -20, east: -178, north: -16 };

  it.each([
    ['inside the box', true, at(45, 6), alps],
    ['on the south-west corner of the box', true, at(44, 5), alps],
    ['on the north-east corner of the box', true, at(46, 7), alps],
    ['north of the box', false, at(46.001, 6), alps],
    ['south of the box', false, at(43.999, 6), alps],
    ['west of the box', false, at(45, 4.999), alps],
    ['east of the box', false, at(45, 7.001), alps],
    ['west of the antimeridian in a box across it', true, at(-18, 178), fiji],
    ['east of the antimeridian in a box across it', true, at(-18, -179), fiji],
    ['at 180° in a box across the antimeridian', true, at(-18, 180), fiji],
    ['at -180° in a box across the antimeridian', true, at(-18, -180), fiji],
    ['on the west edge of a box across the antimeridian', true, at(-18, 177), fiji],
    ['on the east edge of a box across the antimeridian', true, at(-18, -178), fiji],
    ['at 0° for a box across the antimeridian', false, at(-18, 0), fiji],
    ['north of a box across the antimeridian', false, at(-15, 178), fiji],
  ])('isInGeoBox of a position %s is %s', (_what, expected, position, box) => {
    expect(isInGeoBox(position, box)).toBe(expected);
  });

  it('isInGeoBox of a box around the whole Earth is true for every position', () => {
    const earth: GeoBox = { west: -180, south: -90, east: 180, north: 90 };
    fc.assert(fc.property(positions, (position) => isInGeoBox(position, earth)));
  });
});
