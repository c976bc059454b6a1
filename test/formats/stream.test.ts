import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDateWriter } from '../../src/domain/dates.ts';
import type { Station } from '../../src/domain/station.ts';
import { printable } from '../../src/domain/text.ts';
import type { AlertEvent } from '../../src/domain/watching/alert.ts';
import type { WindSample } from '../../src/domain/watching/recentMeasurements.ts';
import { formatOfFile } from '../../src/flags/formats.ts';
import { csv, safeLine } from '../../src/formats/delimited.ts';
import type { WatchRecord, WatchRecordStyle } from '../../src/formats/format.ts';
import { formatNames, STATION_FORMATS, WATCH_RECORD_FORMATS } from '../../src/formats/index.ts';
import { anyCharacter } from '../support/anyCharacter.ts';
import { LIVE_PROVENANCE } from '../support/fixture-service.ts';

fc.configureGlobal({ seed: 20240115, numRuns: 100 });

type StreamFormatName = keyof typeof WATCH_RECORD_FORMATS;

const MEASURED = Date.UTC(2024, 0, 15, 11, 55, 30);
const NOW = MEASURED + 245_900;
const iso = (ms: number): string => new Date(ms).toISOString();

const DUNE: Station = {
  id: 110,
  meta: { name: 'Dune du Pilat' },
  location: { latitude: 44.589, longitude: -1.2136, date: iso(MEASURED), success: true },
  measurements: {
    date: iso(MEASURED),
    pressure: null,
    wind_heading: 225,
    wind_speed_avg: 28.8,
    wind_speed_max: 40.2,
    wind_speed_min: 20,
  },
  status: { date: iso(MEASURED), snr: 21.96, state: 'on' },
};

/** A station without position and values. */
const EMPTY: Station = {
  id: 19,
  meta: { name: '' },
  location: { latitude: 0, longitude: 0, date: null, success: false },
  measurements: {
    date: iso(MEASURED),
    pressure: null,
    wind_heading: null,
    wind_speed_avg: null,
    wind_speed_max: null,
    wind_speed_min: null,
  },
  status: { date: null, snr: null, state: null },
};

/** The mean rises by 6 km/h in an hour. */
const RISING: readonly WindSample[] = [30, 15, 0].map((minutes) => ({
  timeMs: MEASURED - minutes * 60_000,
  avgKmh: 28.8 - minutes / 10,
  maxKmh: 40.2,
  minKmh: 20,
  headingDeg: 225,
}));

const ALERT: AlertEvent = { kind: 'true', condition: 'avg > 15kn', atMs: NOW, sinceMs: NOW };

const record = (changes: Partial<WatchRecord> = {}): WatchRecord => ({
  station: DUNE,
  distanceKm: undefined,
  samples: RISING,
  now: NOW,
  event: undefined,
  credit: undefined,
  ...changes,
});
const style = (changes: Partial<WatchRecordStyle> = {}): WatchRecordStyle => ({
  unit: 'kmh',
  writeDate: (isoUtc) => isoUtc,
  withEvents: false,
  ...changes,
});
const named = (name: string): Station => ({ ...DUNE, meta: { name } });
const write = (
  format: StreamFormatName,
  recordChanges?: Partial<WatchRecord>,
  styleChanges?: Partial<WatchRecordStyle>,
): string => WATCH_RECORD_FORMATS[format].record(record(recordChanges), style(styleChanges));

const PARIS = createDateWriter('Europe/Paris');

