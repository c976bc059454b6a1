import type { Documents } from './app.ts';
import { JSON_TYPE } from './headers.ts';
import type { LiveState, MetricEndpoint, Metrics } from './metrics.ts';
import { openapiDocument } from './openapi.ts';
import { PAGE, PAGE_HEADERS } from './page.ts';
import { ENDPOINTS } from './routes.ts';

export interface ReportOptions {
  readonly metrics: Metrics;
  /** How the live data stand; asks for them where they are not fresh. */
  readonly checkLive: () => Promise<LiveState>;
  /** Told before the metrics are read. */
  readonly onRead: () => Promise<void>;
}

/**
 * What there is beside the interface for everybody: a page, and a description.
 * @param version of vane
 */
export function createDocuments(version: string) {
  const description = Buffer.from(JSON.stringify(openapiDocument(version)));
  const page = Buffer.from(PAGE);
  const aDay = { 'cache-control': 'public, max-age=86400' };
  return {
    '/': () => ({ headers: { ...PAGE_HEADERS, ...aDay }, body: page }),
    '/openapi.json': () => ({
      headers: { 'content-type': JSON_TYPE, ...aDay },
      body: description,
    }),
  } satisfies Documents;
}

/** How the server is, for its operator. */
export function createReports({ metrics, checkLive, onRead }: ReportOptions) {
  const now = { 'cache-control': 'no-store' };
  return {
    async '/health'() {
      const { ageMs, isFresh } = await checkLive();
      const body = {
        status: isFresh ? 'ok' : 'not_ready',
        live_age_s: ageMs === undefined ? null : Math.round(ageMs / 1000),
      };
      return {
        status: isFresh ? 200 : 503,
        headers: { 'content-type': JSON_TYPE, ...now },
        body: JSON.stringify(body),
      };
    },
    async '/metrics'() {
      await onRead();
      const body = await metrics.text();
      return { headers: { 'content-type': metrics.contentType, ...now }, body };
    },
  } satisfies Documents;
}

const NAMES: Readonly<Record<string, MetricEndpoint>> = {
  '': 'page',
  health: 'health',
  metrics: 'metrics',
  'openapi.json': 'openapi',
};

/** Targets that come again and again. */
const KNOWN = new Map<string, MetricEndpoint>();
const MAX_KNOWN = 1000;

/** The endpoint that a request's target is at, for the metrics. */
export function endpointOf(url: string): MetricEndpoint {
  const known = KNOWN.get(url);
  if (known !== undefined) return known;
  const endpoint = readEndpoint(url);
  // Anew from time to time, which costs less than to know what was used last.
  if (KNOWN.size >= MAX_KNOWN) KNOWN.clear();
  if (url.length < 200) KNOWN.set(url, endpoint);
  return endpoint;
}

function readEndpoint(url: string): MetricEndpoint {
  const [, version = '', name = ''] = url.replace(/^[a-z]+:\/\/[^/]*/i, '').split(/[/?]/, 3);
  if (version !== 'v1') return NAMES[version] ?? 'other';
  return Object.hasOwn(ENDPOINTS, name) ? (name as keyof typeof ENDPOINTS) : 'other';
}
