import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ARCHIVE_PROVENANCE,
  CADENCE_MS,
  LIVE_PROVENANCE,
  NOW,
  STATIONS,
  UNKNOWN_STATION,
} from '../support/fixture-service.ts';
import { type Ask, ask, askRaw, type Reply } from '../support/http.ts';

type Check = (reply: Reply) => void;

/** A sentence of the interface, the request that puts it to the test, and what must come back. */
type Row = readonly [sentence: string, target: string, check: Check, ask?: Ask];

const JSON_TYPE = 'application/json; charset=utf-8';
const CSV_TYPE = 'text/csv; charset=utf-8';
const TXT_TYPE = 'text/plain; charset=utf-8';
const JSONP_TYPE = 'text/javascript; charset=utf-8';
const METHODS = 'GET, HEAD, OPTIONS';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const iso = (ms: number): string => new Date(ms).toISOString();

/** An answer of 200 with a type and, where given, exactly these bytes. */
function answers(type: string, body?: string): Check {
  return (reply) => {
    expect([reply.status, reply.headers['content-type']]).toEqual([200, type]);
    expect(reply.headers['content-length']).toBe(String(Buffer.byteLength(reply.body)));
    if (body !== undefined) expect(reply.body).toBe(body);
  };
}

/** A JSON answer of 200 that holds this. */
function holds(value: unknown): Check {
  return (reply) => {
    answers(JSON_TYPE)(reply);
    expect(JSON.parse(reply.body)).toEqual(value);
  };
}

/** An error in the shape of the interface, never as HTML and never wrapped. */
function refuses(status: number, code: string): Check {
  return (reply) => {
    expect([reply.status, reply.headers['content-type']]).toEqual([status, JSON_TYPE]);
    const body = JSON.parse(reply.body);
    expect(body).toEqual({ error_code: code, error_message: expect.stringMatching(/^\S.*\.$/) });
    expect(body.error_message).not.toMatch(/\bat .*:\d+:\d+/);
  };
}

/** An archive whose rows run from the moment `first` up to, and without, the moment `end`. */
function covers(first: number, end: number): Check {
  return (reply) => {
    answers(JSON_TYPE)(reply);
    const times = JSON.parse(reply.body).data.map(([time]: [string]) => time);
    expect([times[0], times.at(-1)]).toEqual([iso(first), iso(end - CADENCE_MS)]);
    expect(times).toHaveLength((end - first) / CADENCE_MS);
    expect(times).toEqual(times.toSorted());
  };
}

const holdsNoRow: Check = (reply) => {
  answers(JSON_TYPE)(reply);
  expect(JSON.parse(reply.body).data).toEqual([]);
};

const findStation = (id: number) => STATIONS.find((station) => station.id === id);

/** As `/live` shows it. */
const withNameOnly = (station: (typeof STATIONS)[number] | undefined) =>
  station && { ...station, meta: { name: station.meta.name } };