describe('a record of vane watch in ndjson', () => {
  it.each([
    ['kmh', undefined, DUNE],
    ['kn', 12.3456, DUNE],
    ['bft', undefined, EMPTY],
    ['ms', 0.1, named('\u009b2J"\\\n\u001b=🌬')],
  ] as const)(
    'a record of vane watch in ndjson is the line that vane live writes, with the unit %s',
    async (unit, distanceKm, station) => {
      const { stations } = STATION_FORMATS.ndjson;
      const list = {
        provenance: LIVE_PROVENANCE,
        stations: [{ station, distanceKm }],
        isSingle: false,
        withMeta: false,
        unit,
        writeDate: PARIS,
        now: NOW,
      };
      const [line] = stations(list, { colour: false, width: undefined, isUnicode: true });
      expect(write('ndjson', { station, distanceKm }, { unit, writeDate: PARIS })).toBe(line);
    },
  );

  it('a record of vane watch in ndjson with an event contains the station inside the event', () => {
    const line = write(
      'ndjson',
      { event: ALERT, distanceKm: 3.1399 },
      { unit: 'kn', writeDate: PARIS },
    );
    expect(line).toBe(
      '{"event":"true","condition":"avg > 15kn","date":"2024-01-15T12:59:35.900+01:00",' +
        '"age_s":245,"gust_factor":1.4,"trend_kn":3.24,' +
        '"station":{"id":110,"meta":{"name":"Dune du Pilat"},"location":{"latitude":44.589,' +
        '"longitude":-1.2136,"date":"2024-01-15T12:55:30.000+01:00","success":true},' +
        '"measurements":{"date":"2024-01-15T12:55:30.000+01:00","pressure":null,' +
        '"wind_heading":225,"wind_speed_avg_kn":15.55,"wind_speed_max_kn":21.71,' +
        '"wind_speed_min_kn":10.8},"status":{"date":"2024-01-15T12:55:30.000+01:00",' +
        '"snr":21.96,"state":"on"},"distance_km":3.14}}\n',
    );
  });

  it('a record of vane watch in ndjson with an event has null for unknown values', () => {
    const measurements = { ...EMPTY.measurements, date: null };
    const station = { ...EMPTY, measurements };
    const event = { ...ALERT, kind: 'stale' } as const;
    expect(JSON.parse(write('ndjson', { station, samples: [], event }))).toEqual({
      event: 'stale',
      condition: 'avg > 15kn',
      date: iso(NOW),
      age_s: null,
      gust_factor: null,
      trend: null,
      station,
    });
  });

  it('a record of vane watch in ndjson has the trend in the unit of speeds, and null in Beaufort', () => {
    const trend = (unit: WatchRecordStyle['unit']) =>
      JSON.parse(write('ndjson', { event: ALERT }, { unit }));
    expect(trend('kmh').trend).toBe(6);
    expect(trend('ms').trend_ms).toBe(1.67);
    expect(trend('bft').trend_bft).toBe(null);
  });

  it('a record of vane watch in ndjson has the age 0 for a measurement in the future', () => {
    const { age_s } = JSON.parse(write('ndjson', { event: ALERT, now: MEASURED - 5000 }));
    expect(age_s).toBe(0);
  });
});

const COLUMNS =
  'id,meta.name,location.latitude,location.longitude,location.date,location.success,' +
  'location.hdop,measurements.date,measurements.pressure,measurements.wind_heading,';
const SPEEDS = (suffix: string) =>
  ['avg', 'max', 'min'].map((name) => `measurements.wind_speed_${name}${suffix}`).join(',');
const DATE = '2024-01-15T11:55:30.000Z';
const DUNE_ROW =
  `110,Dune du Pilat,44.589,-1.2136,${DATE},true,,${DATE},,225,` + `28.8,40.2,20,${DATE},21.96,on`;

describe('a record of vane watch in csv', () => {
  it('a record of vane watch in csv has the columns of vane live, and two more where an alert may write events', () => {
    const { head } = csv;
    const columns = `${COLUMNS}${SPEEDS('')},status.date,status.snr,status.state`;
    expect(head(style())).toBe(`${columns}\n`);
    expect(head(style({ withEvents: true }))).toBe(`${columns},event,condition\n`);
    expect(head(style({ unit: 'bft' }))).toContain(SPEEDS('_bft'));
  });

  it('a record of vane watch in csv at the end of an alert is one row with the event and the condition', () => {
    expect(write('csv')).toBe(`${DUNE_ROW}\n`);
    expect(write('csv', {}, { withEvents: true })).toBe(`${DUNE_ROW},,\n`);
    const event = { ...ALERT, condition: 'avg > 15kn, gust > "2"' };
    expect(write('csv', { event }, { withEvents: true })).toBe(
      `${DUNE_ROW},true,"avg > 15kn, gust > ""2"""\n`,
    );
    expect(write('csv', { station: EMPTY }, { unit: 'kn' })).toBe(
      `19,,0,0,,false,,${DATE},,,,,,,,\n`,
    );
    expect(write('csv', {}, { unit: 'bft' })).toContain(',225,4,6,4,');
  });

  it('a record of vane watch in csv leaves out fields that have no column', () => {
    const station = { ...DUNE, extra: 'x', status: { ...DUNE.status, battery: 3.7 } };
    expect(write('csv', { station, distanceKm: 3 })).toBe(`${DUNE_ROW}\n`);
  });
});

