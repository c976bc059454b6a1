import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Archive } from '../../../src/domain/envelope.ts';
import { ArchiveLines } from '../../../src/domain/readings/lines.ts';
import { type ArchiveDiskCache, archiveDiskCache } from '../../../src/service/disk/archiveCache.ts';
import { cacheTroubleReporter } from '../../../src/service/disk/cacheFolder.ts';
import { createRequestCounters, type StationService } from '../../../src/service/service.ts';
import type { ArchiveRow } from '../../../src/wire/archive.ts';
import { plain, rowsOf } from '../../support/archives.ts';
import { cacheFolderIn } from '../../support/cacheFolder.ts';
import { diskCacheIn } from '../../support/disk-cache.ts';
import { fakeIo } from '../../support/fake-io.ts';
import { fixtureService, NOW } from '../../support/fixture-service.ts';
import { naming } from '../../support/naming.ts';

const DAY_MS = 86_400_000;
const CLOSED = { start: NOW - 20 * DAY_MS, stop: NOW - DAY_MS };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-cache-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function setUp({
  now = () => NOW,
  refresh = false,
  baseUrl = 'http://a',
  inner = fixtureService,
  place = folder,
} = {}) {
  const requested: string[] = [];
  const counting: StationService = {
    live(id, options) {
      requested.push(`live ${id}`);
      return inner.live(id, options);
    },
    liveAll(options) {
      requested.push('live all');
      return inner.liveAll(options);
    },
    archive(id, period, call) {
      requested.push(`archive ${id}`);
      return inner.archive(id, period, call);
    },
  };
  const troubles: string[] = [];
  const reportTrouble = cacheTroubleReporter(
    fakeIo({ env: { VANE_CACHE_DIR: place } }),
    (sentence) => void troubles.push(sentence),
  );
  const cache = diskCacheIn(place, { now, reportTrouble });
  const counters = createRequestCounters();
  const losses: string[] = [];
  const onFewerRows = (sentence: string) => void losses.push(sentence);
  const eager = archiveDiskCache(counting, { cache, baseUrl, now, refresh, counters, onFewerRows });
  const settled = async <T>(response: Promise<T>): Promise<T> => {
    await response.catch(() => {});
    await eager.settle();
    return response;
  };
  const service: ArchiveDiskCache = {
    ...eager,
    archive: (id, period) => settled(eager.archive(id, period)),
  };
  return { service, requested, cache, counters, troubles, losses };
}

describe('an archive of a past period in the cache on disk', () => {
  it('an archive of a past period is requested once, and read back unchanged from the cache on disk by every process', async () => {
    const first = setUp();
    const requested = await first.service.archive(110, CLOSED);
    const second = setUp();
    const kept = await second.service.archive(110, CLOSED);
    expect(plain(kept)).toEqual(plain(requested));
    expect(kept.rows.text).toBe(requested.rows.text);
    expect([first.requested, second.requested]).toEqual([['archive 110'], []]);
    expect([first.counters.stored, second.counters.cacheHits]).toEqual([1, 1]);
    expect(await second.service.keeps(110, CLOSED)).toBe(true);
  });

  it('an archive in the cache on disk is cached for its service, station and period', async () => {
    const { service, requested } = setUp();
    await service.archive(110, CLOSED);
    await service.archive(603, CLOSED);
    await service.archive(110, { ...CLOSED, start: CLOSED.start + 1 });
    await setUp({ baseUrl: 'http://b' }).service.archive(110, CLOSED);
    expect(requested).toHaveLength(3);
    expect(await setUp({ baseUrl: 'http://c' }).service.keeps(110, CLOSED)).toBe(false);
  });

  it('an archive in the cache on disk is requested again and replaced when refresh is set', async () => {
    await setUp().service.archive(110, CLOSED);
    const fresh = setUp({ refresh: true });
    await fresh.service.archive(110, CLOSED);
    expect(fresh.requested).toEqual(['archive 110']);
    expect(await fresh.service.keeps(110, CLOSED)).toBe(false);
  });

  it('an archive is stored in the cache on disk only if its period ended at least a day ago', async () => {
    const { service, requested } = setUp();
    const open = { start: NOW - 2 * DAY_MS, stop: NOW - DAY_MS + 1 };
    await service.archive(110, open);
    await service.archive(110, open);
    expect(requested).toHaveLength(2);
  });

  it('an archive whose file in the cache on disk was cut is requested again and rewritten', async () => {
    const { service, requested, troubles } = setUp();
    const sound = plain(await service.archive(110, CLOSED));
    const [name = ''] = await readdir(join(folder, 'responses-v1'));
    const path = join(folder, 'responses-v1', name);
    await writeFile(path, (await readFile(path)).subarray(0, 500));
    expect(plain(await service.archive(110, CLOSED))).toEqual(sound);
    expect(requested).toHaveLength(2);
    expect(plain(await service.archive(110, CLOSED))).toEqual(sound);
    expect(requested).toHaveLength(2);
    expect(troubles).toEqual([]);
  });

  it('an archive is not stored in the cache on disk after a failed request', async () => {
    const { service, requested } = setUp();
    await expect(service.archive(999, CLOSED)).rejects.toThrow();
    await expect(service.archive(999, CLOSED)).rejects.toThrow();
    expect(requested).toHaveLength(2);
  });
});

