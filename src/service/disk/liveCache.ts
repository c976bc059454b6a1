// Not by node:fs/promises, which takes longer to load than files of this size to be read or written.
import {
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { POLLING_INTERVAL_MS } from '../../domain/period.ts';
import { randomName } from '../../domain/randomName.ts';
import { errorCode } from '../../errors.ts';
import type { Io } from '../../io.ts';
import { makeFolder } from '../../makeFolder.ts';
import type { Counters } from '../counters.ts';
import type { LiveOptions, StationService } from '../service.ts';
import { cacheTrouble, remakeAnswersFolder } from './folder.ts';

/** Who polls each minute reaches here a moment sooner or later than the last time, and is to ask. */
const JITTER_MS = 1000;

/** File systems round times; a claim further in the future than this is of a clock set back since. */
const CLOCK_STEP_MS = 1000;

/** How often to look whether another process has its answer. */
const LOOK_EVERY_MS = 50;

export interface LiveDiskCacheOptions {
  /** The folder of the cache; the answers are in one of their own within it. */
  readonly folder: string;
  /** Answers of one service are no answers of another. */
  readonly baseUrl: string;
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** How long a request may take; another process is waited for no longer. */
  readonly timeoutMs: number;
  readonly processes: Io['processes'];
  /** Take nothing from there, only put into it. */
  readonly refresh: boolean;
  readonly counters: Counters;
  /** Told once that the folder cannot be used; nothing fails for want of it. */
  readonly onTrouble: (sentence: string) => void;
}

/**
 * A service whose live answers are shared by all processes of a user for 60 s, counted from when
 * they were asked for: whoever polls each minute asks each minute, and whoever else asks in
 * between, or at the same time, gets that answer. One plain file an answer, since what loads to
 * keep archives would take longer than the request.
 */
export function liveDiskCache(
  inner: Pick<StationService, 'live' | 'liveAll'>,
  options: LiveDiskCacheOptions,
): Pick<StationService, 'live' | 'liveAll'> {
  const { baseUrl, now, sleep, random, refresh, counters, processes } = options;
  const folder = liveFolder(options.folder);
  let isTroubled = false;
  const tell = (error: unknown): void => {
    if (!isTroubled) {
      options.onTrouble(`${cacheTrouble(options.folder, 'written', error)}; going on without it.`);
    }
    isTroubled = true;
  };

  function read<T>(path: string, key: string): T | undefined {
    if (refresh) return undefined;
    try {
      const { askedMs, key: keptKey, answer } = JSON.parse(readFileSync(path, 'utf8')) as Kept<T>;
      const ageMs = now() - askedMs;
      // One from the future was kept by a clock that was set back since.
      return keptKey === key && ageMs >= 0 && ageMs < POLLING_INTERVAL_MS - JITTER_MS
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
    const path = join(folder, nameFile(`${what} ${baseUrl}`));
    const askedMs = now();
    const reuse = (): T | undefined => {
      const kept = read<T>(path, key);
      if (kept !== undefined) counters.cacheHits++;
      return kept;
    };
    const askAndKeep = async (): Promise<T> => {
      const answer = await ask();
      keep(path, { askedMs, key, answer });
      return answer;
    };
    const early = reuse();
    if (early !== undefined) return early;
    const mine = await claim(path, signal);
    try {
      return reuse() ?? (await askAndKeep());
    } finally {
      if (mine !== undefined) giveBack(claimOf(path), mine);
    }
  }

  function keep(path: string, kept: Kept<unknown>): void {
    const temporary = `${path}.${randomName(random)}${UNFINISHED}`;
    try {
      writeFileSync(temporary, JSON.stringify(kept), { mode: 0o600 });
      renameSync(temporary, path);
      counters.stored++;
    } catch (error) {
      tell(error);
      remove(temporary);
    }
  }

  /**
   * Says to other processes that this one asks; while another one does, waits.
   * @returns what the claim says, undefined where another process's answer is waited for in vain or
   *   the folder takes no claim
   */
  async function claim(path: string, signal: AbortSignal | undefined): Promise<string | undefined> {
    const text = `${processes.own} ${randomName(random)}`;
    for (let waitedMs = 0; waitedMs < options.timeoutMs; waitedMs += LOOK_EVERY_MS) {
      const outcome = takeClaim(claimOf(path), text);
      if (outcome !== 'taken') return outcome === 'mine' ? text : undefined;
      await sleep(LOOK_EVERY_MS, signal);
    }
    return undefined;
  }

  function takeClaim(path: string, text: string): 'mine' | 'taken' | 'none' {
    try {
      remakeAnswersFolder(options.folder);
      makeFolder(folder);
      writeClaim(path, text, now());
      return 'mine';
    } catch (error) {
      if (errorCode(error) === 'EEXIST') {
        removeIfOver(path);
        return 'taken';
      }
      tell(error);
      return 'none';
    }
  }

  /** A claim of a killed process, or one older than any request may get, stands for none. */
  function removeIfOver(path: string): void {
    try {
      const ageMs = now() - statSync(path).mtimeMs;
      const [owner = ''] = readFileSync(path, 'utf8').split(' ');
      const isDead = owner !== '' && !processes.isAlive(Number(owner));
      if (isDead || ageMs < -CLOCK_STEP_MS || ageMs >= options.timeoutMs) remove(path);
    } catch {
      // Given back meanwhile.
    }
  }

  /** Another process may have taken over a claim that was held for too long. */
  function giveBack(path: string, text: string): void {
    try {
      if (readFileSync(path, 'utf8') === text) remove(path);
    } catch {
      // Taken over and given back by another process.
    }
  }

  function remove(path: string): void {
    try {
      rmSync(path, { force: true });
    } catch (error) {
      tell(error);
    }
  }

  const nameOf = (what: number | 'all', { withMeta }: LiveOptions): string =>
    `${what}${withMeta ? ' meta' : ''}`;
  return {
    live: (station, live) =>
      share(nameOf(station, live), live.signal, () => inner.live(station, live)),
    liveAll: (live) => share(nameOf('all', live), live.signal, () => inner.liveAll(live)),
  };
}

/** An answer as it is kept. */
export interface Kept<T> {
  /** Milliseconds since 1970. */
  readonly askedMs: number;
  readonly key: string;
  readonly answer: T;
}

const CLAIM = '.claim';
const UNFINISHED = '.tmp';

const claimOf = (path: string): string => path + CLAIM;

/**
 * Makes a claim, whole or not at all: an empty one on a full disk would belong to nobody.
 * @throws the error of the system, EEXIST where there is a claim
 */
function writeClaim(path: string, text: string, nowMs: number): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, text);
    utimesSync(path, nowMs / 1000, nowMs / 1000);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Whether a file is an answer, and not what says that a process asks or was about to write one. */
export const isAnswer = (path: string): boolean =>
  !path.endsWith(CLAIM) && !path.endsWith(UNFINISHED);

export const liveFolder = (folder: string): string => join(folder, 'live-v1');

/** The longest that leaves room for what is added, within the 255 bytes that file systems take. */
const LONGEST_NAME = 200;

/**
 * A name for a file of any system. Of a long one the middle is left out; should two come to the
 * same, the key tells them apart.
 */
function nameFile(text: string): string {
  const name = encodeURIComponent(text).replaceAll('*', '%2A');
  if (name.length <= LONGEST_NAME) return name;
  const half = LONGEST_NAME / 2 - 5;
  return `${name.slice(0, half)}~${name.length}~${name.slice(-half)}`;
}
