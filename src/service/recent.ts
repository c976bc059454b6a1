import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LiveStations } from '../domain/envelope.ts';
import { errorCode } from '../errors.ts';
import type { Io } from '../io.ts';
import type { Entry } from './cache.ts';
import type { Meter } from './meter.ts';
import type { LiveOptions, StationService } from './service.ts';

/** The service asks to be polled no more often than this for the same data. */
const LIVE_MAX_AGE_MS = 60_000;

/** Who polls each minute reaches here a moment sooner or later than the last time, and is to ask. */
const JITTER_MS = 1000;

/** How often to look whether another process has its answer. */
const LOOK_EVERY_MS = 50;

export interface RecentOptions {
  /** The folder of the cache; the answers are in one of their own within it. */
  readonly folder: string;
  /** Answers of one service are no answers of another. */
  readonly baseUrl: string;
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** How long another process is waited for at most. */
  readonly timeoutMs: number;
  readonly processes: Io['processes'];
  /** Take nothing from there, only put into it. */
  readonly refresh: boolean;
  readonly meter: Meter;
  /** Told once that the folder cannot be used; nothing fails for want of it. */
  readonly onTrouble: (sentence: string) => void;
}

/**
 * A service whose live answers are shared by all processes of a user for 60 s, counted from when
 * they were asked for: whoever polls each minute asks each minute, and whoever else asks in
 * between, or at the same time, gets that answer. One plain file an answer, since what loads to
 * keep archives would take longer than the request.
 */
export function recentService(
  inner: Pick<StationService, 'live' | 'liveAll'>,
  options: RecentOptions,
): Pick<StationService, 'live' | 'liveAll'> {
  const { baseUrl, now, sleep, refresh, meter, processes } = options;
  const folder = recentFolder(options.folder);
  let isTroubled = false;
  const tell = (error: unknown): void => {
    if (isTroubled) return;
    isTroubled = true;
    const cause = error instanceof Error ? error.message : String(error);
    options.onTrouble(
      `The cache in ${options.folder} cannot be written (${cause}); going on without it.`,
    );
  };

  async function read<T>(path: string, key: string): Promise<T | undefined> {
    if (refresh) return undefined;
    try {
      const { askedMs, key: keptKey, answer } = JSON.parse(await readFile(path, 'utf8')) as Kept<T>;
      const ageMs = now() - askedMs;
      // One from the future was kept by a clock that was set back since.
      return keptKey === key && ageMs >= 0 && ageMs < LIVE_MAX_AGE_MS - JITTER_MS
        ? answer
        : undefined;
    } catch {
      // Not there, or damaged, which is as good as not there.
      return undefined;
    }
  }

  async function share<T>(
    what: string,
    signal: AbortSignal | undefined,
    ask: () => Promise<T>,
  ): Promise<T> {
    const key = `v1 ${baseUrl} live ${what}`;
    const path = join(folder, createHash('sha256').update(key).digest('hex').slice(0, 32));
    const askedMs = now();
    const reuse = async (): Promise<T | undefined> => {
      const kept = await read<T>(path, key);
      if (kept !== undefined) meter.cacheHits++;
      return kept;
    };
    const askAndKeep = async (): Promise<T> => {
      const answer = await ask();
      await keep(path, { askedMs, key, answer });
      return answer;
    };
    const early = await reuse();
    if (early !== undefined) return early;
    const isMine = await claim(path, signal);
    try {
      return (await reuse()) ?? (await askAndKeep());
    } finally {
      if (isMine) await rm(claimOf(path), { force: true }).catch(tell);
    }
  }

  async function keep(path: string, kept: Kept<unknown>): Promise<void> {
    try {
      const temporary = `${path}.${randomUUID()}.tmp`;
      await writeFile(temporary, JSON.stringify(kept));
      await rename(temporary, path);
      meter.stored++;
    } catch (error) {
      tell(error);
    }
  }

  /**
   * Says to other processes that this one asks; while another one does, waits.
   * @returns whether the claim is this process's to take back
   */
  async function claim(path: string, signal: AbortSignal | undefined): Promise<boolean> {
    for (let waitedMs = 0; waitedMs < options.timeoutMs; waitedMs += LOOK_EVERY_MS) {
      const outcome = await takeClaim(claimOf(path));
      if (outcome !== 'taken') return outcome === 'mine';
      await sleep(LOOK_EVERY_MS, signal);
    }
    return false;
  }

  async function takeClaim(path: string): Promise<'mine' | 'taken' | 'none'> {
    try {
      await mkdir(folder, { recursive: true });
      await writeFile(path, String(processes.own), { flag: 'wx' });
      return 'mine';
    } catch (error) {
      if (errorCode(error) === 'EEXIST') {
        await dropIfDead(path);
        return 'taken';
      }
      tell(error);
      return 'none';
    }
  }

  /** A process that was killed takes no claim back. */
  async function dropIfDead(path: string): Promise<void> {
    const text = await readFile(path, 'utf8').catch(() => '');
    // Empty for a moment after it was made.
    if (text !== '' && !processes.isAlive(Number(text)))
      await rm(path, { force: true }).catch(tell);
  }

  const nameOf = (what: number | 'all', { withMeta }: LiveOptions): string =>
    `${what}${withMeta ? ' meta' : ''}`;
  return {
    live: (station, live) =>
      share(nameOf(station, live), live.signal, () => inner.live(station, live)),
    liveAll: (live) => share(nameOf('all', live), live.signal, () => inner.liveAll(live)),
  };
}

