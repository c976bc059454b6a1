import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ARCHIVE_PROVENANCE,
  CADENCE_MS,
  LIVE_PROVENANCE,
  NOW,
  STATIONS,
  UNKNOWN_STATION,
} from '../support/fixture-service.ts';
import { type Reply, type RequestOptions, sendRawRequest, sendRequest } from '../support/http.ts';

type Check = (reply: Reply) => void;

/** A sentence of the interface, the request that puts it to the test, and what must come back. */
type Row = readonly [sentence: string, target: string, check: Check, sendRequest?: RequestOptions];

const JSON_TYPE = 'application/json; charset=utf-8';
const CSV_TYPE = 'text/csv; charset=utf-8';
const TXT_TYPE = 'text/plain; charset=utf-8';
const JSONP_TYPE = 'text/javascript; charset=utf-8';
const METHODS = 'GET, HEAD, OPTIONS';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const iso = (ms: number): string => new Date(ms).toISOString();

/** A response of 200 with a type and, where given, exactly these bytes. */
function responses(type: string, body?: string): Check {
  return (reply) => {
    expect([reply.status, reply.headers['content-type']]).toEqual([200, type]);
    expect(reply.headers['content-length']).toBe(String(Buffer.byteLength(reply.body)));
    if (body !== undefined) expect(reply.body).toBe(body);
  };
}

/** A JSON response of 200 that holds this. */
function holds(value: unknown): Check {
  return (reply) => {
    responses(JSON_TYPE)(reply);
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
    responses(JSON_TYPE)(reply);
    const times = JSON.parse(reply.body).data.map(([time]: [string]) => time);
    expect([times[0], times.at(-1)]).toEqual([iso(first), iso(end - CADENCE_MS)]);
    expect(times).toHaveLength((end - first) / CADENCE_MS);
    expect(times).toEqual(times.toSorted());
  };
}

const holdsNoRow: Check = (reply) => {
  responses(JSON_TYPE)(reply);
  expect(JSON.parse(reply.body).data).toEqual([]);
};

const findStation = (id: number) => STATIONS.find((station) => station.id === id);

/** A station as `/live` shows it: of its metadata, only the name. */
const withNameOnly = (station: (typeof STATIONS)[number] | undefined) =>
  station && { ...station, meta: { name: station.meta.name } };

