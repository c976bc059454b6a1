import fc from 'fast-check';
import { expect, it } from 'vitest';
import { convertSpeed, speedInKmh } from '../../src/domain/units.ts';
import { readRowCondition } from '../../src/flags/conditions.ts';
import { columnsOfReadings } from '../support/columns.ts';

const rounded = fc.constantFrom('kn', 'ms', 'mph');
/** Speeds of stations and limits of users, km/h. */
const speeds = fc.oneof(
  fc.nat(480).map((quarters) => quarters / 4),
  fc.nat(1200).map((tenths) => tenths / 10),
);

it('a condition in km/h or Beaufort is true for a speed that a file has in another unit as for the exact speed', () => {
  const comparator = fc.constantFrom('<', '<=', '>', '>=', '=', '!=');
  const condition = fc.oneof(
    fc.tuple(comparator, speeds).map(([sign, limit]) => `avg ${sign} ${limit}kmh`),
    fc.tuple(comparator, fc.nat(12)).map(([sign, force]) => `avg ${sign} ${force}bft`),
    fc.tuple(speeds, speeds).map(([a, b]) => `avg in ${Math.min(a, b)}..${Math.max(a, b)}kmh`),
  );
  fc.assert(
    fc.property(rounded, speeds, condition, (writtenIn, speedKmh, text) => {
      const holds = readRowCondition(text, 1, 'utc');
      const written = convertSpeed(speedKmh, writtenIn) as number;
      const read = { time: 0, avg: speedInKmh(written, writtenIn) };
      const expected = holds(columnsOfReadings([{ time: 0, avg: speedKmh }]), 0);
      expect(holds({ ...columnsOfReadings([read]), writtenIn }, 0)).toBe(expected);
    }),
    { numRuns: 500 },
  );
});

it('a condition in the unit of the file compares speeds exactly as the file has them', () => {
  fc.assert(
    fc.property(rounded, fc.nat(10_000), fc.nat(100_000), (writtenIn, hundredths, thousandths) => {
      const written = hundredths / 100;
      const limit = thousandths / 1000;
      const columns = columnsOfReadings([{ time: 0, avg: speedInKmh(written, writtenIn) }]);
      const test = (sign: string) =>
        readRowCondition(
          `avg ${sign} ${limit}${writtenIn}`,
          1,
          'utc',
        )({ ...columns, writtenIn }, 0);
      expect([test('<'), test('='), test('>')]).toEqual([
        written < limit,
        written === limit,
        written > limit,
      ]);
    }),
  );
});

it('a condition on hour or daylight uses the time of a row, in a zone and at the position of the row', () => {
  const time = Date.UTC(2024, 5, 21, 4, 25);
  const columns = columnsOfReadings([{ time }, { time, latitude: 44.6, longitude: -1.2 }]);
  const test = (text: string, zone: string) =>
    [0, 1].map((row) => readRowCondition(text, 1, zone)(columns, row));
  expect(test('hour = 6', 'Europe/Paris')).toEqual([true, true]);
  expect(test('hour = 6', 'utc')).toEqual([false, false]);
  expect(test('daylight', 'utc')).toEqual([undefined, true]);
});
