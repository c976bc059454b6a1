import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { diskCacheIn } from '../../support/disk-cache.ts';

let folder: string;
let entries: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-store-'));
  entries = join(folder, 'responses-v1');
});
afterEach(() => rm(folder, { recursive: true }));

const KEY = 'archive http://a 110';
const ROWS = Buffer.from('a row\nanother row\n');

async function onlyFile(): Promise<string> {
  const [name, ...others] = await readdir(entries);
  expect(others).toEqual([]);
  return join(entries, name as string);
}

it('a cache entry with a flipped bit in any byte, or cut anywhere, never reads as other content', async () => {
  const cache = diskCacheIn(folder);
  await cache.write(KEY, ROWS, { requestedMs: Date.now(), validMs: 100_000 });
  const path = await onlyFile();
  const sound = await readFile(path);
  for (const [at, byte] of sound.entries()) {
    const damaged = Buffer.from(sound);
    damaged[at] = byte ^ (1 << (at % 8));
    await writeFile(path, damaged);
    expect(await cache.read(KEY), `byte ${at}`).toBeUndefined();
  }
  for (let length = 0; length < sound.length; length++) {
    await writeFile(path, sound.subarray(0, length));
    expect(await cache.read(KEY), `${length} bytes`).toBeUndefined();
  }
  await writeFile(path, Buffer.concat([sound, sound]));
  expect(await cache.read(KEY)).toBeUndefined();
  await cache.write(KEY, ROWS);
  expect((await cache.read(KEY))?.content).toEqual(ROWS);
});

it('a cache entry under the file name of another key is not read', async () => {
  const cache = diskCacheIn(folder);
  await cache.write(KEY, ROWS);
  const path = await onlyFile();
  const foreign = await readFile(path);
  await rm(path);
  await cache.write(`${KEY}3`, ROWS);
  await writeFile(await onlyFile(), foreign);
  expect([await cache.read(`${KEY}3`), await cache.has(`${KEY}3`)]).toEqual([undefined, false]);
});

it('two processes on a cache smaller than two entries read a right entry or none, and report nothing', async () => {
  const [one, two] = [diskCacheIn(folder), diskCacheIn(folder)];
  const contentOf = (key: string) => Buffer.from(`rows of ${key}`);
  await one.write('archive 0', contentOf('archive 0'));
  const [{ bytes } = { bytes: 0 }] = await one.list();
  let found = 0;
  const work = async (cache: typeof one): Promise<void> => {
    for (let n = 0; n < 30; n++) {
      const key = `archive ${n % 3}`;
      await cache.write(key, contentOf(key));
      const cached = await cache.read(key);
      if (cached) expect(cached.content).toEqual(contentOf(key));
      if (cached) found++;
      await cache.trim(n % 2 ? bytes : bytes - 1);
    }
  };
  await Promise.all([work(one), work(two)]);
  expect(found).toBeGreaterThan(0);
  expect((await readdir(entries)).join()).toMatch(/^(archive-\w+)?$/);
});

it('a cache entry that another process clears before the rename of its write is not stored, and nothing is reported', async () => {
  const now = (): number => {
    rmSync(entries, { recursive: true, force: true });
    return Date.now();
  };
  expect(await diskCacheIn(folder, { now }).write(KEY, ROWS)).toBe(false);
});

it('an unfinished cache entry of a killed process is not listed, but counts for the size of the cache and is removed by age', async () => {
  const cache = diskCacheIn(folder);
  await cache.write(KEY, ROWS);
  const [entry] = await cache.list();
  const left = `${await onlyFile()}.abc.tmp`;
  await writeFile(left, Buffer.alloc(1000));
  await utimes(left, 1, 1);
  expect(await cache.list()).toEqual([entry]);
  await cache.trim(1000);
  expect(await cache.list()).toEqual([entry]);
  expect(await readdir(entries)).toHaveLength(1);
});

it('trim of the cache removes what another version of vane left before any entry', async () => {
  const cache = diskCacheIn(folder);
  await writeFile(join(folder, 'CACHEDIR.TAG'), 'marker');
  for (const name of ['content-v2/sha512/aa', 'index-v5', 'live-v1', 'tmp']) {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, 'file'), Buffer.alloc(100));
  }
  await cache.write(KEY, ROWS);
  const before = await cache.list();
  expect([before.length, await cache.measureLeftovers()]).toEqual([1, 400]);
  await cache.trim(1000);
  expect(await cache.measureLeftovers()).toBe(400);
  await cache.trim(399);
  expect((await readdir(folder)).sort()).toEqual(['CACHEDIR.TAG', 'responses-v1']);
  expect([await cache.list(), await cache.measureLeftovers()]).toEqual([before, 0]);
});