const LIVE_ROWS: readonly Row[] = [
  [
    'an integer selects one station: data is one object with meta.name only',
    '/v1/live/110',
    holds({ ...LIVE_PROVENANCE, data: withNameOnly(findStation(110)) }),
  ],
  [
    '“all” selects every station: data is an array of objects with meta.name only, ascending by id',
    '/v1/live/all',
    holds({ ...LIVE_PROVENANCE, data: STATIONS.map(withNameOnly) }),
  ],
  [
    'live-with-meta also carries description, picture, date and rating',
    '/v1/live-with-meta/110',
    holds({ ...LIVE_PROVENANCE, data: findStation(110) }),
  ],
  [
    'live-with-meta of all carries them for every station, ascending by id',
    '/v1/live-with-meta/all',
    holds({ ...LIVE_PROVENANCE, data: STATIONS }),
  ],
  [
    'the answer is JSON, to the byte',
    '/v1/live/19',
    answers(
      JSON_TYPE,
      '{"doc":"https://example.org/api/live/","license":"https://example.org/data-licensing",' +
        '"attribution":"(c) contributors of the \\"Fixture\\" wind network <https://example.org>",' +
        '"data":{"id":19,"meta":{"name":"Fixture 19"},' +
        '"location":{"latitude":0,"longitude":0,"date":null,"success":false},' +
        '"measurements":{"date":"2018-05-24T09:23:32.000Z","pressure":null,"wind_heading":315,' +
        '"wind_speed_avg":0,"wind_speed_max":0,"wind_speed_min":0},' +
        '"status":{"date":"2018-05-24T09:23:32.000Z","snr":21.96,"state":"on"}}}',
    ),
  ],
  [
    'a station never located is at 0, 0 without a date and without success',
    '/v1/live/19',
    (reply) =>
      expect(JSON.parse(reply.body).data.location).toEqual({
        latitude: 0,
        longitude: 0,
        date: null,
        success: false,
      }),
  ],
  [
    'a station that never measured has null for every measurement',
    '/v1/live/41',
    holds({ ...LIVE_PROVENANCE, data: withNameOnly(findStation(41)) }),
  ],
  [
    'a station that is on may have no wind',
    '/v1/live/603',
    holds({ ...LIVE_PROVENANCE, data: withNameOnly(findStation(603)) }),
  ],
  [
    'fields beyond the interface pass through',
    '/v1/live/1333',
    holds({ ...LIVE_PROVENANCE, data: withNameOnly(findStation(1333)) }),
  ],
  [
    'a name comes as it is, control characters escaped as JSON does',
    '/v1/live/7',
    (reply) => {
      expect(reply.body).toContain('"name":"\\u001b[2J<b>=1+1"');
      expect(JSON.parse(reply.body).data.meta.name).toBe('\u001b[2J<b>=1+1');
    },
  ],
  ['an id may be percent-encoded', '/v1/live/%31%310', holdsStation(110)],
  ['unknown query arguments are ignored', '/v1/live/110?start=x&_=1&_=2', holdsStation(110)],
  [
    'a station not in the database',
    `/v1/live/${UNKNOWN_STATION}`,
    refuses(404, 'station_not_found'),
  ],
  [
    'a station not in the database, with metadata',
    `/v1/live-with-meta/${UNKNOWN_STATION}`,
    refuses(404, 'station_not_found'),
  ],
  ['a negative id is an integer', '/v1/live/-1', refuses(404, 'station_not_found')],
  [
    'an integer no computer number can hold is unknown, not rounded',
    '/v1/live/99999999999999999999',
    refuses(404, 'station_not_found'),
  ],
  [
    'an integer of thousands of digits is unknown',
    `/v1/live/${'9'.repeat(10_000)}`,
    refuses(404, 'station_not_found'),
  ],
  ...[
    ['a word', '/v1/live/abc'],
    ['a word, with metadata', '/v1/live-with-meta/abc'],
    ['a fraction', '/v1/live/1.5'],
    ['an exponent', '/v1/live/1e2'],
    ['a hexadecimal number', '/v1/live/0x6e'],
    ['two ids', '/v1/live/110,7'],
    ['“ALL” in capitals', '/v1/live/ALL'],
    ['a space', '/v1/live/%20'],
    ['an id and a line break', '/v1/live/110%0A'],
    ['an escaped slash', '/v1/live/110%2F7'],
    ['an escaped NUL', '/v1/live/110%00'],
    ['digits of another script', `/v1/live/${encodeURIComponent('١١٠')}`],
    ['a broken escape', '/v1/live/%zz'],
    ['a cut escape', '/v1/live/110%'],
    ['an escape that is not UTF-8', '/v1/live/%ff'],
    ['a very long word', `/v1/live/${'x'.repeat(10_000)}`],
    ['nothing after the slash', '/v1/live/'],
    ['nothing at all', '/v1/live'],
    ['nothing, with metadata', '/v1/live-with-meta/'],
    ['nothing at all, with metadata', '/v1/live-with-meta'],
    ['nothing but a query', '/v1/live?callback=show'],
    ['an id and a slash', '/v1/live/110/'],
  ].map(
    ([what, target]): Row => [
      `the station id is missing or invalid: ${what}`,
      target as string,
      refuses(400, 'missing_argument'),
    ],
  ),
];

function holdsStation(id: number): Check {
  return holds({ ...LIVE_PROVENANCE, data: withNameOnly(findStation(id)) });
}

const archive = (query: string, station: number | string = 110): string =>
  `/v1/archive/${station}?${query}`;

const SMALL = 'start=2024-01-15T10:00&stop=2024-01-15T10:10';
const NULLS = 'start=2024-01-15T10:00&stop=2024-01-15T11:00';
const EMPTY = 'start=2024-01-15T10:00&stop=2024-01-15T10:00';

const CSV_HEAD = `"License","https://example.org/data-licensing"
"Attribution","(c) contributors of the ""Fixture"" wind network <https://example.org>"
"time","latitude","longitude","wind_speed_min","wind_speed_avg","wind_speed_max","wind_heading","pressure"
"utc","degrees","degrees","km/h","km/h","km/h","degrees","(deprecated)"
`;

const TXT_HEAD = `License: https://example.org/data-licensing
Attribution: (c) contributors of the "Fixture" wind network <https://example.org>
time\tlatitude\tlongitude\twind_speed_min\twind_speed_avg\twind_speed_max\twind_heading\tpressure
utc\tdegrees\tdegrees\tkm/h\tkm/h\tkm/h\tdegrees\t(deprecated)
`;

