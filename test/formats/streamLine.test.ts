import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDateWriter } from '../../src/domain/dates.ts';
import type { Station } from '../../src/domain/station.ts';
import { printable } from '../../src/domain/text.ts';
import type { AlertEventKind } from '../../src/domain/watching/alert.ts';
import { UsageError } from '../../src/errors.ts';
import type { WatchRecord, WatchRecordStyle } from '../../src/formats/format.ts';
import { lineFormat } from '../../src/formats/line.ts';
import { anyCharacter } from '../support/anyCharacter.ts';
import { naming } from '../support/naming.ts';

fc.configureGlobal({ seed: 20240115, numRuns: 100 });

const MEASURED = Date.UTC(2024, 0, 15, 11, 55, 30);
const STATION: Station = {
  id: 110,
  meta: { name: 'Dune du Pilat' },
  location: { latitude: 44.589, longitude: -1.2136, date: null, success: true },
  measurements: {
    date: new Date(MEASURED).toISOString(),
    pressure: null,
    wind_heading: 225,
    wind_speed_avg: 28.8,
    wind_speed_max: 40.2,
    wind_speed_min: 20,
  },
  status: { date: null, snr: 21.96, state: 'on' },
};
const RECORD: WatchRecord = {
  station: STATION,
  distanceKm: 3.1399,
  samples: [30, 15, 0].map((minutes) => ({
    timeMs: MEASURED - minutes * 60_000,
    avgKmh: 28.8 + minutes / 10,
    maxKmh: 40.2,
    minKmh: 20,
    headingDeg: 225,
  })),
  now: MEASURED + 245_900,
  event: undefined,
  credit: { license: 'https://example.org/license', attribution: '(c) all of us' },
};
const STYLE: WatchRecordStyle = {
  unit: 'kn',
  writeDate: createDateWriter('Europe/Paris'),
  withEvents: true,
};
const EVENT = {
  kind: 'true',
  condition: 'avg > 15kn',
  atMs: RECORD.now,
  sinceMs: MEASURED,
} as const;

const write = (
  template: string,
  changes: Partial<WatchRecord> = {},
  style: Partial<WatchRecordStyle> = {},
): string => lineFormat(template).record({ ...RECORD, ...changes }, { ...STYLE, ...style });

const ALL =
  '{id}|{name}|{avg}|{gust}|{lull}|{unit}|{dir}|{point}|{arrow}|{wind}|{age}|{time}|{date}|' +
  '{state}|{snr}|{gust_factor}|{trend}|{km}|{event}|{condition}|{since}|{attribution}|{license}';

const measured = (measurements: Partial<Station['measurements']>): Partial<WatchRecord> => ({
  station: { ...STATION, measurements: { ...STATION.measurements, ...measurements } },
});