interface Kept<T> {
  readonly askedMs: number;
  readonly key: string;
  readonly answer: T;
}

const claimOf = (path: string): string => `${path}.claim`;

const recentFolder = (folder: string): string => join(folder, 'live');

/** The live answers kept in a cache's folder. */
export async function listRecent(folder: string): Promise<Entry[]> {
  const names = await readdir(recentFolder(folder)).catch(() => []);
  const entries = await Promise.allSettled(
    names.map(async (name) => {
      const path = join(recentFolder(folder), name);
      const [text, file] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
      const { key } = JSON.parse(text) as Kept<unknown>;
      return { key, bytes: file.size, usedMs: file.mtimeMs };
    }),
  );
  return entries.flatMap((entry) => (entry.status === 'fulfilled' ? [entry.value] : []));
}

/** Large enough for any network, and small enough not to keep anybody waiting. */
const MAX_LIST_BYTES = 32 * 1024 * 1024;

/**
 * Ids and names of the latest list of all stations that is kept in a cache's folder, whichever
 * service it came from and however old it is. Empty when there is none.
 */
export async function readRecentStations(
  folder: string,
): Promise<{ readonly id: number; readonly name: string }[]> {
  for (const path of await latestFirst(recentFolder(folder))) {
    try {
      const { key, answer } = JSON.parse(await readFile(path, 'utf8')) as Kept<LiveStations>;
      if (!/ live all(?: meta)?$/.test(key)) continue;
      return answer.data.flatMap(({ id, meta: { name } }) =>
        Number.isSafeInteger(id) && typeof name === 'string' ? [{ id, name }] : [],
      );
    } catch {
      // A claim, or damaged; there may be an older one.
    }
  }
  return [];
}

async function latestFirst(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const { mtimeMs, size } = await stat(path).catch(() => ({ mtimeMs: 0, size: 0 }));
      return { path, mtimeMs, size };
    }),
  );
  return files
    .filter(({ size }) => size > 0 && size < MAX_LIST_BYTES)
    .sort((a, b) => b.mtimeMs - a.mtimeMs)
    .map(({ path }) => path);
}

/** Removes the live answers kept in a cache's folder. */
export async function clearRecent(folder: string): Promise<void> {
  await rm(recentFolder(folder), { recursive: true, force: true });
}
