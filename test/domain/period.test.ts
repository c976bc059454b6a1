import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDate } from '../../src/domain/dates.ts';
import {
  cutPeriodAtNow,
  MAX_PERIOD_MS,
  planChunks,
  RELATIVE_START_WORDS,
  relativeStart,
  SPLIT_UNITS,
  splitPeriod,
} from '../../src/domain/period.ts';

describe('relativeStart', () => {
  it.each([
    ['last-hour', '2024-03-31T12:00:00.000Z', '2024-03-31T11:00:00.000Z'],
    ['last-day', '2024-03-31T12:00:00.000Z', '2024-03-30T12:00:00.000Z'],
    ['last-week', '2024-03-31T12:00:00.000Z', '2024-03-24T12:00:00.000Z'],
    ['last-month', '2024-03-31T12:00:00.000Z', '2024-02-29T12:00:00.000Z'],
    ['last-month', '2023-03-31T12:00:00.000Z', '2023-02-28T12:00:00.000Z'],
    ['last-month', '2024-01-15T12:00:00.000Z', '2023-12-15T12:00:00.000Z'],
  ])('relativeStart of %s at %s is %s', (word, now, expected) => {
    expect(formatDate(relativeStart(word, Date.parse(now)) as number)).toBe(expected);
  });

  it('relativeStart knows the words last-hour, last-day, last-week and last-month', () => {
    expect(RELATIVE_START_WORDS).toEqual(['last-hour', 'last-day', 'last-week', 'last-month']);
  });

  it.each(['', 'now', 'last-year', 'LAST-DAY', 'last_day', 'constructor', '__proto__'])(
    'relativeStart rejects %j',
    (word) => {
      expect(relativeStart(word, 0)).toBeUndefined();
    },
  );

  it('relativeStart never lies further back than one request for an archive may reach', () => {
    const moments = fc.integer({ min: Date.UTC(1970), max: Date.UTC(2100) });
    fc.assert(
      fc.property(moments, fc.constantFrom(...RELATIVE_START_WORDS), (now, word) => {
        const length = now - (relativeStart(word, now) as number);
        expect(length).toBeGreaterThan(0);
        expect(length).toBeLessThanOrEqual(MAX_PERIOD_MS);
      }),
    );
  });
});

describe('cutPeriodAtNow', () => {
  it.each([
    ['keeps a period that is over', [10, 20], 30, [10, 20]],
    ['keeps a period that ends now', [10, 20], 20, [10, 20]],
    ['ends a running period at the present', [10, 20], 15, [10, 15]],
    ['makes a period that begins now empty', [10, 20], 10, [10, 10]],
    ['makes a period in the future empty', [10, 20], 5, [10, 10]],
  ])('cutPeriodAtNow %s', (_, [start = 0, stop = 0], now, [from, to]) => {
    expect(cutPeriodAtNow(now, { start, stop })).toEqual({ start: from, stop: to });
  });
});

describe('planChunks', () => {
  const periods = fc
    .tuple(
      fc.integer({ min: Date.UTC(1970), max: Date.UTC(2100) }),
      fc.oneof(
        fc.integer({ min: 0, max: 100 * MAX_PERIOD_MS }),
        fc.nat({ max: 50 }).map((count) => count * MAX_PERIOD_MS),
      ),
    )
    .map(([start, length]) => ({ start, stop: start + length }));

  it('planChunks covers a period with chunks without gaps or overlaps', () => {
    fc.assert(
      fc.property(periods, (period) => {
        const chunks = [...planChunks(period)];
        const bounds = [period.start, ...chunks.map(({ stop }) => stop)];
        expect(chunks.map(({ start }) => start)).toEqual(bounds.slice(0, -1));
        expect(bounds.at(-1)).toBe(period.stop);
      }),
    );
  });

  it('planChunks makes chunks of 31 days, of which only the last may be shorter', () => {
    expect(MAX_PERIOD_MS).toBe(2_678_400_000);
    fc.assert(
      fc.property(periods, (period) => {
        const lengths = [...planChunks(period)].map(({ start, stop }) => stop - start);
        const last = lengths.pop() as number;
        expect(lengths.every((length) => length === MAX_PERIOD_MS)).toBe(true);
        expect(last).toBeLessThanOrEqual(MAX_PERIOD_MS);
        expect(last > 0 || period.start === period.stop).toBe(true);
      }),
    );
  });

  it('planChunks makes one empty chunk of an empty period', () => {
    expect([...planChunks({ start: 5, stop: 5 })]).toEqual([{ start: 5, stop: 5 }]);
  });

  it('planChunks makes the chunks of a period only as they are requested', () => {
    const chunks = planChunks({ start: -8e15, stop: 8e15 });
    expect(chunks.next().value).toEqual({ start: -8e15, stop: -8e15 + MAX_PERIOD_MS });
  });
});