describe('--line', () => {
  it('--line writes a value for each placeholder', () => {
    expect(write(ALL)).toBe(
      '110|Dune du Pilat|15.55|21.71|10.8|kn|225|SW|↗|16 kn SW|4 min|12:55:30|' +
        '2024-01-15T12:55:30.000+01:00|on|21.96|1.40|-3.2|3.1||||' +
        '(c) all of us|https://example.org/license\n',
    );
    expect(write(ALL, { event: EVENT }, { unit: 'bft' })).toBe(
      '110|Dune du Pilat|4|6|4|Bft|225|SW|↗|4 Bft SW|4 min|12:55:30|' +
        '2024-01-15T12:55:30.000+01:00|on|21.96|1.40|–|3.1|true|avg > 15kn|right since 12:55|' +
        '(c) all of us|https://example.org/license\n',
    );
    expect(write('{name} {avg}{unit} {point} {age}', {}, { unit: 'kmh' })).toBe(
      'Dune du Pilat 28.8km/h SW 4 min\n',
    );
  });

  it('--line writes – for unknown values', () => {
    const nothing: Station = {
      id: 19,
      meta: { name: '' },
      location: { latitude: null, longitude: null, date: null, success: false },
      measurements: {
        date: null,
        pressure: null,
        wind_heading: null,
        wind_speed_avg: null,
        wind_speed_max: null,
        wind_speed_min: null,
      },
      status: { date: null, snr: null, state: null },
    };
    const unknown = { station: nothing, samples: [], distanceKm: undefined, credit: undefined };
    expect(write(ALL, unknown)).toBe('19|–|–|–|–|kn|–|–|–|–|–|–|–|–|–|–|–|–||||–|–\n');
  });

  it('--line writes calm in place of a direction below 1 km/h', () => {
    expect(write('{point} {arrow} {avg}', measured({ wind_speed_avg: 0.9 }))).toBe('calm – 0.49\n');
    expect(write('{point} {arrow}', measured({ wind_speed_avg: 1 }))).toBe('SW ↗\n');
    expect(write('{point} {arrow}', measured({ wind_speed_avg: null }))).toBe('SW ↗\n');
    expect(write('{wind}', measured({ wind_speed_avg: 0.9 }))).toBe('calm\n');
    expect(write('{wind}', measured({ wind_heading: null }))).toBe('16 kn\n');
    expect(write('{wind}', measured({ wind_speed_avg: null }))).toBe('–\n');
  });

  it('--line writes the sign of a trend, and no sign for 0.0', () => {
    const trend = (perHour: number): string =>
      write('{trend}', {
        samples: RECORD.samples.map((sample) => ({
          ...sample,
          avgKmh: 20 + (perHour * 1.852 * (sample.timeMs - MEASURED)) / 3_600_000,
        })),
      });
    expect(trend(3)).toBe('+3.0\n');
    expect(trend(-3)).toBe('-3.0\n');
    expect(trend(0.04)).toBe('0.0\n');
    expect(trend(-0.04)).toBe('0.0\n');
  });

  it('--line writes the time in UTC where no zone is named', () => {
    expect(write('{time}', {}, { writeDate: (isoUtc) => isoUtc })).toBe('11:55:30\n');
  });

  it('--line reads doubled braces as braces, and \n and \t as escapes', () => {
    expect(write('{{{id}}} {{id}} }}{{')).toBe('{110} {id} }{\n');
    expect(write('{id}\\t{unit}\\n-')).toBe('110\tkn\n-\n');
    expect(write('\\x\\\\t\\r\\')).toBe('\\x\\\t\\r\\\n');
    expect(write('no placeholder')).toBe('no placeholder\n');
  });

  it('--line reads {max} and {min} as {gust} and {lull}', () => {
    expect(write('{max}|{min}')).toBe(write('{gust}|{lull}'));
  });

  it('--line writes since when an alert is active, with the date if the alert began on another day', () => {
    const since = (kind: AlertEventKind, sinceMs: number | undefined): string =>
      write('{since}', { event: { ...EVENT, kind, sinceMs } });
    // In Europe/Paris the day began at 23:00 UTC.
    expect(since('true', Date.UTC(2024, 0, 14, 23))).toBe('right since 00:00\n');
    expect(since('false', RECORD.now)).toBe('no longer right since 12:59\n');
    expect(since('stale', Date.UTC(2024, 0, 14, 22, 59))).toBe('no data since 2024-01-14 23:59\n');
    expect(since('stale', undefined)).toBe('no data\n');
  });

  it('--line writes an event only when the template has {event}, {condition} or {since}', () => {
    expect(write('{name}', { event: EVENT })).toBe('');
    expect(write('{event}!', { event: EVENT })).toBe('true!\n');
    expect(write('{condition}!', { event: EVENT })).toBe('avg > 15kn!\n');
    expect(write('{since}', { event: EVENT })).toBe('right since 12:55\n');
    expect(write('{condition}{since}!')).toBe('!\n');
    expect(lineFormat('{id}').head(STYLE)).toBe('');
  });

  it('--line writes one line without control characters', () => {
    expect(write('a\u001b[2J\tb\nc{name}')).toBe('a␛[2J b cDune du Pilat\n');
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 12 }), (text) => {
        const station = { ...STATION, meta: { name: text } };
        const line = write('{name}|{condition}', {
          station,
          event: { ...EVENT, condition: text },
        });
        expect(line).toBe(`${printable(text) || '–'}|${printable(text)}\n`);
        expect(line.slice(0, -1)).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});

describe('the --line template', () => {
  const KNOWN = [
    ...['{id}', '{name}', '{avg}', '{gust}', '{lull}', '{unit}', '{dir}', '{point}', '{arrow}'],
    ...['{wind}', '{age}', '{time}', '{date}', '{state}', '{snr}', '{gust_factor}', '{trend}'],
    ...['{km}', '{event}', '{condition}', '{since}', '{attribution}', '{license}'],
  ];
  const refusal = (template: string): string | (string | undefined)[] => {
    try {
      lineFormat(template);
    } catch (error) {
      expect(error).toBeInstanceOf(UsageError);
      const { message, excerpt } = error as UsageError;
      return excerpt === undefined ? message : [message, excerpt];
    }
    return 'taken';
  };

  it.each([
    ['{name} {wnd}', '{wnd}', '{name} {wnd}\n       ^'],
    ['{}', '{}', '{}\n^'],
    ['{toString}', '{toString}', '{toString}\n^'],
    ['{ id }', '{ id }', '{ id }\n^'],
    ['風 {id} {', '“{”', '風 {id} {\n       ^'],
    ['{id}}', '“}”', '{id}}\n    ^'],
    ['{na{me}', '“{”', '{na{me}\n^'],
    ['a\n\n\u001b{x\ny}', '{x y}', 'a ␛{x y}\n   ^'],
  ])(
    'the --line template %j is refused with an error that names %s and a mark under the wrong place',
    (template, wrong, marked) => {
      expect(refusal(template)).toEqual([
        expect.stringMatching(naming('--line', wrong, ...KNOWN)),
        marked,
      ]);
    },
  );

  it('an empty --line template is refused', () => {
    expect(refusal('')).toMatch(naming('--line', 'empty', ...KNOWN));
  });
});