const SMALL_JSON =
  '{"doc":"https://example.org/api/archive/","license":"https://example.org/data-licensing",' +
  '"attribution":"(c) contributors of the \\"Fixture\\" wind network <https://example.org>",' +
  '"legend":["time","latitude","longitude","wind_speed_min","wind_speed_avg","wind_speed_max","wind_heading","pressure"],' +
  '"units":["utc","degrees","degrees","km/h","km/h","km/h","degrees","(deprecated)"],' +
  '"data":[["2024-01-15T10:00:00.000Z",44.589,-1.2136,0,2.25,5.5,180,null],' +
  '["2024-01-15T10:05:00.000Z",44.589,-1.2136,1,3.25,6.5,202.5,null]]}';

const ARCHIVE_ROWS: readonly Row[] = [
  ['the default format is json, to the byte', archive(SMALL), answers(JSON_TYPE, SMALL_JSON)],
  ['format json', archive(`${SMALL}&format=json`), answers(JSON_TYPE, SMALL_JSON)],
  [
    'format csv: license, attribution, header, units, rows; only the time of a row is quoted',
    archive(`${SMALL}&format=csv`),
    answers(
      CSV_TYPE,
      `${CSV_HEAD}"2024-01-15T10:00:00.000Z",44.589,-1.2136,0,2.25,5.5,180,null
"2024-01-15T10:05:00.000Z",44.589,-1.2136,1,3.25,6.5,202.5,null
`,
    ),
  ],
  [
    'format txt: license, attribution, header, units, rows; fields are separated by tabs',
    archive(`${SMALL}&format=txt`),
    answers(
      TXT_TYPE,
      `${TXT_HEAD}2024-01-15T10:00:00.000Z\t44.589\t-1.2136\t0\t2.25\t5.5\t180\tnull
2024-01-15T10:05:00.000Z\t44.589\t-1.2136\t1\t3.25\t6.5\t202.5\tnull
`,
    ),
  ],
  [
    'absent values are null in json',
    archive(NULLS, 603),
    (reply) =>
      expect(JSON.parse(reply.body).data).toEqual([
        ['2024-01-15T10:00:00.000Z', null, null, null, null, null, null, null],
        ['2024-01-15T10:04:03.000Z', -16.85, 179.97, null, 3.5, null, 292.5, null],
      ]),
  ],
  [
    'absent values are the bare word null in csv',
    archive(`${NULLS}&format=csv`, 603),
    answers(
      CSV_TYPE,
      `${CSV_HEAD}"2024-01-15T10:00:00.000Z",null,null,null,null,null,null,null
"2024-01-15T10:04:03.000Z",-16.85,179.97,null,3.5,null,292.5,null
`,
    ),
  ],
  [
    'absent values are null in txt',
    archive(`${NULLS}&format=txt`, 603),
    answers(
      TXT_TYPE,
      `${TXT_HEAD}2024-01-15T10:00:00.000Z\tnull\tnull\tnull\tnull\tnull\tnull\tnull
2024-01-15T10:04:03.000Z\t-16.85\t179.97\tnull\t3.5\tnull\t292.5\tnull
`,
    ),
  ],
  [
    'no row in json: the envelope with legend and units, data empty',
    archive(EMPTY),
    holds({ ...ARCHIVE_PROVENANCE, ...legendAndUnits(), data: [] }),
  ],
  [
    'no row in csv: the four head lines',
    archive(`${EMPTY}&format=csv`),
    answers(CSV_TYPE, CSV_HEAD),
  ],
  [
    'no row in txt: the four head lines',
    archive(`${EMPTY}&format=txt`),
    answers(TXT_TYPE, TXT_HEAD),
  ],
  ['a station that has no rows', archive('start=last-day&stop=now', 41), holdsNoRow],
  ['a period before the first row', archive('start=2001&stop=2001-01-02'), holdsNoRow],
  [
    'unknown query arguments are ignored',
    archive(`${SMALL}&x=1&x=2&tz=utc`),
    answers(JSON_TYPE, SMALL_JSON),
  ],
  [
    'the order of arguments does not matter',
    archive('format=csv&stop=now&start=last-hour'),
    answers(CSV_TYPE),
  ],
  ...['xml', 'CSV', '', 'csv,txt', 'toString', 'json%00'].map(
    (format): Row => [
      `a format outside the three is invalid: “${format}”`,
      archive(`${SMALL}&format=${format}`),
      refuses(400, 'invalid_argument'),
    ],
  ),
  [
    'a format given twice is invalid',
    archive(`${SMALL}&format=csv&format=csv`),
    refuses(400, 'invalid_argument'),
  ],
  [
    'a start given twice is invalid',
    archive(`${SMALL}&start=last-day`),
    refuses(400, 'invalid_argument'),
  ],
  ['a missing start', archive('stop=now'), refuses(400, 'missing_argument')],
  ['a missing stop', archive('start=last-day'), refuses(400, 'missing_argument')],
  ['an empty start is missing', archive('start=&stop=now'), refuses(400, 'missing_argument')],
  ['an empty stop is missing', archive('start=last-day&stop='), refuses(400, 'missing_argument')],
  [
    'argument names are in lower case',
    archive('Start=last-day&stop=now'),
    refuses(400, 'missing_argument'),
  ],
  ['no argument', '/v1/archive/110', refuses(400, 'missing_argument')],
  ['no argument after the question mark', archive(''), refuses(400, 'missing_argument')],
  ['no station', '/v1/archive', refuses(400, 'missing_argument')],
  ['no station after the slash', archive(SMALL, ''), refuses(400, 'missing_argument')],
  ['a slash after the station', archive(SMALL, '110/'), refuses(400, 'missing_argument')],
  ...['all', 'abc', '1.5', '110,7', '%20', '%zz', '%ff', 'x'.repeat(10_000)].map(
    (station): Row => [
      `one request covers one station, given as an integer: “${station.slice(0, 9)}”`,
      archive(SMALL, station),
      refuses(400, 'invalid_argument'),
    ],
  ),
  ...[UNKNOWN_STATION, '-1', '99999999999999999999', '9'.repeat(10_000)].map(
    (station): Row => [
      `a station not in the database: ${String(station).slice(0, 21)}`,
      archive(SMALL, station),
      refuses(404, 'station_not_found'),
    ],
  ),
  [
    'a station not in the database, asked for csv, is a JSON error',
    archive(`${SMALL}&format=csv`, UNKNOWN_STATION),
    refuses(404, 'station_not_found'),
  ],
  [
    'a station not in the database, for an empty period',
    archive(EMPTY, UNKNOWN_STATION),
    refuses(404, 'station_not_found'),
  ],
];

