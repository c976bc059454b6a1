import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDate } from '../../src/domain/dates.ts';
import type { Reading } from '../../src/domain/reading.ts';
import { Rows } from '../../src/domain/rows.ts';

const value = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0));
const time = fc.integer({ min: 0, max: 4e12 }).map(formatDate);
const own = fc.tuple(time, ...Array.from({ length: 7 }, () => value));
const wide = fc
  .tuple(own, fc.array(fc.jsonValue(), { minLength: 1, maxLength: 1 }))
  .map(([eight, more]) => [...eight, ...more]);
const tables = fc.oneof(fc.array(own), fc.array(wide)) as unknown as fc.Arbitrary<Reading[]>;

describe('Rows', () => {
  it('are the same from values and from text', () => {
    fc.assert(
      fc.property(tables, (readings) => {
        const rows = Rows.ofReadings(readings);
        const again = Rows.ofLines(rows.lines, rows.count);
        expect(JSON.stringify(again.readings)).toBe(JSON.stringify(readings));
        expect([...again.times()]).toEqual(readings.map(([t]) => t));
        expect([...rows.times()]).toEqual([...again.times()]);
        expect(rows.lines.split('\n')).toHaveLength(rows.count + 1);
      }),
    );
  });

  it('may be none', () => {
    expect(Rows.none).toMatchObject({ count: 0, lines: '', readings: [] });
    expect([...Rows.ofLines('', 0).times()]).toEqual([]);
    expect(Rows.ofLines('', 0).readings).toEqual([]);
  });
});
