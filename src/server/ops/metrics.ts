import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { OUTCOMES, type Outcome } from '../cache/answers.ts';

/** Endpoints of the service behind this server. */
const UPSTREAM_ENDPOINTS = ['live', 'live-with-meta', 'archive'] as const;

export type UpstreamEndpoint = (typeof UPSTREAM_ENDPOINTS)[number];

/** Values of the label `endpoint`: a closed set, so that no client can make it grow. */
export type MetricEndpoint = UpstreamEndpoint | 'page' | 'health' | 'metrics' | 'openapi' | 'other';

const ENDPOINT_OF_PATH: Readonly<Record<string, MetricEndpoint>> = {
  '/': 'page',
  '/health': 'health',
  '/metrics': 'metrics',
  '/openapi.json': 'openapi',
};

/** @param route the pattern of a request's route; undefined where none matches */
export function endpointOf(route: string | undefined): MetricEndpoint {
  if (route === undefined) return 'other';
  return (
    UPSTREAM_ENDPOINTS.find(
      (name) => route.startsWith(`/v1/${name}/`) || route === `/v1/${name}`,
    ) ??
    ENDPOINT_OF_PATH[route] ??
    'other'
  );
}

/** How old the latest live data are. */
export interface LiveState {
  /** Undefined while there are none. */
  readonly ageMs: number | undefined;
  readonly isFresh: boolean;
}

export interface MetricsOptions {
  /** Milliseconds since 1970; read once, for the time of the start. */
  readonly now: () => number;
  /** Asked at each `text()`; without it the two metrics of live data are left out. */
  readonly live?: () => LiveState;
}

/** Counts what a server does, for Prometheus to read. */
export interface Metrics {
  /**
   * Counts a request that is over.
   * @param status as sent, 499 for a client that left
   * @param bytes length of the body sent, from 0
   * @param seconds from the request's arrival to its end, finite
   */
  recordRequest(endpoint: MetricEndpoint, status: number, bytes: number, seconds: number): void;
  recordAnswer(outcome: Outcome): void;
  /** Counts a request that the service behind this server is sent, each retry one of them. */
  recordUpstreamRequest(endpoint: UpstreamEndpoint): void;
  recordUpstreamFailure(endpoint: UpstreamEndpoint): void;
  /** @param bytes of the answers that are cached at this moment */
  setAnswersHeld(bytes: number): void;
  /** @param bytes of open requests and unsent answers at this moment */
  setAnswersUnsent(bytes: number): void;
  /** @param count connections open at this moment */
  setConnections(count: number): void;
  /** Every metric in the text form of Prometheus, of this `contentType`. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** From an answer out of memory to a long archive of a slow service, seconds. */
const DURATION_BUCKETS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/**
 * Metrics with a registry of their own, so that two servers in one test do not meet. Those of Node
 * itself are left out: prom-client cannot be told to stop watching the event loop.
 */
export function createMetrics({ now, live }: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  gauge('vane_start_time_seconds', 'When the server started, seconds since 1970.').set(
    now() / 1000,
  );
  const requests = new Counter({
    name: 'vane_requests_total',
    help: 'Requests that are over.',
    labelNames: ['endpoint', 'status'],
    registers,
  });
  const responseBytes = new Counter({
    name: 'vane_response_bytes_total',
    help: 'Bytes of bodies sent.',
    registers,
  });
  const durations = new Histogram({
    name: 'vane_request_duration_seconds',
    help: 'Time from the arrival of a request to its end.',
    buckets: DURATION_BUCKETS,
    registers,
  });
  const answers = countersBy('result', OUTCOMES, registry, {
    name: 'vane_answers_total',
    help: 'Answers by where they came from.',
  });
  const upstream = countersBy('endpoint', UPSTREAM_ENDPOINTS, registry, {
    name: 'vane_upstream_requests_total',
    help: 'Requests sent to the service behind this server.',
  });
  const failures = countersBy('endpoint', UPSTREAM_ENDPOINTS, registry, {
    name: 'vane_upstream_failures_total',
    help: 'Requests to the service behind this server that failed.',
  });
  const held = gauge('vane_answers_held_bytes', 'Memory that kept answers take.');
  const unsent = gauge(
    'vane_answers_unsent_bytes',
    'Memory that open requests and answers not sent yet take.',
  );
  const connections = gauge('vane_connections', 'Open connections.');
  const readLive = live === undefined ? () => {} : liveGauges(gauge, live);
  return {
    recordRequest(endpoint, status, bytes, seconds) {
      requests.inc({ endpoint, status });
      responseBytes.inc(bytes);
      durations.observe(seconds);
    },
    recordAnswer: (outcome) => answers[outcome].inc(),
    recordUpstreamRequest: (endpoint) => upstream[endpoint].inc(),
    recordUpstreamFailure: (endpoint) => failures[endpoint].inc(),
    setAnswersHeld: (bytes) => held.set(bytes),
    setAnswersUnsent: (bytes) => unsent.set(bytes),
    setConnections: (count) => connections.set(count),
    async text() {
      readLive();
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}

/** Counters that are at 0 from the start: of one that starts at 1, Prometheus misses the step. */
function countersBy<Value extends string>(
  label: string,
  values: readonly Value[],
  registry: Registry,
  { name, help }: { readonly name: string; readonly help: string },
): Record<Value, Counter.Internal> {
  const counter = new Counter({ name, help, labelNames: [label], registers: [registry] });
  const entries = values.map((value) => [value, counter.labels(value)] as const);
  for (const [, child] of entries) child.inc(0);
  return Object.fromEntries(entries) as Record<Value, Counter.Internal>;
}

/** @returns a function that updates the gauges */
function liveGauges(gauge: (name: string, help: string) => Gauge, live: () => LiveState) {
  const age = gauge('vane_live_age_seconds', 'Age of the live data, if there are any.');
  const fresh = gauge('vane_live_fresh', 'Whether live data are fresh, 1 or 0.');
  return (): void => {
    const { ageMs, isFresh } = live();
    // Not 0, which would say that the data are brand-new.
    if (ageMs === undefined) age.remove();
    else age.set(ageMs / 1000);
    fresh.set(isFresh ? 1 : 0);
  };
}
