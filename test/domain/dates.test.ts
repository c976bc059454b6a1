import fc from 'fast-check';
import { DateTime, Duration } from 'luxon';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createDateWriter,
  formatDate,
  normalizeTypedDate,
  parseDate,
  parseDateIn,
  parseDuration,
  parseZone,
  subtractDuration,
} from '../../src/domain/dates.ts';

fc.configureGlobal({ seed: 20240115, numRuns: 200 });

const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');
const anyMoment = fc.integer({ min: FIRST_MS, max: LAST_MS });

describe('normalizeTypedDate', () => {
  it.each([
    ['2024-5-1', '2024-05-01'],
    ['2024-5', '2024-05'],
    ['2024-12-1 9:30', '2024-12-01T09:30'],
    ['2024-06-01 12:00', '2024-06-01T12:00'],
    [' 2024-06-01  12:00:05+02:00 ', '2024-06-01T12:00:05+02:00'],
    ['2024-6-1T6:00-0330', '2024-06-01T06:00-0330'],
    ['2024-06-01 12:00 +02:00', '2024-06-01T12:00+02:00'],
    ['2024-06-01T12:00 Z', '2024-06-01T12:00Z'],
    ['2024-05-01', '2024-05-01'],
    ['3d', '3d'],
    ['1', '1'],
    ['last-hour', 'last-hour'],
    ['2024-05-01 noon', '2024-05-01 noon'],
  ])('normalizeTypedDate turns the typed text %j into %j', (text, complete) => {
    expect(normalizeTypedDate(text)).toBe(complete);
  });
});

describe('parseDateIn', () => {
  it.each([
    ['2024-03-31', 'Europe/Paris', '2024-03-30T23:00:00.000Z', 'no clock change', undefined],
    [
      '2024-03-31T02:30',
      'Europe/Paris',
      '2024-03-31T01:30:00.000Z',
      'a time that the clock skips',
      'gap',
    ],
    ['2024-03-31T03:00', 'Europe/Paris', '2024-03-31T01:00:00.000Z', 'no clock change', undefined],
    [
      '2024-10-27T02:30',
      'Europe/Paris',
      '2024-10-27T01:30:00.000Z',
      'a time that the clock shows twice',
      'repeat',
    ],
    ['2024-10-27T03:00', 'Europe/Paris', '2024-10-27T02:00:00.000Z', 'no clock change', undefined],
    [
      '2024-10-27T02:30+0200',
      'Europe/Paris',
      '2024-10-27T00:30:00.000Z',
      'no clock change',
      undefined,
    ],
    ['2024-03-31T02:30Z', 'Europe/Paris', '2024-03-31T02:30:00.000Z', 'no clock change', undefined],
    ['2024-03-31T02:30', 'utc', '2024-03-31T02:30:00.000Z', 'no clock change', undefined],
    ['1850', 'Europe/Paris', '1849-12-31T23:50:39.000Z', 'no clock change', undefined],
    [
      '2011-12-30',
      'Pacific/Apia',
      '2011-12-30T10:00:00.000Z',
      'a time that the clock skips',
      'gap',
    ],
    [
      '2024-10-06T02:15',
      'Australia/Lord_Howe',
      '2024-10-05T15:45:00.000Z',
      'a time that the clock skips',
      'gap',
    ],
  ])('parseDateIn reads %s in %s as %s, and reports %s', (text, zone, iso, _, shift) => {
    expect(parseDateIn(text, zone)).toEqual({ ms: Date.parse(iso), shift });
  });

  it.each([
    ['0000', 'a moment before the year 0000 in UTC'],
    ['2024-02-30', 'a day that no calendar has'],
    ['soon', 'a word'],
  ])('parseDateIn rejects %s: it is %s', (text) => {
    expect(parseDateIn(text, 'Europe/Paris')).toBeUndefined();
  });

  it('parseDateIn keeps the wall clock of a date, unless the clock of the zone skips that time', () => {
    const zones = fc.constantFrom('Europe/Paris', 'America/St_Johns', 'Pacific/Apia');
    const days = fc.integer({ min: Date.UTC(1970, 0), max: Date.UTC(2100, 0) });
    fc.assert(
      fc.property(days, zones, (ms, zone) => {
        const wall = formatDate(ms).slice(0, -1);
        const date = parseDateIn(wall, zone);
        const shown = date && createDateWriter(zone)(formatDate(date.ms)).slice(0, wall.length);
        return (shown === wall) === (date?.shift !== 'gap');
      }),
    );
  });
});