function legendAndUnits() {
  const { legend, units } = JSON.parse(SMALL_JSON);
  return { legend, units };
}

const PERIOD_ROWS: readonly Row[] = [
  ['last-hour to now', archive('start=last-hour&stop=now'), covers(NOW - HOUR_MS, NOW)],
  ['last-day to now', archive('start=last-day&stop=now'), covers(NOW - DAY_MS, NOW)],
  ['last-week to now', archive('start=last-week&stop=now'), covers(NOW - 7 * DAY_MS, NOW)],
  [
    'last-month to now is a calendar month, never more than 31 days',
    archive('start=last-month&stop=now'),
    covers(NOW - 31 * DAY_MS, NOW),
  ],
  [
    'a relative start with a date for stop',
    archive('start=last-day&stop=2024-01-15'),
    covers(NOW - DAY_MS, Date.UTC(2024, 0, 15)),
  ],
  ['a date with now', archive('start=2024-01-15&stop=now'), covers(Date.UTC(2024, 0, 15), NOW)],
  [
    'a row exactly at start is in, a row exactly at stop is not',
    archive('start=2024-01-15T10:05&stop=2024-01-15T10:15'),
    covers(Date.UTC(2024, 0, 15, 10, 5), Date.UTC(2024, 0, 15, 10, 15)),
  ],
  [
    'a millisecond after a row leaves it out at start',
    archive('start=2024-01-15T10:05:00.001Z&stop=2024-01-15T10:15'),
    covers(Date.UTC(2024, 0, 15, 10, 10), Date.UTC(2024, 0, 15, 10, 15)),
  ],
  [
    'a millisecond after a row takes it in at stop',
    archive('start=2024-01-15T10:05&stop=2024-01-15T10:15:00.001Z'),
    covers(Date.UTC(2024, 0, 15, 10, 5), Date.UTC(2024, 0, 15, 10, 20)),
  ],
  [
    'a future stop is allowed',
    archive('start=2024-01-15T11:30&stop=2024-02-01'),
    covers(Date.UTC(2024, 0, 15, 11, 30), NOW + CADENCE_MS),
  ],
  ['a future start is allowed', archive('start=2030&stop=2030-01-02'), holdsNoRow],
  ['stop equal to start has no rows', archive(EMPTY), holdsNoRow],
  [
    'stop equal to start, said in two ways',
    archive('start=2024-01-15T12:00-0100&stop=2024-01-15T13:00Z'),
    holdsNoRow,
  ],
  [
    'exactly 31 days',
    archive('start=2023-12-15T12:00Z&stop=2024-01-15T12:00Z'),
    covers(NOW - 31 * DAY_MS, NOW),
  ],
  [
    '31 days and a millisecond',
    archive('start=2023-12-15T12:00Z&stop=2024-01-15T12:00:00.001Z'),
    refuses(413, 'request_too_large'),
  ],
  ['a year', archive('start=2022&stop=2023'), refuses(413, 'request_too_large')],
  ['all there is', archive('start=0000&stop=9999'), refuses(413, 'request_too_large')],
  [
    'more than 31 days, asked for csv, is a JSON error',
    archive('start=2022&stop=2023&format=csv'),
    refuses(413, 'request_too_large'),
  ],
  [
    'stop before start',
    archive('start=2024-01-15&stop=2024-01-14'),
    refuses(400, 'invalid_argument'),
  ],
  [
    'stop a millisecond before start',
    archive('start=2024-01-15T00:00:00.001Z&stop=2024-01-15'),
    refuses(400, 'invalid_argument'),
  ],
  ['a start after now', archive('start=2024-01-16&stop=now'), refuses(400, 'invalid_argument')],
];

