import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bearingDeg,
  nearestCompassPoint,
  RADIANS_PER_DEGREE,
  windArrow,
} from '../../src/domain/compass.ts';

fc.configureGlobal({ seed: 20240115, numRuns: 500 });

describe('nearestCompassPoint', () => {
  it('nearestCompassPoint knows 16 points at steps of 22.5°', () => {
    const points = Array.from({ length: 16 }, (_, step) => nearestCompassPoint(step * 22.5));
    expect(points.join(' ')).toBe('N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW');
  });

  it.each([
    [11.24, 'N'],
    [11.25, 'NNE'],
    [33.74, 'NNE'],
    [348.74, 'NNW'],
    [348.75, 'N'],
    [359.99, 'N'],
    [360, 'N'],
    [382.5, 'NNE'],
    [-22.5, 'NNW'],
    [-0, 'N'],
    [-1, 'N'],
    [-360, 'N'],
    [-450, 'W'],
    [36_090, 'E'],
  ])('nearestCompassPoint of %f° is %s', (headingDeg, point) => {
    expect(nearestCompassPoint(headingDeg)).toBe(point);
  });

  it.each([Number.MAX_VALUE, -Number.MAX_VALUE])(
    'nearestCompassPoint and windArrow return a point and an arrow even for a heading of %f°',
    (headingDeg) => {
      expect(nearestCompassPoint(headingDeg)).toMatch(/^[NESW]{1,3}$/);
      expect(windArrow(headingDeg)).toMatch(/^[↓↙←↖↑↗→↘]$/);
    },
  );

  it('nearestCompassPoint returns the same point for a heading after any number of full turns', () => {
    fc.assert(
      fc.property(fc.nat({ max: 3599 }), fc.integer({ min: -9, max: 9 }), (tenths, turns) => {
        const headingDeg = tenths / 10;
        // Half way between two points the sum of a float may fall on either side.
        fc.pre((headingDeg + 11.25) % 22.5 !== 0);
        expect(nearestCompassPoint(headingDeg + turns * 360)).toBe(nearestCompassPoint(headingDeg));
      }),
    );
  });
});

it('bearing returns whole degrees for whole degrees, without floating-point noise', () => {
  const headings = Array.from({ length: 360 }, (_, degrees) => degrees);
  const found = headings.map((degrees) =>
    bearingDeg(Math.sin(degrees * RADIANS_PER_DEGREE), Math.cos(degrees * RADIANS_PER_DEGREE)),
  );
  expect(found).toEqual(headings);
});

it('bearing returns at least 0 and less than 360 degrees with at most nine decimals', () => {
  const angles = fc.double({ min: -4, max: 4, noNaN: true });
  fc.assert(
    fc.property(angles, (angle) => {
      const degrees = bearingDeg(Math.sin(angle), Math.cos(angle));
      expect(degrees).toBeGreaterThanOrEqual(0);
      expect(degrees).toBeLessThan(360);
      expect(degrees).toBe(Number(degrees.toFixed(9)));
    }),
  );
});

describe('windArrow', () => {
  it('windArrow points in the direction that the wind blows to', () => {
    const arrows = Array.from({ length: 8 }, (_, step) => windArrow(step * 45));
    expect(arrows.join('')).toBe('↓↙←↖↑↗→↘');
  });

  it.each([
    [22.4, '↓'],
    [22.5, '↙'],
    [337.4, '↘'],
    [337.5, '↓'],
    [360, '↓'],
    [-90, '→'],
    [450, '←'],
  ])('windArrow of %f° is %s', (headingDeg, arrow) => {
    expect(windArrow(headingDeg)).toBe(arrow);
  });
});