describe('parseDate', () => {
  it.each([
    ['2024', '2024-01-01T00:00:00.000Z'],
    ['0000', '0000-01-01T00:00:00.000Z'],
    ['9999', '9999-01-01T00:00:00.000Z'],
    ['2024-03', '2024-03-01T00:00:00.000Z'],
    ['2024-03-05', '2024-03-05T00:00:00.000Z'],
    ['2024-3', '2024-03-01T00:00:00.000Z'],
    ['2024-3-5', '2024-03-05T00:00:00.000Z'],
    ['2024-12-5T06:07+0200', '2024-12-05T04:07:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29', '2000-02-29T00:00:00.000Z'],
    ['2024-03-05T06', '2024-03-05T06:00:00.000Z'],
    ['2024-03-05T23', '2024-03-05T23:00:00.000Z'],
    ['2024-03-05T06:07', '2024-03-05T06:07:00.000Z'],
    ['2024-03-05T06:07Z', '2024-03-05T06:07:00.000Z'],
    ['2024-03-05T06:07+0000', '2024-03-05T06:07:00.000Z'],
    ['2024-03-05T06:07-0000', '2024-03-05T06:07:00.000Z'],
    ['2024-03-05T06:07+0200', '2024-03-05T04:07:00.000Z'],
    ['2024-03-05T06:07-0330', '2024-03-05T09:37:00.000Z'],
    ['2024-03-05T06:07+05:45', '2024-03-05T00:22:00.000Z'],
    ['2024-03-05T06:07-11:00', '2024-03-05T17:07:00.000Z'],
    ['2024-01-01T00:30+0100', '2023-12-31T23:30:00.000Z'],
    ['2024-03-05T06:07+23:59', '2024-03-04T06:08:00.000Z'],
    ['2024-03-05T06:07:08', '2024-03-05T06:07:08.000Z'],
    ['2024-03-05T06:07:08Z', '2024-03-05T06:07:08.000Z'],
    ['2024-03-05T06:07:08+00:00', '2024-03-05T06:07:08.000Z'],
    ['2024-03-05T06:07:08.9', '2024-03-05T06:07:08.900Z'],
    ['2024-03-05T06:07:08.987', '2024-03-05T06:07:08.987Z'],
    ['2024-03-05T06:07:08.987Z', '2024-03-05T06:07:08.987Z'],
    ['2024-03-05T06:07:08.987654', '2024-03-05T06:07:08.987Z'],
    ['2024-03-05T06:07:08.987654321+02:00', '2024-03-05T04:07:08.987Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('parseDate reads %s as %s', (text, expected) => {
    expect(formatDate(parseDate(text) as number)).toBe(expected);
  });

  it.each([
    ['an empty text', ''],
    ['a blank', ' '],
    ['a day that the month does not have', '2023-02-30'],
    ['a day that the month does not have', '2023-02-29'],
    ['a day that the month does not have', '1900-02-29'],
    ['a day that the month does not have', '2023-04-31'],
    ['a day that the month does not have', '2023-01-00'],
    ['a day that the month does not have', '2023-01-32'],
    ['a day that the month does not have', '2024-2-30'],
    ['a month out of 1 to 12', '2023-13'],
    ['a month out of 1 to 12', '2023-00'],
    ['a month out of 1 to 12', '2024-0-1'],
    ['an hour over 23', '2024-03-05T24'],
    ['an hour over 23', '2024-03-05T24:00'],
    ['an hour over 23', '2024-03-05T24:00:00.000Z'],
    ['an hour over 23', '2024-03-05T25'],
    ['a minute over 59', '2024-03-05T06:60'],
    ['a second over 59', '2024-03-05T06:07:60'],
    ['an offset of 24 hours or more', '2024-03-05T06:07+24:00'],
    ['an offset of 24 hours or more', '2024-03-05T06:07+25:00'],
    ['an offset of 60 minutes', '2024-03-05T06:07+02:60'],
    ['an offset without minutes', '2024-03-05T06:07+02'],
    ['an offset without minutes', '2024-03-05T06:07+2'],
    ['two offsets', '2024-03-05T06:07Z+0200'],
    ['a blank before the offset', '2024-03-05T06:07 +0200'],
    ['an offset after an hour without minutes', '2024-03-05T06+0200'],
    ['an offset after an hour without minutes', '2024-03-05T06Z'],
    ['an offset without a time', '2024-03-05Z'],
    ['a T without a time', '2024-03-05T'],
    ['a blank in place of the T', '2024-03-05 06:07'],
    ['small letters', '2024-03-05t06:07z'],
    ['a point without decimals', '2024-03-05T06:07:08.'],
    ['a decimal comma', '2024-03-05T06:07:08,9'],
    ['ten decimals of a second', '2024-03-05T06:07:08.1234567890'],
    ['an hour of one digit', '2024-3-5T6'],
    ['a month of three digits', '2024-003-05'],
    ['a negative month', '2024--3-05'],
    ['a year of other than four digits', '24-03-05'],
    ['a year of other than four digits', '202'],
    ['a year of other than four digits', '20240'],
    ['a year of other than four digits', '10000-01-01'],
    ['a year of other than four digits', '+002024-01-01'],
    ['a year of other than four digits', '-2024'],
    ['a date without hyphens', '20240305'],
    ['a week', '2024-W10'],
    ['a day of the year', '2024-065'],
    ['a moment before the year 0000 in UTC', '0000-01-01T00:00+00:01'],
    ['a moment after the year 9999 in UTC', '9999-12-31T23:59-00:01'],
    ['seconds since 1970', '1709618828'],
    ['a word', 'now'],
    ['a line end', '2024-03-05\n'],
    ['Arabic digits', '٢٠٢٤'],
  ])('parseDate rejects %s: %j', (_, text) => {
    expect(parseDate(text)).toBeUndefined();
  });

  it('parseDate reads every date that formatDate writes', () => {
    fc.assert(fc.property(anyMoment, (ms) => parseDate(formatDate(ms)) === ms));
  });

  it('parseDate reads a shortened date as the first moment that the date may mean', () => {
    const lowest = '0000-01-01T00:00:00.000Z';
    fc.assert(
      fc.property(anyMoment, fc.constantFrom(4, 7, 10, 13, 16, 19), (ms, length) => {
        const text = formatDate(ms).slice(0, length);
        expect(formatDate(parseDate(text) as number)).toBe(text + lowest.slice(length));
      }),
    );
  });
});

/** Texts in the form of a date, existing or not. */
const dateLike = fc
  .record({
    digits: fc.array(fc.constantFrom(0, 1, 2, 3, 5, 9), { minLength: 17, maxLength: 17 }),
    form: fc.constantFrom('4', '4-2', '4-2-2', '4-2-2T2', '4-2-2T2:2', '4-2-2T2:2:2.3'),
    offset: fc.constantFrom('', 'Z', '+01:30', '-1100'),
  })
  .map(({ digits, form, offset }) => {
    const rest = [...digits];
    const date = form.replace(/\d/g, (count) => rest.splice(0, Number(count)).join(''));
    return form.includes(':') ? date + offset : date;
  });

it('parseDate accepts the same dates as the library luxon, and reads the same time from them', () => {
  fc.assert(
    fc.property(dateLike, (text) => {
      const date = DateTime.fromISO(text, { zone: 'utc' });
      const isOne = date.isValid && !text.includes('T24') && date.year >= 0 && date.year <= 9999;
      expect(parseDate(text)).toBe(isOne ? date.toMillis() : undefined);
    }),
    { numRuns: 1000 },
  );
});

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('parseDuration', () => {
  it.each([
    ['1ms', 1],
    ['500ms', 500],
    ['30s', 30 * SECOND],
    ['45m', 45 * MINUTE],
    ['90m', 90 * MINUTE],
    ['12h', 12 * HOUR],
    ['3d', 3 * DAY],
    ['2w', 14 * DAY],
    ['1y', 365 * DAY],
    ['20min', 20 * MINUTE],
    ['1h30min5s', 90 * MINUTE + 5 * SECOND],
    ['1d12h', 36 * HOUR],
    ['1y2w3d4h5m6s7ms', 382 * DAY + 4 * HOUR + 5 * MINUTE + 6 * SECOND + 7],
    ['0h5m', 5 * MINUTE],
    ['007d', 7 * DAY],
    ['P1D', DAY],
    ['PT90M', 90 * MINUTE],
    ['PT1.5H', 90 * MINUTE],
    ['P1M', 30 * DAY],
    ['P1W', 7 * DAY],
    ['P1DT12H', 36 * HOUR],
    ['9999y', 9999 * 365 * DAY],
  ])('parseDuration reads %s as %i ms', (text, ms) => {
    expect(parseDuration(text)?.toMillis()).toBe(ms);
  });

  it.each([
    ['an empty text', ''],
    ['a length of zero', '0s'],
    ['a length of zero', '0y0ms'],
    ['a length of zero', 'PT0S'],
    ['a number without a unit', '0'],
    ['a number without a unit', '5'],
    ['a unit without a number', 's'],
    ['decimals', '1.5h'],
    ['a sign', '-1h'],
    ['a sign', '+1h'],
    ['a capital unit', '1H'],
    ['a capital unit', '1M'],
    ['a blank', '1 h'],
    ['a blank', ' 1h'],
    ['a line end', '1h\n'],
    ['a smaller unit before a larger one', '12h1d'],
    ['a unit twice', '1h1h'],
    ['an unknown unit', '1fortnight'],
    ['an unknown unit', 'P1X'],
    ['a P without a number after it', 'P'],
    ['a P without a number after it', 'PT'],
    ['a negative ISO duration', 'P-1D'],
    ['a negative ISO duration', '-P1D'],
    ['more than 9999 years', 'P11000Y'],
    ['more than 9999 years', '11000y'],
    ['more than 9999 years', '99999999999999999y'],
    ['a small p', 'p1d'],
    ['a number of 20 digits', `P${'9'.repeat(20)}Y`],
    ['a number of 400 digits', `${'9'.repeat(400)}s`],
  ])('parseDuration rejects %s: $1', (_, text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});

describe('before()', () => {
  it.each([
    ['2024-03-31T12:00:00.000Z', 'P1M', '2024-02-29T12:00:00.000Z'],
    ['2023-03-31T12:00:00.000Z', 'P1M', '2023-02-28T12:00:00.000Z'],
    ['2024-01-15T12:00:00.000Z', 'P1M', '2023-12-15T12:00:00.000Z'],
    ['2024-02-29T12:00:00.000Z', '1y', '2023-02-28T12:00:00.000Z'],
    ['2024-03-31T12:00:00.000Z', '1d12h', '2024-03-30T00:00:00.000Z'],
    ['2024-03-31T12:00:00.000Z', '1ms', '2024-03-31T11:59:59.999Z'],
    ['2024-03-31T12:00:00.000Z', '9999y', '0000-01-01T00:00:00.000Z'],
  ])('before() counts back from %s by %s to %s', (from, length, expected) => {
    const ms = subtractDuration(Date.parse(from), parseDuration(length) as Duration);
    expect(formatDate(ms)).toBe(expected);
  });

  it('before() subtracts days of 24 hours, even where summer time begins or ends', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: LAST_MS }), fc.nat({ max: 9999 }), (ms, days) => {
        expect(subtractDuration(ms, Duration.fromObject({ days }))).toBe(ms - days * DAY);
      }),
    );
  });
});