const DATE_FORMS: readonly (readonly [form: string, text: string, utc: string])[] = [
  ['yyyy', '2024', '2024-01-01T00:00:00.000Z'],
  ['yyyy-MM', '2023-12', '2023-12-01T00:00:00.000Z'],
  ['yyyy-MM-dd', '2024-01-10', '2024-01-10T00:00:00.000Z'],
  ['yyyy-M', '2024-1', '2024-01-01T00:00:00.000Z'],
  ['yyyy-M-d', '2024-1-9', '2024-01-09T00:00:00.000Z'],
  ['yyyy-M-ddTHH:mm', '2024-1-10T07:35', '2024-01-10T07:35:00.000Z'],
  ['yyyy-MM-ddTHH', '2024-01-10T07', '2024-01-10T07:00:00.000Z'],
  ['yyyy-MM-ddTHH:mm', '2024-01-10T07:35', '2024-01-10T07:35:00.000Z'],
  ['yyyy-MM-ddTHH:mmZ', '2024-01-10T07:35Z', '2024-01-10T07:35:00.000Z'],
  ['yyyy-MM-ddTHH:mm+hhmm', '2024-01-10T07:35%2B0200', '2024-01-10T05:35:00.000Z'],
  ['yyyy-MM-ddTHH:mm+hhmm, + unescaped', '2024-01-10T07:35+0200', '2024-01-10T05:35:00.000Z'],
  ['yyyy-MM-ddTHH:mm-hhmm', '2024-01-10T07:35-0330', '2024-01-10T11:05:00.000Z'],
  ['yyyy-MM-ddTHH:mm+hh:mm', '2024-01-10T07:35%2B05:30', '2024-01-10T02:05:00.000Z'],
  ['yyyy-MM-ddTHH:mm+hh:mm, + unescaped', '2024-01-10T07:35+05:30', '2024-01-10T02:05:00.000Z'],
  ['yyyy-MM-ddTHH:mm-hh:mm', '2024-01-10T07:35-11:00', '2024-01-10T18:35:00.000Z'],
  ['an offset into another year', '2024-01-01T00:30%2B0100', '2023-12-31T23:30:00.000Z'],
  ['seconds', '2024-01-10T07:35:00', '2024-01-10T07:35:00.000Z'],
  ['seconds and Z', '2024-01-10T07:35:00Z', '2024-01-10T07:35:00.000Z'],
  ['seconds and +hhmm', '2024-01-10T07:35:00%2B0200', '2024-01-10T05:35:00.000Z'],
  ['date("c") of PHP', '2024-01-10T07:35:00%2B00:00', '2024-01-10T07:35:00.000Z'],
  ['isoformat() of Python', '2024-01-10T07:35:00.000000+02:00', '2024-01-10T05:35:00.000Z'],
  ['the full form', '2024-01-10T07:35:00.000Z', '2024-01-10T07:35:00.000Z'],
  ['the full form without Z', '2024-01-10T07:35:00.000', '2024-01-10T07:35:00.000Z'],
  ['escaped colons', '2024-01-10T07%3A35%3A00Z', '2024-01-10T07:35:00.000Z'],
];

const BAD_DATES: readonly string[] = [
  '2023-02-30',
  '2023-02-29',
  '2023-13',
  '2023-00',
  '2024-01-00',
  '2024-01-10T24',
  '2024-01-10T25',
  '2024-01-10T07:60',
  '2024-01-10T07:35:60',
  '2024-01-10T07:35%2B25:00',
  '2024-01-10T07:35%2B02',
  '2024-01-10T07:35ZZ',
  '2024-01-10T07%2B0200',
  '2024-01-10T07Z',
  '2024-01-10Z',
  '2024-01-10%2007:35',
  '2024-01-10t07:35z',
  '2024-1-1T7',
  '2024-0-1',
  '24-01-10',
  '20240110',
  '2024-W02',
  '2024-010',
  '10000-01-01',
  '-2024',
  '1704067200',
  'yesterday',
  'last-year',
  'LAST-DAY',
  'constructor',
  '2024%0A',
  '%202024',
  `2024-01-10T07:35:00.${'0'.repeat(1000)}`,
];

