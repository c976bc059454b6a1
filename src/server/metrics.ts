import { Counter, Gauge, type Histogram, Registry } from 'prom-client';

/** What the `endpoint` label can be; a set that is closed, so that no client can make it grow. */
export type MetricEndpoint =
  | 'live'
  | 'live-with-meta'
  | 'archive'
  | 'page'
  | 'health'
  | 'metrics'
  | 'openapi'
  | 'other';

/** What the service behind this server is asked for. */
const UPSTREAM_ENDPOINTS = [
  'live',
  'live-with-meta',
  'archive',
] as const satisfies readonly MetricEndpoint[];

export type UpstreamEndpoint = (typeof UPSTREAM_ENDPOINTS)[number];

const ANSWER_RESULTS = ['hit', 'miss', 'coalesced', 'stale', 'not_modified'] as const;

/** Where an answer came from. */
export type AnswerResult = (typeof ANSWER_RESULTS)[number];

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

/** Counts what a server does, for Prometheus to read. All but `text` cost less than 1 µs. */
export interface Metrics {
  /**
   * Counts a request that is over.
   * @param status as sent, 499 for a client that left
   * @param bytes length of the body sent, from 0
   * @param seconds from the request's arrival to its end, finite
   */
  recordRequest(endpoint: MetricEndpoint, status: number, bytes: number, seconds: number): void;
  recordAnswer(result: AnswerResult): void;
  /** Counts a request that the service behind this server is sent, each retry one of them. */
  recordUpstreamRequest(endpoint: UpstreamEndpoint): void;
  recordUpstreamFailure(endpoint: UpstreamEndpoint): void;
  /** @param bytes what the answers kept in memory take at this moment */
  setAnswersHeld(bytes: number): void;
  /** @param bytes what open requests and answers not sent yet take at this moment */
  setAnswersUnsent(bytes: number): void;
  /** @param count connections open at this moment */
  setConnections(count: number): void;
  /** Every metric in the text form of Prometheus, of this `contentType`. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** From an answer out of memory to a long archive that the service is slow with, seconds. */
const DURATION_BUCKETS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/**
 * Metrics with a registry of their own, so that two servers in one test do not meet. Those of Node
 * itself are left out: prom-client cannot be told to stop watching the event loop.
 */
export function createMetrics({ now, live }: MetricsOptions): Metrics {
  const registry = new Registry();
  gauge(registry, 'vane_start_time_seconds', 'When the server started, seconds since 1970.').set(
    now() / 1000,
  );
  const recordRequest = requestRecorder(registry);
  const countAnswer = countersBy('result', ANSWER_RESULTS, registry, {
    name: 'vane_answers_total',
    help: 'Answers by where they came from.',
  });
  const countUpstream = countersBy('endpoint', UPSTREAM_ENDPOINTS, registry, {
    name: 'vane_upstream_requests_total',
    help: 'Requests sent to the service behind this server.',
  });
  const countFailure = countersBy('endpoint', UPSTREAM_ENDPOINTS, registry, {
    name: 'vane_upstream_failures_total',
    help: 'Requests to the service behind this server that failed.',
  });
  const held = gauge(registry, 'vane_answers_held_bytes', 'Memory that kept answers take.');
  const unsent = gauge(
    registry,
    'vane_answers_unsent_bytes',
    'Memory that open requests and answers not sent yet take.',
  );
  const connections = gauge(registry, 'vane_connections', 'Open connections.');
  const readLive = live === undefined ? () => {} : liveGauges(registry, live);
  return {
    recordRequest,
    recordAnswer: (result) => countAnswer[result](),
    recordUpstreamRequest: (endpoint) => countUpstream[endpoint](),
    recordUpstreamFailure: (endpoint) => countFailure[endpoint](),
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

function gauge(registry: Registry, name: string, help: string): Gauge {
  return new Gauge({ name, help, registers: [registry] });
}

/**
 * Counts in plain numbers, which prom-client is given when somebody reads them: to look its labels
 * up for each request takes longer than half the requests do.
 */
function requestRecorder(registry: Registry): Metrics['recordRequest'] {
  const counts = new Map<MetricEndpoint, Map<number, number>>();
  let bodyBytes = 0;
  new Counter({
    name: 'vane_requests_total',
    help: 'Requests that are over.',
    labelNames: ['endpoint', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [endpoint, byStatus] of counts) {
        for (const [status, count] of byStatus)
          this.inc({ endpoint, status: String(status) }, count);
      }
    },
  });
  new Counter({
    name: 'vane_response_bytes_total',
    help: 'Bytes of bodies sent.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(bodyBytes);
    },
  });
  const observe = durations(registry);
  return (endpoint, status, bytes, seconds) => {
    const byStatus = counts.get(endpoint) ?? new Map<number, number>();
    if (byStatus.size === 0) counts.set(endpoint, byStatus);
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
    bodyBytes += bytes;
    observe(seconds);
  };
}

/** A histogram of plain numbers. */
function durations(registry: Registry): (seconds: number) => void {
  const name = 'vane_request_duration_seconds';
  const help = 'Time from the arrival of a request to its end.';
  const inBucket = new Array<number>(DURATION_BUCKETS.length + 1).fill(0);
  let sum = 0;
  const values = () => {
    let count = 0;
    const buckets = [...DURATION_BUCKETS, '+Inf'].map((le, index) => {
      count += inBucket[index] as number;
      return { labels: { le }, value: count, metricName: `${name}_bucket` };
    });
    const total = (suffix: string, value: number) => ({
      labels: {},
      value,
      metricName: name + suffix,
    });
    return [...buckets, total('_sum', sum), total('_count', count)];
  };
  const metric = { name, help, type: 'histogram', aggregator: 'sum', get: async () => read() };
  const read = () => ({ name, help, type: 'histogram', aggregator: 'sum', values: values() });
  // Less than its types ask for, and all that a registry does.
  registry.registerMetric(metric as unknown as Histogram);
  return (seconds) => {
    let index = 0;
    while (index < DURATION_BUCKETS.length && seconds > (DURATION_BUCKETS[index] as number))
      index++;
    inBucket[index] = (inBucket[index] as number) + 1;
    sum += seconds;
  };
}

/** Counters at 0 from the start: of one that comes up at 1, Prometheus would miss the first step. */
function countersBy<Value extends string>(
  label: string,
  values: readonly Value[],
  registry: Registry,
  { name, help }: { readonly name: string; readonly help: string },
): Record<Value, () => void> {
  const counter = new Counter({ name, help, labelNames: [label], registers: [registry] });
  const bound = values.map((value) => {
    const { inc } = counter.labels(value);
    inc(0);
    return [value, () => inc()] as const;
  });
  return Object.fromEntries(bound) as Record<Value, () => void>;
}

/** @returns what brings the gauges up to date */
function liveGauges(registry: Registry, live: () => LiveState): () => void {
  const age = gauge(registry, 'vane_live_age_seconds', 'Age of the live data, if there are any.');
  const fresh = gauge(registry, 'vane_live_fresh', 'Whether live data are fresh, 1 or 0.');
  return () => {
    const { ageMs, isFresh } = live();
    // Not 0, which would say that they are brand-new.
    if (ageMs === undefined) age.remove();
    else age.set(ageMs / 1000);
    fresh.set(isFresh ? 1 : 0);
  };
}