describe('parseZone', () => {
  it.each([
    ['utc', 'UTC'],
    ['UTC', 'UTC'],
    ['Europe/Paris', 'Europe/Paris'],
    ['America/St_Johns', 'America/St_Johns'],
    ['UTC+2', 'UTC+2'],
    ['UTC-3:30', 'UTC-3:30'],
  ])('parseZone of %s is %s', (text, zone) => {
    expect(parseZone(text)).toBe(zone);
  });

  it('parseZone of local is the zone of the machine', () => {
    expect(parseZone('local')).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
  });

  it.each(['', 'GMT+5', 'Mars'])(
    'parseZone of local is undefined where the variable TZ is %j, which is no zone',
    (zone) => {
      vi.stubEnv('TZ', zone);
      onTestFinished(() => void vi.unstubAllEnvs());
      expect(parseZone('local')).toBeUndefined();
    },
  );

  it.each(['', ' ', 'Mars/Olympus', 'Europe', 'Paris', '+2', '2', 'UTC+x', 'constructor'])(
    'parseZone rejects %j',
    (text) => {
      expect(parseZone(text)).toBeUndefined();
    },
  );
});

describe('createDateWriter', () => {
  it.each([
    ['utc', '2024-07-01T12:34:56.789Z', '2024-07-01T12:34:56.789Z'],
    ['UTC', '2024-07-01T12:34:56.789Z', '2024-07-01T12:34:56.789Z'],
    ['Europe/Paris', '2024-07-01T12:34:56.789Z', '2024-07-01T14:34:56.789+02:00'],
    ['Europe/Paris', '2024-01-01T12:34:56.000Z', '2024-01-01T13:34:56.000+01:00'],
    ['Europe/London', '2024-01-01T12:34:56.000Z', '2024-01-01T12:34:56.000+00:00'],
    ['America/St_Johns', '2024-01-01T02:00:00.000Z', '2023-12-31T22:30:00.000-03:30'],
    ['UTC+2', '2024-01-01T12:00:00.000Z', '2024-01-01T14:00:00.000+02:00'],
  ])('createDateWriter in %s writes %s as %s', (zone, date, expected) => {
    expect(createDateWriter(zone)(date)).toBe(expected);
  });

  it('createDateWriter writes the two hours at the end of summer time with different offsets', () => {
    const write = createDateWriter('Europe/Paris');
    expect(['2024-10-27T00:30:00.000Z', '2024-10-27T01:30:00.000Z'].map(write)).toEqual([
      '2024-10-27T02:30:00.000+02:00',
      '2024-10-27T02:30:00.000+01:00',
    ]);
  });

  it('createDateWriter changes the offset at the same moments as the library luxon', () => {
    // Zones with a summer time of 30 minutes, with a permanent change, with a skipped day and with
    // a change at one minute past midnight.
    const changes = fc.constantFrom(
      ...([
        ['Europe/Paris', Date.UTC(2024, 9, 27, 1)],
        ['Australia/Lord_Howe', Date.UTC(2024, 3, 6, 15)],
        ['Asia/Pyongyang', Date.UTC(2018, 4, 4, 15)],
        ['Pacific/Apia', Date.UTC(2011, 11, 30, 10)],
        ['Africa/Casablanca', Date.UTC(2024, 2, 10, 2)],
        ['America/St_Johns', Date.UTC(2010, 10, 7, 2, 31)],
      ] as const),
    );
    const steps = fc.array(fc.integer({ min: 1, max: 40_000 }), { maxLength: 40 });
    const start = fc.integer({ min: -2 * 86_400, max: 0 });
    fc.assert(
      fc.property(changes, start, steps, ([zone, changeMs], startS, stepsS) => {
        const write = createDateWriter(zone);
        let ms = changeMs + startS * 1000;
        for (const stepS of [0, ...stepsS]) {
          ms += stepS * 1000;
          const expected = DateTime.fromMillis(ms, { zone });
          expect(write(formatDate(ms))).toBe(expected.toFormat("yyyy-MM-dd'T'HH:mm:ss.SSSZZ"));
        }
      }),
    );
  });

  it('createDateWriter writes the same moment in every zone, with the offset of the zone', () => {
    const zones = fc.constantFrom('Europe/Paris', 'Asia/Kathmandu', 'America/Lima', 'UTC-3:30');
    const moments = fc.integer({ min: Date.UTC(1970), max: Date.UTC(2037) });
    fc.assert(
      fc.property(moments, zones, (ms, zone) => {
        expect(Date.parse(createDateWriter(zone)(formatDate(ms)))).toBe(ms);
      }),
    );
  });
});
