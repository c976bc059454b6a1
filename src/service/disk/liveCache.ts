import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LiveStations } from '../../domain/envelope.ts';
import { POLLING_INTERVAL_MS } from '../../domain/period.ts';
import { type Io, randomName } from '../../io.ts';
import { makeFolder } from '../../userFolder.ts';
import type { LiveCallOptions, StationService } from '../service.ts';
import { type ReportTrouble, remakeCacheFolder } from './cacheFolder.ts';
import { acquireLock } from './lock.ts';
import type { Entry } from './store.ts';

/**
 * A cached response expires this much before 60 s, since a script that polls every minute may come
 * a moment early.
 */
const JITTER_MS = 1000;

export interface LiveDiskCacheOptions extends Pick<Io, 'now' | 'sleep' | 'random'> {
  /** Longest wait for the response of another process; this one then sends its own request. */
  readonly timeoutMs: number;
  /** The folder of the cache; live responses have a folder of their own in it. */
  readonly folder: string;
  /** Address of the service, a part of each cache key, which keeps different services apart. */
  readonly baseUrl: string;
  /** Whether to write to the cache without reading it. */
  readonly refresh: boolean;
  /** Called when the folder cannot be used; responses come without the cache then. */
  readonly reportTrouble: ReportTrouble;
  /** Called where `refresh` requests a response again that the service sent within 60 s. */
  readonly onEarlyRefresh?: (ageMs: number) => void;
}

/** The content of a file of the cache, as JSON. */
interface CachedResponse<T> {
  /** When the response was requested, milliseconds since 1970. */
  readonly requestedMs: number;
  readonly key: string;
  readonly response: T;
}

const LOCK = '.lock';
const UNFINISHED = '.tmp';

const liveFolder = (folder: string): string => join(folder, 'live-v1');

/**
 * The live cache on disk: all processes of a user share each live response for 60 s from its
 * request on, and processes that request it at the same time share one request. Each response is a
 * plain file: loading the library cacache takes longer than the request.
 */
export function liveDiskCache(
  inner: Pick<StationService, 'live' | 'liveAll'>,
  options: LiveDiskCacheOptions,
): Pick<StationService, 'live' | 'liveAll'> {
  const { folder, baseUrl, now, sleep, random, timeoutMs, refresh } = options;
  const { reportTrouble, onEarlyRefresh = () => {} } = options;

  function read<T>(path: string): T | undefined {
    try {
      const { requestedMs, response } = JSON.parse(readFileSync(path, 'utf8')) as CachedResponse<T>;
      const ageMs = now() - requestedMs;
      // A response dated in the future was written before the clock was set back.
      if (!(ageMs >= 0 && ageMs < POLLING_INTERVAL_MS - JITTER_MS)) return undefined;
      if (!refresh) return response;
      onEarlyRefresh(ageMs);
      return undefined;
    } catch {
      // A damaged file counts as missing.
      return undefined;
    }
  }

  function write(path: string, response: CachedResponse<unknown>): void {
    const temporary = `${path}.${randomName(random)}${UNFINISHED}`;
    try {
      writeFileSync(temporary, JSON.stringify(response), { mode: 0o600 });
      renameSync(temporary, path);
    } catch (error) {
      reportTrouble(error, 'written');
      removeIfPossible(temporary);
    }
  }

  /**
   * Locks a response of the live cache on disk.
   * @returns undefined where locking failed; the response then comes without a lock
   */
  async function lockResponse(path: string, signal: AbortSignal | undefined) {
    try {
      remakeCacheFolder(folder);
      makeFolder(liveFolder(folder), 0o700);
      return await acquireLock(path + LOCK, { sleep, random, signal, maxWaitMs: timeoutMs });
    } catch (error) {
      signal?.throwIfAborted();
      reportTrouble(error, 'written');
      return undefined;
    }
  }

  async function share<T>(
    station: number | 'all',
    { withMeta, signal }: LiveCallOptions,
    sendRequest: () => Promise<T>,
  ): Promise<T> {
    const key = `v1 ${baseUrl} live ${station}${withMeta ? ' meta' : ''}`;
    const path = join(liveFolder(folder), await fileNameOf(key));
    const requestedMs = now();
    const cached = read<T>(path);
    if (cached !== undefined) return cached;
    const lock = await lockResponse(path, signal);
    try {
      const written = refresh ? undefined : read<T>(path);
      if (written !== undefined) return written;
      const response = await sendRequest();
      write(path, { requestedMs, key, response });
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

/** A file name unique to a cache key, even where the system ignores case; a long key is hashed. */
async function fileNameOf(key: string): Promise<string> {
  const bytes = Buffer.from(key);
  if (bytes.length <= 100) return bytes.toString('hex');
  // Most cache keys are short, and loading node:crypto takes 9 ms.
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(bytes).digest('hex');
}

function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // A temporary file that is left behind does no harm: lists of responses skip it.
  }
}

/** Largest file that is parsed: the list of stations of a large network is under 1 MB. */
const MAX_LIST_BYTES = 32 * 1024 * 1024;

/** Lists the live responses in the folder of a cache, the oldest first; skips damaged files. */
export async function listLiveResponses(
  folder: string,
): Promise<(Entry & Pick<CachedResponse<unknown>, 'response'>)[]> {
  const isResponse = (name: string) => !name.endsWith(LOCK) && !name.endsWith(UNFINISHED);
  const names = await readdir(liveFolder(folder)).catch(() => []);
  const entries = await Promise.allSettled(
    names.filter(isResponse).map(async (name) => {
      const path = join(liveFolder(folder), name);
      const { size, mtimeMs } = await stat(path);
      const text = size < MAX_LIST_BYTES ? await readFile(path, 'utf8') : '';
      const { key, response } = JSON.parse(text) as CachedResponse<unknown>;
      return { key, response, bytes: size, usedMs: mtimeMs };
    }),
  );
  return entries
    .flatMap((entry) => (entry.status === 'fulfilled' ? [entry.value] : []))
    .sort((a, b) => a.usedMs - b.usedMs);
}

/**
 * Ids and names of the stations in the latest cached list of all stations, from any service and of
 * any age. Empty where no list is cached.
 */
export async function readStationList(
  folder: string,
): Promise<{ readonly id: number; readonly name: string }[]> {
  for (const { key, response } of (await listLiveResponses(folder)).reverse()) {
    if (!/ live all(?: meta)?$/.test(key)) continue;
    try {
      return (response as LiveStations).data.flatMap(({ id, meta: { name } }) =>
        Number.isSafeInteger(id) && typeof name === 'string' ? [{ id, name }] : [],
      );
    } catch {
      // Skip a damaged list; an older list may follow.
    }
  }
  return [];
}

/** Removes the live responses from the folder of a cache. */
export async function clearLiveResponses(folder: string): Promise<void> {
  // Retry the removal of the folder, since another process may write a response meanwhile.
  await rm(liveFolder(folder), { recursive: true, force: true, maxRetries: 3 });
}