describe('a record of vane watch in txt', () => {
  it('a record of vane watch in txt has the values of csv between tabs', () => {
    const between = (line: string) => line.replaceAll(',', '\t');
    expect(WATCH_RECORD_FORMATS.txt.head(style({ withEvents: true }))).toBe(
      between(WATCH_RECORD_FORMATS.csv.head(style({ withEvents: true }))),
    );
    expect(write('txt')).toBe(`${between(DUNE_ROW)}\n`);
    expect(write('txt', { event: ALERT }, { withEvents: true })).toBe(
      `${between(DUNE_ROW)}\ttrue\tavg > 15kn\n`,
    );
  });

  it('a record of vane watch in txt has no tab or line break within a text', () => {
    expect(write('txt', { station: named('a\tb\r\nc\u001b') })).toContain('110\ta b c␛\t44.589');
  });
});

describe('a record of vane watch in influx', () => {
  const TIME = '1705319730000000000';
  const FIELDS =
    'latitude=44.589,longitude=-1.2136,wind_heading=225,wind_speed_avg=28.8,wind_speed_max=40.2,' +
    'wind_speed_min=20,snr=21.96,state="on"';

  it('a record of vane watch in influx is a point at the time of the measurement', () => {
    expect(write('influx', {}, { writeDate: PARIS })).toBe(
      `wind,station=110,name=Dune\\ du\\ Pilat ${FIELDS} ${TIME}\n`,
    );
    expect(write('influx', {}, { unit: 'kn' })).toContain(
      ',wind_heading=225,wind_speed_avg_kn=15.55,wind_speed_max_kn=21.71,wind_speed_min_kn=10.8,',
    );
  });

  it('a record of vane watch in influx with an event is a point at the time of the event', () => {
    const event = { ...ALERT, condition: 'name = "a\\"' };
    expect(write('influx', { event })).toBe(
      'wind_event,station=110,name=Dune\\ du\\ Pilat event="true",' +
        `condition="name = \\"a\\\\\\"",${FIELDS} 1705319975900000000\n`,
    );
    expect(write('influx', { event: ALERT, station: EMPTY })).toBe(
      'wind_event,station=19 event="true",condition="avg > 15kn" 1705319975900000000\n',
    );
  });

  it('a record of vane watch in influx is empty without a field or a valid time', () => {
    const at = (date: string | null): Station => ({
      ...DUNE,
      measurements: { ...DUNE.measurements, date },
    });
    expect(write('influx', { station: EMPTY })).toBe('');
    for (const date of [null, '9999-12-31T23:59:59.999Z', '0000-01-01T00:00:00.000Z']) {
      expect(write('influx', { station: at(date) })).toBe('');
    }
    expect(write('influx', { station: at('1969-12-31T23:59:59.999Z') })).toMatch(/ -1000000\n$/);
  });

  it('a record of vane watch in influx has no field for a value that is not a finite number', () => {
    const measurements = {
      ...DUNE.measurements,
      wind_speed_max: Number.POSITIVE_INFINITY,
      wind_speed_min: 1e-7,
    };
    const [, fields] = readPoint(write('influx', { station: { ...DUNE, measurements } }));
    expect(fields).not.toHaveProperty('wind_speed_max');
    expect(fields).toMatchObject({ wind_speed_min: 1e-7 });
  });

  it('a record of vane watch in influx reads back as the same point for any station name and condition', () => {
    fc.assert(
      fc.property(hostile, hostile, (name, condition) => {
        const [head, fields, time] = readPoint(
          write('influx', { station: named(name), event: { ...ALERT, condition } }),
        );
        // Readers of the protocol disagree on backslashes.
        const tag = printable(name).replaceAll('\\', '/');
        expect(head).toEqual({ '': 'wind_event', station: '110', ...(tag && { name: tag }) });
        expect(fields).toEqual({
          event: 'true',
          condition: printable(condition),
          latitude: 44.589,
          longitude: -1.2136,
          wind_speed_avg: 28.8,
          wind_speed_max: 40.2,
          wind_speed_min: 20,
          wind_heading: 225,
          snr: 21.96,
          state: 'on',
        });
        expect(time).toBe(String(BigInt(NOW) * 1_000_000n));
      }),
    );
  });
});