/** The archive of the fixture with other rows, sent at a moment of the service's clock. */
const respondingWith = (
  change: (archive: Archive) => Archive,
  respondedMs = Number.POSITIVE_INFINITY,
): StationService => ({
  ...fixtureService,
  async archive(id, period, call) {
    call?.onResponse?.(respondedMs);
    return change(await fixtureService.archive(id, period));
  },
});

const withoutRows = (archive: Archive): Archive => ({ ...archive, rows: ArchiveLines.ofRows([]) });
const firstRows =
  (count: number) =>
  (archive: Archive): Archive => ({
    ...archive,
    rows: ArchiveLines.ofRows(rowsOf(archive.rows).slice(0, count)),
  });

describe('the archive cache on disk', () => {
  it('the archive cache on disk does not store a chunk without rows that ended 60 days ago', async () => {
    const { service, requested, cache } = setUp({ inner: respondingWith(withoutRows) });
    const period = { start: NOW - 80 * DAY_MS, stop: NOW - 60 * DAY_MS };
    await service.archive(110, period);
    await service.archive(110, period);
    expect(requested).toHaveLength(2);
    expect(await cache.list()).toEqual([]);
  });

  const LONG_OVER = { start: NOW - 80 * DAY_MS, stop: NOW - 60 * DAY_MS - 1 };

  it('the archive cache on disk stores a chunk without rows that ended over 60 days ago for seven days', async () => {
    let time = NOW;
    const { service, requested } = setUp({ now: () => time, inner: respondingWith(withoutRows) });
    await service.archive(110, LONG_OVER);
    time += 7 * DAY_MS - 1;
    expect((await service.archive(110, LONG_OVER)).rows.count).toBe(0);
    expect([requested.length, await service.keeps(110, LONG_OVER)]).toEqual([1, true]);
    time += 1;
    expect(await service.keeps(110, LONG_OVER)).toBe(false);
    await service.archive(110, LONG_OVER);
    expect(requested).toHaveLength(2);
    time -= 8 * DAY_MS;
    await service.archive(110, LONG_OVER);
    expect(requested, 'after the clock was set back').toHaveLength(3);
  });

  it('the archive cache on disk with refresh requests a chunk without rows again, and stores rows that the chunk has by now', async () => {
    await setUp({ inner: respondingWith(withoutRows) }).service.archive(110, LONG_OVER);
    const fresh = setUp({ refresh: true });
    const { rows } = await fresh.service.archive(110, LONG_OVER);
    expect(rows.count).toBeGreaterThan(0);
    const later = setUp({ now: () => NOW + 70 * DAY_MS });
    expect((await later.service.archive(110, LONG_OVER)).rows.count).toBe(rows.count);
    expect([fresh.requested.length, later.requested.length]).toEqual([1, 0]);
  });

  it('the archive cache on disk with refresh does not store a chunk that has lost its rows', async () => {
    await setUp().service.archive(110, LONG_OVER);
    const fresh = setUp({ refresh: true, inner: respondingWith(withoutRows) });
    await fresh.service.archive(110, LONG_OVER);
    expect([fresh.losses.length, await fresh.cache.list()]).toEqual([1, []]);
  });

  it('the archive cache on disk does not keep a chunk whose only row is at the stop of the chunk', async () => {
    const atStop = (archive: Archive): Archive => {
      const [row] = rowsOf(archive.rows);
      const time = new Date(CLOSED.stop).toISOString();
      return {
        ...archive,
        rows: ArchiveLines.ofRows([[time, ...(row ?? []).slice(1)] as unknown as ArchiveRow]),
      };
    };
    const { service, cache } = setUp({ inner: respondingWith(atStop) });
    await service.archive(110, CLOSED);
    expect(await cache.list()).toEqual([]);
  });

  it('the archive cache on disk does not keep a chunk that ended less than a day ago by the clock of the service', async () => {
    const served = CLOSED.stop + DAY_MS - 1;
    const { service, requested } = setUp({ inner: respondingWith((archive) => archive, served) });
    await service.archive(110, CLOSED);
    await service.archive(110, CLOSED);
    expect(requested).toHaveLength(2);
    const later = setUp({ inner: respondingWith((archive) => archive, served + 1) });
    await later.service.archive(110, CLOSED);
    await later.service.archive(110, CLOSED);
    expect(later.requested).toHaveLength(1);
  });

  it('the archive cache on disk reports a response with fewer rows than the cached response, and uses the new response', async () => {
    const first = setUp();
    const { rows } = await first.service.archive(110, CLOSED);
    const fresh = setUp({ refresh: true, inner: respondingWith(firstRows(3)) });
    expect((await fresh.service.archive(110, CLOSED)).rows.count).toBe(3);
    expect(fresh.losses).toEqual([
      expect.stringMatching(
        naming('station 110', '2023-12-26T12:00', '2024-01-14T12:00', '3 rows', rows.count),
      ),
    ]);
    expect((await setUp().service.archive(110, CLOSED)).rows.count).toBe(3);
  });

  it('the archive cache on disk with refresh reports a response without rows and removes the cached response', async () => {
    await setUp().service.archive(110, CLOSED);
    const fresh = setUp({ refresh: true, inner: respondingWith(withoutRows) });
    await fresh.service.archive(110, CLOSED);
    expect(fresh.losses).toHaveLength(1);
    expect(await fresh.cache.list()).toEqual([]);
  });

  it('the archive cache on disk with refresh silently replaces a cached response when no row is lost', async () => {
    await setUp({ inner: respondingWith(firstRows(3)) }).service.archive(110, CLOSED);
    const fresh = setUp({ refresh: true });
    const mended = await fresh.service.archive(110, CLOSED);
    expect(mended.rows.count).toBeGreaterThan(3);
    expect(fresh.losses).toEqual([]);
    expect(plain(await setUp().service.archive(110, CLOSED))).toEqual(plain(mended));
  });
});

