import type { Documents } from '../edge/documents.ts';
import { JSON_TYPE, NO_STORE } from '../edge/headers.ts';
import type { LiveState, Metrics } from './metrics.ts';

/**
 * The documents that tell the operator the state of the server: /health and /metrics.
 * @param checkLive requests the live data again if they are not fresh, then gives their state
 */
export function createReports(metrics: Metrics, checkLive: () => Promise<LiveState>) {
  return {
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
  } satisfies Documents;
}
