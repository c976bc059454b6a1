import { LRUCache } from 'lru-cache';
import type { Archive } from '../../domain/envelope.ts';
import { isArchiveFinal, type Period, POLLING_INTERVAL_MS } from '../../domain/period.ts';
import { chunkMetadataOf, describeUnitChange } from '../../domain/readings/chunk.ts';
import {
  type ArchiveRequestOptions,
  createArchiveRequests,
  type DatedArchive,
} from './archiveRequests.ts';
import { createMinuteBudget, type MinuteBudget } from './budget.ts';
import { type ChunkPart, chunkSoFar, cutByChunk } from './chunkGrid.ts';
import type { WaitingClients } from './queue.ts';
import { singleFlight } from './singleFlight.ts';
import { archiveKey, type CachedData, cutArchive, isWithinAge, joinValidity } from './source.ts';

/** Most rows of open chunks, which may still change, in memory: some 40 MB as text. */
const MAX_ROWS = 500_000;

/** A response counts as this many rows more than it has, so that MAX_ROWS bounds responses too. */
const ROWS_OF_A_HEAD = 10;

/**
 * For each station, this many open periods a minute are requested with the client's own bounds;
 * further ones are cut out of one larger request.
 */
const OPEN_PERIODS_PER_MINUTE = 10;

/** Most stations whose open periods are counted. */
const MAX_COUNTED = 10_000;

export interface ArchiveCacheOptions extends ArchiveRequestOptions {
  /** The clock that closes chunks: the earlier of our own and the service's. */
  readonly serviceNow?: () => number;
  /** Writes a sentence for the user. */
  readonly note?: (sentence: string) => void;
}

interface ArchiveCache {
  /**
   * The rows of a period, `start ≤ time < stop`, ascending, with the head of its latest chunk but
   * the units of its first. A response that is not final is dated when its oldest open part was
   * requested. When all clients have left, a request that was sent goes on, and a waiting one is
   * dropped.
   * @throws every failure of a StationService
   */
  archive(station: number, period: Period, caller: WaitingClients): Promise<CachedData<Archive>>;
}

/**
 * An archive cache for many clients. Periods are cut at the bounds of a fixed grid, so that all
 * clients request the same few chunks. A closed chunk, whose rows no longer change, is kept on
 * disk; an open one is kept in memory for 60 s.
 */
export function createArchiveCache(options: ArchiveCacheOptions): ArchiveCache {
  const { now, serviceNow = now, note = () => {} } = options;
  const { settle = async () => {} } = options.service;
  const sendRequest = createArchiveRequests(options);
  const shareRequest = singleFlight<CachedData<Archive>>();
  const shareOpen = singleFlight<CachedData<Archive>>();
  // Until a closed chunk is on disk, later requests for the chunk share the request that runs.
  const shareClosed = singleFlight<DatedArchive>(settle);
  const openPeriods = new LRUCache<number, MinuteBudget>({ max: MAX_COUNTED });
  let isUnitNoted = false;
  const openParts = new LRUCache<string, CachedData<Archive>>({
    maxSize: MAX_ROWS,
    sizeCalculation: ({ data }) => data.rows.count + ROWS_OF_A_HEAD,
  });

  async function fetchClosed(
    station: number,
    chunk: Period,
    caller: WaitingClients,
  ): Promise<CachedData<Archive>> {
    const open = findOpen(station, chunk);
    if (open) return open;
    const request = (all: WaitingClients) => sendRequest(station, chunk, all);
    const response = await shareClosed(archiveKey(station, chunk), request, caller);
    // By the service's clock the chunk may be open, and a chunk without rows may get rows later:
    // keep the response for 60 s only.
    if (!isArchiveFinal(chunk, serviceNow()) || !response.archive.rows.hasAny(chunk)) {
      return cacheOpen(station, chunk, response);
    }
    return {
      data: response.archive,
      requestedMs: response.requestedMs,
      freshUntilMs: Number.POSITIVE_INFINITY,
      isStale: false,
    };
  }

  function findOpen(station: number, period: Period): CachedData<Archive> | undefined {
    const part = openParts.get(archiveKey(station, period));
    return part && isWithinAge(part.requestedMs, POLLING_INTERVAL_MS, now()) ? part : undefined;
  }

  function cacheOpen(
    station: number,
    period: Period,
    { archive, requestedMs }: DatedArchive,
  ): CachedData<Archive> {
    const freshUntilMs = requestedMs + POLLING_INTERVAL_MS;
    const part = { data: cutArchive(archive, period), requestedMs, freshUntilMs, isStale: false };
    openParts.set(archiveKey(station, period), part);
    return part;
  }

  async function fetchOpen(
    station: number,
    wanted: Period,
    caller: WaitingClients,
  ): Promise<CachedData<Archive>> {
    const known = findOpen(station, wanted);
    if (known) return known;
    // A client that moves the bounds of its period by a second each time must not cost the service
    // a request each time.
    const requested = mayRequestOpen(station) ? wanted : chunkSoFar(wanted, serviceNow());
    const share = async (all: WaitingClients): Promise<CachedData<Archive>> =>
      cacheOpen(station, requested, await sendRequest(station, requested, all));
    return findOpen(station, requested) ?? shareOpen(archiveKey(station, requested), share, caller);
  }

  function mayRequestOpen(station: number): boolean {
    const budget = openPeriods.get(station) ?? createMinuteBudget(OPEN_PERIODS_PER_MINUTE, now);
    openPeriods.set(station, budget);
    return budget.spend();
  }

  /**
   * Joins the parts of a period into one response.
   * @param parts one or more, in order of their periods
   */
  function joinParts(station: number, parts: readonly CachedData<Archive>[]): CachedData<Archive> {
    const [first, latest] = [parts[0], parts.at(-1)] as [CachedData<Archive>, CachedData<Archive>];
    if (parts.length === 1) return latest;
    const { units } = first.data;
    const [unit, ...later] = parts
      .filter(({ data }, place) => place === 0 || data.rows.count > 0)
      .map(({ data }) => chunkMetadataOf(data).pressureUnit);
    for (const next of later) noteUnitOnce(describeUnitChange(unit as string, next, station));
    const rows = parts
      .map(({ data }) => data.rows)
      .reduce((before, after) => before.followedBy(after));
    return { data: { ...latest.data, units, rows }, ...joinValidity(parts) };
  }

  function noteUnitOnce(change: string | undefined): void {
    if (change === undefined || isUnitNoted) return;
    note(change);
    isUnitNoted = true;
  }

  async function fetchPart(station: number, { wanted, chunk }: ChunkPart, caller: WaitingClients) {
    const cached = await (chunk
      ? fetchClosed(station, chunk, caller)
      : fetchOpen(station, wanted, caller));
    return { ...cached, data: cutArchive(cached.data, wanted) };
  }

  return {
    archive(station: number, period: Period, caller: WaitingClients): Promise<CachedData<Archive>> {
      const share = async (all: WaitingClients): Promise<CachedData<Archive>> => {
        const parts = Array.from(cutByChunk(period, serviceNow()), (part) =>
          fetchPart(station, part, all),
        );
        return joinParts(station, await Promise.all(parts));
      };
      return shareRequest(archiveKey(station, period), share, caller);
    },
  };
}
