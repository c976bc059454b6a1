import { NotFoundError } from '../errors.ts';
import { orderRows } from '../service/chunks.ts';
import type { StationService } from '../service/service.ts';
import { encodeArchive } from '../wire/archive.ts';
import { csvLayout } from '../wire/csv.ts';
import { wrapJsonp } from '../wire/jsonp.ts';
import { encodeText } from '../wire/layout.ts';
import {
  type ArchiveFormat,
  type Query,
  readArchiveQuery,
  readArchiveStation,
  readCallback,
  readLiveStation,
} from '../wire/requests.ts';
import { txtLayout } from '../wire/txt.ts';
import { JSON_TYPE } from './headers.ts';

/** A request as far as an endpoint cares. */
export interface Call {
  readonly service: StationService;
  /** The path's last segment, decoded; empty when there is none. */
  readonly station: string;
  readonly query: Query;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
}

/** The body of a 200 answer and its content type. */
export interface Answer {
  readonly type: string;
  readonly body: string;
}

/** Every endpoint of the interface by the path segment after `/v1`. */
export const ENDPOINTS = {
  live: (call) => answerLive(call, false),
  'live-with-meta': (call) => answerLive(call, true),
  archive: answerArchive,
} as const satisfies Record<string, (call: Call) => Promise<Answer>>;

async function answerLive(call: Call, withMeta: boolean): Promise<Answer> {
  const { service, query, signal } = call;
  const station = readLiveStation(call.station);
  const callback = readCallback(query);
  const answer =
    station === 'all'
      ? await service.liveAll({ withMeta, signal })
      : await service.live(checkExact(station), { withMeta, signal });
  return writeJson(JSON.stringify(answer), callback);
}

async function answerArchive({ service, station, query, now, signal }: Call): Promise<Answer> {
  const id = readArchiveStation(station);
  const { start, stop, format, callback } = readArchiveQuery(query, now);
  const answer = await service.archive(checkExact(id), { start, stop }, { signal });
  // Half-open and ascending here, whatever bounds and order the service has; rows that it sends
  // twice stay twice, as it is not for a server to tell its clients less.
  const archive = { ...answer, rows: orderRows(answer.rows, { start, stop }) };
  const writers: Record<ArchiveFormat, () => Answer> = {
    json: () => writeJson(encodeArchive(archive), callback),
    csv: () => ({ type: 'text/csv; charset=utf-8', body: encodeText(csvLayout, archive) }),
    txt: () => ({ type: 'text/plain; charset=utf-8', body: encodeText(txtLayout, archive) }),
  };
  return writers[format]();
}

/** A number that stands for several integers would ask the service for somebody else's station. */
function checkExact(station: number): number {
  if (Number.isSafeInteger(station)) return station;
  throw new NotFoundError('There is no station with an id that long.');
}

function writeJson(body: string, callback: string | undefined): Answer {
  return callback === undefined
    ? { type: JSON_TYPE, body }
    : { type: 'text/javascript; charset=utf-8', body: wrapJsonp(callback, body) };
}
