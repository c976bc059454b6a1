import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cacheFolderIn } from '../support/cacheFolder.ts';
import { vane } from '../support/run.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-known-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Puts a response into the cache as if it had been kept so many minutes ago. */
async function keep(name: string, text: string, minutesAgo: number): Promise<void> {
  const live = join(cacheFolderIn(folder), 'live-v1');
  await mkdir(live, { recursive: true });
  const path = join(live, name);
  await writeFile(path, text);
  const time = new Date(Date.now() - minutesAgo * 60_000);
  await utimes(path, time, time);
}

const list = (what: string, stations: readonly [id: unknown, name: unknown][]): string =>
  JSON.stringify({
    requestedMs: 0,
    key: `v1 http://wind.example live ${what}`,
    response: { data: stations.map(([id, name]) => ({ id, meta: { name } })) },
  });

async function known(): Promise<string> {
  const { code, out, err } = await vane(['completion', 'words', '--', 'live', ''], {
    env: { VANE_CACHE_DIR: folder, VANE_CACHE_MAX_SIZE: 'nonsense', VANE_BASE_URL: 'nonsense' },
  });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^words\n/);
  return out.slice('words\n'.length);
}

it('completion offers no station where no cached list can be read', async () => {
  expect(await known()).toBe('');
  await writeFile(join(cacheFolderIn(folder), 'live-v1'), 'a file');
  expect(await known()).toBe('');
});

it('completion offers the stations of the latest cached list that can be read', async () => {
  await keep('a', list('all', [[1, 'Older']]), 600);
  await keep('b', list('all meta', [[2, 'Latest']]), 500);
  await keep('c', list('110', [[3, 'Not a list']]), 400);
  await keep('d', '{"key":"v1 http://wind.example live all","ans', 300);
  await keep('e', list('all', [[4, 'x']]).replace('"data"', '"date"'), 200);
  await keep('f.lock', '4711', 100);
  await keep('g', 'null', 50);
  expect(await known()).toBe('2\tLatest\n');
});

it('completion offers each station on one line, with a shortened name', async () => {
  const long = 'é'.repeat(500);
  await keep(
    'a',
    list('all', [
      [1, ' Col\tdu\r\nVent\u001b[31m\u202e '],
      [2, long],
      ['3', 'no id'],
      [4, null],
    ]),
    1,
  );
  expect(await known()).toBe(`1\tCol du Vent␛[31m�\n2\t${'é'.repeat(79)}…\n`);
});
