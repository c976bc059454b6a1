import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '../../domain/dates.ts';
import type { LiveStation, LiveStations } from '../../domain/envelope.ts';
import type { Station } from '../../domain/station.ts';
import { NotFoundError, UnavailableError } from '../../errors.ts';
import { abortable } from '../../io.ts';
import type { StationService } from '../../service/service.ts';
import { createMinuteBudget } from './budget.ts';
import type { CachedData } from './source.ts';
import {
  type RevalidatedData,
  type RevalidatedOptions,
  staleWhileRevalidate,
} from './staleWhileRevalidate.ts';

interface LiveCacheOptions extends RevalidatedOptions {
  readonly service: Pick<StationService, 'live' | 'liveAll'>;
}

interface LiveCache {
  /**
   * The latest measurements of a station, or of all.
   * @throws NotFoundError for a station that neither the list nor the service has; UnavailableError
   *   if too many stations outside the list were requested
   */
  live(station: number | 'all', withMeta: boolean): Promise<CachedData<LiveStation | LiveStations>>;
  /** The cached list of all stations; undefined before the first response. */
  peek(): CachedData<StationIndex> | undefined;
  /** Whether the cached list contains a station. */
  isListed(station: number): boolean;
  /**
   * Takes a request for a station outside the list from the budget.
   * @throws UnavailableError if the budget is used up
   */
  admit(): void;
  /** Refreshes the list of all stations before clients request it, until the signal aborts. */
  keepWarm(signal: AbortSignal): Promise<void>;
}

/** Maximum number of stations outside the list to keep in memory. */
const MAX_UNLISTED = 10_000;

/**
 * Maximum number of requests per minute for stations outside the list, for all clients together.
 */
const UNLISTED_PER_MINUTE = 10;

const MIN_WAIT_MS = 100;

/**
 * Creates a live cache. One request for the list of all stations with metadata serves all live
 * requests. A station outside the list, for example one silent for weeks, is requested by itself,
 * at most ten times a minute in all. The response that a station is unknown is cached too.
 */
export function createLiveCache({ service, ...options }: LiveCacheOptions): LiveCache {
  const list = staleWhileRevalidate(
    async () => indexStations(await service.liveAll({ withMeta: true })),
    options,
  );
  const unlisted = new LRUCache<number, RevalidatedData<BothForms<LiveStation> | NotFoundError>>({
    max: MAX_UNLISTED,
  });
  const budget = createMinuteBudget(UNLISTED_PER_MINUTE, options.now);

  function requestAlone(station: number): RevalidatedData<BothForms<LiveStation> | NotFoundError> {
    const known = unlisted.get(station);
    if (known) return known;
    // Do not cache these refusals: unknown ids would displace known stations.
    if (budget.isSpent) throw tooMany();
    const alone = staleWhileRevalidate(async () => {
      if (!budget.spend()) throw tooMany();
      return service.live(station, { withMeta: true }).then(bothFormsOf, absence);
    }, options);
    unlisted.set(station, alone);
    return alone;
  }

  return {
    async live(
      station: number | 'all',
      withMeta: boolean,
    ): Promise<CachedData<LiveStation | LiveStations>> {
      const { data, ...validity } = await list.get();
      const form = withMeta ? 'full' : 'bare';
      const listed = station === 'all' ? data.all : data.byId.get(station);
      if (station === 'all' || listed) return { ...validity, data: (listed ?? data.all)[form] };
      const alone = await requestAlone(station).get();
      if (alone.data instanceof NotFoundError) throw alone.data;
      return { ...alone, data: alone.data[form] };
    },
    peek: () => list.peek(),
    isListed: (station: number): boolean => list.peek()?.data.byId.has(station) ?? false,
    admit(): void {
      if (budget.spend()) return;
      if (list.peek()) throw tooMany();
      throw new UnavailableError('The list of all stations is not loaded yet.');
    },
    async keepWarm(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        await abortable(list.get(), signal).catch(() => {});
        const waitMs = Math.max(list.nextRequestMs - options.now(), MIN_WAIT_MS);
        await options.sleep(waitMs, signal).catch(() => {});
      }
    },
  };
}

function tooMany(): UnavailableError {
  return new UnavailableError('Too many stations were requested that are not in the list.', {
    retryAfterMs: MINUTE_MS,
  });
}

function absence(error: unknown): NotFoundError {
  if (error instanceof NotFoundError) return error;
  throw error;
}

/** A response in two forms: with full metadata, and with names only as for `/live`. */
interface BothForms<T> {
  readonly full: T;
  readonly bare: T;
}

/** The list of all stations, as a whole and by id. */
interface StationIndex {
  readonly all: BothForms<LiveStations>;
  readonly byId: ReadonlyMap<number, BothForms<LiveStation>>;
}

function indexStations(full: LiveStations): StationIndex {
  const bare = { ...full, data: full.data.map(bareStation) };
  const byId = new Map(full.data.map((data) => [data.id, bothFormsOf({ ...full, data })]));
  return { all: { full, bare }, byId };
}

function bothFormsOf(full: LiveStation): BothForms<LiveStation> {
  return { full, bare: { ...full, data: bareStation(full.data) } };
}

/** Reduces a station's metadata to its name. */
function bareStation(station: Station): Station {
  return { ...station, meta: { name: station.meta.name } };
}
