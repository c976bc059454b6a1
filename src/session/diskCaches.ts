import type { Io } from '../io.ts';
import type { Reporter } from '../output/reporter.ts';
import { archiveDiskCache } from '../service/disk/archiveCache.ts';
import { type LiveDiskCacheOptions, liveDiskCache } from '../service/disk/liveCache.ts';
import type { Counters, StationService } from '../service/service.ts';
import { openAnswers, openUserCache } from './userCache.ts';

interface DiskCacheOptions extends Pick<LiveDiskCacheOptions, 'refresh' | 'timeoutMs' | 'baseUrl'> {
  readonly counters: Counters;
  readonly io: Io;
  readonly reporter: Reporter;
}

export type DiskCaches = ReturnType<typeof diskCaches>;

/** A station service that keeps its answers for later commands, in this user's cache on disk. */
export function diskCaches(inner: StationService, options: DiskCacheOptions) {
  const { io, reporter, counters } = options;
  const { now, sleep, random, processes } = io;
  let isTroubled = false;
  const onTrouble = (sentence: string): void => {
    if (!isTroubled) reporter.note(sentence);
    isTroubled = true;
  };
  const folder = openAnswers(io, true, (trouble) => onTrouble(`${trouble}; going on without it.`));
  const tools = { now, sleep, random, processes, onTrouble };
  const live =
    folder === undefined ? inner : liveDiskCache(inner, { ...options, ...tools, folder });

  const { cache, maxBytes } = openUserCache(folder, io, onTrouble);
  const onFewerRows = reporter.note;
  const archives = archiveDiskCache(inner, { ...options, cache, now, onFewerRows });

  /**
   * Requests that are under way: after one of them fails, the answers of the others still go into
   * the cache.
   */
  const underWay = new Set<Promise<unknown>>();
  const archive: StationService['archive'] = async (...request) => {
    const answer = archives.archive(...request);
    underWay.add(answer);
    return answer.finally(() => underWay.delete(answer));
  };
  return {
    service: { ...live, archive },
    /** Whether the archive of a station for a period is in the cache. */
    keeps: archives.keeps,
    /** Resolves when every request under way has ended and its answer is on disk. */
    async settle() {
      await Promise.allSettled(underWay);
      await archives.settle();
    },
    /** Waits for answers that are being written, then trims the cache to its largest size. */
    async close() {
      await archives.settle();
      if (counters.stored > 0) await cache.trim(maxBytes);
    },
  };
}
