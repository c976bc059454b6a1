import { formatDate } from '../domain/dates.ts';
import type { Archive, ArchiveHead } from '../domain/envelope.ts';
import { isClosed, type Period } from '../domain/period.ts';
import { Rows } from '../domain/rows.ts';
import type { Cache } from './cache.ts';
import type { Meter } from './meter.ts';
import type { StationService } from './service.ts';

export interface CachedOptions {
  readonly cache: Cache;
  /** Answers of one service are no answers of another. */
  readonly baseUrl: string;
  readonly now: () => number;
  /** Take nothing from the cache, only put into it. */
  readonly refresh: boolean;
  readonly meter: Meter;
}

export interface CachedArchive extends Pick<StationService, 'archive'> {
  /** Whether the answer for a window is kept, so that asking for it sends no request. */
  keeps(station: number, period: Period): Promise<boolean>;
  /** Resolves when every answer given so far is kept. */
  settle(): Promise<void>;
}

/** The archive of a service, closed chunks of which are kept on disk for good. */
export function cachedArchive(
  inner: Pick<StationService, 'archive'>,
  options: CachedOptions,
): CachedArchive {
  const { cache, baseUrl, now, refresh, meter } = options;
  // A later vane that keeps answers in another form counts up.
  const archiveKey = (station: number, { start, stop }: Period): string =>
    `v2 ${baseUrl} archive ${station} ${formatDate(start)} ${formatDate(stop)}`;

  let writing = Promise.resolve();

  async function keep(key: string, period: Period, ask: () => Promise<Archive>): Promise<Archive> {
    const form = archiveForm(period);
    const kept = refresh ? undefined : await cache.read(key);
    if (kept !== undefined) {
      meter.cacheHits++;
      return form.read(kept);
    }
    const answer = await ask();
    // The next request need not wait for the disk, but no more than one answer does wait for it.
    await writing;
    writing = cache.write(key, form.write(answer)).then((isKept) => {
      if (isKept) meter.stored++;
    });
    return answer;
  }

  return {
    archive(station, period, call) {
      const ask = () => inner.archive(station, period, call);
      if (!isClosed(period, now())) return ask();
      return keep(archiveKey(station, period), period, ask);
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
