import { DAY_MS, formatDate } from '../../domain/dates.ts';
import type { Provenance } from '../../domain/envelope.ts';
import { ArchiveLines } from '../../domain/readings/lines.ts';
import type { Location, Station, StationMeta, Status } from '../../domain/station.ts';
import { NotFoundError } from '../../errors.ts';
import { ARCHIVE_LEGEND, ARCHIVE_UNITS } from '../../wire/archive.ts';
import type { StationService } from '../service.ts';
import { SIMULATED_STATIONS } from './network.ts';
import { randomFraction } from './noise.ts';

import {
  positionAt,
  type SimulatedStation,
  simulateLastReading,
  simulateReadings,
} from './readings.ts';

/** License and attribution for responses. */
function provenance(page: 'live' | 'archive'): Provenance {
  return {
    doc: `https://wind.example/api/${page}/`,
    license: 'https://creativecommons.org/publicdomain/zero/1.0/',
    attribution: 'Simulated by vane: none of it is real',
  };
}

/**
 * A simulated network of about 600 stations that needs neither a network nor storage. Readings are
 * computed from station and time, so the same request always returns the same rows. `ODD_STATIONS`
 * and `EXAMPLE_STATIONS` list stations of interest.
 * @param now the clock of the network, milliseconds since 1970; read once per call
 */
export function simulatedService(now: () => number): StationService {
  return {
    async live(id, { withMeta }) {
      return { ...provenance('live'), data: liveStation(findStation(id), now(), withMeta) };
    },
    async liveAll({ withMeta }) {
      const time = now();
      const data = Array.from(SIMULATED_STATIONS.values(), (station) =>
        liveStation(station, time, withMeta),
      );
      return { ...provenance('live'), data };
    },
    async archive(id, period) {
      const rows = ArchiveLines.ofRows(simulateReadings(findStation(id), period, now()));
      return { ...provenance('archive'), legend: ARCHIVE_LEGEND, units: ARCHIVE_UNITS, rows };
    },
  };
}

function findStation(id: number): SimulatedStation {
  const station = SIMULATED_STATIONS.get(id);
  if (station === undefined) {
    throw new NotFoundError(`Station ${id} is not in the simulated network.`);
  }
  return station;
}

/** Describes a station as in a live response, with the fields in the order of real responses. */
function liveStation(station: SimulatedStation, now: number, withMeta: boolean): Station {
  const reading = simulateLastReading(station, now);
  const date = reading?.[0] ?? null;
  return {
    id: station.id,
    meta: withMeta ? fullMeta(station, now) : { name: station.name },
    location: locate(station, date),
    measurements: {
      date,
      pressure: null,
      wind_heading: reading?.[6] ?? null,
      wind_speed_avg: reading?.[4] ?? null,
      wind_speed_max: reading?.[5] ?? null,
      wind_speed_min: reading?.[3] ?? null,
    },
    status: contact(station, date, now),
  };
}

function fullMeta(station: SimulatedStation, now: number): StationMeta {
  const { name, description, picture, describedMs, upvotes, downvotes } = station;
  const date = describedMs <= now ? formatDate(describedMs) : null;
  return { name, description, picture, date, rating: { upvotes, downvotes } };
}

/** The last location that a station reported: once a day, and after it was installed or moved. */
function locate(station: SimulatedStation, contactDate: string | null): Location {
  const contactMs = contactDate === null ? Number.NaN : Date.parse(contactDate);
  const position = contactDate === null ? null : positionAt(station, contactMs);
  if (position === null) return { latitude: 0, longitude: 0, date: null, success: false };
  const lastDailyMs = contactMs - ((contactMs - station.installedMs) % DAY_MS);
  const movedMs = station.former?.untilMs ?? 0;
  return {
    ...position,
    date: formatDate(movedMs <= contactMs ? Math.max(lastDailyMs, movedMs) : lastDailyMs),
    success: station.isPositionValid,
    ...(station.hdop === undefined ? {} : { hdop: station.hdop }),
  };
}

function contact(station: SimulatedStation, date: string | null, now: number): Status {
  if (date === null) return { date, snr: null, state: null };
  const { id, snrDb, retiredMs, retiredState, contactLagS } = station;
  const contactMs = Date.parse(date) + contactLagS * 1000;
  const snr =
    typeof snrDb === 'number'
      ? snrDb
      : Math.round(
          (snrDb.around + 4 * randomFraction(id, 'radio', Date.parse(date) / 1000)) * 100,
        ) / 100;
  return {
    date: contactMs <= now ? formatDate(contactMs) : date,
    snr,
    state: now < retiredMs ? 'on' : retiredState,
  };
}
