import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode, OutputError } from '../../errors.ts';
import { type Io, randomName } from '../../io.ts';

export interface Lock {
  /** Whether this process still has the lock: another one takes a lock that was not renewed. */
  isHeld(): boolean;
  release(): void;
}

export interface LockOptions extends Pick<Io, 'sleep' | 'random'> {
  readonly signal: AbortSignal | undefined;
  readonly longestWaitMs: number;
  /** Called once if another process has the lock. */
  readonly onWait?: () => void;
}

/** A lock that is so much older than its folder's clock, or so far ahead of it, counts as left. */
export const STALE_MS = 60_000;
const RENEWAL_MS = 10_000;
const POLL_MS = 100;

/**
 * Waits until this process has a lock: a file that only one process can make, and that its process
 * renews. The file holds a random word by which its process knows it again. Process ids would not
 * do, since processes in two containers may share one.
 * @param path the file of the lock, in an existing folder
 * @returns undefined when another process has the lock for longer than the longest wait
 * @throws OutputError for a link or folder in place of the lock; the error of the system; the
 *   reason of `signal`
 */
export async function acquireLock(path: string, options: LockOptions): Promise<Lock | undefined> {
  const { sleep, random, signal, longestWaitMs, onWait } = options;
  const word = randomName(random);
  for (let waitedMs = 0; waitedMs < longestWaitMs; waitedMs += POLL_MS) {
    signal?.throwIfAborted();
    if (makeFile(path, word)) return hold(path, word);
    if (waitedMs % RENEWAL_MS === 0 && takeOver(path, word)) {
      // Of several processes that take over one stale lock, the last one gets it.
      await sleep(POLL_MS);
      if (holds(path, word)) return hold(path, word);
    } else {
      if (waitedMs === 0) onWait?.();
      await sleep(POLL_MS, signal);
    }
  }
  return undefined;
}

/** Makes a file. @returns false where there is one already */
function makeFile(path: string, word: string): boolean {
  try {
    writeFileSync(path, word, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') return false;
    // A full disk must leave no lock without a holder.
    if (code === 'ENOSPC' || code === 'EDQUOT') rmSync(path, { force: true });
    throw error;
  }
}

/**
 * Replaces a stale lock. Its age is the difference of two times of the file system, so the clocks
 * of two machines need not agree. @returns whether the lock was stale
 */
function takeOver(path: string, word: string): boolean {
  const fresh = join(dirname(path), `.vane-${word}.tmp`);
  makeFile(fresh, word);
  try {
    const lock = lstatSync(path, { throwIfNoEntry: false });
    if (lock === undefined) return false;
    if (!lock.isFile()) {
      throw new OutputError(`Could not write the lock ${path}: it is not a plain file.`);
    }
    if (Math.abs(lstatSync(fresh).mtimeMs - lock.mtimeMs) < STALE_MS) return false;
    renameSync(fresh, path);
    return true;
  } finally {
    rmSync(fresh, { force: true });
  }
}

function hold(path: string, word: string): Lock {
  // A write sets the time of the lock by the clock of the file system.
  const renew = (): void => writeFileSync(path, word, { flag: 'r+' });
  const renewal = setInterval(() => void holds(path, word, renew), RENEWAL_MS).unref();
  return {
    isHeld: () => holds(path, word),
    release() {
      clearInterval(renewal);
      holds(path, word, () => rmSync(path));
    },
  };
}

/**
 * Whether the process of a word has the lock, which `change` then changes. A lock that cannot be
 * changed becomes stale.
 */
function holds(path: string, word: string, change?: () => void): boolean {
  try {
    if (readFileSync(path, 'utf8') !== word) return false;
    change?.();
    return true;
  } catch {
    return false;
  }
}
