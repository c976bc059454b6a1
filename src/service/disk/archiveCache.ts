import { DAY_MS, formatDate } from '../../domain/dates.ts';
import type { Archive, ArchiveHead } from '../../domain/envelope.ts';
import { describePeriod, isArchiveFinal, type Period } from '../../domain/period.ts';
import { ArchiveLines } from '../../domain/readings/lines.ts';
import type { RequestCounters, StationService } from '../service.ts';
import type { CachedContent, DiskCache } from './store.ts';

export interface ArchiveDiskCacheOptions {
  readonly cache: DiskCache;
  /** Address of the service, a part of each cache key, which keeps different services apart. */
  readonly baseUrl: string;
  readonly now: () => number;
  /** Whether to request every chunk and replace the cached responses. */
  readonly refresh: boolean;
  readonly counters: RequestCounters;
  /** Called with a sentence when a new response has fewer rows than the cached one. */
  readonly onFewerRows?: (sentence: string) => void;
}

export interface ArchiveDiskCache extends Pick<StationService, 'archive'> {
  /** Whether the response for a chunk is cached, so that no request is sent for it. */
  keeps(station: number, period: Period): Promise<boolean>;
  /** Resolves when every response so far is written to disk. */
  settle(): Promise<void>;
}

/** A chunk without rows is cached if it ended longer ago than this: late rows are then unlikely. */
const EMPTY_AFTER_MS = 60 * DAY_MS;

/** How long a chunk without rows is cached: the service may have lost its rows only for a while. */
const EMPTY_VALID_MS = 7 * DAY_MS;

/**
 * Caches archives on disk. A closed chunk, whose rows no longer change, is kept for good. A chunk
 * without rows is kept for a week if it ended over 60 days ago, and else not at all.
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
   * The latest read from the cache. Reads run concurrently but end in order, so that requests to
   * the service are sent in order.
   */
  let lookedUp: Promise<CachedContent | undefined> = Promise.resolve(undefined);

  async function write(
    key: string,
    period: Period,
    response: Archive,
    validMs: number | undefined,
  ): Promise<void> {
    // A response is written while the next request runs; at most one further response waits in
    // memory.
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
      // A service that has lost rows may send them again tomorrow.
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
  /** Whether the rows ascend by time and lie in the period: then a reader need not check again. */
  readonly isAscending: boolean;
}

/** A cache entry: an archive's head as JSON on one line, then a line for each row. */
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
