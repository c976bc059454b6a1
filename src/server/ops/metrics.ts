import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { ENDPOINTS, type Endpoint } from '../../wire/requests.ts';
import { CACHE_OUTCOMES, type CacheOutcome } from '../cache/responses.ts';
import type { ServerDocuments } from '../edge/documents.ts';
import { JSON_TYPE, NO_STORE } from '../edge/headers.ts';
import { LIVENESS_DOCUMENT } from '../edge/liveness.ts';
import type { RunningServer } from '../server.ts';

/**
 * The value of the label `endpoint`, such as `live`, `page` or `metrics`. It depends on the route
 * instead of the path, so that clients cannot add values.
 * @param route the pattern of the request's route; undefined for an unknown path
 */
export function endpointLabel(route: string | undefined): string {
  if (route === '/') return 'page';
  return /^\/(?:v1\/|metrics\/)?([a-z-]+)/.exec(route ?? '')?.[1] ?? 'other';
}

/** Whether the server's live data are fresh, and their age. */
export interface LiveDataFreshness {
  /** Milliseconds since the data were requested; undefined before the first data. */
  readonly ageMs: number | undefined;
  readonly isFresh: boolean;
}

interface MetricsOptions {
  readonly now: () => number;
  readonly server?: () =>
    | Pick<RunningServer, 'responseBytes' | 'unsentBytes' | 'connections'>
    | undefined;
  readonly live?: () => LiveDataFreshness;
}

export interface Metrics {
  /**
   * Counts a request.
   * @param status 499 if the connection closed before a response
   */
  recordRequest(endpoint: string, status: number, bytes: number, seconds: number): void;
  recordResponse(result: CacheOutcome): void;
  /** Counts a request to the upstream service. Retries count too. */
  recordUpstreamRequest(endpoint: Endpoint): void;
  recordUpstreamFailure(endpoint: Endpoint): void;
  /** All metrics in the text format of Prometheus, whose media type is `contentType`. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** Bounds of the duration histogram in seconds: from a response in memory to a long archive. */
const DURATION_BUCKETS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/**
 * Creates the metrics of a server. Each server has its own registry, so that several in one process
 * count separately. Metrics of Node itself are left out, since prom-client cannot stop observing
 * the event loop.
 * @param options.now read once, for the start time, milliseconds since 1970
 * @param options.server called at each `text()`; returns undefined while the server starts
 * @param options.live called at each `text()`; without it, there are no metrics of live data
 */
export function createMetrics({ now, server = () => undefined, live }: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  type Value = number | undefined;
  /**
   * Adds a gauge, a metric whose value rises and falls.
   * @param read returns the value at each `text()`; undefined omits the gauge
   */
  const gauge = (name: string, help: string, read: () => Value | Promise<Value>): void => {
    const made: Gauge = new Gauge({
      ...{ name, help, registers },
      async collect() {
        const value = await read();
        if (value === undefined) made.remove();
        else made.set(value);
      },
    });
  };
  const counter = <L extends string = never>(name: string, help: string, ...labelNames: L[]) =>
    new Counter({ name, help, labelNames, registers });
  const requests = counter('vane_requests_total', 'Finished requests.', 'endpoint', 'status');
  const responseBytes = counter('vane_response_bytes_total', 'Bytes sent in response bodies.');
  const durations = new Histogram({
    name: 'vane_request_duration_seconds',
    help: 'Time from the arrival of a request to its end.',
    buckets: DURATION_BUCKETS,
    registers,
  });
  const responses = counter('vane_answers_total', 'Responses by where they came from.', 'result');
  const upstream = counter(
    'vane_upstream_requests_total',
    'Requests sent to the service behind this server.',
    'endpoint',
  );
  const failures = counter(
    'vane_upstream_failures_total',
    'Failed requests to the service behind this server.',
    'endpoint',
  );
  // Start each counter at 0: Prometheus misses the first increment of a counter that appears as 1.
  for (const result of CACHE_OUTCOMES) responses.inc({ result }, 0);
  for (const endpoint of ENDPOINTS) {
    upstream.inc({ endpoint }, 0);
    failures.inc({ endpoint }, 0);
  }
  gauge(
    'vane_answers_held_bytes',
    'Memory used by cached responses.',
    () => server()?.responseBytes ?? 0,
  );
  gauge(
    'vane_answers_unsent_bytes',
    'Memory used by open requests and unsent responses.',
    () => server()?.unsentBytes ?? 0,
  );
  gauge('vane_connections', 'Open connections.', async () => (await server()?.connections()) ?? 0);
  const startSeconds = now() / 1000;
  gauge(
    'vane_start_time_seconds',
    'When the server started, seconds since 1970.',
    () => startSeconds,
  );
  if (live) {
    gauge('vane_live_age_seconds', 'Age of the live data, if there are any.', () => {
      const { ageMs } = live();
      return ageMs === undefined ? undefined : ageMs / 1000;
    });
    gauge('vane_live_fresh', 'Whether live data is fresh, 1 or 0.', () => Number(live().isFresh));
  }
  return {
    recordRequest(endpoint: string, status: number, bytes: number, seconds: number): void {
      requests.inc({ endpoint, status });
      responseBytes.inc(bytes);
      durations.observe(seconds);
    },
    recordResponse: (result: CacheOutcome) => responses.inc({ result }),
    recordUpstreamRequest: (endpoint: Endpoint) => upstream.inc({ endpoint }),
    recordUpstreamFailure: (endpoint: Endpoint) => failures.inc({ endpoint }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/**
 * The operator's documents about the state of the server: /livez, /health and /metrics.
 * @param checkLive refreshes the live data if they are not fresh, then returns their state
 */
export function createOperatorDocuments(
  metrics: Metrics,
  checkLive: () => Promise<LiveDataFreshness>,
) {
  return {
    ...LIVENESS_DOCUMENT,
    async '/health'() {
      const { ageMs, isFresh } = await checkLive();
      const body = {
        status: isFresh ? 'ok' : 'not_ready',
        live_age_s: ageMs === undefined ? null : Math.round(ageMs / 1000),
      };
      return {
        status: isFresh ? 200 : 503,
        headers: { 'content-type': JSON_TYPE, ...NO_STORE },
        body: JSON.stringify(body),
      };
    },
    async '/metrics'() {
      const body = await metrics.text();
      return { headers: { 'content-type': metrics.contentType, ...NO_STORE }, body };
    },
  } satisfies ServerDocuments;
}
