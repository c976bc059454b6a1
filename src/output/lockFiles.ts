import { realpath, rmdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { MINUTE_MS } from '../domain/dates.ts';
import { OutputError } from '../errors.ts';
import type { Io } from '../io.ts';
import { acquireFileLock, type FileLock, STALE_LOCK_MS } from '../service/disk/lock.ts';
import { followLinks, makeOutputFolder } from './file.ts';
import { toOutputError } from './target.ts';

/** Locks on files that are read and then changed. `await using` releases them. */
export interface FileLocks extends AsyncDisposable {
  /**
   * Checks that this process still holds a lock.
   * @throws OutputError if another process took the lock while this one was suspended
   */
  check(path: string): void;
}

interface LockTools {
  readonly io: Pick<Io, 'sleep' | 'random' | 'signal' | 'runtime'>;
  /** Called once for each file that another process has locked. */
  readonly onWait: (path: string) => void;
}

const MAX_WAIT_MS = 10 * MINUTE_MS;

/**
 * Locks files, which may not exist yet. Each lock is a hidden file beside the file; missing folders
 * are created.
 * @throws OutputError if a lock cannot be created, or another process holds it for over ten
 *   minutes; the reason of an aborted `signal`
 */
export async function lockFiles(paths: readonly string[], tools: LockTools): Promise<FileLocks> {
  const made: string[] = [];
  const files = new Map<string, string>();
  const locks = new Map<string, FileLock>();
  const release = async (): Promise<void> => {
    for (const lock of locks.values()) lock.release();
    // rmdir only removes empty folders.
    for (const folder of made.reverse()) await rmdir(folder).catch(() => {});
  };
  try {
    for (const path of paths) {
      made.push(...makeOutputFolder(dirname(resolve(path))));
      files.set(path, await realFile(path, tools.io));
    }
    // All processes lock their files in the same order, so that no two wait for each other.
    for (const file of [...new Set(files.values())].sort()) {
      locks.set(file, await lockFile(file, tools));
    }
  } catch (error) {
    await release();
    throw error;
  }
  return {
    check(path) {
      if (locks.get(files.get(path) ?? '')?.isHeld()) return;
      throw new OutputError(
        `Another run of vane took over ${path}, since this run did nothing for more than ${STALE_LOCK_MS / 1000} s. ` +
          'This run stopped writing. Once the other run has ended, run the same command again.',
      );
    },
    [Symbol.asyncDispose]: release,
  };
}

/** Resolves symbolic links, so that a link and its target share a lock. The file may not exist. */
async function realFile(path: string, io: LockTools['io']): Promise<string> {
  try {
    const file = await followLinks(path, io);
    return join(await realpath(dirname(file)), basename(file));
  } catch (error) {
    throw toOutputError(error, path);
  }
}

async function lockFile(file: string, { io, onWait }: LockTools): Promise<FileLock> {
  const path = join(dirname(file), `.${basename(file)}.vane-lock`);
  const { sleep, random, signal } = io;
  const options = { sleep, random, signal, maxWaitMs: MAX_WAIT_MS };
  try {
    const lock = await acquireFileLock(path, { ...options, onWait: () => onWait(file) });
    if (lock !== undefined) return lock;
  } catch (error) {
    const needed = 'The lock must be next to the file, which was not changed.';
    throw toOutputError(error, `the lock ${path}`, needed);
  }
  throw new OutputError(
    `Another vane is changing ${file} and has not ended within ${MAX_WAIT_MS / MINUTE_MS} minutes. ` +
      'Run the same command again once it has ended.',
  );
}
