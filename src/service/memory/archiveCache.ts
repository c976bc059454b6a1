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
import { type Cached, type Edition, isWithin } from './cached.ts';
import { type ChunkPart, chunkSoFar, cutByChunk } from './chunkGrid.ts';
import { createEditions, joinEditions } from './editions.ts';
import { singleFlight } from './singleFlight.ts';
import { createUpstream, type UpstreamAnswer, type UpstreamOptions } from './upstream.ts';

/** Rows of open chunks kept in memory: some 40 MB as text. */
const MAX_ROWS = 500_000;

/** The weight of an answer without rows, in rows: it bounds the number of answers too. */
const ROWS_OF_A_HEAD = 10;

/** Different open periods of a station that are requested as they are; further ones are cut from one. */
const OPEN_PERIODS_PER_MINUTE = 10;

/** Stations whose open periods are counted. */
const MAX_COUNTED = 10_000;

export interface ArchiveCacheOptions extends Omit<UpstreamOptions, 'maxWaiting'> {
  /** How many requests may wait for a slot before further ones fail; 1000 by default. */
  readonly maxWaiting?: number;
  /** The clock that closes chunks: the earlier of our own and the service's. */
  readonly serviceNow?: () => number;
}

interface ChunkAnswer extends UpstreamAnswer {
  readonly edition: Edition;
}

export interface ArchiveCache {
  /**
   * The rows of a period, `start ≤ time < stop`, ascending, with the columns and head of its latest
   * chunk. A final answer is dated at the moment when its last chunk closed, so that every client
   * sees the same date; any other is dated when its oldest open part was asked for. A client that
   * leaves aborts nothing, since others may wait for the same.
   * @param isAfresh whether to ask again for closed chunks too, once a minute each
   * @throws every failure of a StationService; NotFoundError is remembered for 60 s and
   * UnavailableError for 5 s
   */
  archive(station: number, period: Period, isAfresh?: boolean): Promise<Cached<Archive>>;
}

/**
 * An archive cache for many clients. Periods are cut at the bounds of a fixed grid, so that all
 * requests for closed chunks are the same few; those are kept on disk. Open chunks are kept in
 * memory for 60 s.
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
  const shareOpenChunk = singleFlight<Cached<Archive>>();
  const openPeriods = new LRUCache<number, Budget>({ max: MAX_COUNTED });
  // Until an answer is on disk, later requests share its flight.
  const shareClosed = singleFlight<ChunkAnswer>(options.service.settle);
  const openParts = new LRUCache<string, Cached<Archive>>({
    maxSize: MAX_ROWS,
    sizeCalculation: ({ data }) => data.rows.count + ROWS_OF_A_HEAD,
  });

  /** Asks again where the client insists; where that fails, takes the chunk from disk. */
  function askClosed(station: number, asked: Period, isAfresh: boolean): Promise<ChunkAnswer> {
    const key = keyOf(station, asked);
    const askCached = () =>
      shareClosed(key, async () => {
        // Read first: an answer that overtakes this one is a later edition.
        const edition = editions.current(key);
        return { ...(await upstream.ask(station, asked)), edition };
      });
    const mended =
      isAfresh &&
      editions.mend(key, async () => {
        // An earlier answer still being written would overwrite this one.
        await options.service.settle?.();
        const answer = await upstream.ask(station, asked, true);
        await options.service.settle?.();
        return answer;
      });
    if (!mended) return askCached();
    return mended.then((answer) => ({ ...answer, edition: editions.current(key) }), askCached);
  }

  async function takeClosed(
    station: number,
    { wanted, asked }: ChunkPart,
    isAfresh: boolean,
  ): Promise<Cached<Archive>> {
    const key = keyOf(station, asked);
    const known = findOpen(key);
    if (known !== undefined) return { ...known, data: cut(known.data, wanted) };
    const { edition, ...answer } = await askClosed(station, asked, isAfresh);
    // The service's clock may say that the chunk is open, and missing rows may come later.
    if (!isClosed(asked, serviceNow()) || !hasRowIn(answer.archive, asked)) {
      const whole = cacheOpen(key, answer, asked);
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

  function findOpen(key: string): Cached<Archive> | undefined {
    const part = openParts.get(key);
    return part && isWithin(part.askedMs, POLLING_INTERVAL_MS, now()) ? part : undefined;
  }

  function cacheOpen(
    key: string,
    { archive, askedMs }: UpstreamAnswer,
    asked: Period,
  ): Cached<Archive> {
    const freshUntilMs = askedMs + POLLING_INTERVAL_MS;
    const part = { data: cut(archive, asked), askedMs, freshUntilMs, isStale: false };
    openParts.set(key, part);
    return part;
  }

  async function takeOpen(station: number, { asked }: ChunkPart): Promise<Cached<Archive>> {
    const key = keyOf(station, asked);
    return (
      findOpen(key) ??
      shareOpen(key, async () => {
        if (!mayAskOpen(station)) return takeFromChunk(station, asked);
        return cacheOpen(key, await upstream.ask(station, asked), asked);
      })
    );
  }

  function mayAskOpen(station: number): boolean {
    const budget = openPeriods.get(station) ?? createBudget(OPEN_PERIODS_PER_MINUTE, now);
    openPeriods.set(station, budget);
    return budget.spend();
  }

  /** Bounds that differ by a second each time must not cost the service a request each time. */
  async function takeFromChunk(station: number, asked: Period): Promise<Cached<Archive>> {
    const chunk = chunkSoFar(asked, serviceNow());
    const key = keyOf(station, chunk);
    const cached =
      findOpen(key) ??
      (await shareOpenChunk(key, async () =>
        cacheOpen(key, await upstream.ask(station, chunk), chunk),
      ));
    return { ...cached, data: cut(cached.data, asked) };
  }

  return {
    archive(station, period, isAfresh = false) {
      return shareRequest(`${keyOf(station, period)} ${isAfresh}`, async () => {
        const parts = Array.from(cutByChunk(period, serviceNow()), (part) =>
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

/** The rows of a period in order: a service may include `stop`, or send rows in any order. */
function cut(archive: Archive, { start, stop }: Period): Archive {
  const rows = archive.rows.between(formatDate(start), formatDate(stop));
  return rows === archive.rows ? archive : { ...archive, rows };
}

/** @param parts one or more, in order */
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
 * The date of a joined answer: when its oldest open part was asked for, or when its last chunk
 * closed. Such a date never goes back.
 */
function dateOf(parts: readonly Cached<Archive>[]): number {
  const open = parts.filter(({ freshUntilMs }) => freshUntilMs !== Number.POSITIVE_INFINITY);
  return open.length === 0
    ? Math.max(...parts.map(({ askedMs }) => askedMs))
    : Math.min(...open.map(({ askedMs }) => askedMs));
}
