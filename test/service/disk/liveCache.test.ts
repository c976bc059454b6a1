import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cacheTroubleReporter } from '../../../src/service/disk/cacheFolder.ts';
import { liveDiskCache } from '../../../src/service/disk/liveCache.ts';
import type { StationService } from '../../../src/service/service.ts';
import { cacheFolderIn } from '../../support/cacheFolder.ts';
import { diskCacheIn } from '../../support/disk-cache.ts';
import { fakeIo } from '../../support/fake-io.ts';
import { fixtureService, NOW } from '../../support/fixture-service.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-recent-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const LIVE = { withMeta: false };

interface SetUp {
  readonly now?: () => number;
  readonly refresh?: boolean;
  readonly baseUrl?: string;
  readonly place?: string;
  readonly sleep?: (ms: number) => Promise<void>;
  readonly response?: () => Promise<void>;
}

function setUp({
  now = () => NOW,
  refresh = false,
  baseUrl = 'http://a',
  place = folder,
  sleep = () => new Promise(setImmediate),
  response = async () => {},
}: SetUp = {}) {
  const requested: string[] = [];
  const waits: number[] = [];
  const troubles: string[] = [];
  const early: number[] = [];
  const inner: Pick<StationService, 'live' | 'liveAll'> = {
    async live(id, options) {
      requested.push(`live ${id}`);
      await response();
      return fixtureService.live(id, options);
    },
    async liveAll(options) {
      requested.push('live all');
      return fixtureService.liveAll(options);
    },
  };
  const cache = diskCacheIn(place, {
    now,
    reportTrouble: cacheTroubleReporter(
      fakeIo({ env: { VANE_CACHE_DIR: place } }),
      (sentence) => void troubles.push(sentence),
    ),
  });
  const service = liveDiskCache(inner, {
    cache,
    baseUrl,
    now,
    refresh,
    onEarlyRefresh: (ageMs) => void early.push(ageMs),
    timeoutMs: 3000,
    sleep: (ms) => {
      waits.push(ms);
      return sleep(ms);
    },
  });
  return { service, cache, requested, waits, troubles, early };
}

describe('the folder of live responses, once it was removed,', () => {
  it('the folder of live responses that was removed is made again for its user alone, and used by the next command', async () => {
    const place = cacheFolderIn(join(folder, 'vane'));
    let time = NOW;
    const { service, cache } = setUp({ place, now: () => time });
    await service.live(110, LIVE);
    await rm(place, { recursive: true });
    time += 60_000;
    await service.live(110, LIVE);
    expect(await cache.list()).toHaveLength(1);
    expect(cacheFolderIn(join(folder, 'vane'), false)).toBe(place);
  });
});

