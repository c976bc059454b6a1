import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Archive } from '../../domain/envelope.ts';
import { NotFoundError } from '../../errors.ts';
import { encodeArchive } from '../../wire/archive.ts';
import { csvLayout, encodeText, txtLayout } from '../../wire/csvAndTxt.ts';
import { wrapJsonp } from '../../wire/jsonp.ts';
import {
  type ArchiveResponseFormat,
  ENDPOINTS,
  type Endpoint,
  type QueryArguments,
  readArchiveQuery,
  readArchiveStation,
  readCallback,
  readLiveStation,
} from '../../wire/requests.ts';
import type { ResponseBody, ResponsePlan } from '../cache/responses.ts';
import type { StationSource } from '../cache/source.ts';
import { JSON_TYPE } from '../edge/headers.ts';
import { type ResponseTools, sendResponse } from './respond.ts';

interface Route {
  /** The last segment of the path, decoded: a station's id or `all`; undefined if it is missing. */
  readonly Params: { readonly station?: string };
  readonly Querystring: QueryArguments;
}

/**
 * Plans the response to a request.
 * @param clock returns the current time, milliseconds since 1970, for `now` and relative words
 * @throws RequestError for a request that the interface of station services does not allow
 */
type Planner = (
  request: FastifyRequest<Route>,
  source: StationSource,
  clock: () => number,
) => ResponsePlan;

const PLANNERS: Readonly<Record<Endpoint, Planner>> = {
  live: (request, source) => planLive(request, source, false),
  'live-with-meta': (request, source) => planLive(request, source, true),
  archive: planArchive,
};

/** The paths of the endpoints for people to read. */
export const ENDPOINT_PATHS = ENDPOINTS.map((name) => `/v1/${name}/{station_id}`);

/** Adds the endpoints that the interface of station services defines. */
export function addEndpoints(
  app: FastifyInstance,
  source: StationSource,
  clock: () => number,
  tools: ResponseTools,
): void {
  for (const [name, plan] of Object.entries(PLANNERS)) {
    // A path that ends in a slash has no last segment, and so no station.
    for (const path of [`/v1/${name}/:station?`, `/v1/${name}/:parent/`]) {
      app.all<Route>(path, (request, reply) =>
        sendResponse(plan(request, source, clock), request, reply, tools),
      );
    }
  }
}

function planLive(
  { params, query }: FastifyRequest<Route>,
  source: StationSource,
  withMeta: boolean,
): ResponsePlan {
  const wanted = readLiveStation(params.station ?? '');
  const callback = readCallback(query);
  const station = wanted === 'all' ? wanted : refuseInexactId(wanted);
  return {
    key: `live ${station} ${withMeta} ${callback ?? ''}`,
    async load({ signal }) {
      const cached = await source.live(station, withMeta, signal);
      return { ...cached, write: () => writeJson(JSON.stringify(cached.data), callback) };
    },
  };
}

function planArchive(
  request: FastifyRequest<Route>,
  source: StationSource,
  clock: () => number,
): ResponsePlan {
  const id = refuseInexactId(readArchiveStation(request.params.station ?? ''));
  const { start, stop, format, callback } = readArchiveQuery(request.query, clock());
  const writers: Record<ArchiveResponseFormat, (archive: Archive) => ResponseBody> = {
    json: (archive) => writeJson(encodeArchive(archive), callback),
    csv: (archive) => ({ type: 'text/csv; charset=utf-8', body: encodeText(csvLayout, archive) }),
    txt: (archive) => ({ type: 'text/plain; charset=utf-8', body: encodeText(txtLayout, archive) }),
  };
  return {
    key: `archive ${id} ${start} ${stop} ${format} ${callback ?? ''}`,
    async load(caller) {
      const cached = await source.archive(id, { start, stop }, caller);
      return { ...cached, write: () => writers[format](cached.data) };
    },
  };
}

/**
 * Refuses an id that is too large for an exact number, since it would become the id of another
 * station.
 */
export function refuseInexactId(station: number): number {
  if (Number.isSafeInteger(station)) return station;
  throw new NotFoundError('There is no station with such a long id.');
}

function writeJson(body: string, callback: string | undefined): ResponseBody {
  return callback === undefined
    ? { type: JSON_TYPE, body }
    : { type: 'text/javascript; charset=utf-8', body: wrapJsonp(callback, body) };
}
