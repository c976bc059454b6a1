import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InterruptedError, OutputError } from '../../src/errors.ts';
import { type Lock, lockFiles } from '../../src/output/lock.ts';
import { fakeIo } from '../support/fake-io.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-lock-'));
  path = join(folder, 'wind.csv');
});
afterEach(() => rm(folder, { recursive: true }));

/** An Io whose sleep ends at once and moves its clock on. */
function setUp(onSleep = async (_nowMs: number): Promise<void> => {}) {
  let now = 0;
  const io = {
    ...fakeIo(),
    random: anyNumber,
    now: () => now,
    async sleep(ms: number, signal?: AbortSignal) {
      // The beat of a lock that is held waits for ever.
      if (ms === 10_000) return new Promise<void>((_, reject) => onAbort(signal, reject));
      now += ms;
      await onSleep(now);
    },
  };
  const waits: string[] = [];
  return { io, waits, onWait: (file: string) => void waits.push(file) };
}

/** From 0 up to 1, never the same twice in a row. */
let seed = 20_240_115;
function anyNumber(): number {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
}

const onAbort = (signal: AbortSignal | undefined, reject: (reason: unknown) => void): void =>
  signal?.addEventListener('abort', () => reject(signal.reason));

const lock = (file = path, tools = setUp()): Promise<Lock> => lockFiles([file], tools);

/** The one flag of a lock that is held. */
async function flagOf(name = 'wind.csv'): Promise<string> {
  const place = join(folder, `.${name}.vane-lock`);
  const [flag = ''] = await readdir(place);
  return join(place, flag);
}

