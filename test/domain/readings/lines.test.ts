import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDate } from '../../../src/domain/dates.ts';
import { ArchiveLines } from '../../../src/domain/readings/lines.ts';
import type { ArchiveRow } from '../../../src/wire/archive.ts';
import { rowsOf } from '../../support/archives.ts';

const value = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0));
const time = fc.integer({ min: 0, max: 4e12 }).map(formatDate);
const own = fc.tuple(time, ...Array.from({ length: 7 }, () => value));
const wide = fc.tuple(own, value).map(([eight, more]) => [...eight, more]);
const tables = fc.oneof(fc.array(own), fc.array(wide)) as unknown as fc.Arbitrary<ArchiveRow[]>;

const linesOf = (...lines: readonly string[]): ArchiveLines =>
  new ArchiveLines(Buffer.from(lines.join('')), lines.length);

describe('Lines', () => {
  it('Lines made of rows have one line of JSON per row, without its brackets, and the time of each row', () => {
    fc.assert(
      fc.property(tables, (rows) => {
        const lines = ArchiveLines.ofRows(rows);
        expect(lines.text).toBe(
          rows.map((row) => `${JSON.stringify(row).slice(1, -1)}\n`).join(''),
        );
        expect(lines.count).toBe(rows.length);
        expect(JSON.stringify(rowsOf(lines))).toBe(JSON.stringify(rows));
        expect([...lines.times()]).toEqual(rows.map(([t]) => t));
      }),
    );
  });

  it('Lines cut to a period by within() are sorted by time, and rows of one time keep their order', () => {
    const few = fc.integer({ min: 0, max: 9 });
    const short = fc.tuple(few.map(formatDate), value).map((row) => row as unknown as ArchiveRow);
    fc.assert(
      fc.property(fc.array(short), few, few, (rows, start, stop) => {
        const expected = rows
          .filter(([t]) => Date.parse(t) >= start && Date.parse(t) < stop)
          .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
        const cut = ArchiveLines.ofRows(rows).within({ start, stop });
        expect(cut.text).toBe(ArchiveLines.ofRows(expected).text);
        expect(cut.count).toBe(expected.length);
      }),
    );
  });

  it('Lines keep the text of each line, such as 1.50, through within(), followedBy() and distinct()', () => {
    const line = (ms: number): string => `"${formatDate(ms)}",1.50,1e1,-0,null\n`;
    const inOrder = linesOf(line(1), line(2), line(2), line(3));
    expect(inOrder.within({ start: 2, stop: 3 }).text).toBe(line(2) + line(2));
    expect(inOrder.within({ start: 1, stop: 4 })).toBe(inOrder);
    const disordered = linesOf(line(3), line(1), line(2));
    expect(disordered.within({ start: 1, stop: 3 }).text).toBe(line(1) + line(2));
    const joined = inOrder.followedBy(disordered);
    expect(joined.text).toBe(inOrder.text + disordered.text);
    expect(joined.count).toBe(7);
    expect(joined.distinct().text).toBe(line(1) + line(2) + line(3));
  });

  it('Lines without repeated lines, by distinct(), keep the first of equal lines and the order', () => {
    const few = fc.tuple(fc.integer({ min: 0, max: 2 }).map(formatDate), fc.constantFrom(1, 1.5));
    fc.assert(
      fc.property(fc.array(few), (rows) => {
        const first = rows.filter(
          (row, i) => rows.findIndex((other) => String(other) === String(row)) === i,
        );
        const distinct = ArchiveLines.ofRows(rows).distinct();
        expect(rowsOf(distinct)).toEqual(first);
        expect(distinct.count).toBe(first.length);
      }),
    );
  });

  it('Lines count as ascending if each row lies in the given period and is later than the row before', () => {
    const few = fc.integer({ min: 0, max: 9 });
    fc.assert(
      fc.property(fc.array(few), few, few, (times, first, end) => {
        const isRight = times.every(
          (ms, i) => ms >= first && ms < end && (i === 0 || ms > (times[i - 1] as number)),
        );
        const lines = linesOf(...times.map((ms) => `"${formatDate(ms)}",1\n`));
        expect(lines.isAscending({ start: first, stop: end })).toBe(isRight);
        // The first call may have kept what it found.
        expect(lines.isAscending({ start: first, stop: end })).toBe(isRight);
        expect(lines.hasAny({ start: first, stop: end })).toBe(
          times.some((ms) => ms >= first && ms < end),
        );
      }),
    );
  });

  it('Lines that ascend in time still count as ascending after within()', () => {
    const text = [1, 2, 3].map((ms) => `"${formatDate(ms)}",1\n`).join('');
    const cut = new ArchiveLines(Buffer.from(text), 3, true).within({ start: 2, stop: 9 });
    expect(cut.isAscending({ start: 2, stop: 9 })).toBe(true);
    expect(cut.isAscending({ start: 3, stop: 9 })).toBe(false);
    expect(cut.isAscending({ start: 2, stop: 3 })).toBe(false);
    expect(cut.count).toBe(2);
  });

  it('Lines joined by followedBy() have the lines of all rows', () => {
    fc.assert(
      fc.property(tables, tables, (first, second) => {
        const joined = ArchiveLines.ofRows(first).followedBy(ArchiveLines.ofRows(second));
        expect(joined.text).toBe(ArchiveLines.ofRows([...first, ...second]).text);
        expect(joined.count).toBe(first.length + second.length);
      }),
    );
  });

  it('Lines without any row can be cut, joined, listed and stripped of repeated lines', () => {
    for (const empty of [ArchiveLines.ofRows([]), linesOf()]) {
      expect(empty).toMatchObject({ count: 0, text: '' });
      expect(empty.within({ start: 0, stop: 1 })).toMatchObject({ count: 0, text: '' });
      expect(empty.followedBy(empty)).toMatchObject({ count: 0, text: '' });
      expect(empty.distinct()).toMatchObject({ count: 0, text: '' });
      expect(empty.isAscending({ start: 0, stop: 1 })).toBe(true);
      expect([...empty.times()]).toEqual([]);
    }
  });
});