const at = (iso: string) => Date.parse(iso);
const period = (start: string, stop: string) => ({ start: at(start), stop: at(stop) });

const periods = fc
  .tuple(
    fc.oneof(
      fc.integer({ min: Date.UTC(1970), max: Date.UTC(2100) }),
      fc.nat({ max: 1500 }).map((months) => Date.UTC(1970, months)),
    ),
    fc.oneof(
      fc.integer({ min: 0, max: 4e11 }),
      fc.nat({ max: 3 }).map((years) => years * 365 * 864e5),
    ),
  )
  .map(([start, length]) => ({ start, stop: start + length }));

describe.each(SPLIT_UNITS)('splitPeriod by %s', (unit) => {
  it(`splitPeriod by ${unit} covers a period without gaps or overlaps`, () => {
    fc.assert(
      fc.property(periods, (whole) => {
        const parts = [...splitPeriod(whole, unit)].map((part) => part.period);
        const bounds = [whole.start, ...parts.map(({ stop }) => stop)];
        expect(parts.map(({ start }) => start)).toEqual(bounds.slice(0, -1));
        expect(bounds.at(-1)).toBe(whole.stop);
        const isEmpty = whole.start === whole.stop;
        expect(parts.every(({ start, stop }) => start < stop || isEmpty)).toBe(true);
      }),
    );
  });

  it(`splitPeriod by ${unit} keeps each part within one ${unit}, and no two parts in the same ${unit}`, () => {
    fc.assert(
      fc.property(periods, (whole) => {
        // Compared as a whole: a period has thousands of parts.
        const parts = [...splitPeriod(whole, unit)];
        const monthAt = (ms: number): string => new Date(ms).toISOString().slice(0, 7);
        const inUnit = (month: string): string => month.slice(0, unit === 'month' ? 7 : 4);
        const named = parts.map(({ year, month }) => `${year}-${String(month).padStart(2, '0')}`);
        expect(named).toEqual(parts.map((part) => monthAt(part.period.start)));
        const lastMs = parts.map(({ period: { start, stop } }) => Math.max(start, stop - 1));
        expect(named.map(inUnit)).toEqual(lastMs.map(monthAt).map(inUnit));
        expect(new Set(named.map(inUnit)).size).toBe(parts.length);
      }),
    );
  });

  it(`splitPeriod by ${unit} makes one empty part of an empty period`, () => {
    const empty = period('2024-03-01T00:00Z', '2024-03-01T00:00Z');
    expect([...splitPeriod(empty, unit)]).toEqual([{ period: empty, year: 2024, month: 3 }]);
  });
});

describe('splitPeriod', () => {
  it('splitPeriod cuts a period at midnight UTC', () => {
    const whole = period('2023-12-31T23:30Z', '2024-02-01T00:00Z');
    expect([...splitPeriod(whole, 'month')]).toEqual([
      { period: period('2023-12-31T23:30Z', '2024-01-01T00:00Z'), year: 2023, month: 12 },
      { period: period('2024-01-01T00:00Z', '2024-02-01T00:00Z'), year: 2024, month: 1 },
    ]);
  });

  it('splitPeriod without a unit leaves a period whole', () => {
    const whole = period('2020-05-01T00:00Z', '2024-02-01T00:00Z');
    expect([...splitPeriod(whole, undefined)]).toEqual([{ period: whole, year: 2020, month: 5 }]);
  });

  it('splitPeriod cuts a period at the start of a year of one digit, such as 0008', () => {
    const [first] = splitPeriod(period('0007-02-03T00:00Z', '0009-01-01T00:00Z'), 'year');
    expect(first).toEqual({
      period: period('0007-02-03T00:00Z', '0008-01-01T00:00Z'),
      year: 7,
      month: 2,
    });
  });

  it('splitPeriod finds the parts of a period only as they are requested', () => {
    const parts = splitPeriod(period('0000-01-01T00:00Z', '9999-12-31T23:59:59.999Z'), 'month');
    expect(parts.next().value?.period.stop).toBe(at('0000-02-01T00:00Z'));
  });
});
