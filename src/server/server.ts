import { MINUTE_MS } from '../domain/dates.ts';
import type { StationService } from '../service/service.ts';
import { simulatedService } from '../service/simulated/simulatedService.ts';
import { addEndpoints, ENDPOINT_PATHS } from './api/endpoints.ts';
import { createResponseCache } from './cache/responses.ts';
import { directSource, type StationSource } from './cache/source.ts';
import { type AppOptions, createApp } from './edge/app.ts';
import { addDocuments, type ServerDocuments } from './edge/documents.ts';
import { addStationMetrics, STATION_METRICS_PATH } from './ops/stationMetrics.ts';
import { addPlots, PLOT_PATH_TEMPLATE } from './plot/endpoint.ts';

interface CommonOptions extends Omit<AppOptions, 'maxUnsentBytes' | 'pages'> {
  readonly host: string;
  /** The port to listen on; 0 picks a free one. */
  readonly port: number;
  readonly now: () => number;
  /** Documents outside of the interface that every client may read, such as the page. */
  readonly documents?: ServerDocuments;
  /** Documents for the operator: no page of another origin may read them. */
  readonly privateDocuments?: ServerDocuments;
}

/**
 * Options of a server that sends each request to a service, or of one with cached data, whose
 * responses may take `maxResponseBytes` of memory, and may get `staleMs` old while the service
 * fails.
 */
export type ServerOptions = CommonOptions &
  (
    | { readonly service: StationService }
    | {
        readonly source: StationSource;
        readonly maxResponseBytes: number;
        readonly staleMs: number;
      }
  );

export interface RunningServer {
  /** The address, such as `http://127.0.0.1:8080`, without a slash at its end. */
  readonly baseUrl: string;
  /** Bytes of cached responses. */
  readonly responseBytes: number;
  /** Bytes of open requests, and of responses that clients have not received yet. */
  readonly unsentBytes: number;
  /** Number of open connections. */
  connections(): Promise<number>;
  /** Stops the server. @param graceMs time that open requests get to finish, milliseconds */
  close(graceMs?: number): Promise<void>;
}

/** Open requests and unsent responses may take this share of the memory for responses. */
const UNSENT_SHARE = 1 / 4;

/** Bytes that open requests and unsent responses may take where responses are not cached. */
const DIRECT_UNSENT_BYTES = 64e6;

/** Bytes of cached pictures in a server that caches no other responses. */
const DIRECT_PICTURE_BYTES = 32e6;

/** The sources and caches of a server, and what requests may take in memory. */
function storesOf(options: ServerOptions, minute: () => number) {
  const { now } = options;
  if ('source' in options) {
    const { source, maxResponseBytes, staleMs } = options;
    const store = createResponseCache(maxResponseBytes * (1 - UNSENT_SHARE), now, staleMs);
    const maxUnsentBytes = maxResponseBytes * UNSENT_SHARE;
    return { source, store, clock: minute, pictures: { source, store }, maxUnsentBytes };
  }
  const { service } = options;
  // Pictures are always cached, since drawing takes far longer than making any other response.
  const pictures = {
    source: directSource(service, now, MINUTE_MS),
    store: createResponseCache(DIRECT_PICTURE_BYTES, now),
  };
  const [source, store] = [directSource(service, now), createResponseCache(0, now)];
  return { source, store, clock: now, pictures, maxUnsentBytes: DIRECT_UNSENT_BYTES };
}

/**
 * Starts a server of the whole interface of station services.
 * @throws UsageError when the host and port cannot be listened on
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { now, host, port, documents = {}, privateDocuments = {} } = options;
  // `now` and words such as `last-hour` mean the minute's start: equal requests share one response.
  const minute = () => now() - (now() % MINUTE_MS);
  const { source, store, clock, pictures, maxUnsentBytes } = storesOf(options, minute);
  const pages = [
    ...Object.keys(documents),
    ...[...ENDPOINT_PATHS, PLOT_PATH_TEMPLATE, STATION_METRICS_PATH],
    ...Object.keys(privateDocuments),
  ];
  const app = await createApp({ ...options, maxUnsentBytes, pages });
  const { fastify, openRequests } = app;
  const tools = { store, openRequests, now };
  addEndpoints(fastify, source, clock, tools);
  addStationMetrics(fastify, source, tools);
  addPlots(fastify, pictures.source, minute, { ...tools, store: pictures.store });
  addDocuments(fastify, documents);
  addDocuments(fastify, privateDocuments, { isPrivate: true });
  return {
    baseUrl: await app.listen(host, port),
    get responseBytes() {
      return store.bytes;
    },
    get unsentBytes() {
      return openRequests.bytes;
    },
    connections: app.countConnections,
    close: app.close,
  };
}

/** A server of the operator's documents, `/health` and `/metrics`. */
export type ReportServer = Pick<RunningServer, 'baseUrl' | 'close'>;

/** Bytes that open requests and unsent responses may take in the operator's server. */
const REPORT_UNSENT_BYTES = 16e6;

/**
 * Serves the operator's documents at a port of 127.0.0.1, where other machines cannot read them.
 * @param port the port to listen on; 0 picks a free one
 * @throws UsageError when the port cannot be listened on
 */
export async function startReportServer(
  port: number,
  documents: ServerDocuments,
): Promise<ReportServer> {
  const app = await createApp({
    maxUnsentBytes: REPORT_UNSENT_BYTES,
    pages: Object.keys(documents),
  });
  addDocuments(app.fastify, documents, { isPrivate: true });
  return { baseUrl: await app.listen('127.0.0.1', port, '--metrics-port'), close: app.close };
}

/** Serves the simulated network on a free port of this machine. */
export function startDemoServer(now: () => number) {
  return startServer({ service: simulatedService(now), host: '127.0.0.1', port: 0, now });
}
