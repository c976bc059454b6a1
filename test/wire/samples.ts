import type { Archive, LiveStation, LiveStations } from '../../src/domain/envelope.ts';
import type { Station } from '../../src/domain/station.ts';
import type { TextArchive } from '../../src/wire/csvAndTxt.ts';
import type { Plain } from '../support/archives.ts';

// Small responses in the shapes that services really send.

const TERMS = {
  license: 'https://example.org/data-licensing',
  attribution: '(c) contributors of the example wind network <https://example.org>',
} as const;

const LEGEND = [
  'time',
  'latitude',
  'longitude',
  'wind_speed_min',
  'wind_speed_avg',
  'wind_speed_max',
  'wind_heading',
  'pressure',
] as const;

const UNITS = [
  'utc',
  'degrees',
  'degrees',
  'km/h',
  'km/h',
  'km/h',
  'degrees',
  '(deprecated)',
] as const;

/** Located, with the undocumented `hdop`, and a radio link of −1 dB. */
export const ONE_STATION: LiveStation = {
  doc: 'http://example.org/api/live/',
  ...TERMS,
  data: {
    id: 1333,
    meta: { name: 'Wetterstation Beispiel' },
    location: {
      latitude: 48.764463,
      longitude: 8.280487,
      date: '2023-12-22T10:31:55.000Z',
      success: true,
      hdop: 1,
    },
    measurements: {
      date: '2023-12-23T12:41:07.000Z',
      pressure: null,
      wind_heading: 225,
      wind_speed_avg: 72.5,
      wind_speed_max: 99,
      wind_speed_min: 47,
    },
    status: { date: '2023-12-23T12:41:07.000Z', snr: -1, state: 'on' },
  } as Station,
};

export const NEVER_LOCATED: LiveStation = {
  doc: 'http://example.org/api/live/',
  ...TERMS,
  data: {
    id: 19,
    meta: { name: 'Example 19' },
    location: { latitude: 0, longitude: 0, date: null, success: false },
    measurements: {
      date: '2018-05-24T09:23:32.000Z',
      pressure: null,
      wind_heading: 315,
      wind_speed_avg: 0,
      wind_speed_max: 0,
      wind_speed_min: 0,
    },
    status: { date: '2018-05-24T09:23:32.000Z', snr: 21.96, state: 'on' },
  },
};

/** Everything that may be null, is; the average has neither minimum nor maximum. */
export const ALL_WITH_META: LiveStations = {
  doc: 'https://example.org/api/live/',
  ...TERMS,
  data: [
    {
      id: 41,
      meta: {
        name: ' Sauveterre ',
        description: 'Site de gonflage\r\n',
        picture: null,
        date: '2021-01-27T10:02:34.143Z',
        rating: { upvotes: 0, downvotes: 0 },
      },
      location: { latitude: null, longitude: null, date: null, success: false },
      measurements: {
        date: '2026-07-29T12:16:59.000Z',
        pressure: null,
        wind_heading: null,
        wind_speed_avg: 8.25,
        wind_speed_max: null,
        wind_speed_min: null,
      },
      status: { date: null, snr: null, state: null },
    },
    {
      id: 110,
      meta: {
        name: 'Dune',
        description: null,
        picture: 'https://example.org/110.jpg',
        date: null,
        rating: { upvotes: 12, downvotes: 1 },
      },
      location: {
        latitude: 44.589,
        longitude: -1.2136,
        date: '2026-07-29T10:30:25.000Z',
        success: true,
      },
      measurements: {
        date: null,
        pressure: null,
        wind_heading: null,
        wind_speed_avg: null,
        wind_speed_max: null,
        wind_speed_min: null,
      },
      status: { date: '2026-07-29T12:16:59.000Z', snr: 0, state: 'off' },
    },
  ],
};

export const ARCHIVE: Plain<Archive> = {
  doc: 'https://example.org/api/archive/',
  ...TERMS,
  legend: LEGEND,
  units: UNITS,
  data: [
    ['2026-10-09T04:46:54.000Z', 45.960298, 6.241037, 0, 3.25, 8, 270, null],
    ['2026-10-09T04:51:54.000Z', null, null, 1, 3.5, 9.75, 292.5, null],
    ['2026-10-09T04:56:56.000Z', null, null, null, 2, null, null, null],
  ],
};

export const CSV_ARCHIVE = `"License","https://example.org/data-licensing"
"Attribution","(c) contributors of the example wind network <https://example.org>"
"time","latitude","longitude","wind_speed_min","wind_speed_avg","wind_speed_max","wind_heading","pressure"
"utc","degrees","degrees","km/h","km/h","km/h","degrees","(deprecated)"
"2026-10-09T04:46:54.000Z",45.960298,6.241037,0,3.25,8,270,null
"2026-10-09T04:51:54.000Z",null,null,1,3.5,9.75,292.5,null
"2026-10-09T04:56:56.000Z",null,null,null,2,null,null,null
`;

export const TXT_ARCHIVE = `License: https://example.org/data-licensing
Attribution: (c) contributors of the example wind network <https://example.org>
time\tlatitude\tlongitude\twind_speed_min\twind_speed_avg\twind_speed_max\twind_heading\tpressure
utc\tdegrees\tdegrees\tkm/h\tkm/h\tkm/h\tdegrees\t(deprecated)
2026-10-09T04:46:54.000Z\t45.960298\t6.241037\t0\t3.25\t8\t270\tnull
2026-10-09T04:51:54.000Z\tnull\tnull\t1\t3.5\t9.75\t292.5\tnull
2026-10-09T04:56:56.000Z\tnull\tnull\tnull\t2\tnull\tnull\tnull
`;

/** {@link ARCHIVE} as the text forms carry it. */
export const TEXT_ARCHIVE: Plain<TextArchive> = {
  ...TERMS,
  legend: LEGEND,
  units: UNITS,
  data: ARCHIVE.data,
};

/** Only the four head lines. */
export const headOf = (text: string): string => text.split('\n').slice(0, 4).join('\n');
