import type { Provenance } from '../../src/domain/envelope.ts';
import { SERVICE_COLUMNS } from '../../src/domain/readings/archiveColumns.ts';
import { ArchiveLines } from '../../src/domain/readings/lines.ts';
import type { Station } from '../../src/domain/station.ts';
import { NotFoundError } from '../../src/errors.ts';
import type { StationService } from '../../src/service/service.ts';
import type { ArchiveRow } from '../../src/wire/archive.ts';

/** The time at which the clock of these tests stands. The month before it has 31 days. */
export const NOW = Date.UTC(2024, 0, 15, 12);

/** Time of the first row of station 110, which has rows from then until `NOW`. */
export const FIRST_ROW = Date.UTC(2023, 10, 15);
export const CADENCE_MS = 300_000;

/** An id that no station has. */
export const UNKNOWN_STATION = 404404;

export const LICENSE = {
  license: 'https://example.org/data-licensing',
  attribution: '(c) contributors of the "Fixture" wind network <https://example.org>',
} as const;
export const LIVE_PROVENANCE: Provenance = { doc: 'https://example.org/api/live/', ...LICENSE };
export const ARCHIVE_PROVENANCE: Provenance = {
  doc: 'https://example.org/api/archive/',
  ...LICENSE,
};

const iso = (ms: number): string => new Date(ms).toISOString();

const RATING = { upvotes: 0, downvotes: 0 };

/** The stations of the fixture with complete metadata, ascending by id. */
export const STATIONS: readonly Station[] = [
  {
    // A name that would clear a terminal, open a tag in a page or start a formula in a spreadsheet.
    id: 7,
    meta: {
      name: '\u001b[2J<b>=1+1',
      description: '',
      picture: null,
      date: null,
      rating: { upvotes: 3, downvotes: 14 },
    },
    location: { latitude: 43.456775, longitude: 0.846423, date: iso(NOW - 60_000), success: true },
    measurements: {
      date: iso(NOW - 60_000),
      pressure: null,
      wind_heading: 0,
      wind_speed_avg: 20.1,
      wind_speed_max: 31.3,
      wind_speed_min: 0,
    },
    status: { date: iso(NOW - 60_000), snr: 0, state: 'off' },
  },
  {
    // A station without a position.
    id: 19,
    meta: { name: 'Fixture 19', description: null, picture: null, date: null, rating: RATING },
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
  {
    // A station without any contact.
    id: 41,
    meta: { name: ' Two  spaces ', description: null, picture: null, date: null, rating: RATING },
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
  },
  {
    id: 110,
    meta: {
      name: 'Dune du Pilat',
      description: 'Décollage nord\r\n“face à la mer”',
      picture: 'https://example.org/110.jpg',
      date: '2021-01-27T10:02:34.143Z',
      rating: { upvotes: 12, downvotes: 1 },
    },
    location: {
      latitude: 44.589,
      longitude: -1.2136,
      date: '2024-01-15T10:30:25.000Z',
      success: true,
    },
    measurements: {
      date: iso(NOW),
      pressure: null,
      wind_heading: 292.5,
      wind_speed_avg: 18.52,
      wind_speed_max: 27.75,
      wind_speed_min: 9.25,
    },
    status: { date: iso(NOW), snr: 22.5, state: 'on' },
  },
  {
    // A station near the antimeridian that is switched on but has no wind values.
    id: 603,
    meta: { name: 'Taveuni', description: null, picture: null, date: null, rating: RATING },
    location: { latitude: -16.85, longitude: 179.97, date: iso(NOW - 3_600_000), success: false },
    measurements: {
      date: iso(NOW - 240_000),
      pressure: null,
      wind_heading: null,
      wind_speed_avg: null,
      wind_speed_max: null,
      wind_speed_min: null,
    },
    status: { date: iso(NOW - 240_000), snr: -1, state: 'on' },
  },
  {
    // A station with additional fields in each of its objects.
    id: 1333,
    meta: {
      name: 'Wetterstation “Schwarzwald”',
      description: null,
      picture: null,
      date: null,
      rating: RATING,
    },
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
      gusts: [99, { at: '2023-12-23T12:39:00.000Z' }],
    },
    status: { date: '2023-12-23T12:41:07.000Z', snr: -1, state: 'on', battery: null },
    owner: { name: 'unknown' },
  } as Station,
];

function readingAt(ms: number): ArchiveRow {
  const step = Math.round((ms - FIRST_ROW) / CADENCE_MS);
  const min = step % 8;
  return [iso(ms), 44.589, -1.2136, min, min + 2.25, min + 5.5, (step % 16) * 22.5, null];
}

const CADENT_ROWS = Array.from({ length: (NOW - FIRST_ROW) / CADENCE_MS + 1 }, (_, step) =>
  readingAt(FIRST_ROW + step * CADENCE_MS),
);

/**
 * The archives of the stations that have one, as rows. Some rows of station 603 lack position or
 * wind.
 */
const ROWS: Readonly<Record<number, readonly ArchiveRow[]>> = {
  110: CADENT_ROWS,
  603: [
    ['2024-01-15T10:00:00.000Z', null, null, null, null, null, null, null],
    ['2024-01-15T10:04:03.000Z', -16.85, 179.97, null, 3.5, null, 292.5, null],
  ],
};

function findStation(id: number): Station {
  const station = STATIONS.find((candidate) => candidate.id === id);
  if (station === undefined) throw new NotFoundError(`Station ${id} is unknown.`);
  return station;
}

/** A station as `/live` sends it: of its metadata only the name, unless `withMeta` is set. */
const viewStation = (station: Station, withMeta: boolean): Station =>
  withMeta ? station : { ...station, meta: { name: station.meta.name } };

/**
 * The network of the fixture's stations with other readings.
 * @param all the readings of each station by its id
 */
export function networkWith(all: Readonly<Record<number, readonly ArchiveRow[]>>): StationService {
  /** Lines by station and period: most tests request the same few periods. */
  const known = new Map<string, ArchiveLines>();
  const rowsOf = (station: number, first: string, end: string): ArchiveLines => {
    const key = `${station} ${first} ${end}`;
    const readings = all[station] ?? [];
    const rows =
      known.get(key) ??
      ArchiveLines.ofRows(readings.filter(([time]) => time >= first && time < end));
    known.set(key, rows);
    return rows;
  };
  return {
    async live(station, { withMeta }) {
      return { ...LIVE_PROVENANCE, data: viewStation(findStation(station), withMeta) };
    },
    async liveAll({ withMeta }) {
      return {
        ...LIVE_PROVENANCE,
        data: STATIONS.map((station) => viewStation(station, withMeta)),
      };
    },
    async archive(station, { start, stop }) {
      return {
        ...ARCHIVE_PROVENANCE,
        legend: SERVICE_COLUMNS.map(({ name }) => name),
        units: SERVICE_COLUMNS.map(({ unit }) => unit),
        rows: rowsOf(findStation(station).id, iso(start), iso(stop)),
      };
    },
  };
}

/** A small, constant network in memory. */
export const fixtureService = networkWith(ROWS);

/** The network of {@link fixtureService} without the readings of some times. */
export const thinOut = (isKept: (time: string) => boolean): StationService =>
  networkWith(
    Object.fromEntries(
      Object.entries(ROWS).map(([id, rows]) => [id, rows.filter(([time]) => isKept(time))]),
    ),
  );
