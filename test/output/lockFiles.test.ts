import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InterruptedError, OutputError } from '../../src/errors.ts';
import { type FileLocks, lockFiles } from '../../src/output/lockFiles.ts';
import { fakeIo } from '../support/fake-io.ts';
import { naming } from '../support/naming.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-lock-'));
  path = join(folder, 'wind.csv');
});
afterEach(() => rm(folder, { recursive: true }));

/** An Io whose sleep ends at once. */
function setUp(onSleep = async (): Promise<void> => {}) {
  const sleep = async (): Promise<void> => {
    await new Promise(setImmediate);
    await onSleep();
  };
  const io = { ...fakeIo(), random: Math.random, sleep };
  const waits: string[] = [];
  return { io, waits, onWait: (file: string) => void waits.push(file) };
}

const lock = (file = path, tools = setUp()): Promise<FileLocks> => lockFiles([file], tools);

const release = (held: FileLocks): PromiseLike<void> => held[Symbol.asyncDispose]();

describe('a lock on a file', () => {
  it('a lock on a file leaves no file when it is released', async () => {
    const held = await lock();
    held.check(path);
    await release(held);
    expect(await readdir(folder)).toEqual([]);
  });

  it('a lock on a file makes a second process wait until the first releases it, and say so once', async () => {
    const held = await lock();
    let polls = 0;
    const tools = setUp(async () => {
      if (++polls === 5) await release(held);
    });
    const second = await lock(path, tools);
    expect([polls, tools.waits]).toEqual([5, [path]]);
    await release(second);
    expect(await readdir(folder)).toEqual([]);
  });

  it('a lock on a file stays with its holder when another process gives up waiting after ten minutes', async () => {
    const held = await lock();
    await expect(lock()).rejects.toThrow(OutputError);
    await expect(lock()).rejects.toThrow(naming('Another vane', 'wind.csv', '10 minutes'));
    held.check(path);
    await release(held);
  });

  it('a process stops waiting for a lock on a file after a signal', async () => {
    const held = await lock();
    const tools = setUp();
    const reason = new InterruptedError('SIGTERM');
    tools.io.interrupt(reason);
    await expect(lock(path, tools)).rejects.toBe(reason);
    await release(held);
    expect(await readdir(folder)).toEqual([]);
  });

  it('a process notices that another process took over its lock on a file', async () => {
    const held = await lock();
    await writeFile(join(folder, '.wind.csv.vane-lock'), 'of another process');
    expect(() => held.check(path)).toThrow(OutputError);
    expect(() => held.check(path)).toThrow(/took over/);
    await release(held);
  });

  it('a lock on a file is the same for a link and for the target of the link', async () => {
    await writeFile(path, '');
    const link = join(folder, 'link.csv');
    const dangling = join(folder, 'dangling.csv');
    await symlink('wind.csv', link);
    await symlink('later.csv', dangling);
    const held = await lockFiles([path, dangling], setUp());
    await expect(lock(link)).rejects.toThrow(OutputError);
    await expect(lock(join(folder, 'later.csv'))).rejects.toThrow(OutputError);
    await release(held);
    await release(await lock(link));
  });

  it('locks on files cause no deadlock of two processes that lock the same files in different order', async () => {
    const [a, b] = [join(folder, 'a'), join(folder, 'b')];
    const order: string[] = [];
    const hold = async (name: string, files: string[]) => {
      const held = await lockFiles(files, setUp());
      order.push(`${name} begins`);
      await new Promise(setImmediate);
      order.push(`${name} ends`);
      await release(held);
    };
    await Promise.all([hold('one', [a, b]), hold('two', [b, a])]);
    expect(order[1]).toBe(order[0]?.replace('begins', 'ends'));
    expect(await readdir(folder)).toEqual([]);
  });

  it('a lock on a file is held by only one of twenty processes at a time', async () => {
    let holders = 0;
    let most = 0;
    const hold = async () => {
      const held = await lock();
      most = Math.max(most, ++holders);
      await new Promise(setImmediate);
      held.check(path);
      holders--;
      await release(held);
    };
    await Promise.all(Array.from({ length: 20 }, hold));
    expect([holders, most]).toEqual([0, 1]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('a lock on a file makes the missing folder of the file, and on release removes the folder if it stayed empty', async () => {
    const deep = join(folder, 'a', 'b', 'wind.csv');
    await release(await lock(deep));
    expect(await readdir(folder)).toEqual([]);
    const held = await lock(deep);
    await writeFile(deep, '');
    await release(held);
    expect(existsSync(deep)).toBe(true);
  });

  it('a lock on a file throws an OutputError that names the lock if a folder is in the place of the lock', async () => {
    await mkdir(join(folder, '.wind.csv.vane-lock'));
    await expect(lock()).rejects.toThrow(OutputError);
    await expect(lock()).rejects.toThrow(naming('.wind.csv.vane-lock', 'not a plain file'));
  });

  it.skipIf(!existsSync('/sys/kernel'))(
    'a lock on a file throws an error in a folder without write permission (needs /sys)',
    async () => {
      await expect(lock('/sys/kernel/wind.csv')).rejects.toThrow(
        naming('lock', 'denied', 'not changed'),
      );
    },
  );

  it('a lock on a file does not block the lock of another file in the same folder', async () => {
    const held = await lock();
    await release(await lock(join(folder, 'other.csv')));
    await release(held);
  });
});