const DATE_ROWS: readonly Row[] = [
  ...DATE_FORMS.flatMap(([form, text, utc]): Row[] => {
    const ms = Date.parse(utc);
    return [
      [
        `as start: ${form}`,
        archive(`start=${text}&stop=${iso(ms + HOUR_MS)}`),
        covers(ms, ms + HOUR_MS),
      ],
      [
        `as stop: ${form}`,
        archive(`start=${iso(ms - HOUR_MS)}&stop=${text}`),
        covers(ms - HOUR_MS, ms),
      ],
    ];
  }),
  [
    'missing parts take their lowest value: seconds and milliseconds count',
    archive('start=2024-01-10T07:35:00.001&stop=2024-01-10T08:00:01'),
    covers(Date.UTC(2024, 0, 10, 7, 40), Date.UTC(2024, 0, 10, 8, 5)),
  ],
  ...['last-hour', 'last-day', 'last-week', 'last-month'].map(
    (word): Row => [
      `${word} is no stop`,
      archive(`start=2024-01-01&stop=${word}`),
      refuses(400, 'invalid_argument'),
    ],
  ),
  ['now is no start', archive('start=now&stop=now'), refuses(400, 'invalid_argument')],
  ...BAD_DATES.flatMap((text): Row[] => [
    [
      `not a date, as start: ${text.slice(0, 30)}`,
      archive(`start=${text}&stop=now`),
      refuses(400, 'invalid_argument'),
    ],
    [
      `not a date, as stop: ${text.slice(0, 30)}`,
      archive(`start=2024&stop=${text}`),
      refuses(400, 'invalid_argument'),
    ],
  ]),
];

/** JSONP around the JSON that the same request without callback gives. */
function calls(name: string, json?: string): Check {
  return (reply) => {
    answers(JSONP_TYPE)(reply);
    const [before, after] = [`/**/ typeof ${name} === 'function' && ${name}(`, ');'];
    expect(reply.body.startsWith(before)).toBe(true);
    expect(reply.body.endsWith(after)).toBe(true);
    const inner = reply.body.slice(before.length, -after.length);
    expect(inner).not.toContain('<');
    if (json !== undefined) expect(JSON.parse(inner)).toEqual(JSON.parse(json));
  };
}

const JSONP_ROWS: readonly Row[] = [
  [
    'callback on Live: status 200, text/javascript, the JSON in a guarded call, to the byte',
    '/v1/live/19?callback=show',
    answers(
      JSONP_TYPE,
      "/**/ typeof show === 'function' && show(" +
        '{"doc":"https://example.org/api/live/","license":"https://example.org/data-licensing",' +
        '"attribution":"(c) contributors of the \\"Fixture\\" wind network \\u003chttps://example.org>",' +
        '"data":{"id":19,"meta":{"name":"Fixture 19"},' +
        '"location":{"latitude":0,"longitude":0,"date":null,"success":false},' +
        '"measurements":{"date":"2018-05-24T09:23:32.000Z","pressure":null,"wind_heading":315,' +
        '"wind_speed_avg":0,"wind_speed_max":0,"wind_speed_min":0},' +
        '"status":{"date":"2018-05-24T09:23:32.000Z","snr":21.96,"state":"on"}}});',
    ),
  ],
  ['callback on Live of all', '/v1/live/all?callback=show', calls('show')],
  [
    'callback on live-with-meta',
    '/v1/live-with-meta/110?callback=show',
    calls('show', JSON.stringify({ ...LIVE_PROVENANCE, data: findStation(110) })),
  ],
  ['callback on Archive', archive(`${SMALL}&callback=show`), calls('show', SMALL_JSON)],
  [
    'callback on Archive that says format=json',
    archive(`${SMALL}&format=json&callback=show`),
    calls('show', SMALL_JSON),
  ],
  [
    'callback with csv is ignored',
    archive(`${EMPTY}&format=csv&callback=show`),
    answers(CSV_TYPE, CSV_HEAD),
  ],
  [
    'callback with txt is ignored, even one that is no name',
    archive(`${EMPTY}&format=txt&callback=)`),
    answers(TXT_TYPE, TXT_HEAD),
  ],
  ...['$', '_', 'jQuery1_23', 'a.b.c', 'a[0].b[12]', `f${'x'.repeat(127)}`].map(
    (name): Row => [
      `a dotted identifier is a name: ${name.slice(0, 12)}`,
      `/v1/live/7?callback=${encodeURIComponent(name)}`,
      calls(name),
    ],
  ),
  ...[
    '',
    '1a',
    'a b',
    'a;b',
    'a()',
    'a..b',
    '.a',
    'a.',
    'a[b]',
    'a[]',
    'a-b',
    'a\n',
    'é',
    '</script>',
    '*/alert(1)/*',
    `f${'x'.repeat(128)}`,
  ].map(
    (name): Row => [
      `anything else is invalid: ${JSON.stringify(name.slice(0, 15))}`,
      `/v1/live/110?callback=${encodeURIComponent(name)}`,
      refuses(400, 'invalid_argument'),
    ],
  ),
  [
    'a name that is invalid on Archive',
    archive(`${SMALL}&callback=a()`),
    refuses(400, 'invalid_argument'),
  ],
  [
    'a callback given twice is invalid',
    '/v1/live/110?callback=a&callback=b',
    refuses(400, 'invalid_argument'),
  ],
  [
    'an error keeps its status and is not wrapped, on Live',
    `/v1/live/${UNKNOWN_STATION}?callback=show`,
    refuses(404, 'station_not_found'),
  ],
  [
    'an error keeps its status and is not wrapped, on Archive',
    archive('start=2022&stop=2023&callback=show'),
    refuses(413, 'request_too_large'),
  ],
];