describe('the folder of cached archives, once it was removed,', () => {
  it('the folder of cached archives that was removed is made again for its user alone, and used by the next command', async () => {
    const place = cacheFolderIn(join(folder, 'vane'));
    const { service, cache, troubles } = setUp({ place });
    await service.archive(110, CLOSED);
    await rm(place, { recursive: true });
    await service.archive(110, CLOSED);
    expect([await cache.list(), troubles]).toEqual([[expect.anything()], []]);
    expect(cacheFolderIn(join(folder, 'vane'), false)).toBe(place);
  });
});

describe('a cache on disk that cannot be used', () => {
  it('a cache on disk that cannot be used is reported once, and responses still come', async () => {
    await writeFile(join(folder, 'file'), '');
    const { service, counters, troubles } = setUp({ place: join(folder, 'file', 'cache') });
    await service.archive(110, CLOSED);
    await service.archive(603, CLOSED);
    expect(troubles).toHaveLength(1);
    expect(troubles[0]).toMatch(
      /^The cache in .* cannot be (read|written) .*; continuing without it\.$/,
    );
    expect(counters.stored).toBe(0);
  });

  it.skipIf(process.getuid?.() === 0)(
    'a cache on disk is reported when its folder has no write permission',
    async () => {
      await chmod(folder, 0o500);
      const { service, troubles } = setUp();
      await service.archive(110, CLOSED);
      await chmod(folder, 0o700);
      expect(troubles).toHaveLength(1);
    },
  );
});

describe('trim of the cache on disk', () => {
  it('trim of the cache on disk removes the least recently used entries first', async () => {
    let time = NOW;
    const { service, cache } = setUp({ now: () => time });
    const periods = [1, 2, 3].map((n) => ({ ...CLOSED, start: CLOSED.start + n * DAY_MS }));
    for (const period of periods) {
      await service.archive(110, period);
      time += 1000;
    }
    await service.archive(110, periods[0] as (typeof periods)[0]);
    const entries = await cache.list();
    expect(entries.map(({ key }) => key.split(' ')[3]?.slice(0, 10))).toEqual(
      [1, 2, 0].map((n) =>
        new Date((periods[n] as { start: number }).start).toISOString().slice(0, 10),
      ),
    );
    const total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
    await cache.trim(total - 1);
    expect(await Promise.all(periods.map((p) => service.keeps(110, p)))).toEqual([
      true,
      false,
      true,
    ]);
    await cache.trim(0);
    expect(await cache.list()).toEqual([]);
  });
});