const LIVE_ROWS: readonly Row[] = [
  [
    '/v1/live/110 responds with one station: data is one object with meta.name only',
    '/v1/live/110',
    holds({ ...LIVE_PROVENANCE, data: withNameOnly(findStation(110)) }),
  ],
  [
    '/v1/live/all responds with every station: data is an array of objects with meta.name only, ascending by id',
    '/v1/live/all',
    holds({ ...LIVE_PROVENANCE, data: STATIONS.map(withNameOnly) }),
  ],
  [
    '/v1/live-with-meta adds description, picture, date and rating to a station',
    '/v1/live-with-meta/110',
    holds({ ...LIVE_PROVENANCE, data: findStation(110) }),
  ],
  [
    '/v1/live-with-meta/all adds the metadata to every station, ascending by id',
    '/v1/live-with-meta/all',
    holds({ ...LIVE_PROVENANCE, data: STATIONS }),
  ],
  [
    '/v1/live writes its JSON as the real service does, to the byte',
    '/v1/live/19',
    responses(
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
    '/v1/live puts a station that was never located at 0, 0 with date null and success false',
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
    '/v1/live returns null for every measurement of a station that never measured',
    '/v1/live/41',
    holds({ ...LIVE_PROVENANCE, data: withNameOnly(findStation(41)) }),
  ],
  [
    '/v1/live shows a station that is on but has no wind values',
    '/v1/live/603',
    holds({ ...LIVE_PROVENANCE, data: withNameOnly(findStation(603)) }),
  ],
  [
    '/v1/live passes on fields that the interface does not define',
    '/v1/live/1333',
    holds({ ...LIVE_PROVENANCE, data: withNameOnly(findStation(1333)) }),
  ],
  [
    '/v1/live leaves a station name unchanged, with control characters escaped as in JSON',
    '/v1/live/7',
    (reply) => {
      expect(reply.body).toContain('"name":"\\u001b[2J<b>=1+1"');
      expect(JSON.parse(reply.body).data.meta.name).toBe('\u001b[2J<b>=1+1');
    },
  ],
  ['/v1/live accepts a percent-encoded station id', '/v1/live/%31%310', holdsStation(110)],
  ['/v1/live ignores unknown query arguments', '/v1/live/110?start=x&_=1&_=2', holdsStation(110)],
  [
    '/v1/live responds with 404 to a station that is not in the database',
    `/v1/live/${UNKNOWN_STATION}`,
    refuses(404, 'station_not_found'),
  ],
  [
    '/v1/live-with-meta responds with 404 to a station that is not in the database',
    `/v1/live-with-meta/${UNKNOWN_STATION}`,
    refuses(404, 'station_not_found'),
  ],
  [
    '/v1/live responds with 404, not 400, for a negative station id',
    '/v1/live/-1',
    refuses(404, 'station_not_found'),
  ],
  [
    '/v1/live responds with 404 to a station id beyond 2^53, and does not round the id',
    '/v1/live/99999999999999999999',
    refuses(404, 'station_not_found'),
  ],
  [
    '/v1/live responds with 404 to a station id of 10,000 digits',
    `/v1/live/${'9'.repeat(10_000)}`,
    refuses(404, 'station_not_found'),
  ],
  ...[
    [' responds with 400 to a word as station id', '/v1/live/abc'],
    ['-with-meta responds with 400 to a word as station id', '/v1/live-with-meta/abc'],
    [' responds with 400 to a fraction as station id', '/v1/live/1.5'],
    [' responds with 400 to a station id with an exponent, 1e2', '/v1/live/1e2'],
    [' responds with 400 to a hexadecimal station id', '/v1/live/0x6e'],
    [' responds with 400 to two station ids', '/v1/live/110,7'],
    [' responds with 400 to “ALL” in capitals as station id', '/v1/live/ALL'],
    [' responds with 400 to a space as station id', '/v1/live/%20'],
    [' responds with 400 to a line break after the station id', '/v1/live/110%0A'],
    [
      ' responds with 400 to two station ids with a percent-encoded slash between',
      '/v1/live/110%2F7',
    ],
    [' responds with 400 to a percent-encoded NUL after the station id', '/v1/live/110%00'],
    [
      ' responds with 400 to a station id in Arabic digits',
      `/v1/live/${encodeURIComponent('١١٠')}`,
    ],
    [
      ' responds with 400 to a station id with a percent escape that is not hexadecimal',
      '/v1/live/%zz',
    ],
    [' responds with 400 to a percent sign after the station id', '/v1/live/110%'],
    [' responds with 400 to a station id with a percent escape that is not UTF-8', '/v1/live/%ff'],
    [
      ' responds with 400 to a word of 10,000 letters as station id',
      `/v1/live/${'x'.repeat(10_000)}`,
    ],
    ['/ without a station id responds with 400', '/v1/live/'],
    [' without a station id responds with 400', '/v1/live'],
    ['-with-meta/ without a station id responds with 400', '/v1/live-with-meta/'],
    ['-with-meta without a station id responds with 400', '/v1/live-with-meta'],
    [' without a station id before the query responds with 400', '/v1/live?callback=show'],
    [' responds with 400 to a slash after the station id', '/v1/live/110/'],
  ].map(
    ([what, target]): Row => [
      `/v1/live${what}`,
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
  [
    '/v1/archive responds in json, to the byte, if no format is given',
    archive(SMALL),
    responses(JSON_TYPE, SMALL_JSON),
  ],
  [
    '/v1/archive responds in json for format=json',
    archive(`${SMALL}&format=json`),
    responses(JSON_TYPE, SMALL_JSON),
  ],
  [
    '/v1/archive in csv has license, attribution, header, units and rows, and quotes only the time of a row',
    archive(`${SMALL}&format=csv`),
    responses(
      CSV_TYPE,
      `${CSV_HEAD}"2024-01-15T10:00:00.000Z",44.589,-1.2136,0,2.25,5.5,180,null
"2024-01-15T10:05:00.000Z",44.589,-1.2136,1,3.25,6.5,202.5,null
`,
    ),
  ],
  [
    '/v1/archive in txt has license, attribution, header, units and rows, with tabs between fields',
    archive(`${SMALL}&format=txt`),
    responses(
      TXT_TYPE,
      `${TXT_HEAD}2024-01-15T10:00:00.000Z\t44.589\t-1.2136\t0\t2.25\t5.5\t180\tnull
2024-01-15T10:05:00.000Z\t44.589\t-1.2136\t1\t3.25\t6.5\t202.5\tnull
`,
    ),
  ],
  [
    '/v1/archive writes a missing value as null in json',
    archive(NULLS, 603),
    (reply) =>
      expect(JSON.parse(reply.body).data).toEqual([
        ['2024-01-15T10:00:00.000Z', null, null, null, null, null, null, null],
        ['2024-01-15T10:04:03.000Z', -16.85, 179.97, null, 3.5, null, 292.5, null],
      ]),
  ],
  [
    '/v1/archive writes a missing value as null without quotes in csv',
    archive(`${NULLS}&format=csv`, 603),
    responses(
      CSV_TYPE,
      `${CSV_HEAD}"2024-01-15T10:00:00.000Z",null,null,null,null,null,null,null
"2024-01-15T10:04:03.000Z",-16.85,179.97,null,3.5,null,292.5,null
`,
    ),
  ],
  [
    '/v1/archive writes a missing value as null in txt',
    archive(`${NULLS}&format=txt`, 603),
    responses(
      TXT_TYPE,
      `${TXT_HEAD}2024-01-15T10:00:00.000Z\tnull\tnull\tnull\tnull\tnull\tnull\tnull
2024-01-15T10:04:03.000Z\t-16.85\t179.97\tnull\t3.5\tnull\t292.5\tnull
`,
    ),
  ],
  [
    '/v1/archive without rows is legend, units and empty data in json',
    archive(EMPTY),
    holds({ ...ARCHIVE_PROVENANCE, ...legendAndUnits(), data: [] }),
  ],
  [
    '/v1/archive without rows is license, attribution, header and units in csv',
    archive(`${EMPTY}&format=csv`),
    responses(CSV_TYPE, CSV_HEAD),
  ],
  [
    '/v1/archive without rows is license, attribution, header and units in txt',
    archive(`${EMPTY}&format=txt`),
    responses(TXT_TYPE, TXT_HEAD),
  ],
  [
    '/v1/archive has no rows for a station that never measured',
    archive('start=last-day&stop=now', 41),
    holdsNoRow,
  ],
  [
    '/v1/archive has no rows for a period before the first measurement',
    archive('start=2001&stop=2001-01-02'),
    holdsNoRow,
  ],
  [
    '/v1/archive ignores unknown query arguments',
    archive(`${SMALL}&x=1&x=2&tz=utc`),
    responses(JSON_TYPE, SMALL_JSON),
  ],
  [
    '/v1/archive accepts its arguments in any order',
    archive('format=csv&stop=now&start=last-hour'),
    responses(CSV_TYPE),
  ],
  ...['xml', 'CSV', '', 'csv,txt', 'toString', 'json%00'].map(
    (format): Row => [
      `/v1/archive refuses the format “${format}”, which is not json, csv or txt`,
      archive(`${SMALL}&format=${format}`),
      refuses(400, 'invalid_argument'),
    ],
  ),
  [
    '/v1/archive refuses a format that is given twice',
    archive(`${SMALL}&format=csv&format=csv`),
    refuses(400, 'invalid_argument'),
  ],
  [
    '/v1/archive refuses a start that is given twice',
    archive(`${SMALL}&start=last-day`),
    refuses(400, 'invalid_argument'),
  ],
  [
    '/v1/archive refuses a request without a start',
    archive('stop=now'),
    refuses(400, 'missing_argument'),
  ],
  [
    '/v1/archive refuses a request without a stop',
    archive('start=last-day'),
    refuses(400, 'missing_argument'),
  ],
  [
    '/v1/archive treats an empty start as missing',
    archive('start=&stop=now'),
    refuses(400, 'missing_argument'),
  ],
  [
    '/v1/archive treats an empty stop as missing',
    archive('start=last-day&stop='),
    refuses(400, 'missing_argument'),
  ],
  [
    '/v1/archive does not read an argument named Start, with a capital, as start',
    archive('Start=last-day&stop=now'),
    refuses(400, 'missing_argument'),
  ],
  [
    '/v1/archive refuses a request without arguments',
    '/v1/archive/110',
    refuses(400, 'missing_argument'),
  ],
  [
    '/v1/archive refuses a request with nothing after the question mark',
    archive(''),
    refuses(400, 'missing_argument'),
  ],
  [
    '/v1/archive refuses a request without a station',
    '/v1/archive',
    refuses(400, 'missing_argument'),
  ],
  [
    '/v1/archive/ refuses a request without a station after the slash',
    archive(SMALL, ''),
    refuses(400, 'missing_argument'),
  ],
  [
    '/v1/archive refuses a slash after the station id',
    archive(SMALL, '110/'),
    refuses(400, 'missing_argument'),
  ],
  ...['all', 'abc', '1.5', '110,7', '%20', '%zz', '%ff', 'x'.repeat(10_000)].map(
    (station): Row => [
      `/v1/archive refuses a station that is not one integer: “${station.slice(0, 9)}”`,
      archive(SMALL, station),
      refuses(400, 'invalid_argument'),
    ],
  ),
  ...[UNKNOWN_STATION, '-1', '99999999999999999999', '9'.repeat(10_000)].map(
    (station): Row => [
      `/v1/archive responds with 404 to a station not in the database: ${String(station).slice(0, 21)}`,
      archive(SMALL, station),
      refuses(404, 'station_not_found'),
    ],
  ),
  [
    '/v1/archive in csv responds with an error in JSON for a station not in the database',
    archive(`${SMALL}&format=csv`, UNKNOWN_STATION),
    refuses(404, 'station_not_found'),
  ],
  [
    '/v1/archive responds with 404 to a station not in the database even if the period is empty',
    archive(EMPTY, UNKNOWN_STATION),
    refuses(404, 'station_not_found'),
  ],
];

function legendAndUnits() {
  const { legend, units } = JSON.parse(SMALL_JSON);
  return { legend, units };
}

const PERIOD_ROWS: readonly Row[] = [
  [
    '/v1/archive from last-hour to now covers 60 minutes',
    archive('start=last-hour&stop=now'),
    covers(NOW - HOUR_MS, NOW),
  ],
  [
    '/v1/archive from last-day to now covers 24 hours',
    archive('start=last-day&stop=now'),
    covers(NOW - DAY_MS, NOW),
  ],
  [
    '/v1/archive from last-week to now covers 7 days',
    archive('start=last-week&stop=now'),
    covers(NOW - 7 * DAY_MS, NOW),
  ],
  [
    '/v1/archive from last-month to now covers a calendar month, never more than 31 days',
    archive('start=last-month&stop=now'),
    covers(NOW - 31 * DAY_MS, NOW),
  ],
  [
    '/v1/archive accepts a relative start with a date for stop',
    archive('start=last-day&stop=2024-01-15'),
    covers(NOW - DAY_MS, Date.UTC(2024, 0, 15)),
  ],
  [
    '/v1/archive accepts a date for start with stop=now',
    archive('start=2024-01-15&stop=now'),
    covers(Date.UTC(2024, 0, 15), NOW),
  ],
  [
    '/v1/archive has the row exactly at start and leaves out the row exactly at stop',
    archive('start=2024-01-15T10:05&stop=2024-01-15T10:15'),
    covers(Date.UTC(2024, 0, 15, 10, 5), Date.UTC(2024, 0, 15, 10, 15)),
  ],
  [
    '/v1/archive leaves out a row one millisecond before start',
    archive('start=2024-01-15T10:05:00.001Z&stop=2024-01-15T10:15'),
    covers(Date.UTC(2024, 0, 15, 10, 10), Date.UTC(2024, 0, 15, 10, 15)),
  ],
  [
    '/v1/archive has a row one millisecond before stop',
    archive('start=2024-01-15T10:05&stop=2024-01-15T10:15:00.001Z'),
    covers(Date.UTC(2024, 0, 15, 10, 5), Date.UTC(2024, 0, 15, 10, 20)),
  ],
  [
    '/v1/archive accepts a stop in the future',
    archive('start=2024-01-15T11:30&stop=2024-02-01'),
    covers(Date.UTC(2024, 0, 15, 11, 30), NOW + CADENCE_MS),
  ],
  [
    '/v1/archive has no rows for a period in the future',
    archive('start=2030&stop=2030-01-02'),
    holdsNoRow,
  ],
  ['/v1/archive has no rows where stop equals start', archive(EMPTY), holdsNoRow],
  [
    '/v1/archive has no rows where start and stop are one moment in two zones',
    archive('start=2024-01-15T12:00-0100&stop=2024-01-15T13:00Z'),
    holdsNoRow,
  ],
  [
    '/v1/archive accepts a period of exactly 31 days',
    archive('start=2023-12-15T12:00Z&stop=2024-01-15T12:00Z'),
    covers(NOW - 31 * DAY_MS, NOW),
  ],
  [
    '/v1/archive responds with 413 for a period of 31 days and a millisecond',
    archive('start=2023-12-15T12:00Z&stop=2024-01-15T12:00:00.001Z'),
    refuses(413, 'request_too_large'),
  ],
  [
    '/v1/archive responds with 413 for a period of a year',
    archive('start=2022&stop=2023'),
    refuses(413, 'request_too_large'),
  ],
  [
    '/v1/archive responds with 413 for the period from year 0000 to 9999',
    archive('start=0000&stop=9999'),
    refuses(413, 'request_too_large'),
  ],
  [
    '/v1/archive in csv responds with an error in JSON for a period of more than 31 days',
    archive('start=2022&stop=2023&format=csv'),
    refuses(413, 'request_too_large'),
  ],
  [
    '/v1/archive refuses a stop before start',
    archive('start=2024-01-15&stop=2024-01-14'),
    refuses(400, 'invalid_argument'),
  ],
  [
    '/v1/archive refuses a stop one millisecond before start',
    archive('start=2024-01-15T00:00:00.001Z&stop=2024-01-15'),
    refuses(400, 'invalid_argument'),
  ],
  [
    '/v1/archive refuses a start in the future with stop=now',
    archive('start=2024-01-16&stop=now'),
    refuses(400, 'invalid_argument'),
  ],
];

const DATE_FORMS: readonly (readonly [form: string, text: string, utc: string])[] = [
  ['as yyyy', '2024', '2024-01-01T00:00:00.000Z'],
  ['as yyyy-MM', '2023-12', '2023-12-01T00:00:00.000Z'],
  ['as yyyy-MM-dd', '2024-01-10', '2024-01-10T00:00:00.000Z'],
  ['as yyyy-M', '2024-1', '2024-01-01T00:00:00.000Z'],
  ['as yyyy-M-d', '2024-1-9', '2024-01-09T00:00:00.000Z'],
  ['as yyyy-M-ddTHH:mm', '2024-1-10T07:35', '2024-01-10T07:35:00.000Z'],
  ['as yyyy-MM-ddTHH', '2024-01-10T07', '2024-01-10T07:00:00.000Z'],
  ['as yyyy-MM-ddTHH:mm', '2024-01-10T07:35', '2024-01-10T07:35:00.000Z'],
  ['as yyyy-MM-ddTHH:mmZ', '2024-01-10T07:35Z', '2024-01-10T07:35:00.000Z'],
  ['as yyyy-MM-ddTHH:mm+hhmm', '2024-01-10T07:35%2B0200', '2024-01-10T05:35:00.000Z'],
  [
    'as yyyy-MM-ddTHH:mm+hhmm, with a + that is not percent-encoded',
    '2024-01-10T07:35+0200',
    '2024-01-10T05:35:00.000Z',
  ],
  ['as yyyy-MM-ddTHH:mm-hhmm', '2024-01-10T07:35-0330', '2024-01-10T11:05:00.000Z'],
  ['as yyyy-MM-ddTHH:mm+hh:mm', '2024-01-10T07:35%2B05:30', '2024-01-10T02:05:00.000Z'],
  [
    'as yyyy-MM-ddTHH:mm+hh:mm, with a + that is not percent-encoded',
    '2024-01-10T07:35+05:30',
    '2024-01-10T02:05:00.000Z',
  ],
  ['as yyyy-MM-ddTHH:mm-hh:mm', '2024-01-10T07:35-11:00', '2024-01-10T18:35:00.000Z'],
  [
    'as a local time that lies in the year before by UTC',
    '2024-01-01T00:30%2B0100',
    '2023-12-31T23:30:00.000Z',
  ],
  ['as yyyy-MM-ddTHH:mm:ss', '2024-01-10T07:35:00', '2024-01-10T07:35:00.000Z'],
  ['as yyyy-MM-ddTHH:mm:ss and Z', '2024-01-10T07:35:00Z', '2024-01-10T07:35:00.000Z'],
  ['as yyyy-MM-ddTHH:mm:ss and +hhmm', '2024-01-10T07:35:00%2B0200', '2024-01-10T05:35:00.000Z'],
  ['by date("c") in PHP', '2024-01-10T07:35:00%2B00:00', '2024-01-10T07:35:00.000Z'],
  ['by isoformat() in Python', '2024-01-10T07:35:00.000000+02:00', '2024-01-10T05:35:00.000Z'],
  ['as date, time, milliseconds and Z', '2024-01-10T07:35:00.000Z', '2024-01-10T07:35:00.000Z'],
  [
    'as date, time and milliseconds without Z',
    '2024-01-10T07:35:00.000',
    '2024-01-10T07:35:00.000Z',
  ],
  [
    'as date and time with percent-encoded colons',
    '2024-01-10T07%3A35%3A00Z',
    '2024-01-10T07:35:00.000Z',
  ],
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
        `/v1/archive accepts a start written ${form}`,
        archive(`start=${text}&stop=${iso(ms + HOUR_MS)}`),
        covers(ms, ms + HOUR_MS),
      ],
      [
        `/v1/archive accepts a stop written ${form}`,
        archive(`start=${iso(ms - HOUR_MS)}&stop=${text}`),
        covers(ms - HOUR_MS, ms),
      ],
    ];
  }),
  [
    '/v1/archive reads the seconds and milliseconds of a date, and 0 where they are missing',
    archive('start=2024-01-10T07:35:00.001&stop=2024-01-10T08:00:01'),
    covers(Date.UTC(2024, 0, 10, 7, 40), Date.UTC(2024, 0, 10, 8, 5)),
  ],
  ...['last-hour', 'last-day', 'last-week', 'last-month'].map(
    (word): Row => [
      `/v1/archive refuses ${word} as stop`,
      archive(`start=2024-01-01&stop=${word}`),
      refuses(400, 'invalid_argument'),
    ],
  ),
  [
    '/v1/archive refuses now as start',
    archive('start=now&stop=now'),
    refuses(400, 'invalid_argument'),
  ],
  ...BAD_DATES.flatMap((text): Row[] => [
    [
      `/v1/archive refuses a start that is no date: ${text.slice(0, 30)}`,
      archive(`start=${text}&stop=now`),
      refuses(400, 'invalid_argument'),
    ],
    [
      `/v1/archive refuses a stop that is no date: ${text.slice(0, 30)}`,
      archive(`start=2024&stop=${text}`),
      refuses(400, 'invalid_argument'),
    ],
  ]),
];