function isPreflight(reply: Reply): void {
  expect([reply.status, reply.body]).toEqual([204, '']);
  expect(reply.headers['access-control-allow-methods']).toBe(METHODS);
  expect(reply.headers['access-control-allow-headers']).toBe('*');
}

function refusesMethod(reply: Reply): void {
  refuses(405, 'method_not_allowed')(reply);
  expect(reply.headers.allow).toBe(METHODS);
}

const HTTP_ROWS: readonly Row[] = [
  ...[
    '/',
    '/v1',
    '/v1/',
    '/v1/nothing',
    '/v1/nothing/110',
    '/v2/live/110',
    '/V1/live/110',
    '/live/110',
    '//v1/live/110',
    '/v1/live/110/more',
    '/v1/live/110/7/',
    '/v1%2Flive%2F110',
    '/favicon.ico',
    '/%zz',
    `/${'x'.repeat(10_000)}`,
    'http://example.org',
    'http://example.org?callback=show',
  ].map(
    (target): Row => [`nothing is at ${target.slice(0, 40)}`, target, refuses(404, 'not_found')],
  ),
  ['a request in absolute form', 'http://example.org/v1/live/110', holdsStation(110)],
  [
    'a request in absolute form with a port',
    'http://example.org:80/v1/live/110',
    holdsStation(110),
  ],
  ['a request in absolute form, in capitals', 'HTTP://EXAMPLE.ORG/v1/live/110', holdsStation(110)],
  [
    'a request in absolute form keeps its query',
    `http://example.org${archive(SMALL)}`,
    answers(JSON_TYPE, SMALL_JSON),
  ],
  [
    'a request in absolute form for an unknown station',
    `http://example.org/v1/live/${UNKNOWN_STATION}`,
    refuses(404, 'station_not_found'),
  ],
  [
    'the Accept header of a browser does not matter',
    '/v1/live/110',
    holdsStation(110),
    { headers: { accept: 'text/html' } },
  ],
  [
    'where a page comes from does not matter',
    '/v1/live/110',
    holdsStation(110),
    { headers: { origin: 'null' } },
  ],
  [
    'a version asked for does not matter',
    '/v1/live/110',
    holdsStation(110),
    { headers: { 'accept-version': '9' } },
  ],
  [
    'there is no request body: one that comes is ignored',
    '/v1/live/110',
    holdsStation(110),
    { body: '{', headers: { 'content-type': 'application/json', 'content-length': '1' } },
  ],
  ['OPTIONS answers CORS', '/v1/live/110', isPreflight, { method: 'OPTIONS' }],
  ['OPTIONS answers CORS for Archive', archive(SMALL), isPreflight, { method: 'OPTIONS' }],
  ['OPTIONS answers CORS where nothing is', '/nothing', isPreflight, { method: 'OPTIONS' }],
  ['OPTIONS answers CORS for the server', '*', isPreflight, { method: 'OPTIONS' }],
  [
    'OPTIONS answers a preflight',
    '/v1/live/all',
    isPreflight,
    {
      method: 'OPTIONS',
      headers: {
        origin: 'https://example.org',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-requested-with',
      },
    },
  ],
  ...['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'].map(
    (method): Row => [`${method} is not allowed`, '/v1/live/110', refusesMethod, { method }],
  ),
  [
    'POST is not allowed, whatever its body',
    archive(SMALL),
    refusesMethod,
    { method: 'POST', body: '<x/>', headers: { 'content-type': 'no/type', 'content-length': '4' } },
  ],
  ['POST is not allowed where nothing is', '/nothing', refusesMethod, { method: 'POST' }],
];

