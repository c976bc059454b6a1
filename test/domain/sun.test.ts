import { describe, expect, it } from 'vitest';
import { sunElevationDeg } from '../../src/domain/sun.ts';

describe('the elevation of the sun', () => {
  it.each([
    // At the equinox and on the equator the sun is in the zenith at noon of the sun.
    ['2024-03-20T12:07:30Z', 0, 0, 90],
    ['2024-06-20T12:00:00Z', 51.48, 0, 61.95],
    ['2024-12-21T12:00:00Z', 51.48, 0, 15.08],
    ['2024-12-21T12:00:00Z', 80, 0, -13.44],
    ['2024-06-20T00:00:00Z', 80, 0, 13.44],
  ])(
    'the elevation of the sun at %s, %d° north and %d° east is %d°, as its declination implies',
    (date, latitude, longitude, elevation) => {
      expect(sunElevationDeg(Date.parse(date), { latitude, longitude })).toBeCloseTo(elevation, 0);
    },
  );

  it('the sun crosses the horizon in London on 1 May at about 04:33 and 19:23 UTC', () => {
    const at = (time: string) =>
      sunElevationDeg(Date.parse(`2024-05-01T${time}Z`), { latitude: 51.48, longitude: 0 });
    expect(at('04:30')).toBeLessThan(-0.833);
    expect(at('04:36')).toBeGreaterThan(-0.833);
    expect(at('19:20')).toBeGreaterThan(-0.833);
    expect(at('19:27')).toBeLessThan(-0.833);
  });

  it('the elevation of the sun at 30° east equals the elevation at Greenwich two hours later', () => {
    const date = Date.parse('2024-05-01T10:00:00Z');
    const here = sunElevationDeg(date, { latitude: 45, longitude: 30 });
    const later = sunElevationDeg(date + 2 * 3_600_000, { latitude: 45, longitude: 0 });
    expect(here).toBeCloseTo(later, 1);
  });
});
