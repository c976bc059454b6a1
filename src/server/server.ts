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
  /** Public documents besides the interface of station services, such as the page. */
  readonly documents?: ServerDocuments;
  /** Documents for the operator. Pages from other origins cannot read them. */
  readonly privateDocuments?: ServerDocuments;
}

/**
 * Options of a server that passes each request to a service, or of one that caches. The cache uses
 * up to `maxResponseBytes` of memory, and serves data up to `staleMs` old while the service fails.
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
  /** The address without a slash at its end, such as `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  /** Memory of cached responses, bytes. */
  readonly responseBytes: number;
  /** Memory of open requests, and of responses not yet received by clients, bytes. */
  readonly unsentBytes: number;
  /** Number of open connections. */
  connections(): Promise<number>;
  /**
   * Stops the server.
   * @param graceMs how long open requests may still run, milliseconds
   */
  close(graceMs?: number): Promise<void>;
}

/** The share of the response memory for open requests and unsent responses. */
const UNSENT_SHARE = 1 / 4;

/** Memory for open requests and unsent responses of a server without a cache, bytes. */
const DIRECT_UNSENT_BYTES = 64e6;

/** Memory for cached pictures of a server that caches nothing else, bytes. */
const DIRECT_PICTURE_BYTES = 32e6;

/** The sources and caches of a server, and its memory limits. */
function storesOf(options: ServerOptions, minute: () => number) {
  const { now } = options;
  if ('source' in options) {
    const { source, maxResponseBytes, staleMs } = options;
    const store = createResponseCache(maxResponseBytes * (1 - UNSENT_SHARE), now, staleMs);
    const maxUnsentBytes = maxResponseBytes * UNSENT_SHARE;
    return { source, store, clock: minute, pictures: { source, store }, maxUnsentBytes };
  }
  const { service } = options;
  // Always cache pictures, since drawing takes far longer than any other response.
  const pictures = {
    source: directSource(service, now, MINUTE_MS),
    store: createResponseCache(DIRECT_PICTURE_BYTES, now),
  };
  const [source, store] = [directSource(service, now), createResponseCache(0, now)];
  return { source, store, clock: now, pictures, maxUnsentBytes: DIRECT_UNSENT_BYTES };
}

/**
 * Starts a server with the whole interface of station services.
 * @throws UsageError if the host and port are not available
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { now, host, port, documents = {}, privateDocuments = {} } = options;
  // `now` and words such as `last-hour` are rounded to the minute, so that equal requests share a
  // response.
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

/** A server for the operator's documents /health and /metrics. */
export type ReportServer = Pick<RunningServer, 'baseUrl' | 'close'>;

/** Memory for open requests and unsent responses of the operator's server, bytes. */
const REPORT_UNSENT_BYTES = 16e6;

/**
 * Serves the operator's documents on 127.0.0.1, where other machines cannot read them.
 * @param port the port to listen on; 0 picks a free one
 * @throws UsageError if the port is not available
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
