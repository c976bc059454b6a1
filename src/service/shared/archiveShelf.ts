import { LRUCache } from 'lru-cache';
import { formatDate } from '../../domain/dates.ts';
import type { Archive } from '../../domain/envelope.ts';
import { CLOSED_AFTER_MS, type Period, POLLING_INTERVAL_MS } from '../../domain/period.ts';
import { alignColumns } from '../chunks.ts';
import type { Held } from './held.ts';
import { shareUnderWay } from './underWay.ts';
import { createUpstream, type UpstreamAnswer, type UpstreamOptions } from './upstream.ts';
import { type Part, planParts } from './windows.ts';
import { isWithin } from './within.ts';

/** Rows of open parts kept in memory: some 40 MB as text. */
const MAX_ROWS = 500_000;

/** What a part without rows counts as, so that there are not too many of those either. */
const ROWS_OF_A_HEAD = 10;

/** The service keeps closed windows on disk; this keeps them in memory only while asked for. */
export interface ShelfOptions extends Omit<UpstreamOptions, 'maxWaiting'> {
  /** More requests than this waiting for their turn at the service fail at once; 1000 by default. */
  readonly maxWaiting?: number;
}

export interface ArchiveShelf {
  /**
   * The rows of a period, `start ≤ time < stop`, ascending, each as it came; columns and head of
   * its latest window where windows differ. What never changes any more is held for good and dated
   * at the moment it became final, so that its date is the same for everybody; what may change is
   * dated when it was asked for, its oldest part deciding. Callers who leave stop nothing, since
   * others may want the same.
   * @throws every failure of a StationService; NotFoundError for 60 s, and UnavailableError for 5 s,
   * without asking again
   */
  archive(station: number, period: Period): Promise<Held<Archive>>;
}

/**
 * The archive of a service for many people at once. Periods are cut at the bounds of a fixed grid,
 * so that everybody's requests for closed windows are the same few; what is not closed yet is asked
 * for as it is and given to everybody for 60 s.
 */
export function createArchiveShelf({ maxWaiting = 1000, ...options }: ShelfOptions): ArchiveShelf {
  const { now } = options;
  const upstream = createUpstream({ ...options, maxWaiting });
  const shareRequest = shareUnderWay<Held<Archive>>();
  const shareOpen = shareUnderWay<Held<Archive>>();
  // An answer that is on its way to the disk cannot be read from there yet.
  const shareWindow = shareUnderWay<UpstreamAnswer>(options.service.settle);
  const heldParts = new LRUCache<string, Held<Archive>>({
    maxSize: MAX_ROWS,
    sizeCalculation: ({ data }) => data.rows.count + ROWS_OF_A_HEAD,
  });

  async function takeClosed(station: number, { wanted, asked }: Part): Promise<Held<Archive>> {
    const { archive } = await shareWindow(keyOf(station, asked), () =>
      upstream.ask(station, asked),
    );
    return {
      data: cut(archive, wanted),
      askedMs: asked.stop + CLOSED_AFTER_MS,
      freshUntilMs: Number.POSITIVE_INFINITY,
      isStale: false,
    };
  }

  async function takeOpen(station: number, { asked }: Part): Promise<Held<Archive>> {
    const key = keyOf(station, asked);
    const held = heldParts.get(key);
    if (held !== undefined && isWithin(held.askedMs, POLLING_INTERVAL_MS, now())) return held;
    return shareOpen(key, async () => {
      const { archive, askedMs } = await upstream.ask(station, asked);
      const freshUntilMs = askedMs + POLLING_INTERVAL_MS;
      const part = { data: cut(archive, asked), askedMs, freshUntilMs, isStale: false };
      heldParts.set(key, part);
      return part;
    });
  }

  return {
    archive(station, period) {
      return shareRequest(keyOf(station, period), async () => {
        const parts = Array.from(planParts(period, now()), (part) =>
          part.isClosed ? takeClosed(station, part) : takeOpen(station, part),
        );
        return joinParts(await Promise.all(parts));
      });
    },
  };
}

function keyOf(station: number, { start, stop }: Period): string {
  return `${station} ${start} ${stop}`;
}

/** The rows of a period, whichever bounds and order the service has. */
function cut(archive: Archive, { start, stop }: Period): Archive {
  const rows = archive.rows.between(formatDate(start), formatDate(stop));
  return rows === archive.rows ? archive : { ...archive, rows };
}

/** @param parts of a period in order, one at least, cut already */
function joinParts(parts: readonly Held<Archive>[]): Held<Archive> {
  const latest = parts.at(-1) as Held<Archive>;
  if (parts.length === 1) return latest;
  const rows = parts
    .map(({ data }) => alignColumns(data, latest.data).rows)
    .reduce((before, after) => before.followedBy(after));
  const freshUntilMs = Math.min(...parts.map((part) => part.freshUntilMs));
  return { data: { ...latest.data, rows }, askedMs: dateOf(parts), freshUntilMs, isStale: false };
}

/**
 * The date of the whole: what became final long ago says nothing about when the rest was asked
 * for, and a period is final when its last window is. That way the date never goes back.
 */
function dateOf(parts: readonly Held<Archive>[]): number {
  const open = parts.filter(({ freshUntilMs }) => freshUntilMs !== Number.POSITIVE_INFINITY);
  return open.length === 0
    ? Math.max(...parts.map(({ askedMs }) => askedMs))
    : Math.min(...open.map(({ askedMs }) => askedMs));
}
