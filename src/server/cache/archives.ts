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
import { type ChunkPart, chunkUntilNow, cutByChunk } from './chunkGrid.ts';
import type { WaitingClients } from './queue.ts';
import { singleFlight } from './singleFlight.ts';
import { archiveKey, type CachedData, cutArchive, isWithinAge, joinValidity } from './source.ts';

/**
 * Maximum number of rows in memory for open chunks, which may still change: about 40 MB of text.
 */
const MAX_ROWS = 500_000;

/**
 * Each response counts as this many additional rows, so that MAX_ROWS also limits the number of
 * responses.
 */
const ROWS_OF_A_HEAD = 10;

/**
 * Number of open periods per station and minute that are requested exactly as the client asked.
 * Further ones are cut out of one larger request.
 */
const OPEN_PERIODS_PER_MINUTE = 10;

/** Maximum number of stations whose open periods are counted. */
const MAX_COUNTED = 10_000;

export interface ArchiveCacheOptions extends ArchiveRequestOptions {
  /** The clock that decides when chunks are closed: the earlier of ours and the service's. */
  readonly serviceNow?: () => number;
  /** Prints a sentence for the operator. */
  readonly note?: (sentence: string) => void;
}

interface ArchiveCache {
  /**
   * The rows of a period, `start ≤ time < stop`, in order of time. Metadata come from the latest
   * chunk, units from the first. A response that is not final has the date of its oldest open part.
   * When all clients have left, a request that was sent continues, and a queued one is dropped.
   * @throws every failure of a StationService
   */
  archive(station: number, period: Period, caller: WaitingClients): Promise<CachedData<Archive>>;
}

/**
 * Creates an archive cache for many clients. Periods are cut at a fixed grid, so that all clients
 * request the same few chunks. Closed chunks, whose rows no longer change, are kept on disk; open
 * ones are kept in memory for 60 s.
 */
export function createArchiveCache(options: ArchiveCacheOptions): ArchiveCache {
  const { now, serviceNow = now, note = () => {} } = options;
  const { settle = async () => {} } = options.service;
  const sendRequest = createArchiveRequests(options);
  const shareRequest = singleFlight<CachedData<Archive>>();
  const shareOpen = singleFlight<CachedData<Archive>>();
  // Until a closed chunk is on disk, further requests share the running one.
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
    // The chunk may still be open by the service's clock, and a chunk without rows may get some
    // later. Keep such a response for only 60 s.
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
    // A client that shifts its period by a second each time must not cause a request each time.
    const requested = mayRequestOpen(station) ? wanted : chunkUntilNow(wanted, serviceNow());
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
   * @param parts at least one, in order of their periods
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
