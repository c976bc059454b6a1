import type { FastifyInstance } from 'fastify';
import type { LiveStations, Provenance } from '../../domain/envelope.ts';
import { selectStations } from '../../domain/selection.ts';
import {
  displayName,
  measurementAgeMs,
  OLD_MEASUREMENT_MS,
  POWER_STATES,
  powerStateOf,
  type Station,
} from '../../domain/station.ts';
import { printable } from '../../domain/text.ts';
import { convertSpeed } from '../../domain/units.ts';
import { NotFoundError } from '../../errors.ts';
import { type QueryArguments, readStationsQuery, type StationsQuery } from '../../wire/requests.ts';
import { type ResponseTools, sendResponse } from '../api/respond.ts';
import type { ResponseBody, ResponsePlan } from '../cache/responses.ts';
import type { StationSource } from '../cache/source.ts';

export const STATION_METRICS_PATH = '/metrics/stations';

/** Adds /metrics/stations: measurements in the format of Prometheus. */
export function addStationMetrics(
  app: FastifyInstance,
  source: StationSource,
  tools: ResponseTools,
): void {
  app.all(STATION_METRICS_PATH, (request, reply) => {
    const wanted = readStationsQuery(request.query as QueryArguments);
    const plan: ResponsePlan = {
      key: `metrics ${JSON.stringify(wanted)}`,
      async load({ signal }) {
        const cached = await source.live('all', false, signal);
        const now = tools.now();
        const all = cached.data as LiveStations;
        const stations = select(all, wanted, now);
        return { ...cached, write: () => writeMetrics(stations, all, now) };
      },
    };
    return sendResponse(plan, request, reply, tools);
  });
}

/**
 * Selects stations. Ids of stations that left the network are ignored.
 * @throws NotFoundError if ids are given and none is left
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

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** A sample of a gauge; null omits it. */
type Sample = readonly [labels: string, value: number | null];

/**
 * Writes the gauges. Measurements older than 45 minutes are left out. prom-client would take ten
 * times as long, since it keeps each sample as an object.
 */
function writeMetrics(
  stations: readonly Station[],
  { license, attribution }: Pick<Provenance, 'license' | 'attribution'>,
  now: number,
): ResponseBody {
  const all = stations.map((station) => ({
    ...station,
    labels: `id="${station.id}",name="${escapeLabel(displayName(station))}"`,
    ageMs: measurementAgeMs(station, now) ?? Number.POSITIVE_INFINITY,
  }));
  const measured = all.filter(({ ageMs }) => Number.isFinite(ageMs));
  const recent = all.filter(({ ageMs }) => ageMs <= OLD_MEASUREMENT_MS);
  const speed = (
    what: string,
    help: string,
    field: 'wind_speed_avg' | 'wind_speed_min' | 'wind_speed_max',
  ) =>
    gauge(
      `vane_wind_speed_${what}_meters_per_second`,
      `${help} speed of the last 4 minutes.`,
      recent.map((one) => [one.labels, convertSpeed(one.measurements[field], 'ms')]),
    );
  const credit = [`license="${labelOf(license)}"`, `attribution="${labelOf(attribution)}"`];
  const gauges = [
    gauge('vane_data_info', 'License and attribution of the data.', [[credit.join(','), 1]]),
    speed('average', 'Mean', 'wind_speed_avg'),
    speed('minimum', 'Lowest', 'wind_speed_min'),
    speed('maximum', 'Highest', 'wind_speed_max'),
    gauge(
      'vane_wind_direction_degrees',
      'Direction the wind comes from; 0 is north.',
      recent.map((one) => [one.labels, one.measurements.wind_heading]),
    ),
    gauge(
      'vane_last_measurement_timestamp_seconds',
      'When the last measurement ended, seconds since 1970.',
      measured.map((one) => [one.labels, (now - one.ageMs) / 1000]),
    ),
    gauge(
      'vane_station_state',
      'Power state: 1 for the current one.',
      all.flatMap((one) =>
        POWER_STATES.map((state): Sample => {
          return [`${one.labels},state="${state}"`, Number(state === powerStateOf(one))];
        }),
      ),
    ),
  ];
  return { type: CONTENT_TYPE, body: gauges.join('\n') };
}

/** Writes a gauge in the text format of Prometheus. */
function gauge(name: string, help: string, samples: readonly Sample[]): string {
  const lines = samples.flatMap(([labels, value]) =>
    value === null ? [] : `${name}{${labels}} ${value}\n`,
  );
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join('')}`;
}

/** Makes a text of the service safe as the value of a label. */
const labelOf = (text: string): string => escapeLabel(printable(text));

/** Escapes the value of a label, which contains no line feed. */
const escapeLabel = (text: string): string => text.replace(/["\\]/g, '\\$&');