/** JSONP around the JSON that the same request without callback gives. */
function calls(name: string, json?: string): Check {
  return (reply) => {
    responses(JSONP_TYPE)(reply);
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
    '/v1/live with a callback is JavaScript, to the byte: it calls the function with the JSON if the function exists',
    '/v1/live/19?callback=show',
    responses(
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
  [
    '/v1/live/all with a callback wraps its JSON in a call',
    '/v1/live/all?callback=show',
    calls('show'),
  ],
  [
    '/v1/live-with-meta with a callback wraps its JSON in a call',
    '/v1/live-with-meta/110?callback=show',
    calls('show', JSON.stringify({ ...LIVE_PROVENANCE, data: findStation(110) })),
  ],
  [
    '/v1/archive with a callback wraps its JSON in a call',
    archive(`${SMALL}&callback=show`),
    calls('show', SMALL_JSON),
  ],
  [
    '/v1/archive with format=json and a callback wraps its JSON in a call',
    archive(`${SMALL}&format=json&callback=show`),
    calls('show', SMALL_JSON),
  ],
  [
    '/v1/archive in csv ignores a callback',
    archive(`${EMPTY}&format=csv&callback=show`),
    responses(CSV_TYPE, CSV_HEAD),
  ],
  [
    '/v1/archive in txt ignores a callback, even one that is no name of a function',
    archive(`${EMPTY}&format=txt&callback=)`),
    responses(TXT_TYPE, TXT_HEAD),
  ],
  ...['$', '_', 'jQuery1_23', 'a.b.c', 'a[0].b[12]', `f${'x'.repeat(127)}`].map(
    (name): Row => [
      `/v1/live accepts the callback ${name.slice(0, 12)}, which is a dotted identifier`,
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
      `/v1/live refuses the callback ${JSON.stringify(name.slice(0, 15))}, which is no dotted identifier`,
      `/v1/live/110?callback=${encodeURIComponent(name)}`,
      refuses(400, 'invalid_argument'),
    ],
  ),
  [
    '/v1/archive refuses a callback that is no dotted identifier',
    archive(`${SMALL}&callback=a()`),
    refuses(400, 'invalid_argument'),
  ],
  [
    '/v1/live refuses a callback that is given twice',
    '/v1/live/110?callback=a&callback=b',
    refuses(400, 'invalid_argument'),
  ],
  [
    'an error of /v1/live keeps its status and is not wrapped in the callback',
    `/v1/live/${UNKNOWN_STATION}?callback=show`,
    refuses(404, 'station_not_found'),
  ],
  [
    'an error of /v1/archive keeps its status and is not wrapped in the callback',
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
    (target): Row => [
      `a target without an endpoint gets 404: ${target.slice(0, 40)}`,
      target,
      refuses(404, 'not_found'),
    ],
  ),
  [
    'a request target in absolute form, http://host/path, is served like its path',
    'http://example.org/v1/live/110',
    holdsStation(110),
  ],
  [
    'a request target in absolute form may have a port',
    'http://example.org:80/v1/live/110',
    holdsStation(110),
  ],
  [
    'a request target in absolute form may have scheme and host in capitals',
    'HTTP://EXAMPLE.ORG/v1/live/110',
    holdsStation(110),
  ],
  [
    'a request target in absolute form keeps its query',
    `http://example.org${archive(SMALL)}`,
    responses(JSON_TYPE, SMALL_JSON),
  ],
  [
    'a request target in absolute form for an unknown station gets 404',
    `http://example.org/v1/live/${UNKNOWN_STATION}`,
    refuses(404, 'station_not_found'),
  ],
  [
    'the response is JSON even if the Accept header prefers HTML',
    '/v1/live/110',
    holdsStation(110),
    { headers: { accept: 'text/html' } },
  ],
  [
    'a request with Origin: null is served like any other',
    '/v1/live/110',
    holdsStation(110),
    { headers: { origin: 'null' } },
  ],
  [
    'a request with Accept-Version is served like any other',
    '/v1/live/110',
    holdsStation(110),
    { headers: { 'accept-version': '9' } },
  ],
  [
    'the body of a GET request is ignored',
    '/v1/live/110',
    holdsStation(110),
    { body: '{', headers: { 'content-type': 'application/json', 'content-length': '1' } },
  ],
  [
    'OPTIONS for /v1/live gets the CORS headers',
    '/v1/live/110',
    isPreflight,
    { method: 'OPTIONS' },
  ],
  [
    'OPTIONS for /v1/archive gets the CORS headers',
    archive(SMALL),
    isPreflight,
    { method: 'OPTIONS' },
  ],
  [
    'OPTIONS for a path without an endpoint gets the CORS headers',
    '/nothing',
    isPreflight,
    { method: 'OPTIONS' },
  ],
  ['OPTIONS * gets the CORS headers', '*', isPreflight, { method: 'OPTIONS' }],
  [
    'a CORS preflight request gets the CORS headers',
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
    (method): Row => [
      `${method} gets 405 and the methods allowed`,
      '/v1/live/110',
      refusesMethod,
      { method },
    ],
  ),
  [
    'POST with a body gets 405 and the methods allowed',
    archive(SMALL),
    refusesMethod,
    { method: 'POST', body: '<x/>', headers: { 'content-type': 'no/type', 'content-length': '4' } },
  ],
  [
    'POST to a path without an endpoint gets 405 and the methods allowed',
    '/nothing',
    refusesMethod,
    { method: 'POST' },
  ],
];

/** Requests that only bytes can express. */
const RAW_ROWS: readonly (readonly [sentence: string, bytes: string, check: Check])[] = [
  ['a request that is not HTTP gets 400', 'hello?\r\n\r\n', refuses(400, 'bad_request')],
  [
    'a request target with a space gets 400',
    'GET /v1/live/1 1 HTTP/1.1\r\nHost: a\r\n\r\n',
    refuses(400, 'bad_request'),
  ],
  [
    'a request of HTTP/9.9 gets 400',
    'GET / HTTP/9.9\r\nHost: a\r\n\r\n',
    refuses(400, 'bad_request'),
  ],
  [
    'a header line without a name gets 400',
    'GET / HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n',
    refuses(400, 'bad_request'),
  ],
  [
    'a Content-Length that is no number gets 400',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n',
    refuses(400, 'bad_request'),
  ],
  [
    'a header of 20,000 characters gets 431',
    `GET /v1/live/110 HTTP/1.1\r\nHost: a\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`,
    refuses(431, 'headers_too_large'),
  ],
  [
    'a request target of 20,000 characters gets 431',
    `GET /v1/live/${'1'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    refuses(431, 'headers_too_large'),
  ],
  [
    'CONNECT gets 405 and the methods allowed',
    'CONNECT example.org:443 HTTP/1.1\r\nHost: a\r\n\r\n',
    refusesMethod,
  ],
  [
    'a request of HTTP/1.1 without Host gets 400',
    'GET /v1/live/110 HTTP/1.1\r\nConnection: close\r\n\r\n',
    ({ status }) => expect(status).toBe(400),
  ],
  [
    'a request with two Host headers gets 400',
    'GET /v1/live/110 HTTP/1.1\r\nHost: a\r\nhost: a\r\nConnection: close\r\n\r\n',
    ({ status }) => expect(status).toBe(400),
  ],
  [
    'a request with an unknown Expect header gets 417',
    'GET /v1/live/110 HTTP/1.1\r\nHost: a\r\nExpect: x\r\nConnection: close\r\n\r\n',
    ({ status }) => expect(status).toBe(417),
  ],
  [
    'a request of HTTP/1.0 without Host is served',
    'GET /v1/live/110 HTTP/1.0\r\n\r\n',
    holdsStation(110),
  ],
  [
    'a station id with lower-case percent-escapes of é gets 400',
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

/** Checks the headers that every response has, of any status. */
function checkEvery({ headers }: Reply): void {
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(headers['x-content-type-options']).toBe('nosniff');
}

/** The first request of each shape: of the same endpoint, arguments, format and method. */
function oneOfEachShape(rows: readonly Row[]): readonly Row[] {
  const shapes = new Map<string, Row>();
  for (const row of rows) {
    const [, target, , options] = row;
    const { pathname, searchParams } = new URL(target, 'http://server.test');
    const endpoint = pathname.replace(/[^/]+$/, '');
    const names = [...searchParams.keys()].sort();
    const shape = [endpoint, ...names, searchParams.get('format'), options?.method].join(' ');
    if (!shapes.has(shape)) shapes.set(shape, row);
  }
  return [...shapes.values()];
}

/**
 * The interface as a table over HTTP. What `start` starts must serve the fixture network at the
 * fixture's moment, directly or through any number of servers.
 * @param isSample whether one request of each shape is enough, as for the cache server, which
 *   reads requests and writes responses by the code of every server
 */
export function conformanceSuite(
  start: () => Promise<{ readonly baseUrl: string; close(): Promise<void> }>,
  { isSample = false } = {},
): void {
  let server: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server?.close());

  describe.each<[section: string, rows: readonly Row[]]>([
    ['(live data):', LIVE_ROWS],
    ['(archives):', ARCHIVE_ROWS],
    ['(periods):', PERIOD_ROWS],
    ['(dates):', DATE_ROWS],
    ['(JSONP):', JSONP_ROWS],
    ['(HTTP):', HTTP_ROWS],
  ])('%s', (_section, rows) => {
    // Unlike $sentence, %s writes a sentence without quotes and in full.
    const chosen = isSample ? oneOfEachShape(rows) : rows;
    it.each(chosen.map(([sentence, ...row]) => [sentence, row] as const))(
      '%s',
      async (_sentence, [target, check, options]) => {
        const reply = await sendRequest(server.baseUrl, target, options);
        checkEvery(reply);
        check(reply);
      },
    );
  });

  it.each(RAW_ROWS)('%s', async (_sentence, bytes, check) => {
    const reply = await sendRawRequest(server.baseUrl, bytes);
    checkEvery(reply);
    check(reply);
  });

  it.each(HEAD_TARGETS)('HEAD %s has the headers of GET and no body', async (target) => {
    const get = await sendRequest(server.baseUrl, target);
    const head = await sendRequest(server.baseUrl, target, { method: 'HEAD' });
    expect([head.status, head.body]).toEqual([get.status, '']);
    for (const name of SAME_IN_HEAD) {
      expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
      expect(head.headers[name]).toBeDefined();
    }
  });

  it('one connection carries two requests, and an error does not close it', async () => {
    const one = (target: string) => `GET ${target} HTTP/1.1\r\nHost: a\r\n`;
    const bytes = `${one('/v1/live/abc')}\r\n${one('/v1/live/110')}Connection: close\r\n\r\n`;
    const reply = await sendRawRequest(server.baseUrl, bytes);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatch(/HTTP\/1\.1 200 OK\r\n/);
  });
}
