import {
  closeSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode, OutputError } from '../../errors.ts';
import { type Io, randomName } from '../../io.ts';

export interface FileLock {
  /** Whether this process still has the lock: another one takes a lock that was not renewed. */
  isHeld(): boolean;
  release(): void;
}

export interface FileLockOptions extends Pick<Io, 'sleep' | 'random'> {
  readonly signal: AbortSignal | undefined;
  readonly maxWaitMs: number;
  /** Called once if another process has the lock. */
  readonly onWait?: () => void;
}

/** A lock that is so much older than its folder's clock, or so far ahead of it, counts as left. */
export const STALE_LOCK_MS = 20_000;
const RENEWAL_MS = 5000;
const POLL_MS = 100;
/** How often a process that waits looks at the age of the lock. */
const LOOK_MS = 1000;

/**
 * Waits until this process has a lock: a file that only one process can make, and that its
 * process renews. The file contains a random word, by which its process recognises it. Process ids
 * would not do, since processes in two containers may share one.
 * @param path the file of the lock, in an existing folder
 * @returns undefined when another process has the lock for longer than the longest wait
 * @throws OutputError for a link or folder in place of the lock; the error of the system; the
 *   reason of `signal`
 */
export async function acquireFileLock(
  path: string,
  options: FileLockOptions,
): Promise<FileLock | undefined> {
  const { sleep, random, signal, maxWaitMs, onWait } = options;
  const word = randomName(random);
  for (let waitedMs = 0; waitedMs < maxWaitMs; waitedMs += POLL_MS) {
    signal?.throwIfAborted();
    if (makeFile(path, word)) return hold(path, word);
    if (waitedMs % LOOK_MS === 0 && takeOver(path, word)) return hold(path, word);
    if (waitedMs === 0) onWait?.();
    await sleep(POLL_MS, signal);
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
 * Replaces a stale lock. Only the process that made the claim, a file beside the lock, may replace
 * it: it looks at the lock again, and its claim becomes the lock. A second process that saw the same
 * stale lock then finds a fresh one.
 * @returns whether this process has the lock now
 */
function takeOver(path: string, word: string): boolean {
  if (!isStale(path, word)) return false;
  const claim = `${path}.tmp`;
  // A process that was killed while it took over has left its claim.
  if (isStale(claim, word)) rmSync(claim, { force: true });
  if (!makeFile(claim, word)) return false;
  try {
    if (!isStale(path, word)) return false;
    renameSync(claim, path);
    // Another process may have taken this claim for a stale one, and put its own in its place.
    return holds(path, word);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  } finally {
    holds(claim, word, () => rmSync(claim));
  }
}

/**
 * Whether a file is there and was not written for {@link STALE_LOCK_MS}. Its age is the difference of two
 * times of the file system, so the clocks of two machines need not agree.
 */
function isStale(path: string, word: string): boolean {
  const fresh = join(dirname(path), `.vane-${word}.tmp`);
  makeFile(fresh, word);
  try {
    const file = lstatSync(path, { throwIfNoEntry: false });
    if (file === undefined) return false;
    if (!file.isFile()) {
      throw new OutputError(`Could not write the lock ${path}: it is not a plain file.`);
    }
    return Math.abs(lstatSync(fresh).mtimeMs - file.mtimeMs) >= STALE_LOCK_MS;
  } finally {
    rmSync(fresh, { force: true });
  }
}

function hold(path: string, word: string): FileLock {
  // A write sets the time of the lock by the clock of the file system.
  const renew = (file: number): void => void writeSync(file, word, 0);
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
 * Whether the process of a word has the lock, which `change` then changes: the file that was read,
 * even if another process replaces it meanwhile. A lock that cannot be changed becomes stale.
 */
function holds(path: string, word: string, change?: (file: number) => void): boolean {
  try {
    const file = openSync(path, change ? 'r+' : 'r');
    try {
      if (readFileSync(file, 'utf8') !== word) return false;
      change?.(file);
      return true;
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}
