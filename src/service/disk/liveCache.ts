import type { LiveStations } from '../../domain/envelope.ts';
import { POLLING_INTERVAL_MS } from '../../domain/period.ts';
import type { Io } from '../../io.ts';
import type { LiveCallOptions, StationService } from '../service.ts';
import type { DiskCache } from './store.ts';

/**
 * A cached response expires this much before 60 s, since a script that polls every minute may come a
 * moment early.
 */
const JITTER_MS = 1000;

interface LiveDiskCacheOptions extends Pick<Io, 'now' | 'sleep'> {
  readonly cache: DiskCache;
  /** Longest wait for the response of another process; this one then sends its own request. */
  readonly timeoutMs: number;
  /** Address of the service, a part of each cache key, which keeps different services apart. */
  readonly baseUrl: string;
  /** Whether to write to the cache without reading it. */
  readonly refresh: boolean;
  /** Called where `refresh` requests a response again that the service sent within 60 s. */
  readonly onEarlyRefresh?: (ageMs: number) => void;
}

/** The kind of the entries of live responses in the cache. */
const KIND = 'live';

/**
 * Caches live responses on disk: all processes of a user share each of them for 60 s from its
 * request on, and processes that want it at the same time share one request.
 */
export function liveDiskCache(
  inner: Pick<StationService, 'live' | 'liveAll'>,
  options: LiveDiskCacheOptions,
): Pick<StationService, 'live' | 'liveAll'> {
  const { cache, baseUrl, now, sleep, timeoutMs, refresh } = options;
  const { onEarlyRefresh = () => {} } = options;

  async function read<T>(key: string): Promise<T | undefined> {
    const cached = await cache.read(key);
    // A negative age is of a response that was written before the clock was set back.
    if (!cached || cached.ageMs < 0 || cached.ageMs >= POLLING_INTERVAL_MS - JITTER_MS) return;
    if (!refresh) return JSON.parse(cached.content.toString());
    onEarlyRefresh(cached.ageMs);
    return undefined;
  }

  async function share<T>(
    station: number | 'all',
    { withMeta, signal }: LiveCallOptions,
    request: () => Promise<T>,
  ): Promise<T> {
    const key = `${KIND} ${baseUrl} ${station}${withMeta ? ' meta' : ''}`;
    const requestedMs = now();
    const cached = await read<T>(key);
    if (cached !== undefined) return cached;
    const lock = await cache.lock(key, { sleep, signal, maxWaitMs: timeoutMs });
    try {
      const written = refresh ? undefined : await read<T>(key);
      if (written !== undefined) return written;
      const response = await request();
      await cache.write(key, Buffer.from(JSON.stringify(response)), { requestedMs });
      return response;
    } finally {
      lock?.release();
    }
  }

  return {
    live: (station, call) => share(station, call, () => inner.live(station, call)),
    liveAll: (call) => share('all', call, () => inner.liveAll(call)),
  };
}

/**
 * Ids and names of the stations in the latest cached list of all stations, from any service and of
 * any age. Empty where no list is cached.
 */
export async function readStationList(
  cache: DiskCache,
): Promise<{ readonly id: number; readonly name: string }[]> {
  const lists = (await cache.list(KIND)).filter(({ key }) => / all(?: meta)?$/.test(key));
  for (const { key } of lists.reverse()) {
    const cached = await cache.read(key);
    if (cached === undefined) continue;
    return (JSON.parse(cached.content.toString()) as LiveStations).data.map(
      ({ id, meta: { name } }) => ({ id, name }),
    );
  }
  return [];
}
