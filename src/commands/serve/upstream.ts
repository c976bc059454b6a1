import { formatDate } from '../../domain/dates.ts';
import { POLLING_INTERVAL_MS } from '../../domain/period.ts';
import { UnexpectedResponseError } from '../../errors.ts';
import type { Io } from '../../io.ts';
import type { Reporter } from '../../output/reporter.ts';
import { createArchiveCache } from '../../server/cache/archives.ts';
import { createLiveCache } from '../../server/cache/liveStations.ts';
import { cachedSource } from '../../server/cache/source.ts';
import type { LiveDataFreshness, Metrics } from '../../server/ops/metrics.ts';
import { httpService } from '../../service/http/http.ts';
import { createRequestCounters, type StationService } from '../../service/service.ts';
import { splitOnTooLarge } from '../../service/splitOnTooLarge.ts';
import { openArchiveCache } from '../../session/diskCache.ts';
import { httpClientOptions } from '../../session/session.ts';
import type { UpstreamOptions } from './options.ts';

/**
 * Maximum time that /health waits for live data: health checks often time out after a few seconds.
 */
const HEALTH_WAIT_MS = 1000;

const TRIM_EVERY_MS = 600_000;

/** Opens the service behind the server, with its caches. */
export async function openUpstream(
  options: UpstreamOptions,
  { io, reporter, metrics }: { io: Io; reporter: Reporter; metrics: Metrics },
) {
  const { connection, isWarm, staleMs, concurrency, maxResponseBytes } = options;
  const { baseUrl } = connection;
  const { now, sleep } = io;
  const counters = createRequestCounters();
  // How far this machine's clock is ahead of the service's. A period is over only when both clocks
  // say so.
  let aheadMs = 0;
  const serviceNow = () => now() - aheadMs;
  const onDate = (dateMs: number): void => {
    aheadMs = Math.max(0, now() - dateMs);
  };
  const tools = {
    ...httpClientOptions(io, reporter),
    counters,
    proxyEnv: io.env,
    onDate,
    onRequest: metrics.recordUpstreamRequest,
    onFailure: metrics.recordUpstreamFailure,
  };
  const open = (retries: number) =>
    httpService({ ...connection, ...tools, retries, addressOption: '--upstream' });
  // Live requests are not retried: the live cache itself waits before it requests again.
  const [forLive, forArchive] = [open(0), open(connection.retries)];
  const { note } = reporter;
  const { cache } = connection;
  const onDisk = openArchiveCache(
    splitOnTooLarge(forArchive),
    { cache, counters, baseUrl, now: serviceNow, note },
    io,
  );
  const reported = reportOutages(forLive, io, note);
  const liveCache = createLiveCache({ service: reported, now, sleep, staleMs });
  const archives = createArchiveCache({
    service: onDisk,
    now,
    concurrency,
    serviceNow,
    isListed: liveCache.isListed,
    note,
    admit: liveCache.admit,
  });

  function live(): LiveDataFreshness {
    const held = liveCache.peek();
    const ageMs = held && now() - held.requestedMs;
    return { ageMs, isFresh: ageMs !== undefined && ageMs < 2 * POLLING_INTERVAL_MS };
  }

  async function keepTrimmed(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(TRIM_EVERY_MS, signal).catch(() => {});
      await onDisk.trim();
    }
  }

  return {
    data: { source: cachedSource(liveCache, archives), maxResponseBytes, staleMs },
    live,
    /** Checks how fresh the live data are. If they are not fresh, waits a moment for a refresh. */
    async checkLive() {
      const over = new AbortController();
      const refresh = liveCache.live('all', true);
      await Promise.race([refresh, sleep(HEALTH_WAIT_MS, over.signal)]).catch(() => {});
      over.abort();
      return live();
    },
    /** Keeps the live data in memory fresh, and trims the cache on disk, until `signal` aborts. */
    async begin(signal: AbortSignal) {
      const warming = isWarm ? liveCache.keepWarm(signal) : undefined;
      liveCache.live('all', true).catch(() => {});
      await Promise.all([keepTrimmed(signal), warming]);
    },
    async close() {
      // Close the clients first, so that responses still arriving are written before the cache
      // settles.
      await Promise.all([forLive.close(), forArchive.close()]);
      await onDisk.settle();
      await onDisk.trim();
    },
  };
}

/**
 * Wraps a service so that it prints a line when live requests begin to fail, and when they succeed
 * again.
 */
function reportOutages(service: StationService, { now, signal }: Io, note: Reporter['note']) {
  let hasResponded = false;
  let failsSinceMs: number | undefined;

  function noteFailure(error: unknown): void {
    if (failsSinceMs !== undefined || signal.aborted) return;
    failsSinceMs = now();
    const why = error instanceof Error ? error.message : String(error);
    const whatFollows =
      error instanceof UnexpectedResponseError
        ? 'Until that changes, only archives in the cache on disk are served'
        : 'Until it responds, only archives in the cache on disk are served';
    note(
      `${why} ${hasResponded ? 'Until it responds, the last live data is served' : whatFollows}.`,
    );
  }

  return {
    live: service.live,
    async liveAll(...request: Parameters<StationService['liveAll']>) {
      try {
        const stations = await service.liveAll(...request);
        if (failsSinceMs !== undefined) {
          note(`The service responds again. It had failed since ${formatDate(failsSinceMs)}.`);
        }
        failsSinceMs = undefined;
        hasResponded = true;
        return stations;
      } catch (error) {
        noteFailure(error);
        throw error;
      }
    },
  };
}
