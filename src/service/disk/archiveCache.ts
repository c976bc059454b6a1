import { DAY_MS, formatDate } from '../../domain/dates.ts';
import type { Archive, ArchiveHead } from '../../domain/envelope.ts';
import { describePeriod, isArchiveFinal, type Period } from '../../domain/period.ts';
import { ArchiveLines } from '../../domain/readings/lines.ts';
import type { RequestCounters, StationService } from '../service.ts';
import type { CachedContent, DiskCache } from './store.ts';

export interface ArchiveDiskCacheOptions {
  readonly cache: DiskCache;
  /** Address of the service. It is part of each cache key, so that services do not mix. */
  readonly baseUrl: string;
  readonly now: () => number;
  /** Whether to request every chunk again and replace the cached response. */
  readonly refresh: boolean;
  readonly counters: RequestCounters;
  /** Called with a sentence if a new response has fewer rows than the cached one. */
  readonly onFewerRows?: (sentence: string) => void;
}

export interface ArchiveDiskCache extends Pick<StationService, 'archive'> {
  /** Whether the response for a chunk is cached, so that no request is needed. */
  keeps(station: number, period: Period): Promise<boolean>;
  /** Resolves when all responses so far are on disk. */
  settle(): Promise<void>;
}

/** A chunk without rows is cached only if it ended longer ago than this. Rows may arrive late. */
const EMPTY_AFTER_MS = 60 * DAY_MS;

/** How long a chunk without rows is cached. The service may have lost its rows only temporarily. */
const EMPTY_VALID_MS = 7 * DAY_MS;

/**
 * Caches archives on disk. A closed chunk, whose rows no longer change, is kept for good. A chunk
 * without rows is kept for a week if it ended over 60 days ago, and otherwise not at all.
 */
export function archiveDiskCache(
  inner: Pick<StationService, 'archive'>,
  options: ArchiveDiskCacheOptions,
): ArchiveDiskCache {
  const { cache, baseUrl, now, refresh, counters, onFewerRows = () => {} } = options;
  const archiveKey = (station: number, { start, stop }: Period): string =>
    `archive ${baseUrl} ${station} ${formatDate(start)} ${formatDate(stop)}`;

  let writing = Promise.resolve();
  /**
   * The latest read from the cache. Reads run concurrently but finish in order, so that requests to
   * the service are sent in order.
   */
  let lookedUp: Promise<CachedContent | undefined> = Promise.resolve(undefined);

  async function write(
    key: string,
    period: Period,
    response: Archive,
    validMs: number | undefined,
  ): Promise<void> {
    // Write a response while the next request runs. At most one more response waits in memory.
    const before = writing;
    writing = before.then(async () => {
      if (await cache.write(key, writeEntry(response, period), { validMs })) counters.stored++;
    });
    await before;
  }

  return {
    async archive(station, period, call) {
      const key = archiveKey(station, period);
      const isCacheable = isArchiveFinal(period, now());
      const reading = isCacheable ? cache.read(key) : undefined;
      lookedUp = lookedUp.then(() => reading);
      const entry = await lookedUp;
      if (!isCacheable) return inner.archive(station, period, call);
      const cached = entry && readEntry(entry.content);
      if (cached !== undefined && !refresh) {
        counters.cacheHits++;
        return cached;
      }
      let respondedMs = now();
      const response = await inner.archive(station, period, {
        ...call,
        onResponse: (ms) => {
          respondedMs = Math.min(respondedMs, ms);
        },
      });
      if (cached !== undefined && response.rows.count < cached.rows.count) {
        onFewerRows(
          `For station ${station} ${describePeriod(period)}, the service now has ${response.rows.count} rows ` +
            `where the cache had ${cached.rows.count}. vane uses the rows of the service.`,
        );
      }
      const hasRows = response.rows.hasAny(period);
      // A service that has lost rows may have them again tomorrow.
      const isLost = !hasRows && cached !== undefined && cached.rows.count > 0;
      const isLongOver = respondedMs - period.stop > EMPTY_AFTER_MS;
      if (hasRows && isArchiveFinal(period, respondedMs))
        await write(key, period, response, undefined);
      else if (!hasRows && isLongOver && !isLost)
        await write(key, period, response, EMPTY_VALID_MS);
      else if (!hasRows && cached !== undefined) await cache.remove(key);
      return response;
    },
    settle: () => writing,
    keeps: async (station, period) =>
      !refresh && isArchiveFinal(period, now()) && (await cache.has(archiveKey(station, period))),
  };
}

interface EntryHead extends ArchiveHead {
  readonly count: number;
  /**
   * Whether the rows are in order of time and within the period, so that readers need not check.
   */
  readonly isAscending: boolean;
}

/** Writes a cache entry: the metadata of an archive as a line of JSON, then one line per row. */
function writeEntry({ rows, ...head }: Archive, period: Period): Buffer {
  const isAscending = rows.isAscending(period);
  const line = JSON.stringify({ ...head, count: rows.count, isAscending } satisfies EntryHead);
  return Buffer.concat([Buffer.from(`${line}\n`), rows.bytes]);
}

function readEntry(entry: Buffer): Archive {
  const endOfHead = entry.indexOf('\n');
  const line = entry.toString('utf8', 0, endOfHead);
  const { count, isAscending, ...head } = JSON.parse(line) as EntryHead;
  const lines = entry.subarray(endOfHead + 1);
  return { ...head, rows: new ArchiveLines(lines, count, isAscending || undefined) };
}
