import { LRUCache } from 'lru-cache';
import type { LiveStation, LiveStations } from '../../domain/envelope.ts';
import type { Station } from '../../domain/station.ts';
import { NotFoundError } from '../../errors.ts';
import type { StationService } from '../service.ts';
import type { Held } from './held.ts';
import { createRefreshed, type Refreshed, type RefreshedOptions } from './refreshed.ts';

export interface LiveBoardOptions extends RefreshedOptions {
  readonly service: Pick<StationService, 'live' | 'liveAll'>;
}

/** The latest measurements of all stations, for everybody. */
export interface LiveBoard {
  all(withMeta: boolean): Promise<Held<LiveStations>>;
  /** @throws NotFoundError for a station that neither the list nor the service has */
  one(station: number, withMeta: boolean): Promise<Held<LiveStation>>;
  /** What is on the board now; undefined before the first answer. */
  peek(): Held<LiveStations> | undefined;
  /** Asks ahead of time until the signal aborts, so that nobody waits. */
  keepWarm(signal: AbortSignal): Promise<void>;
}

/** Stations that are not in the list, and ids of none, that are remembered at once. */
const MAX_ABSENT = 10_000;

/**
 * One request for all stations with metadata serves every live request. A station that is not in
 * that list, as one that has been silent for weeks, is asked for by itself, and its absence held
 * like an answer.
 */
export function createLiveBoard({ service, ...options }: LiveBoardOptions): LiveBoard {
  const list = createRefreshed(() => service.liveAll({ withMeta: true }), options);
  const absent = new LRUCache<number, Refreshed<LiveStation | NotFoundError>>({ max: MAX_ABSENT });

  function askAlone(station: number): Refreshed<LiveStation | NotFoundError> {
    const known = absent.get(station);
    if (known) return known;
    const alone = createRefreshed(
      () => service.live(station, { withMeta: true }).catch(absence),
      options,
    );
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