/** Requests that only bytes can express. */
const RAW_ROWS: readonly (readonly [sentence: string, bytes: string, check: Check])[] = [
  ['no HTTP at all', 'hello?\r\n\r\n', refuses(400, 'bad_request')],
  [
    'a space in the target',
    'GET /v1/live/1 1 HTTP/1.1\r\nHost: a\r\n\r\n',
    refuses(400, 'bad_request'),
  ],
  ['a version there is not', 'GET / HTTP/9.9\r\nHost: a\r\n\r\n', refuses(400, 'bad_request')],
  [
    'a header that is none',
    'GET / HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n',
    refuses(400, 'bad_request'),
  ],
  [
    'a length that is none',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n',
    refuses(400, 'bad_request'),
  ],
  [
    'a header that is too large',
    `GET /v1/live/110 HTTP/1.1\r\nHost: a\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`,
    refuses(431, 'headers_too_large'),
  ],
  [
    'a target that is too large',
    `GET /v1/live/${'1'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    refuses(431, 'headers_too_large'),
  ],
  ['CONNECT is not allowed', 'CONNECT example.org:443 HTTP/1.1\r\nHost: a\r\n\r\n', refusesMethod],
  [
    'HTTP/1.1 without a Host is a bad request',
    'GET /v1/live/110 HTTP/1.1\r\nConnection: close\r\n\r\n',
    ({ status }) => expect(status).toBe(400),
  ],
  [
    'an expectation there is not',
    'GET /v1/live/110 HTTP/1.1\r\nHost: a\r\nExpect: x\r\nConnection: close\r\n\r\n',
    ({ status }) => expect(status).toBe(417),
  ],
  ['HTTP/1.0 is answered', 'GET /v1/live/110 HTTP/1.0\r\n\r\n', holdsStation(110)],
  [
    'a lower-case escape of a target beyond ASCII',
    'GET /v1/live/%c3%a9 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    refuses(400, 'missing_argument'),
  ],
];

const HEAD_TARGETS = [
  '/v1/live/110',
  '/v1/live/all?callback=show',
  '/v1/live-with-meta/all',
  archive(SMALL),
  archive(`${SMALL}&format=csv`),
  archive(`${SMALL}&format=txt`),
  archive('start=last-month&stop=now'),
  '/v1/live/abc',
  `/v1/live/${UNKNOWN_STATION}`,
  archive('start=2022&stop=2023'),
  '/nothing',
] as const;

const SAME_IN_HEAD = [
  'content-type',
  'content-length',
  'access-control-allow-origin',
  'x-content-type-options',
] as const;

/** Checks the headers that every answer has, of any status. */
function checkEvery({ headers }: Reply): void {
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(headers['x-content-type-options']).toBe('nosniff');
}

/**
 * The interface as a table over HTTP. What `start` starts must serve the fixture network at the
 * fixture's moment, directly or through any number of servers.
 */
export function conformanceSuite(
  start: () => Promise<{ readonly baseUrl: string; close(): Promise<void> }>,
): void {
  let server: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server?.close());

  describe.each<{ section: string; rows: readonly Row[] }>([
    { section: 'Live', rows: LIVE_ROWS },
    { section: 'Archive', rows: ARCHIVE_ROWS },
    { section: 'periods', rows: PERIOD_ROWS },
    { section: 'dates', rows: DATE_ROWS },
    { section: 'JSONP', rows: JSONP_ROWS },
    { section: 'HTTP', rows: HTTP_ROWS },
  ])('$section', ({ rows }) => {
    it.each(rows.map(([sentence, ...row]) => ({ sentence, row })))(
      '$sentence',
      async ({ row: [target, check, options] }) => {
        const reply = await ask(server.baseUrl, target, options);
        checkEvery(reply);
        check(reply);
      },
    );
  });

  describe('bytes on the wire', () => {
    it.each(RAW_ROWS.map(([sentence, ...row]) => ({ sentence, row })))(
      '$sentence',
      async ({ row: [bytes, check] }) => {
        const reply = await askRaw(server.baseUrl, bytes);
        checkEvery(reply);
        check(reply);
      },
    );
  });

  it.each(HEAD_TARGETS)('HEAD has the headers of GET and no body: %s', async (target) => {
    const get = await ask(server.baseUrl, target);
    const head = await ask(server.baseUrl, target, { method: 'HEAD' });
    expect([head.status, head.body]).toEqual([get.status, '']);
    for (const name of SAME_IN_HEAD) {
      expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
      expect(head.headers[name]).toBeDefined();
    }
  });

  it('one connection carries one answer after another', async () => {
    const one = (target: string) => `GET ${target} HTTP/1.1\r\nHost: a\r\n`;
    const bytes = `${one('/v1/live/abc')}\r\n${one('/v1/live/110')}Connection: close\r\n\r\n`;
    const reply = await askRaw(server.baseUrl, bytes);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatch(/HTTP\/1\.1 200 OK\r\n/);
  });
}
