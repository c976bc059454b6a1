import type { ConnectionOptions } from '../flags/connection.ts';
import { readCacheSize } from '../flags/settings.ts';
import type { Io } from '../io.ts';
import type { Reporter } from '../output/reporter.ts';
import {
  type ArchiveDiskCache,
  type ArchiveDiskCacheOptions,
  archiveDiskCache,
} from '../service/disk/archiveCache.ts';
import { cacheTroubleReporter } from '../service/disk/cacheFolder.ts';
import { type DiskCache, EMPTY_CACHE } from '../service/disk/store.ts';
import { openUserCache } from '../service/disk/userCache.ts';
import type { StationService } from '../service/service.ts';

interface OpenArchiveCache extends ArchiveDiskCache {
  /** The cache on disk, which stays empty if the connection does not use it. */
  readonly cache: DiskCache;
  /** Trims the cache to its maximum size if archives were stored since the last call. */
  trim(): Promise<void>;
}

export interface ArchiveCacheOptions
  extends Omit<ArchiveDiskCacheOptions, 'cache' | 'refresh'>,
    Pick<ConnectionOptions, 'cache'>,
    Pick<Reporter, 'note'> {}

/**
 * Opens this user's cache on disk, and puts it in front of a service's archives.
 * @throws UsageError for a user without a home folder, and for an invalid cache size
 */
export function openArchiveCache(
  inner: Pick<StationService, 'archive'>,
  options: ArchiveCacheOptions,
  io: Io,
): OpenArchiveCache {
  const isOff = options.cache === 'none';
  const cache = isOff
    ? EMPTY_CACHE
    : openUserCache(io, true, cacheTroubleReporter(io, options.note));
  const maxBytes = isOff ? 0 : readCacheSize(io);
  const archives = isOff
    ? { archive: inner.archive, keeps: async () => false, settle: async () => {} }
    : archiveDiskCache(inner, { ...options, cache, refresh: options.cache === 'refresh' });
  const { counters } = options;
  let trimmed = 0;
  return {
    ...archives,
    cache,
    async trim() {
      const { stored } = counters;
      if (stored > trimmed) await cache.trim(maxBytes);
      trimmed = stored;
    },
  };
}
