import { describe, expect, it } from 'vitest';
import {
  createMetrics,
  type LiveDataFreshness,
  type Metrics,
} from '../../../src/server/ops/metrics.ts';

const create = (live?: () => LiveDataFreshness) =>
  createMetrics({ now: () => Date.UTC(2024, 0, 15), ...(live && { live }) });

/** The samples of a text, by name and labels as they are written. */
async function read(metrics: Metrics): Promise<Record<string, number>> {
  const lines = (await metrics.text()).split('\n').filter((line) => line && line[0] !== '#');
  return Object.fromEntries(
    lines.map((line) => {
      const space = line.lastIndexOf(' ');
      return [line.slice(0, space), Number(line.slice(space + 1))];
    }),
  );
}

describe('/metrics of requests', () => {
  it('/metrics counts requests by endpoint and status, and sums up their bytes and seconds', async () => {
    const metrics = create();
    metrics.recordRequest('live', 200, 500, 0.0004);
    metrics.recordRequest('live', 200, 700, 0.003);
    metrics.recordRequest('live', 304, 0, 0.003);
    metrics.recordRequest('archive', 200, 9000, 12);
    expect(await read(metrics)).toMatchObject({
      'vane_requests_total{endpoint="live",status="200"}': 2,
      'vane_requests_total{endpoint="live",status="304"}': 1,
      'vane_requests_total{endpoint="archive",status="200"}': 1,
      vane_response_bytes_total: 10_200,
      'vane_request_duration_seconds_bucket{le="0.0005"}': 1,
      'vane_request_duration_seconds_bucket{le="0.0025"}': 1,
      'vane_request_duration_seconds_bucket{le="0.005"}': 3,
      'vane_request_duration_seconds_bucket{le="10"}': 3,
      'vane_request_duration_seconds_bucket{le="+Inf"}': 4,
      vane_request_duration_seconds_count: 4,
    });
  });
});

describe('/metrics of a new server', () => {
  it('/metrics of a new server shows counters of rare events as 0, so that Prometheus sees their first increase', async () => {
    expect(await read(create())).toMatchObject({
      'vane_answers_total{result="hit"}': 0,
      'vane_answers_total{result="miss"}': 0,
      'vane_answers_total{result="coalesced"}': 0,
      'vane_answers_total{result="stale"}': 0,
      'vane_answers_total{result="not_modified"}': 0,
      'vane_upstream_requests_total{endpoint="live"}': 0,
      'vane_upstream_failures_total{endpoint="live-with-meta"}': 0,
      'vane_upstream_failures_total{endpoint="archive"}': 0,
      vane_response_bytes_total: 0,
      vane_start_time_seconds: Date.UTC(2024, 0, 15) / 1000,
    });
  });
});

it('/metrics counts responses by result, and requests to the service by endpoint', async () => {
  const metrics = create();
  metrics.recordResponse('hit');
  metrics.recordResponse('hit');
  metrics.recordResponse('stale');
  metrics.recordUpstreamRequest('archive');
  metrics.recordUpstreamRequest('archive');
  metrics.recordUpstreamFailure('archive');
  expect(await read(metrics)).toMatchObject({
    'vane_answers_total{result="hit"}': 2,
    'vane_answers_total{result="miss"}': 0,
    'vane_answers_total{result="stale"}': 1,
    'vane_upstream_requests_total{endpoint="archive"}': 2,
    'vane_upstream_requests_total{endpoint="live"}': 0,
    'vane_upstream_failures_total{endpoint="archive"}': 1,
  });
});

it('/metrics shows the latest bytes in memory and number of connections', async () => {
  const server = { responseBytes: 5000, unsentBytes: 300, connections: async () => 7 };
  const metrics = createMetrics({ now: () => 0, server: () => server });
  expect(await read(metrics)).toMatchObject({
    vane_answers_held_bytes: 5000,
    vane_answers_unsent_bytes: 300,
    vane_connections: 7,
  });
  server.responseBytes = 4000;
  expect(await read(metrics)).toMatchObject({ vane_answers_held_bytes: 4000 });
});

describe('/metrics of live data', () => {
  it('/metrics shows nothing about live data for a server without a cache of live data', async () => {
    expect(await create().text()).not.toContain('vane_live');
  });

  it('/metrics shows the age of live data at the moment of the scrape', async () => {
    let state: LiveDataFreshness = { ageMs: 1500, isFresh: true };
    const metrics = create(() => state);
    expect(await read(metrics)).toMatchObject({ vane_live_age_seconds: 1.5, vane_live_fresh: 1 });
    state = { ageMs: 90_000, isFresh: false };
    expect(await read(metrics)).toMatchObject({ vane_live_age_seconds: 90, vane_live_fresh: 0 });
  });

  it('/metrics shows no age of live data before the first live data', async () => {
    let state: LiveDataFreshness = { ageMs: undefined, isFresh: false };
    const metrics = create(() => state);
    const samples = await read(metrics);
    expect(samples).toMatchObject({ vane_live_fresh: 0 });
    expect(samples).not.toHaveProperty('vane_live_age_seconds');
    state = { ageMs: 0, isFresh: true };
    expect(await read(metrics)).toMatchObject({ vane_live_age_seconds: 0, vane_live_fresh: 1 });
  });
});

describe('the text of /metrics', () => {
  it('/metrics is in the format of Prometheus, with help and type for each metric', async () => {
    const metrics = create(() => ({ ageMs: 1, isFresh: true }));
    metrics.recordRequest('live', 200, 1, 0.1);
    const text = await metrics.text();
    expect(metrics.contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(text.endsWith('\n')).toBe(true);
    for (const line of text.split('\n')) {
      expect(line).toMatch(
        /^(|# HELP vane_\w+ .+\.|# TYPE vane_\w+ \w+|vane_\w+(\{[^{}]+\})? \d[\d.]*)$/,
      );
    }
    expect(text.match(/^# TYPE .*$/gm)?.sort()).toMatchInlineSnapshot(`
      [
        "# TYPE vane_answers_held_bytes gauge",
        "# TYPE vane_answers_total counter",
        "# TYPE vane_answers_unsent_bytes gauge",
        "# TYPE vane_connections gauge",
        "# TYPE vane_live_age_seconds gauge",
        "# TYPE vane_live_fresh gauge",
        "# TYPE vane_request_duration_seconds histogram",
        "# TYPE vane_requests_total counter",
        "# TYPE vane_response_bytes_total counter",
        "# TYPE vane_start_time_seconds gauge",
        "# TYPE vane_upstream_failures_total counter",
        "# TYPE vane_upstream_requests_total counter",
      ]
    `);
  });

  it('/metrics of one server counts nothing of another server', async () => {
    create().recordResponse('hit');
    expect(await read(create())).toMatchObject({ 'vane_answers_total{result="hit"}': 0 });
  });
});
