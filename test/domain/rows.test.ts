import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDate } from '../../src/domain/dates.ts';
import type { Reading } from '../../src/domain/reading.ts';
import { Rows } from '../../src/domain/rows.ts';

const value = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0));
const time = fc.integer({ min: 0, max: 4e12 }).map(formatDate);
const own = fc.tuple(time, ...Array.from({ length: 7 }, () => value));
const wide = fc.tuple(own, value).map(([eight, more]) => [...eight, more]);
const tables = fc.oneof(fc.array(own), fc.array(wide)) as unknown as fc.Arbitrary<Reading[]>;

describe('Rows', () => {
  it('built from values equal Rows built from the text of these values', () => {
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

  it('rows cut by within() lie in the given period, sorted by time, whether built from values or text', () => {
    const few = fc.integer({ min: 0, max: 9 });
    const own = fc.tuple(few.map(formatDate), value).map((row) => row as unknown as Reading);
    fc.assert(
      fc.property(fc.array(own), few, few, (readings, start, stop) => {
        const expected = readings
          .filter(([t]) => Date.parse(t) >= start && Date.parse(t) < stop)
          .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
        const values = Rows.ofReadings(readings);
        const text = Rows.ofLines(Rows.ofReadings(readings).lines, readings.length);
        for (const cut of [values.within({ start, stop }), text.within({ start, stop })]) {
          expect(cut.lines).toBe(Rows.ofReadings(expected).lines);
          expect(cut.count).toBe(expected.length);
        }
      }),
    );
  });

  it('keep the text of each line, such as 1.50, through within() and followedBy()', () => {
    const line = (ms: number): string => `"${formatDate(ms)}",1.50,1e1,-0,null\n`;
    const inOrder = Rows.ofLines(line(1) + line(2) + line(2) + line(3), 4);
    expect(inOrder.within({ start: 2, stop: 3 }).lines).toBe(line(2) + line(2));
    expect(inOrder.within({ start: 1, stop: 4 })).toBe(inOrder);
    const disordered = Rows.ofLines(line(3) + line(1) + line(2), 3);
    expect(disordered.within({ start: 1, stop: 3 }).lines).toBe(line(1) + line(2));
    const joined = inOrder.followedBy(disordered);
    expect(joined.lines).toBe(inOrder.lines + disordered.lines);
    expect(joined.count).toBe(7);
  });

  it('rows count as ascending if each row lies in the given period and is later than the row before', () => {
    const few = fc.integer({ min: 0, max: 9 });
    fc.assert(
      fc.property(fc.array(few), few, few, (times, first, end) => {
        const isRight = times.every(
          (ms, i) => ms >= first && ms < end && (i === 0 || ms > (times[i - 1] as number)),
        );
        const lines = times.map((ms) => `"${formatDate(ms)}",1\n`).join('');
        const text = Rows.ofLines(lines, times.length);
        const bytes = Rows.ofBytes(Buffer.from(lines), times.length);
        for (const rows of [text, bytes]) {
          expect(rows.isAscending({ start: first, stop: end })).toBe(isRight);
        }
      }),
    );
  });

  it('that are known to ascend in time are still known to do so after within()', () => {
    const lines = [1, 2, 3].map((ms) => `"${formatDate(ms)}",1\n`).join('');
    const cut = Rows.ofBytes(Buffer.from(lines), 3, true).within({ start: 2, stop: 9 });
    expect(cut.isAscending({ start: 2, stop: 9 })).toBe(true);
    expect(cut.isAscending({ start: 3, stop: 9 })).toBe(false);
    expect(cut.isAscending({ start: 2, stop: 3 })).toBe(false);
    expect(cut.count).toBe(2);
  });

  it('built from values or from text can be joined by followedBy()', () => {
    fc.assert(
      fc.property(fc.array(own), fc.array(own), (a, b) => {
        const [first, second] = [a, b] as unknown as Reading[][] as [Reading[], Reading[]];
        const values = Rows.ofReadings(first).followedBy(Rows.ofReadings(second));
        const text = Rows.ofLines(Rows.ofReadings(second).lines, second.length);
        const mixed = Rows.ofReadings(first).followedBy(text);
        expect(JSON.stringify(values.readings)).toBe(JSON.stringify([...a, ...b]));
        expect(mixed.lines).toBe(values.lines);
        expect(mixed.count).toBe(values.count);
      }),
    );
  });

  it('without any row can be cut, joined and listed', () => {
    expect(Rows.ofReadings([]).within({ start: 0, stop: 1 }).count).toBe(0);
    expect(Rows.ofLines('', 0).within({ start: 0, stop: 1 }).count).toBe(0);
    expect(Rows.ofReadings([]).followedBy(Rows.ofReadings([])).lines).toBe('');
    expect(Rows.ofReadings([])).toMatchObject({ count: 0, lines: '', readings: [] });
    expect([...Rows.ofLines('', 0).times()]).toEqual([]);
    expect(Rows.ofLines('', 0).readings).toEqual([]);
  });
});
