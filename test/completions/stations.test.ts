import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cacheFolderIn } from '../support/cacheFolder.ts';
import { diskCacheIn } from '../support/disk-cache.ts';
import { vane } from '../support/run.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-known-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Puts a list of stations into the cache, as if it had been requested so many minutes ago. */
async function cacheList(
  what: string,
  stations: readonly [id: number, name: string][],
  minutesAgo = 0,
): Promise<void> {
  const now = () => Date.now() - minutesAgo * 60_000;
  const data = stations.map(([id, name]) => ({ id, meta: { name } }));
  const cache = diskCacheIn(cacheFolderIn(folder), { now });
  await cache.write(`live http://wind.example ${what}`, Buffer.from(JSON.stringify({ data })));
}

/** The files in the cache that contain a text. */
async function pathsWith(text: string): Promise<string[]> {
  const place = join(cacheFolderIn(folder), 'responses-v1');
  const paths = (await readdir(place)).map((name) => join(place, name));
  const texts = await Promise.all(paths.map((path) => readFile(path, 'latin1')));
  return paths.filter((_, at) => texts[at]?.includes(text));
}

async function known(): Promise<string> {
  const { code, out, err } = await vane(['completion', 'words', '--', 'live', ''], {
    env: { VANE_CACHE_DIR: folder, VANE_CACHE_MAX_SIZE: 'nonsense', VANE_BASE_URL: 'nonsense' },
  });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^words\n/);
  return out.slice('words\n'.length);
}

it('completion offers no station where no list of stations is cached', async () => {
  expect(await known()).toBe('');
  await cacheList('110', [[110, 'Not a list']]);
  await writeFile(join(cacheFolderIn(folder), 'responses-v1', 'live-1'), 'damaged');
  expect(await known()).toBe('');
});

it('completion offers the stations of the latest cached list that can be read', async () => {
  await cacheList('all', [[1, 'Older']], 600);
  await cacheList('all meta', [[2, 'Latest']], 500);
  await cacheList('x/all', [[3, 'Not a list']], 400);
  await cacheList('b all', [[4, 'Damaged']], 300);
  const [path = ''] = await pathsWith('b all');
  await writeFile(path, (await readFile(path)).subarray(0, -1));
  expect(await known()).toBe('2\tLatest\n');
});

it('completion offers each station on one line, with a shortened name', async () => {
  await cacheList('all', [
    [1, ' Col\tdu\r\nVent\u001b[31m\u202e '],
    [2, 'é'.repeat(500)],
  ]);
  expect(await known()).toBe(`1\tCol du Vent␛[31m�\n2\t${'é'.repeat(79)}…\n`);
});
