import { formatDate } from '../../domain/dates.ts';
import type { Archive, ArchiveHead } from '../../domain/envelope.ts';
import { describePeriod, isClosed, type Period } from '../../domain/period.ts';
import { Rows } from '../../domain/rows.ts';
import { hasRowIn } from '../columns.ts';
import type { Counters } from '../counters.ts';
import type { StationService } from '../service.ts';
import type { Cache } from './store.ts';

export interface CachedOptions {
  readonly cache: Cache;
  /** Answers of one service are no answers of another. */
  readonly baseUrl: string;
  readonly now: () => number;
  /** Ask the service also for what the cache has, and replace that. */
  readonly refresh: boolean;
  readonly counters: Counters;
  /** Told in a sentence that the service gave fewer rows of a chunk than the cache had. */
  readonly onFewerRows?: (sentence: string) => void;
}

export interface ArchiveDiskCache extends Pick<StationService, 'archive'> {
  /** Whether the answer for a window is kept, so that asking for it sends no request. */
  keeps(station: number, period: Period): Promise<boolean>;
  /** Resolves when every answer given so far is kept. */
  settle(): Promise<void>;
}

/**
 * The archive of a service, closed chunks of which are kept on disk for good, unless they have no
 * rows: a service that has lost data for a while must not make that last.
 */
export function archiveDiskCache(
  inner: Pick<StationService, 'archive'>,
  options: CachedOptions,
): ArchiveDiskCache {
  const { cache, baseUrl, now, refresh, counters, onFewerRows = () => {} } = options;
  // A later vane that keeps answers in another form counts up.
  const archiveKey = (station: number, { start, stop }: Period): string =>
    `v3 ${baseUrl} archive ${station} ${formatDate(start)} ${formatDate(stop)}`;

  let writing = Promise.resolve();

  async function keep(key: string, period: Period, answer: Archive): Promise<void> {
    // The next request need not wait for the disk, but no more than one answer does wait for it.
    await writing;
    writing = cache.write(key, archiveForm(period).write(answer)).then((isKept) => {
      if (isKept) counters.stored++;
    });
  }

  return {
    async archive(station, period, call) {
      if (!isClosed(period, now())) return inner.archive(station, period, call);
      const key = archiveKey(station, period);
      const bytes = await cache.read(key);
      const kept = bytes && archiveForm(period).read(bytes);
      if (kept !== undefined && !refresh) {
        counters.cacheHits++;
        return kept;
      }
      let answeredMs = now();
      const answer = await inner.archive(station, period, {
        ...call,
        onAnswered: (ms) => {
          answeredMs = Math.min(answeredMs, ms);
        },
      });
      if (kept !== undefined && answer.rows.count < kept.rows.count) {
        onFewerRows(
          `Of station ${station} ${describePeriod(period)} the service now has ${answer.rows.count} rows, ` +
            `where the cache had ${kept.rows.count}; the service's answer is taken.`,
        );
      }
      if (!hasRowIn(answer, period)) await cache.remove(key);
      else if (isClosed(period, answeredMs)) await keep(key, period, answer);
      return answer;
    },
    settle: () => writing,
    keeps: async (station, period) =>
      !refresh && isClosed(period, now()) && (await cache.has(archiveKey(station, period))),
  };
}

/**
 * An archive as its head on one line and then its rows, which stay bytes that way. What was found
 * out about their order is kept with them, under the same hash.
 */
function archiveForm({ start, stop }: Period) {
  const [first, end] = [formatDate(start), formatDate(stop)];
  return {
    write({ rows, ...head }: Archive): Buffer {
      const isAscending = rows.isAscending(first, end);
      const line = `${JSON.stringify({ ...head, count: rows.count, isAscending })}\n`;
      return Buffer.concat([Buffer.from(line), rows.bytes]);
    },
    read(bytes: Buffer): Archive {
      const endOfHead = bytes.indexOf('\n');
      const line = bytes.toString('utf8', 0, endOfHead);
      const { count, isAscending, ...head } = JSON.parse(line) as KeptHead;
      const lines = bytes.subarray(endOfHead + 1);
      return { ...head, rows: Rows.ofBytes(lines, count, isAscending || undefined) };
    },
  };
}

interface KeptHead extends ArchiveHead {
  readonly count: number;
  /** Whether rows ascend, and lie in the period; false where one of the two does not hold. */
  readonly isAscending: boolean;
}
