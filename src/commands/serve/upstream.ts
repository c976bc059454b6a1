import { POLLING_INTERVAL_MS } from '../../domain/period.ts';
import { NotInterfaceError } from '../../errors.ts';
import type { Io } from '../../io.ts';
import type { Reporter } from '../../output/reporter.ts';
import type { LiveState, Metrics, UpstreamEndpoint } from '../../server/ops/metrics.ts';
import { archiveDiskCache } from '../../service/disk/archiveCache.ts';
import { createArchiveCache } from '../../service/memory/archiveCache.ts';
import { createLiveCache } from '../../service/memory/liveCache.ts';
import { type Source, sharedSource } from '../../service/memory/source.ts';
import { createCounters, type StationService } from '../../service/service.ts';
import { splitOnTooLarge } from '../../service/splitOnTooLarge.ts';
import { openHttpService } from '../shared/httpService.ts';
import { openAnswers, openUserCache } from '../shared/userCache.ts';
import type { UpstreamRequest } from './request.ts';

/** The service behind a server, and what is held of it. */
export interface Upstream {
  readonly data: { readonly source: Source; readonly maxAnswerBytes: number };
  live(): LiveState;
  /** Like `live`, after asking for what is not fresh. */
  checkLive(): Promise<LiveState>;
  /** Looks how the service is, and does what there is to do by itself, until the signal aborts. */
  begin(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

interface Tools {
  readonly io: Io;
  readonly reporter: Reporter;
  readonly metrics: Metrics;
}

/** How often the cache on disk is kept within its size. */
const TRIM_EVERY_MS = 600_000;

export async function openUpstream(
  request: UpstreamRequest,
  { io, reporter, metrics }: Tools,
): Promise<Upstream> {
  const { connection, staleMs, concurrency, maxAnswerBytes } = request;
  const { now, sleep } = io;
  const counters = createCounters();
  // The earlier of our clock and the service's: a period is final only when both say so.
  let aheadMs = 0;
  const serviceNow = () => now() - aheadMs;
  const onDate = (dateMs: number): void => {
    aheadMs = Math.max(0, now() - dateMs);
  };
  const open = (retries: number) =>
    openHttpService(
      { ...connection, retries, proxyEnv: io.env, onDate },
      { io, reporter, counters },
    );
  // A failed refresh is tried again when its time has come, which is not at once.
  const [forLive, forArchive] = [open(0), open(connection.retries)];
  const folder = await openAnswers(io, reporter.note);
  const { cache, maxBytes } = await openUserCache(folder, io, reporter.note);
  const asked = splitOnTooLarge(counted(forArchive, metrics));
  const openArchive = (refresh: boolean) =>
    archiveDiskCache(asked, {
      ...{ cache, counters, refresh },
      baseUrl: connection.baseUrl,
      now: serviceNow,
    });
  const [archive, past] = [openArchive(connection.cache === 'refresh'), openArchive(true)];
  const settle = async () => void (await Promise.all([archive.settle(), past.settle()]));
  const liveCache = createLiveCache({
    service: counted(forLive, metrics),
    ...{ now, sleep, staleMs },
  });
  const isCached = connection.cache !== 'none';
  const archives = createArchiveCache({
    service: {
      ...(isCached ? { ...archive, settle } : asked),
      archiveAfresh: (station, period) =>
        (isCached ? past : asked).archive(station, period, { isAfresh: true }),
    },
    ...{ now, concurrency },
    serviceNow,
    admit: liveCache.admit,
  });

  function live(): LiveState {
    const held = liveCache.peek();
    const ageMs = held && now() - held.askedMs;
    return { ageMs, isFresh: ageMs !== undefined && ageMs < 2 * POLLING_INTERVAL_MS };
  }

  async function look(): Promise<void> {
    try {
      await liveCache.live('all', true);
    } catch (error) {
      if (io.signal.aborted) return;
      const why = error instanceof Error ? error.message : String(error);
      const what =
        error instanceof NotInterfaceError
          ? 'Until it does, only archives that are kept on disk are served'
          : 'Archives that are kept on disk are served, the rest when it answers';
      reporter.note(`${why} ${what}.`);
    }
  }

  async function keepTrimmed(signal: AbortSignal): Promise<void> {
    let trimmed = 0;
    while (!signal.aborted) {
      await sleep(TRIM_EVERY_MS, signal).catch(() => {});
      if (counters.stored > trimmed) await cache.trim(maxBytes);
      trimmed = counters.stored;
    }
  }

  return {
    data: { source: sharedSource(liveCache, archives), maxAnswerBytes },
    live,
    async checkLive() {
      await liveCache.live('all', true).catch(() => {});
      return live();
    },
    async begin(signal) {
      await Promise.all([
        look(),
        keepTrimmed(signal),
        request.isWarm ? liveCache.keepWarm(signal) : undefined,
      ]);
    },
    async close() {
      await settle();
      if (counters.stored > 0) await cache.trim(maxBytes);
      await Promise.all([forLive.close(), forArchive.close()]);
    },
  };
}

/** A service whose requests are counted. */
function counted(service: StationService, metrics: Metrics): StationService {
  const count = async <T>(endpoint: UpstreamEndpoint, ask: () => Promise<T>): Promise<T> => {
    metrics.recordUpstreamRequest(endpoint);
    try {
      return await ask();
    } catch (error) {
      metrics.recordUpstreamFailure(endpoint);
      throw error;
    }
  };
  const liveName = (withMeta: boolean) => (withMeta ? 'live-with-meta' : 'live');
  return {
    live: (station, live) => count(liveName(live.withMeta), () => service.live(station, live)),
    liveAll: (live) => count(liveName(live.withMeta), () => service.liveAll(live)),
    archive: (station, period, call) =>
      count('archive', () => service.archive(station, period, call)),
  };
}
