import { LRUCache } from 'lru-cache';
import { formatDate } from '../../domain/dates.ts';
import type { Archive } from '../../domain/envelope.ts';
import {
  CLOSED_AFTER_MS,
  isClosed,
  type Period,
  POLLING_INTERVAL_MS,
} from '../../domain/period.ts';
import { alignColumns, hasRowIn } from '../columns.ts';
import { type Budget, createBudget } from './budget.ts';
import type { Cached, Edition } from './cached.ts';
import { type Part, planParts, windowSoFar } from './chunkGrid.ts';
import { createEditions, joinEditions } from './editions.ts';
import { createUpstream, type UpstreamAnswer, type UpstreamOptions } from './queue.ts';
import { singleFlight } from './singleFlight.ts';
import { isWithin } from './within.ts';

/** Rows of open parts kept in memory: some 40 MB as text. */
const MAX_ROWS = 500_000;

/** What a part without rows counts as, so that there are not too many of those either. */
const ROWS_OF_A_HEAD = 10;

/** Different open periods of a station asked for as they are; then all of them are cut from one. */
const OPEN_PERIODS_PER_MINUTE = 10;

/** Stations of which the periods asked for are counted. */
const MAX_COUNTED = 10_000;

/** The service keeps closed windows on disk; this keeps them in memory only while asked for. */
export interface ArchiveCacheOptions extends Omit<UpstreamOptions, 'maxWaiting'> {
  /** More requests than this waiting for their slot at the service fail at once; 1000 by default. */
  readonly maxWaiting?: number;
  /** What decides whether a window is closed: the earlier of the own clock and the service's. */
  readonly serviceNow?: () => number;
}

interface WindowAnswer extends UpstreamAnswer {
  readonly edition: Edition;
}

export interface ArchiveCache {
  /**
   * The rows of a period, `start ≤ time < stop`, ascending, each as it came; columns and head of
   * its latest window where windows differ. What never changes any more is held for good and dated
   * at the moment it became final, so that its date is the same for everybody; what may change is
   * dated when it was asked for, its oldest part deciding. Callers who leave stop nothing, since
   * others may want the same.
   * @param isAfresh whether to ask again for windows that are held for good, once a minute each
   * @throws every failure of a StationService; NotFoundError for 60 s, and UnavailableError for 5 s,
   * without asking again
   */
  archive(station: number, period: Period, isAfresh?: boolean): Promise<Cached<Archive>>;
}

/**
 * The archive of a service for many people at once. Periods are cut at the bounds of a fixed grid,
 * so that everybody's requests for closed windows are the same few; what is not closed yet is asked
 * for as it is and given to everybody for 60 s.
 */
