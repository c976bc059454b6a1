import fs from 'node:fs';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OutputError } from '../../../src/errors.ts';
import { acquireFileLock, type FileLock } from '../../../src/service/disk/lock.ts';
import { naming } from '../../support/naming.ts';

/** Calls `onLook` after each look of a process at the status of a file, until it is disposed of. */
function afterEachLook(onLook: (file: fs.PathLike) => void): Disposable {
  const { lstatSync } = fs;
  const replace = (look: unknown): void => {
    Object.assign(fs, { lstatSync: look });
    syncBuiltinESMExports();
  };
  replace((file: fs.PathLike, options: fs.StatSyncOptions) => {
    const status = lstatSync(file, options);
    onLook(file);
    return status;
  });
  return { [Symbol.dispose]: () => replace(lstatSync) };
}

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-lock-'));
  path = join(folder, 'lock');
});
afterEach(() => rm(folder, { recursive: true }));

/** Waits for the lock as a process does; its sleeps end at once. */
async function acquire({ maxWaitMs = 30_000, file = path, random = Math.random } = {}) {
  const wait = { count: 0, sleptMs: 0 };
  const sleep = async (ms: number): Promise<void> => {
    wait.sleptMs += ms;
    await new Promise(setImmediate);
  };
  const onWait = () => void wait.count++;
  const lock = await acquireFileLock(file, { sleep, random, signal: undefined, maxWaitMs, onWait });
  return { lock, wait };
}

/** A lock that a process left, so many seconds before now; less than 0 for after now. */
async function leaveLock(seconds: number): Promise<void> {
  await writeFile(path, 'killed');
  const time = (await stat(path)).mtimeMs / 1000 - seconds;
  await utimes(path, time, time);
}

describe('a lock', () => {
  it('a lock on a cache entry is a file that only its user may read, and that is gone after its release', async () => {
    const { lock, wait } = await acquire();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect([lock?.isHeld(), wait.count]).toEqual([true, 0]);
    lock?.release();
    expect([lock?.isHeld(), await readdir(folder)]).toEqual([false, []]);
  });

  it('a lock on a cache entry makes a second process wait as long as it may, and reports the wait once', async () => {
    const { lock } = await acquire();
    const second = await acquire();
    expect(second).toEqual({ lock: undefined, wait: { count: 1, sleptMs: 30_000 } });
    expect(lock?.isHeld()).toBe(true);
    lock?.release();
  });

  it.each([
    ['19 s ago', 19],
    ['19 s ahead', -19],
  ])('a lock on a cache entry that was renewed %s is respected', async (_, seconds) => {
    await leaveLock(seconds);
    expect((await acquire({ maxWaitMs: 500 })).lock).toBeUndefined();
    expect(await readdir(folder)).toEqual(['lock']);
  });

  it.each([
    ['21 s ago', 21],
    ['21 s ahead, before the clock was set back', -21],
  ])('a lock on a cache entry that was renewed %s is taken over', async (_, seconds) => {
    await leaveLock(seconds);
    const { lock, wait } = await acquire();
    expect([lock?.isHeld(), wait.count]).toEqual([true, 0]);
    lock?.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('the age of a lock on a cache entry follows the clock of the file system, whatever the clock of the machine', async () => {
    await leaveLock(19);
    vi.useFakeTimers({ toFake: ['Date'], now: 0 });
    try {
      expect((await acquire({ maxWaitMs: 500 })).lock).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });

  it('a lock on a cache entry that becomes stale while a process waits for it is taken over', async () => {
    await leaveLock(0);
    const waiting = acquire({ maxWaitMs: 600_000 });
    await leaveLock(21);
    const { lock, wait } = await waiting;
    expect([lock?.isHeld(), wait.count]).toEqual([true, 1]);
    lock?.release();
  });

  it('a stale lock on a cache entry goes to one of eight processes at a time', async () => {
    await leaveLock(21);
    let holders = 0;
    const most: number[] = [];
    const hold = async () => {
      const { lock } = await acquire({ maxWaitMs: 600_000 });
      most.push(++holders);
      await new Promise(setImmediate);
      expect(lock?.isHeld()).toBe(true);
      holders--;
      lock?.release();
    };
    await Promise.all(Array.from({ length: 8 }, hold));
    expect(most).toEqual(Array(8).fill(1));
    expect(await readdir(folder)).toEqual([]);
  });

  it('a stale lock on a cache entry is left to another process that takes it over at the same moment', async () => {
    await leaveLock(21);
    let looks = 0;
    using _ = afterEachLook((file) => {
      if (file !== path || looks++ > 0) return;
      fs.rmSync(path);
      fs.writeFileSync(path, 'of another process');
    });
    expect((await acquire({ maxWaitMs: 3000 })).lock).toBeUndefined();
    expect(looks).toBeGreaterThan(0);
    expect(await readFile(path, 'utf8')).toBe('of another process');
    expect(await readdir(folder)).toEqual(['lock']);
  });

  it('a stale lock on a cache entry is taken over although a process was killed while it took the lock over', async () => {
    await leaveLock(21);
    await rename(path, `${path}.tmp`);
    await leaveLock(21);
    const { lock } = await acquire();
    expect(lock?.isHeld()).toBe(true);
    lock?.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('a lock on a cache entry is neither renewed nor removed by a process that lost the lock to another', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const { lock } = await acquire();
      await leaveLock(3);
      const { mtimeMs } = await stat(path);
      vi.advanceTimersByTime(5000);
      expect([lock?.isHeld(), (await stat(path)).mtimeMs]).toEqual([false, mtimeMs]);
      lock?.release();
      expect(await readFile(path, 'utf8')).toBe('killed');
    } finally {
      vi.useRealTimers();
    }
  });

  it('a lock on a cache entry is renewed every 5 s until its release, and keeps no process from ending', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const { lock } = (await acquire()) as { lock: FileLock };
      for (let times = 0; times < 3; times++) {
        await utimes(path, 1, 1);
        vi.advanceTimersByTime(5000);
        expect((await stat(path)).mtimeMs).toBeGreaterThan(1000);
      }
      lock.release();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('a lock on a cache entry is refused where a link or a folder is in its place, and the target of the link stays', async () => {
    await writeFile(join(folder, 'notes'), 'mine');
    await symlink('notes', path);
    await mkdir(join(folder, 'place'));
    for (const file of [path, join(folder, 'place')]) {
      const refused = acquire({ file });
      await expect(refused).rejects.toThrow(OutputError);
      await expect(refused).rejects.toThrow(naming('lock', file, 'not a plain file'));
    }
    expect(await readFile(join(folder, 'notes'), 'utf8')).toBe('mine');
    expect((await readdir(folder)).sort()).toEqual(['lock', 'notes', 'place']);
  });

  it('a lock on a cache entry cannot be made in a missing folder', async () => {
    await expect(acquire({ file: join(folder, 'no', 'lock') })).rejects.toThrow('ENOENT');
  });
});
