import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Box, distanceKm, isInBox } from '../../src/domain/geo.ts';

fc.configureGlobal({ seed: 20240115, numRuns: 500 });

const at = (latitude: number, longitude: number) => ({ latitude, longitude });

const positions = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
});

/** Half the circumference of a sphere with the mean Earth radius. */
const FARTHEST_KM = 20_015.115;

describe('distanceKm', () => {
  it.each([
    ['a degree of latitude', at(0, 0), at(1, 0), 111.195],
    ['a degree of longitude on the equator', at(0, 0), at(0, 1), 111.195],
    ['a degree of longitude at 60°', at(60, 0), at(60, 1), 55.597],
    ['a degree across the antimeridian', at(0, 179.5), at(0, -179.5), 111.195],
    ['Paris to London', at(48.8566, 2.3522), at(51.5074, -0.1278), 343.557],
    ['pole to pole', at(90, 0), at(-90, 123), FARTHEST_KM],
    ['the pole at two longitudes', at(90, 0), at(90, 180), 0],
    ['antipodes', at(10, 20), at(-10, -160), FARTHEST_KM],
    ['a place to itself', at(45, 6), at(45, 6), 0],
  ])('distanceKm: %s', (_what, a, b, km) => {
    expect(distanceKm(a, b)).toBeCloseTo(km, 2);
  });

  it('distanceKm is the same both ways and never over half the circumference of the Earth', () => {
    fc.assert(
      fc.property(positions, positions, (a, b) => {
        expect(distanceKm(a, b)).toBeCloseTo(distanceKm(b, a), 6);
        expect(distanceKm(a, b)).toBeGreaterThanOrEqual(0);
        expect(distanceKm(a, b)).toBeLessThanOrEqual(FARTHEST_KM + 0.001);
      }),
    );
  });
});

describe('isInBox', () => {
  const alps: Box = { west: 5, south: 44, east: 7, north: 46 };
  const fiji: Box = { west: 177, south: -20, east: -178, north: -16 };

  it.each([
    ['inside', at(45, 6), alps, true],
    ['on the south-west corner', at(44, 5), alps, true],
    ['on the north-east corner', at(46, 7), alps, true],
    ['too far north', at(46.001, 6), alps, false],
    ['too far south', at(43.999, 6), alps, false],
    ['too far west', at(45, 4.999), alps, false],
    ['too far east', at(45, 7.001), alps, false],
    ['west of the antimeridian', at(-18, 178), fiji, true],
    ['east of the antimeridian', at(-18, -179), fiji, true],
    ['on the antimeridian', at(-18, 180), fiji, true],
    ['on the antimeridian, named from the east', at(-18, -180), fiji, true],
    ['on the west edge', at(-18, 177), fiji, true],
    ['on the east edge', at(-18, -178), fiji, true],
    ['on the other side of the Earth', at(-18, 0), fiji, false],
    ['at the right longitude, too far north', at(-15, 178), fiji, false],
  ])('isInBox of a position %s', (_what, position, box, expected) => {
    expect(isInBox(position, box)).toBe(expected);
  });

  it('isInBox of a box around the whole Earth is true for every position', () => {
    const earth: Box = { west: -180, south: -90, east: 180, north: 90 };
    fc.assert(fc.property(positions, (position) => isInBox(position, earth)));
  });
});