describe('a lock on a file', () => {
  it('leaves no file when it is released', async () => {
    const held = await lock();
    await held.check(path);
    await held.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('makes a second process wait until it is released, and say so once', async () => {
    const held = await lock();
    let polls = 0;
    const tools = setUp(async () => {
      if (++polls === 5) await held.release();
    });
    const second = await lock(path, tools);
    expect([polls, tools.waits]).toEqual([5, [path]]);
    await second.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('stays with its holder when another process gives up waiting after ten minutes', async () => {
    const held = await lock();
    await expect(lock()).rejects.toThrow(OutputError);
    await expect(lock()).rejects.toThrow(/^Another vane changes .*wind\.csv .*10 minutes/);
    await held.check(path);
    await held.release();
  });

  it('is no longer waited for after a signal', async () => {
    const held = await lock();
    const tools = setUp();
    const reason = new InterruptedError('SIGTERM');
    tools.io.interrupt(reason);
    await expect(lock(path, tools)).rejects.toBe(reason);
    await held.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is removed when it was left behind over a minute ago', async () => {
    await lock();
    const flag = await flagOf();
    const old = (await stat(flag)).mtimeMs / 1000 - 61;
    await utimes(flag, old, old);
    const tools = setUp();
    const second = await lock(path, tools);
    expect([tools.waits, existsSync(flag)]).toEqual([[], false]);
    await second.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is touched regularly while it is held, so that no process takes it for left behind', async () => {
    const beats: (() => void)[] = [];
    const tools = setUp();
    const io = {
      ...tools.io,
      sleep: (_: number, signal?: AbortSignal) =>
        new Promise<void>((resolve, reject) => {
          beats.push(resolve);
          onAbort(signal, reject);
        }),
    };
    const held = await lockFiles([path], { ...tools, io });
    const flag = await flagOf();
    await utimes(flag, 1, 1);
    while (beats.length < 2) {
      beats[0]?.();
      await new Promise(setImmediate);
    }
    expect((await stat(flag)).mtimeMs).toBeGreaterThan(1000);
    await held.release();
  });

  it('fails the check of its former holder after another process took it over', async () => {
    const held = await lock();
    await rm(await flagOf());
    await expect(held.check(path)).rejects.toThrow(OutputError);
    await expect(held.check(path)).rejects.toThrow(/took over/);
    await held.release();
  });

  it('is the same for a link and for the target of the link', async () => {
    await writeFile(path, '');
    const link = join(folder, 'link.csv');
    const dangling = join(folder, 'dangling.csv');
    await symlink('wind.csv', link);
    await symlink('later.csv', dangling);
    const held = await lockFiles([path, dangling], setUp());
    await expect(lock(link)).rejects.toThrow(OutputError);
    await expect(lock(join(folder, 'later.csv'))).rejects.toThrow(OutputError);
    await held.release();
    await (await lock(link)).release();
  });

  it('causes no deadlock of two processes that lock the same files in different order', async () => {
    const [a, b] = [join(folder, 'a'), join(folder, 'b')];
    const order: string[] = [];
    const nap = async () => new Promise<void>((resolve) => setTimeout(resolve, 1));
    const hold = async (name: string, files: string[]) => {
      const { io, onWait } = setUp(nap);
      const held = await lockFiles(files, { io: { ...io, now: () => 0 }, onWait });
      order.push(`${name} begins`);
      await nap();
      order.push(`${name} ends`);
      await held.release();
    };
    await Promise.all([hold('one', [a, b]), hold('two', [b, a])]);
    expect(order[1]).toBe(order[0]?.replace('begins', 'ends'));
    expect(await readdir(folder)).toEqual([]);
  });

  it('is held by only one of twenty processes at a time', async () => {
    let holders = 0;
    let most = 0;
    const nap = async () => new Promise<void>((resolve) => setTimeout(resolve, 1));
    const hold = async () => {
      const { io, onWait } = setUp(nap);
      const held = await lockFiles([path], { io: { ...io, now: () => 0 }, onWait });
      most = Math.max(most, ++holders);
      await nap();
      await held.check(path);
      holders--;
      await held.release();
    };
    await Promise.all(Array.from({ length: 20 }, hold));
    expect([holders, most]).toEqual([0, 1]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('makes the missing folder of the file, and on release removes the folder if it stayed empty', async () => {
    const deep = join(folder, 'a', 'b', 'wind.csv');
    await (await lock(deep)).release();
    expect(await readdir(folder)).toEqual([]);
    const held = await lock(deep);
    await writeFile(deep, '');
    await held.release();
    expect(existsSync(deep)).toBe(true);
  });

  it('throws an OutputError that names the lock if it cannot be made', async () => {
    await writeFile(join(folder, '.wind.csv.vane-lock'), 'of somebody else');
    await expect(lock()).rejects.toThrow(OutputError);
    await expect(lock()).rejects.toThrow(
      /^Could not write the lock .*\.wind\.csv\.vane-lock: .*beside/,
    );
  });

  it('is refused if the folder of the lock is a link, whose target stays unchanged', async () => {
    const elsewhere = join(folder, 'elsewhere');
    await mkdir(elsewhere);
    await writeFile(join(elsewhere, 'notes'), '');
    await utimes(join(elsewhere, 'notes'), 1, 1);
    await symlink('elsewhere', join(folder, '.wind.csv.vane-lock'));
    await expect(lock()).rejects.toThrow(OutputError);
    await expect(lock()).rejects.toThrow(/^Could not write the lock .*vane-lock: it is a link\./);
    expect(await readdir(elsewhere)).toEqual(['notes']);
  });

  it('leaves other files in the folder of the lock', async () => {
    const place = join(folder, '.wind.csv.vane-lock');
    await mkdir(place);
    await writeFile(join(place, 'notes'), '');
    await utimes(join(place, 'notes'), 1, 1);
    const held = await lock();
    await held.release();
    expect(await readdir(place)).toEqual(['notes']);
  });

  it.skipIf(!existsSync('/sys/kernel'))(
    'throws an error in a folder without write permission (needs /sys)',
    async () => {
      await expect(lock('/sys/kernel/wind.csv')).rejects.toThrow(
        /^Could not write the lock .*denied/,
      );
    },
  );

  it('does not block the lock of another file in the same folder', async () => {
    await mkdir(join(folder, '.other.csv.vane-lock'));
    const held = await lock();
    await (await lock(join(folder, 'other.csv'))).release();
    await held.release();
  });
});
