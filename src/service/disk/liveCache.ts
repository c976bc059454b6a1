import type { LiveStations } from '../../domain/envelope.ts';
import { POLLING_INTERVAL_MS } from '../../domain/period.ts';
import type { Io } from '../../io.ts';
import type { LiveCallOptions, StationService } from '../service.ts';
import type { DiskCache } from './store.ts';

/**
 * A cached response expires this much before 60 s, since a script that polls every minute may come
 * slightly early.
 */
const JITTER_MS = 1000;

interface LiveDiskCacheOptions extends Pick<Io, 'now' | 'sleep'> {
  readonly cache: DiskCache;
  /** Maximum wait for another process's response, before this process sends its own request. */
  readonly timeoutMs: number;
  /** Address of the service. It is part of each cache key, so that services do not mix. */
  readonly baseUrl: string;
  /** Whether to write to the cache without reading it. */
  readonly refresh: boolean;
  /** Called if `refresh` repeats a request within 60 s of the last response. */
  readonly onEarlyRefresh?: (ageMs: number) => void;
}

/** The kind of the cache entries for live responses. */
const KIND = 'live';

/**
 * Caches live responses on disk. All processes of a user share a response for 60 s after its
 * request. Processes that need it at the same time share one request.
 */
export function liveDiskCache(
  inner: Pick<StationService, 'live' | 'liveAll'>,
  options: LiveDiskCacheOptions,
): Pick<StationService, 'live' | 'liveAll'> {
  const { cache, baseUrl, now, sleep, timeoutMs, refresh } = options;
  const { onEarlyRefresh = () => {} } = options;

  async function read<T>(key: string): Promise<T | undefined> {
    const cached = await cache.read(key);
    // A negative age means that the clock was set back after the response was written.
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
 * Reads ids and names from the latest cached list of all stations, of any service and age. Empty if
 * no list is cached.
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
