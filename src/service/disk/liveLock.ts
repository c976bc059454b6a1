import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { randomName } from '../../domain/randomName.ts';
import { errorCode } from '../../errors.ts';
import type { Io } from '../../io.ts';
import { makeFolder } from '../../makeFolder.ts';

export interface LiveLockOptions extends Pick<Io, 'now' | 'sleep' | 'random' | 'processes'> {
  /** Longest wait for another process, and the age at which its lock counts as left behind. */
  readonly timeoutMs: number;
}

/**
 * Tolerance for file systems that round times. A lock further in the future was written before the
 * clock was set back.
 */
const CLOCK_STEP_MS = 1000;

const POLL_MS = 50;

/**
 * Locks a live answer, so that processes that need it at the same time send one request. A lock is
 * only a courtesy: after `timeoutMs` a process goes on without it.
 * @returns a function that unlocks; undefined where the wait for another process took too long
 * @throws the error of the system where the folder takes no file; the reason of `signal`
 */
export async function lockAnswer(
  path: string,
  options: LiveLockOptions,
  signal: AbortSignal | undefined,
): Promise<(() => void) | undefined> {
  const { processes, random, sleep, now, timeoutMs } = options;
  const owner = `${processes.own} ${randomName(random)}`;
  for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs += POLL_MS) {
    try {
      writeLock(path, owner, now());
      return () => unlock(path, owner);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    removeLeftLock(path, options);
    await sleep(POLL_MS, signal);
  }
  return undefined;
}

/**
 * Writes a lock file that names its owner. A write that fails removes its file: a full disk must
 * leave no lock without an owner.
 */
function writeLock(path: string, owner: string, nowMs: number): void {
  makeFolder(dirname(path));
  try {
    writeFileSync(path, owner, { flag: 'wx', mode: 0o600 });
    setTime(path, nowMs / 1000);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') rmSync(path, { force: true });
    throw error;
  }
}

/** Sets the time of a lock. A lock that another process has removed meanwhile may stay missing. */
function setTime(path: string, seconds: number): void {
  try {
    utimesSync(path, seconds, seconds);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/**
 * Removes a lock whose process has ended, or that is older than any request may take or dated in
 * the future.
 */
function removeLeftLock(path: string, { processes, now, timeoutMs }: LiveLockOptions): void {
  try {
    const ageMs = now() - statSync(path).mtimeMs;
    const [owner = ''] = readFileSync(path, 'utf8').split(' ');
    const isDead = owner !== '' && !processes.isAlive(Number(owner));
    if (isDead || ageMs < -CLOCK_STEP_MS || ageMs >= timeoutMs) rmSync(path, { force: true });
  } catch {
    // A lock that is gone was removed by its owner meanwhile.
  }
}

/** Unlocks, unless another process has taken the lock over. */
function unlock(path: string, owner: string): void {
  try {
    if (readFileSync(path, 'utf8') === owner) rmSync(path, { force: true });
  } catch {
    // Another process has taken the lock over and unlocked.
  }
}