/** Texts with many characters that are special to a terminal, a spreadsheet or a parser. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '"',
        ',',
        '=',
        '\\',
        ' ',
        "'",
        '\n',
        '\r\n',
        '\t',
        '\u001b[2J',
        '\u2028',
        '🌬',
      ),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
      fc.string({ unit: anyCharacter, maxLength: 3 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

type Fields = Record<string, number | string>;

/** Parses the line protocol: the measurement under '', tags, fields and time. */
function readPoint(line: string): [head: Record<string, string>, fields: Fields, time: string] {
  let at = 0;
  const until = (ends: string): string => {
    let text = '';
    for (; at < line.length && !ends.includes(line.charAt(at)); at += 1) {
      if (line.charAt(at) === '\\' && ', ='.includes(line.charAt(at + 1))) at += 1;
      text += line.charAt(at);
    }
    return text;
  };
  const quoted = (): string => {
    let text = '';
    for (at += 1; line.charAt(at) !== '"'; at += 1) {
      if (line.charAt(at) === '\\') at += 1;
      text += line.charAt(at);
    }
    at += 1;
    return text;
  };
  const head: Record<string, string> = { '': until(', ') };
  while (line.charAt(at++) === ',') {
    const key = until('=');
    at += 1;
    head[key] = until(', ');
  }
  const fields: Fields = {};
  do {
    const key = until('=');
    at += 1;
    fields[key] = line.charAt(at) === '"' ? quoted() : Number(until(', '));
  } while (line.charAt(at++) === ',');
  const time = line.slice(at);
  expect(time).toMatch(/^-?\d+\n$/);
  return [head, fields, time.trimEnd()];
}

describe('a record of vane watch for a station with any name', () => {
  it.each(formatNames(WATCH_RECORD_FORMATS))(
    'a record of vane watch for a station with any name is one line of %s without control characters',
    (format) => {
      fc.assert(
        fc.property(hostile, fc.boolean(), (text, isEvent) => {
          const event = isEvent ? { ...ALERT, condition: text } : undefined;
          const line = write(format, { station: named(text), event }, { withEvents: true });
          expect(line.indexOf('\n')).toBe(line.length - 1);
          expect(line.replaceAll('\t', '').slice(0, -1)).not.toMatch(/\p{Cc}/u);
        }),
      );
    },
  );

  it('a record of vane watch has any station name in one csv cell that starts no formula', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const withEvents = true;
        const event = { ...ALERT, condition: text };
        const rows = parse(
          csv.head(style({ withEvents })) +
            write('csv', { station: named(text), event }, { withEvents }),
        ) as string[][];
        expect(rows).toHaveLength(2);
        expect(rows[1]?.[1]).toBe(safeLine(text));
        expect(rows[1]?.at(-1)).toBe(safeLine(text));
        expect(rows[1]?.[1]).not.toMatch(/^\s*[=+\-@]/);
      }),
    );
  });
});

it.each([
  ['wind.ndjson', 'ndjson'],
  ['wind.JSONL', 'ndjson'],
  ['/a.txt/wind.csv', 'csv'],
  ['wind.txt', 'txt'],
  ['wind.Tsv', 'txt'],
  ['wind.lp', 'influx'],
  ['wind.influx', 'influx'],
  ['wind.csv.gz', 'csv'],
  ['wind.geojson', 'geojson'],
] as const)(
  'the file name %s picks the format %s for the records of vane watch',
  (path, format) => {
    expect(formatOfFile(path, [])).toBe(format);
  },
);

it.each(['wind', 'csv'])(
  'the file name %s picks no format for the records of vane watch',
  (path) => {
    expect(formatOfFile(path, [])).toBeUndefined();
  },
);