export function createArchiveCache({
  maxWaiting = 1000,
  ...options
}: ArchiveCacheOptions): ArchiveCache {
  const { now, serviceNow = now } = options;
  const editions = createEditions(now);
  const upstream = createUpstream({ ...options, maxWaiting });
  const shareRequest = singleFlight<Cached<Archive>>();
  const shareOpen = singleFlight<Cached<Archive>>();
  const shareOpenWindow = singleFlight<Cached<Archive>>();
  const openPeriods = new LRUCache<number, Budget>({ max: MAX_COUNTED });
  // An answer that is on its way to the disk cannot be read from there yet.
  const shareWindow = singleFlight<WindowAnswer>(options.service.settle);
  const heldParts = new LRUCache<string, Cached<Archive>>({
    maxSize: MAX_ROWS,
    sizeCalculation: ({ data }) => data.rows.count + ROWS_OF_A_HEAD,
  });

  /** A kept window that cannot be asked for again is better than none. */
  function askClosed(station: number, asked: Period, isAfresh: boolean): Promise<WindowAnswer> {
    const key = keyOf(station, asked);
    const askKept = () =>
      shareWindow(key, async () => {
        // Of before: an answer that overtakes this one is the later edition.
        const edition = editions.of(key);
        return { ...(await upstream.ask(station, asked)), edition };
      });
    const mended =
      isAfresh &&
      editions.mend(key, async () => {
        // An answer from before that is on its way to the disk would take the place of this one.
        await options.service.settle?.();
        const answer = await upstream.ask(station, asked, true);
        await options.service.settle?.();
        return answer;
      });
    if (!mended) return askKept();
    return mended.then((answer) => ({ ...answer, edition: editions.of(key) }), askKept);
  }

  async function takeClosed(
    station: number,
    { wanted, asked }: Part,
    isAfresh: boolean,
  ): Promise<Cached<Archive>> {
    const key = keyOf(station, asked);
    const held = findHeld(key);
    if (held !== undefined) return { ...held, data: cut(held.data, wanted) };
    const { edition, ...answer } = await askClosed(station, asked, isAfresh);
    // The clock of the service may say otherwise, and what is not there may come yet.
    if (!isClosed(asked, serviceNow()) || !hasRowIn(answer.archive, asked)) {
      const whole = hold(key, answer, asked);
      return { ...whole, data: cut(whole.data, wanted) };
    }
    return {
      data: cut(answer.archive, wanted),
      askedMs: asked.stop + CLOSED_AFTER_MS,
      freshUntilMs: Number.POSITIVE_INFINITY,
      isStale: false,
      edition,
    };
  }

  function findHeld(key: string): Cached<Archive> | undefined {
    const held = heldParts.get(key);
    return held && isWithin(held.askedMs, POLLING_INTERVAL_MS, now()) ? held : undefined;
  }

  function hold(key: string, { archive, askedMs }: UpstreamAnswer, asked: Period): Cached<Archive> {
    const freshUntilMs = askedMs + POLLING_INTERVAL_MS;
    const part = { data: cut(archive, asked), askedMs, freshUntilMs, isStale: false };
    heldParts.set(key, part);
    return part;
  }

  async function takeOpen(station: number, { asked }: Part): Promise<Cached<Archive>> {
    const key = keyOf(station, asked);
    return (
      findHeld(key) ??
      shareOpen(key, async () => {
        if (!mayAskOpen(station)) return takeFromWindow(station, asked);
        return hold(key, await upstream.ask(station, asked), asked);
      })
    );
  }

  function mayAskOpen(station: number): boolean {
    const budget = openPeriods.get(station) ?? createBudget(OPEN_PERIODS_PER_MINUTE, now);
    openPeriods.set(station, budget);
    return budget.spend();
  }

  /** Bounds that differ by a second each time must not cost the service a request each time. */
  async function takeFromWindow(station: number, asked: Period): Promise<Cached<Archive>> {
    const window = windowSoFar(asked, serviceNow());
    const key = keyOf(station, window);
    const held =
      findHeld(key) ??
      (await shareOpenWindow(key, async () =>
        hold(key, await upstream.ask(station, window), window),
      ));
    return { ...held, data: cut(held.data, asked) };
  }

  return {
    archive(station, period, isAfresh = false) {
      return shareRequest(`${keyOf(station, period)} ${isAfresh}`, async () => {
        const parts = Array.from(planParts(period, serviceNow()), (part) =>
          part.isClosed ? takeClosed(station, part, isAfresh) : takeOpen(station, part),
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
function joinParts(parts: readonly Cached<Archive>[]): Cached<Archive> {
  const latest = parts.at(-1) as Cached<Archive>;
  if (parts.length === 1) return latest;
  const rows = parts
    .map(({ data }) => alignColumns(data, latest.data).rows)
    .reduce((before, after) => before.followedBy(after));
  const freshUntilMs = Math.min(...parts.map((part) => part.freshUntilMs));
  const edition = joinEditions(parts.map((part) => part.edition));
  const data = { ...latest.data, rows };
  return { data, askedMs: dateOf(parts), freshUntilMs, isStale: false, edition };
}

/**
 * The date of the whole: what became final long ago says nothing about when the rest was asked
 * for, and a period is final when its last window is. That way the date never goes back.
 */
function dateOf(parts: readonly Cached<Archive>[]): number {
  const open = parts.filter(({ freshUntilMs }) => freshUntilMs !== Number.POSITIVE_INFINITY);
  return open.length === 0
    ? Math.max(...parts.map(({ askedMs }) => askedMs))
    : Math.min(...open.map(({ askedMs }) => askedMs));
}
