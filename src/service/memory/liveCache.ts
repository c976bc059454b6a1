import { LRUCache } from 'lru-cache';
import type { LiveStation, LiveStations } from '../../domain/envelope.ts';
import type { Station } from '../../domain/station.ts';
import { NotFoundError, UnavailableError } from '../../errors.ts';
import type { StationService } from '../service.ts';
import { createBudget } from './budget.ts';
import type { Cached } from './cached.ts';
import {
  type Revalidated,
  type RevalidatedOptions,
  staleWhileRevalidate,
} from './staleWhileRevalidate.ts';

export interface LiveCacheOptions extends RevalidatedOptions {
  readonly service: Pick<StationService, 'live' | 'liveAll'>;
}

/** The latest measurements of all stations, shared by all clients. */
export interface LiveCache {
  all(withMeta: boolean): Promise<Cached<LiveStations>>;
  /**
   * @throws NotFoundError for a station that neither the list nor the service has, and for one
   * that the list lacks when the budget for asking about such stations is spent
   */
  one(station: number, withMeta: boolean): Promise<Cached<LiveStation>>;
  /** The cached list; undefined before the first answer. */
  peek(): Cached<LiveStations> | undefined;
  /**
   * Takes a request for a station that the list lacks from the budget.
   * @throws NotFoundError when the budget is spent; UnavailableError where there is no list
   */
  admit(station: number): void;
  /** Refreshes the list ahead of requests until the signal aborts. */
  keepWarm(signal: AbortSignal): Promise<void>;
}

/** How many ids that the list lacks are remembered. */
const MAX_UNLISTED = 10_000;

/** Requests about stations that the list lacks, for all clients together. */
const UNLISTED_PER_MINUTE = 10;

/**
 * A live cache: one request for all stations with metadata serves every live request. A station
 * that the list lacks, such as one that has been silent for weeks, is asked for by itself, at most
 * ten a minute in all, and that it is unknown is cached like an answer.
 */
export function createLiveCache({ service, ...options }: LiveCacheOptions): LiveCache {
  const list = staleWhileRevalidate(() => service.liveAll({ withMeta: true }), options);
  const unlisted = new LRUCache<number, Revalidated<LiveStation | NotFoundError>>({
    max: MAX_UNLISTED,
  });

  const budget = createBudget(UNLISTED_PER_MINUTE, options.now);

  function askAlone(station: number): Revalidated<LiveStation | NotFoundError> {
    const known = unlisted.get(station);
    if (known) return known;
    // Not remembered: unknown ids would displace known stations.
    if (budget.isSpent) throw unknown(station);
    const alone = staleWhileRevalidate(async () => {
      if (!budget.spend()) throw unknown(station);
      return service.live(station, { withMeta: true }).catch(absence);
    }, options);
    unlisted.set(station, alone);
    return alone;
  }

  return {
    async all(withMeta) {
      const cached = await list.get();
      return withMeta ? cached : { ...cached, data: bare(cached.data) };
    },
    async one(station, withMeta) {
      const cached = await list.get();
      const listed = pick(withMeta ? cached.data : bare(cached.data), station);
      if (listed) return { ...cached, data: listed };
      const alone = await askAlone(station).get();
      if (alone.data instanceof NotFoundError) throw alone.data;
      return { ...alone, data: withMeta ? alone.data : bareOne(alone.data) };
    },
    peek: () => list.peek(),
    admit(station) {
      const listed = list.peek();
      if ((listed && pick(listed.data, station)) || budget.spend()) return;
      if (listed) throw unknown(station);
      throw new UnavailableError('The list of all stations is not there yet.');
    },
    async keepWarm(signal) {
      while (!signal.aborted) {
        await list.get().catch(() => {});
        const waitMs = Math.max(list.nextAskMs - options.now(), LEAST_WAIT_MS);
        await options.sleep(waitMs, signal).catch(() => {});
      }
    },
  };
}

const LEAST_WAIT_MS = 100;

function unknown(station: number): NotFoundError {
  return new NotFoundError(`Station ${station} is not known.`);
}

function absence(error: unknown): NotFoundError {
  if (error instanceof NotFoundError) return error;
  throw error;
}

/** Derived once from each answer: the same data stay the same object. */
const BARE = new WeakMap<LiveStations, LiveStations>();
const BARE_ONE = new WeakMap<LiveStation, LiveStation>();
const BY_ID = new WeakMap<LiveStations, Map<number, LiveStation>>();

/** A station as in `/live`: of its metadata only the name. */
function bareStation(station: Station): Station {
  return { ...station, meta: { name: station.meta.name } };
}

function bare(answer: LiveStations): LiveStations {
  return remember(BARE, answer, () => ({ ...answer, data: answer.data.map(bareStation) }));
}

function bareOne(answer: LiveStation): LiveStation {
  return remember(BARE_ONE, answer, () => ({ ...answer, data: bareStation(answer.data) }));
}

function pick(answer: LiveStations, id: number): LiveStation | undefined {
  const byId = remember(
    BY_ID,
    answer,
    () => new Map(answer.data.map((one) => [one.id, { ...answer, data: one }])),
  );
  return byId.get(id);
}

function remember<K extends object, V>(memory: WeakMap<K, V>, key: K, make: () => V): V {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const made = make();
  memory.set(key, made);
  return made;
}