describe('a live response on disk', () => {
  it('a live response on disk is shared for 59 s after its request, so that a poll each minute gets a new response', async () => {
    let time = NOW;
    const { service, requested } = setUp({
      now: () => time,
      response: async () => {
        time += 700;
      },
    });
    const first = await service.live(110, LIVE);
    time = NOW + 58_999;
    expect(await setUp({ now: () => time }).service.live(110, LIVE)).toEqual(first);
    expect(requested).toEqual(['live 110']);
    // A command that polls each minute may come a moment early.
    time = NOW + 59_000;
    await service.live(110, LIVE);
    await service.live(110, { withMeta: true });
    await service.liveAll(LIVE);
    await service.liveAll(LIVE);
    expect(requested).toEqual(['live 110', 'live 110', 'live 110', 'live all']);
  });

  it('a live response on disk that is dated in the future is requested again', async () => {
    await setUp().service.live(110, LIVE);
    const { service, requested } = setUp({ now: () => NOW - 1 });
    await service.live(110, LIVE);
    expect(requested).toHaveLength(1);
  });

  it('a live response on disk is cached for its service, and requested again when refresh is set', async () => {
    await setUp().service.live(110, LIVE);
    for (const options of [{ baseUrl: 'http://b' }, { refresh: true }]) {
      const { service, requested } = setUp(options);
      await service.live(110, LIVE);
      expect(requested).toHaveLength(1);
    }
  });

  it('a live response that is requested again within 59 s because refresh is set is reported with its age', async () => {
    await setUp().service.live(110, LIVE);
    const { service, early } = setUp({ now: () => NOW + 12_000, refresh: true });
    await service.live(110, LIVE);
    await service.liveAll(LIVE);
    const later = setUp({ now: () => NOW + 71_000, refresh: true });
    await later.service.live(110, LIVE);
    expect([early, later.early]).toEqual([[12_000], []]);
  });

  it('a live response on disk is stored separately for two long service addresses that differ only in the middle', async () => {
    const long = (middle: string) => `http://a/${'b'.repeat(150)}${middle}${'c'.repeat(150)}`;
    await setUp({ baseUrl: long('1') }).service.live(110, LIVE);
    const { service, requested } = setUp({ baseUrl: long('2') });
    await service.live(110, LIVE);
    expect(requested).toHaveLength(1);
    expect(await readdir(join(folder, 'responses-v1'))).toHaveLength(2);
  });

  it('a live response on disk has a file name that is valid on any system', async () => {
    await setUp({ baseUrl: 'http://a/*?<>|"\\:é' }).service.live(110, LIVE);
    expect(await readdir(join(folder, 'responses-v1'))).toEqual([
      expect.stringMatching(/^[\w.%~-]+$/),
    ]);
  });

  it('a live response is not stored on disk after a failed request, and no lock stays', async () => {
    const { service, requested, waits } = setUp();
    await expect(service.live(999, LIVE)).rejects.toThrow();
    await expect(service.live(999, LIVE)).rejects.toThrow();
    expect([requested.length, waits.length]).toEqual([2, 0]);
    expect(await readdir(join(folder, 'responses-v1'))).toEqual([]);
  });

  it('a live response on disk is requested again when its file is damaged', async () => {
    await setUp().service.live(110, LIVE);
    const [name = ''] = await readdir(join(folder, 'responses-v1'));
    await writeFile(join(folder, 'responses-v1', name), '{"askedMs":');
    const { service, requested } = setUp();
    expect(await service.live(110, LIVE)).toEqual(await fixtureService.live(110, LIVE));
    expect(requested).toHaveLength(1);
  });
});

describe('of two processes that want one live response', () => {
  it('of two processes that want one live response, the second waits for the response of the first', async () => {
    let go = (): void => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const first = setUp({ response: () => gate });
    const one = first.service.live(110, LIVE);
    while ((await readdir(folder)).length === 0 || first.requested.length === 0) {
      await new Promise(setImmediate);
    }
    const second = setUp({
      sleep: async () => {
        go();
        await one;
      },
    });
    expect(await second.service.live(110, LIVE)).toEqual(await one);
    expect([first.requested, second.requested, second.waits]).toEqual([['live 110'], [], [100]]);
  });

  it('of two processes that want one live response, the second sends its own request after the timeout', async () => {
    const first = setUp({ response: () => new Promise(() => {}) });
    void first.service.live(110, LIVE);
    while (first.requested.length === 0) await new Promise(setImmediate);
    const second = setUp();
    await second.service.live(110, LIVE);
    expect(second.waits.reduce((sum, ms) => sum + ms, 0)).toBe(3000);
    expect(second.requested).toEqual(['live 110']);
  });

  it('of two processes that want one live response, the second does not wait for a process that was killed over 20 s ago', async () => {
    const killed = setUp({ response: () => new Promise(() => {}) });
    void killed.service.live(110, LIVE);
    while (killed.requested.length === 0) await new Promise(setImmediate);
    const [name = ''] = await readdir(join(folder, 'responses-v1'));
    const old = Date.now() / 1000 - 21;
    await utimes(join(folder, 'responses-v1', name), old, old);
    const second = setUp();
    await second.service.live(110, LIVE);
    expect([second.requested, second.waits]).toEqual([['live 110'], []]);
    expect(await readdir(join(folder, 'responses-v1'))).toEqual([name.replace('.lock', '')]);
  });
});

it('a folder of live responses that cannot be used is reported once, and responses still come', async () => {
  await writeFile(join(folder, 'file'), '');
  const { service, troubles } = setUp({ place: join(folder, 'file') });
  await service.live(110, LIVE);
  await service.live(603, LIVE);
  expect(troubles).toEqual([
    expect.stringMatching(/^The cache in .* cannot be read .*; continuing without it\.$/),
  ]);
});
