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
import { type Io, randomFileSuffix } from '../../io.ts';

export interface FileLock {
  /**
   * Whether this process still holds the lock. Another process takes over a lock that is not
   * renewed.
   */
  isHeld(): boolean;
  release(): void;
}

export interface FileLockOptions extends Pick<Io, 'sleep' | 'random'> {
  readonly signal: AbortSignal | undefined;
  readonly maxWaitMs: number;
  /** Called once if another process holds the lock. */
  readonly onWait?: () => void;
}

/**
 * A lock counts as abandoned if its time differs by more than this from the clock of the file
 * system.
 */
export const STALE_LOCK_MS = 20_000;
const RENEWAL_MS = 5000;
const POLL_MS = 100;
/** Interval at which a waiting process checks the age of the lock. */
const LOOK_MS = 1000;

/**
 * Waits for a lock: a file that only one process can create, and that its process keeps renewing.
 * The file contains a random word that identifies its process. Process ids would not do, since two
 * containers may use the same one.
 * @param path the file of the lock, in an existing folder
 * @returns undefined if another process holds the lock longer than the maximum wait
 * @throws OutputError if a link or folder is in place of the lock; the error of the system; the
 *   reason of `signal`
 */
export async function acquireFileLock(
  path: string,
  options: FileLockOptions,
): Promise<FileLock | undefined> {
  const { sleep, random, signal, maxWaitMs, onWait } = options;
  const word = randomFileSuffix(random);
  for (let waitedMs = 0; waitedMs < maxWaitMs; waitedMs += POLL_MS) {
    signal?.throwIfAborted();
    if (makeFile(path, word)) return hold(path, word);
    if (waitedMs % LOOK_MS === 0 && takeOver(path, word)) return hold(path, word);
    if (waitedMs === 0) onWait?.();
    await sleep(POLL_MS, signal);
  }
  return undefined;
}

/**
 * Creates a file.
 * @returns false if it already exists
 */
function makeFile(path: string, word: string): boolean {
  try {
    writeFileSync(path, word, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') return false;
    // A full disk must not leave a lock without an owner.
    if (code === 'ENOSPC' || code === 'EDQUOT') rmSync(path, { force: true });
    throw error;
  }
}

/**
 * Replaces an abandoned lock. Only the process that creates the claim, a file beside the lock, may
 * do so. It checks the lock again and then renames its claim to the lock. Another process that saw
 * the abandoned lock then finds a fresh one.
 * @returns whether this process now holds the lock
 */
function takeOver(path: string, word: string): boolean {
  if (!isStale(path, word)) return false;
  const claim = `${path}.tmp`;
  // A process that was killed during a takeover leaves its claim behind.
  if (isStale(claim, word)) rmSync(claim, { force: true });
  if (!makeFile(claim, word)) return false;
  try {
    if (!isStale(path, word)) return false;
    renameSync(claim, path);
    // Another process may have considered this claim abandoned and replaced it with its own.
    return holds(path, word);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  } finally {
    holds(claim, word, () => rmSync(claim));
  }
}

/**
 * Whether a file exists but was not written for {@link STALE_LOCK_MS}. Its age is computed from two
 * times of the file system, so that clocks of different machines need not agree.
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
  // Writing updates the time of the lock by the clock of the file system.
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
 * Whether the lock contains this process's word. If so, `change` is called with the opened file,
 * which stays the same even if another process replaces it meanwhile. A lock that cannot be changed
 * counts as abandoned.
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
