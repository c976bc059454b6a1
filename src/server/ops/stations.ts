import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { LiveStations } from '../../domain/envelope.ts';
import { selectStations } from '../../domain/selection.ts';
import {
  measurementAgeMs,
  OLD_MEASUREMENT_MS,
  STATES,
  type Station,
  stateOf,
} from '../../domain/station.ts';
import { printable } from '../../domain/text.ts';
import { convertSpeed } from '../../domain/units.ts';
import { NotFoundError } from '../../errors.ts';
import type { Source } from '../../service/memory/source.ts';
import { type Query, readStationsQuery, type StationsQuery } from '../../wire/requests.ts';
import { respond, type Tools } from '../api/respond.ts';
import type { Plan, Written } from '../cache/answers.ts';

/**
 * Adds /metrics/stations: measurements for Prometheus, which everybody may read like the interface.
 */
export function addStationMetrics(app: FastifyInstance, source: Source, tools: Tools): void {
  app.get('/metrics/stations', (request, reply) => {
    const wanted = readStationsQuery(request.query as Query);
    const plan: Plan = {
      // Keep the key short by a hash: the limit on the memory of cached answers does not count
      // keys.
      key: createHash('sha256').update(JSON.stringify(wanted)).digest('base64'),
      async load(signal) {
        const cached = await source.live('all', false, signal);
        const now = tools.now();
        const data = select(cached.data as LiveStations, wanted, now);
        const written = await writeMetrics(data, now);
        // Give `data` as a new object, so that the text is written anew: it depends on the age of
        // the measurements.
        return { ...cached, data, write: () => written };
      },
    };
    return respond(plan, request, reply, tools);
  });
}

/**
 * Selects stations; ids of stations that left the network are ignored.
 * @throws NotFoundError if ids are named and none is left
 */
function select(
  { data }: LiveStations,
  { ids, ...selection }: StationsQuery,
  now: number,
): readonly Station[] {
  const named = ids === undefined ? data : data.filter(({ id }) => ids.includes(id));
  if (ids !== undefined && named.length === 0) {
    throw new NotFoundError(`There is no station ${ids.join(' or ')}.`);
  }
  return selectStations(named, selection, now).map(({ station }) => station);
}

/**
 * The metrics of stations as text; a measurement of more than 45 minutes ago gives no metric of the
 * wind.
 */
async function writeMetrics(stations: readonly Station[], now: number): Promise<Written> {
  // Load prom-client only when a request needs it: each command with --demo starts a server.
  const { Gauge, Registry } = await import('prom-client');
  const registry = new Registry();
  const gauge = (name: string, help: string, ...labels: string[]) =>
    new Gauge({ name, help, labelNames: ['id', 'name', ...labels], registers: [registry] });
  const speed = (what: string, help: string) =>
    gauge(`vane_wind_speed_${what}_meters_per_second`, `${help} speed of 4 minutes.`);
  const speeds = [
    ['wind_speed_avg', speed('average', 'Mean')],
    ['wind_speed_min', speed('minimum', 'Lowest')],
    ['wind_speed_max', speed('maximum', 'Highest')],
  ] as const;
  const direction = gauge('vane_wind_direction_degrees', 'Where the wind comes from; 0 is north.');
  const measured = gauge(
    'vane_last_measurement_timestamp_seconds',
    'When the last measurement ended, seconds since 1970.',
  );
  const power = gauge('vane_station_state', 'Power state: 1 for the present one.', 'state');
  for (const station of stations) {
    const { measurements, meta } = station;
    const labels = { id: station.id, name: printable(meta.name) };
    const ageMs = measurementAgeMs(station, now);
    if (ageMs !== undefined) measured.set(labels, (now - ageMs) / 1000);
    if (ageMs !== undefined && ageMs <= OLD_MEASUREMENT_MS) {
      for (const [field, gauge] of speeds) {
        const value = convertSpeed(measurements[field], 'ms');
        if (value !== null) gauge.set(labels, value);
      }
      const { wind_heading } = measurements;
      if (wind_heading !== null) direction.set(labels, wind_heading);
    }
    for (const state of STATES) power.set({ ...labels, state }, Number(state === stateOf(station)));
  }
  return { type: registry.contentType, body: await registry.metrics() };
}
