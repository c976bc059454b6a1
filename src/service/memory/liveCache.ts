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

/** The latest measurements of all stations, for everybody. */
export interface LiveCache {
  all(withMeta: boolean): Promise<Cached<LiveStations>>;
  /**
   * @throws NotFoundError for a station that neither the list nor the service has, and for one
   * that is not in the list while the service was asked about enough of those
   */
  one(station: number, withMeta: boolean): Promise<Cached<LiveStation>>;
  /** What is held now; undefined before the first answer. */
  peek(): Cached<LiveStations> | undefined;
  /**
   * Counts a question about a station that the list does not name.
   * @throws NotFoundError when there were enough of those; UnavailableError where there is no list
   */
  admit(station: number): void;
  /** Asks ahead of time until the signal aborts, so that nobody waits. */
  keepWarm(signal: AbortSignal): Promise<void>;
}

/** Stations that are not in the list, and ids of none, that are remembered at once. */
const MAX_ABSENT = 10_000;

/** Questions about stations that the list does not name, for all clients together. */
const STRANGERS_PER_MINUTE = 10;

/**
 * One request for all stations with metadata serves every live request. A station that is not in
 * that list, as one that has been silent for weeks, is asked for by itself, and its absence held
 * like an answer; ids that nobody has are many, so the questions are ten a minute in all.
 */
export function createLiveCache({ service, ...options }: LiveCacheOptions): LiveCache {
  const list = staleWhileRevalidate(() => service.liveAll({ withMeta: true }), options);
  const absent = new LRUCache<number, Revalidated<LiveStation | NotFoundError>>({
    max: MAX_ABSENT,
  });

  const strangers = createBudget(STRANGERS_PER_MINUTE, options.now);

  function askAlone(station: number): Revalidated<LiveStation | NotFoundError> {
    const known = absent.get(station);
    if (known) return known;
    // Not remembered, or ids of none would take the place of those that there are.
    if (strangers.isSpent) throw unknown(station);
    const alone = staleWhileRevalidate(async () => {
      if (!strangers.spend()) throw unknown(station);
      return service.live(station, { withMeta: true }).catch(absence);
    }, options);
    absent.set(station, alone);
    return alone;
  }

  return {
    async all(withMeta) {
      const held = await list.get();
      return withMeta ? held : { ...held, data: bare(held.data) };
    },
    async one(station, withMeta) {
      const held = await list.get();
      const listed = pick(withMeta ? held.data : bare(held.data), station);
      if (listed) return { ...held, data: listed };
      const alone = await askAlone(station).get();
      if (alone.data instanceof NotFoundError) throw alone.data;
      return { ...alone, data: withMeta ? alone.data : bareOne(alone.data) };
    },
    peek: () => list.peek(),
    admit(station) {
      const listed = list.peek();
      if ((listed && pick(listed.data, station)) || strangers.spend()) return;
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

/** Made once for each answer of the service: data that are the same are the same object. */
const BARE = new WeakMap<LiveStations, LiveStations>();
const BARE_ONE = new WeakMap<LiveStation, LiveStation>();
const BY_ID = new WeakMap<LiveStations, Map<number, LiveStation>>();

/** As `/live` has it: of the metadata only the name. */
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
