import type { Archive } from '../../domain/envelope.ts';
import { describePeriod, type Period } from '../../domain/period.ts';
import { BrokenResponseError } from '../../errors.ts';
import type { Io } from '../../io.ts';
import { decodeArchive, type OnUnknownColumns } from '../../wire/archive.ts';
import { decodeLiveStation, decodeLiveStations } from '../../wire/live.ts';
import { archivePath, type Endpoint, liveEndpoint, livePath } from '../../wire/requests.ts';
import type { ArchiveCallOptions, RequestCounters, StationService } from '../service.ts';
import { finalError, type RequestSubject, statusFailure } from './outcome.ts';
import { describeProxy } from './proxies.ts';
import { retry } from './retry.ts';
import { createTransport, type SendOptions, type TransportOptions } from './transport.ts';

export interface HttpServiceOptions extends TransportOptions, Pick<Io, 'sleep' | 'random'> {
  /** Address of the service: scheme, host and any path before `/v1`, without a slash at the end. */
  readonly baseUrl: string;
  /** The option that sets the address, for the advice in errors; `--base-url` by default. */
  readonly addressOption?: string;
  /** The name of the service in errors; by default its address. */
  readonly serviceName?: string | undefined;
  /** Maximum number of retries. */
  readonly retries: number;
  readonly counters: RequestCounters;
  /** Called before a wait of at least 5 s between two attempts. */
  readonly onLongWait?: (what: string, waitMs: number) => void;
  /** Called for each request, including retries. */
  readonly onRequest?: (endpoint: Endpoint) => void;
  /** Called for each failed request, including retries. */
  readonly onFailure?: (endpoint: Endpoint) => void;
  /** Called with the `Date` header of each response, milliseconds since 1970. */
  readonly onDate?: (dateMs: number) => void;
  /** Prints a sentence for the user, for example that unknown columns are left out. */
  readonly note?: (sentence: string) => void;
}

const LONG_WAIT_MS = 5000;

export interface HttpService extends StationService {
  close(): Promise<void>;
}

/** A request: how to send it, how to decode the response, and what to call it in errors. */
interface Query<T> extends SendOptions, RequestSubject {
  readonly endpoint: Endpoint;
  readonly path: string;
  readonly decode: (body: Buffer) => T;
  readonly onResponse?: ArchiveCallOptions['onResponse'] | undefined;
}

export function httpService(options: HttpServiceOptions): HttpService {
  const transport = createTransport(options);
  const { baseUrl, serviceName = baseUrl, addressOption = '--base-url', log, counters } = options;
  const byProxy = describeProxy(baseUrl, options.proxyEnv);
  const place = { serviceName, addressOption, byProxy };
  const noteUnknown = noteUnknownColumns(options.note);

  async function attempt<T>(query: Query<T>): Promise<T> {
    query.signal?.throwIfAborted();
    try {
      counters.requests++;
      options.onRequest?.(query.endpoint);
      const response = await transport.send(baseUrl + query.path, query);
      counters.bytes += response.bytes;
      if (response.status !== 200) throw statusFailure(query, response, place, options.now());
      const dateMs = Date.parse(response.header('date') ?? '');
      if (!Number.isNaN(dateMs)) {
        options.onDate?.(dateMs);
        query.onResponse?.(dateMs);
      }
      return query.decode(response.body);
    } catch (error) {
      options.onFailure?.(query.endpoint);
      throw error;
    }
  }

  async function sendRequest<T>(query: Query<T>): Promise<T> {
    const { what, signal } = query;
    let attempts = 0;
    const wait = (waitMs: number): Promise<void> => {
      counters.retries++;
      log?.(`again in ${waitMs / 1000} s`);
      if (waitMs >= LONG_WAIT_MS) options.onLongWait?.(what, waitMs);
      return options.sleep(waitMs, signal);
    };
    const task = (): Promise<T> => {
      attempts++;
      return attempt(query);
    };
    try {
      return await retry(task, { retries: options.retries, random: options.random, wait });
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw finalError(error, what, place, attempts);
    }
  }

  return {
    live: (station, { withMeta, signal }) =>
      sendRequest({
        what: `the latest measurements of station ${station}`,
        endpoint: liveEndpoint(withMeta),
        path: livePath(station, withMeta),
        station,
        decode: (body) => decodeLiveStation(body.toString(), station, withMeta),
        signal,
      }),

    liveAll: ({ withMeta, signal }) =>
      sendRequest({
        what: 'the latest measurements of all stations',
        endpoint: liveEndpoint(withMeta),
        path: livePath('all', withMeta),
        station: undefined,
        decode: (body) => decodeLiveStations(body.toString(), withMeta),
        signal,
      }),

    archive: (station, period, { signal, onResponse } = {}) =>
      sendRequest({
        what: `the archive of station ${station} ${describePeriod(period)}`,
        endpoint: 'archive',
        path: archivePath(station, period, 'json'),
        station,
        decode: (body) =>
          refuseForeignRows(decodeArchive(body, station, period, noteUnknown), station, period),
        signal,
        onResponse,
      }),

    close: () => transport.close(),
  };
}

/** Maximum number of columns in a message. */
const MAX_NAMED = 8;
/** Maximum number of messages about unknown columns, since a service may invent ever new ones. */
const MAX_NOTES = 8;

/** Notes unknown columns of archives, once for the same columns. */
function noteUnknownColumns(note: HttpServiceOptions['note']): OnUnknownColumns {
  const noted = new Set<string>();
  return (columns) => {
    const more = columns.length - MAX_NAMED;
    const names = columns.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
    if (noted.has(names) || noted.size === MAX_NOTES) return;
    noted.add(names);
    note?.(`vane does not know these columns of the archive, and leaves them out: ${names}.`);
  };
}

/**
 * Refuses a response without any row in the period. A row at `stop` counts as inside.
 * @throws BrokenResponseError
 */
function refuseForeignRows(archive: Archive, station: number, period: Period): Archive {
  const { start, stop } = period;
  const { rows } = archive;
  if (rows.count === 0 || rows.hasAny({ start, stop: stop + 1 })) return archive;
  throw new BrokenResponseError(
    `The archive of station ${station} ${describePeriod(period)} contains ${rows.count} rows, all of another period.`,
  );
}
