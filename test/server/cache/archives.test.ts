import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { formatDate } from '../../../src/domain/dates.ts';
import type { Archive } from '../../../src/domain/envelope.ts';
import { MAX_PERIOD_MS, type Period } from '../../../src/domain/period.ts';
import { ArchiveLines } from '../../../src/domain/readings/lines.ts';
import { NotFoundError, RefusedError, UnavailableError } from '../../../src/errors.ts';
import {
  type ArchiveCacheOptions,
  createArchiveCache,
} from '../../../src/server/cache/archives.ts';
import { oneWaitingClient } from '../../../src/server/cache/queue.ts';
import { type ArchiveDiskCache, archiveDiskCache } from '../../../src/service/disk/archiveCache.ts';
import { createRequestCounters, type StationService } from '../../../src/service/service.ts';
import { EXAMPLE_STATIONS, ODD_STATIONS } from '../../../src/service/simulated/oddities.ts';
import { simulatedService } from '../../../src/service/simulated/simulatedService.ts';
import type { ArchiveRow } from '../../../src/wire/archive.ts';
import { rowsOf } from '../../support/archives.ts';
import { diskCacheIn } from '../../support/disk-cache.ts';
import { fixtureService, NOW, UNKNOWN_STATION } from '../../support/fixture-service.ts';
import { naming } from '../../support/naming.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The window that NOW lies in begins here. */
const OPEN_START = Math.floor(NOW / MAX_PERIOD_MS) * MAX_PERIOD_MS;
const CLOSED_START = OPEN_START - MAX_PERIOD_MS;
const CLOSED_WINDOW = { start: CLOSED_START, stop: OPEN_START };
const INSIDE_CLOSED = { start: CLOSED_START + 3 * DAY_MS, stop: CLOSED_START + 5 * DAY_MS };
const TODAY = { start: NOW - HOUR_MS, stop: NOW };
const ACROSS = { start: OPEN_START - DAY_MS, stop: OPEN_START + DAY_MS };

type RequestedPeriod = Period & { readonly station: number };
type Inner = Pick<StationService, 'archive'>;

/** An archive cache in front of a service that takes turns, with a clock to set. */
function setUp({
  inner = fixtureService as Inner,
  wrap = (upstream: Inner): ArchiveCacheOptions['service'] => upstream,
  ...options
}: {
  inner?: Inner;
  wrap?: (upstream: Inner) => ArchiveCacheOptions['service'];
  concurrency?: number;
  note?: (sentence: string) => void;
} = {}) {
  const clock = { ms: NOW };
  const requested: RequestedPeriod[] = [];
  const load = { now: 0, most: 0 };
  const upstream: Inner = {
    async archive(station, period, ...rest) {
      requested.push({ station, ...period });
      // No signal: others may want the same response.
      expect(rest.map((call) => call?.signal)).toEqual([undefined]);
      load.most = Math.max(load.most, ++load.now);
      try {
        await new Promise(setImmediate);
        return await inner.archive(station, period);
      } finally {
        load.now--;
      }
    },
  };
  const counting: Inner = { archive: (id, period, call) => upstream.archive(id, period, call) };
  const now = () => clock.ms;
  const cache = createArchiveCache({ service: wrap(counting), now, concurrency: 4, ...options });
  let calls = 0;
  const archives = {
    archive(station: number, period: Period, client = `client ${calls++}`) {
      const { signal } = new AbortController();
      return cache.archive(station, period, oneWaitingClient({ client, signal }));
    },
  };
  return { archives, requested, clock, load };
}

/** An upstream that can be made to fail, from one request to the next. */
function unreliable(): { inner: Inner; fail: (error: Error | undefined) => void } {
  let failure: Error | undefined;
  return {
    inner: {
      async archive(station, period) {
        if (failure) throw failure;
        return fixtureService.archive(station, period);
      },
    },
    fail: (error) => {
      failure = error;
    },
  };
}

function headOf({ rows: _, ...head }: Archive) {
  return head;
}

async function expectSame(response: Archive, direct: Promise<Archive>): Promise<void> {
  const expected = await direct;
  expect(response.rows.text === expected.rows.text).toBe(true);
  expect(response.rows.count).toBe(expected.rows.count);
  expect(JSON.stringify(headOf(response))).toBe(JSON.stringify(headOf(expected)));
}

describe('a past 31-day chunk of an archive in memory', () => {
  it('a past 31-day chunk of an archive is requested as a whole and cut to the period', async () => {
    const { archives, requested } = setUp();
    const held = await archives.archive(110, INSIDE_CLOSED);
    expect(requested).toEqual([{ station: 110, ...CLOSED_WINDOW }]);
    expect(held.data.rows.count).toBe(2 * 288);
    await expectSame(held.data, fixtureService.archive(110, INSIDE_CLOSED));
  });

  it('a past 31-day chunk of an archive in memory is final', async () => {
    const { archives, clock } = setUp();
    const final = {
      freshUntilMs: Number.POSITIVE_INFINITY,
      isStale: false,
    };
    expect(await archives.archive(110, INSIDE_CLOSED)).toMatchObject(final);
    clock.ms += 5 * DAY_MS;
    expect(await archives.archive(110, INSIDE_CLOSED)).toMatchObject(final);
  });

  it.each([
    ['for the period alone until a day after its end', DAY_MS - 1, INSIDE_CLOSED],
    ['as a whole from a day after its end', DAY_MS, CLOSED_WINDOW],
  ])('a 31-day chunk of an archive that ended is requested %s', async (_, ms, period) => {
    const { archives, requested, clock } = setUp();
    clock.ms = OPEN_START + ms;
    await archives.archive(110, INSIDE_CLOSED);
    expect(requested).toEqual([{ station: 110, ...period }]);
  });

  it('a 31-day chunk of an archive does not begin before the year 0000', async () => {
    const { archives, requested } = setUp();
    const start = Date.parse('0000-01-01T00:00:00.000Z');
    await archives.archive(110, { start, stop: start + 1 });
    expect(requested[0]?.start).toBe(start);
  });

  it('an archive of an empty period in a past 31-day chunk has license and columns but no rows', async () => {
    const { archives, requested } = setUp();
    const { data } = await archives.archive(110, { start: OPEN_START, stop: OPEN_START });
    expect(requested).toEqual([{ station: 110, start: OPEN_START, stop: OPEN_START }]);
    expect(data.rows.count).toBe(0);
    const empty = { start: CLOSED_START, stop: CLOSED_START };
    const closed = await archives.archive(110, empty);
    expect(requested[1]).toEqual({ station: 110, ...CLOSED_WINDOW });
    await expectSame(closed.data, fixtureService.archive(110, empty));
  });
});

describe('a current 31-day chunk of an archive in memory', () => {
  it('a current 31-day chunk of an archive is requested for the period alone, and kept for 60 s', async () => {
    const { archives, requested, clock } = setUp();
    const first = await archives.archive(110, TODAY);
    expect(requested).toEqual([{ station: 110, ...TODAY }]);
    expect(first).toMatchObject({ requestedMs: NOW, freshUntilMs: NOW + 60_000, isStale: false });
    clock.ms += 59_999;
    expect((await archives.archive(110, TODAY)).data).toBe(first.data);
    expect(requested).toHaveLength(1);
    clock.ms += 1;
    expect((await archives.archive(110, TODAY)).requestedMs).toBe(NOW + 60_000);
    expect(requested).toHaveLength(2);
  });

  it('a current 31-day chunk of an archive costs at most eleven requests a minute for one station, whatever the periods', async () => {
    const { archives, requested, clock } = setUp();
    const period = (n: number) => ({ start: NOW - 2 * HOUR_MS + n, stop: NOW });
    for (let n = 0; n < 50; n++) {
      const { data } = await archives.archive(110, period(n));
      expect(data).toEqual(await fixtureService.archive(110, period(n)));
    }
    expect(requested).toHaveLength(11);
    // From then on, of all that the window has.
    const whole = requested.at(-1) as RequestedPeriod;
    expect(whole.start).toBe(OPEN_START);
    expect(whole.stop).toBeGreaterThanOrEqual(NOW);
    await archives.archive(7, period(0));
    expect(requested).toHaveLength(12);
    clock.ms += 60_000;
    await archives.archive(110, period(60));
    expect(requested.at(-1)).toEqual({ station: 110, ...period(60) });
  });

  it('a current 31-day chunk of an archive is requested again after the clock was set back', async () => {
    const { archives, requested, clock } = setUp();
    await archives.archive(110, TODAY);
    clock.ms -= DAY_MS;
    await archives.archive(110, TODAY);
    expect(requested).toHaveLength(2);
  });

  it('a current 31-day chunk of an archive in memory serves neither another station nor another period', async () => {
    const { archives, requested } = setUp();
    await archives.archive(110, TODAY);
    await archives.archive(603, TODAY);
    await archives.archive(110, { ...TODAY, stop: NOW + 1 });
    expect(requested).toHaveLength(3);
  });

  it('a current 31-day chunk of an archive is requested for the part of the period within it, even if that part is in the future', async () => {
    const { archives, requested } = setUp();
    const edge = OPEN_START + 2 * MAX_PERIOD_MS;
    const { data } = await archives.archive(110, { start: edge - 1, stop: edge + 1 });
    expect(data.rows.count).toBe(0);
    expect(requested).toEqual([
      { station: 110, start: edge - 1, stop: edge },
      { station: 110, start: edge, stop: edge + 1 },
    ]);
  });

  it('the least recently used current chunk of an archive is dropped when memory contains too many rows', async () => {
    const day = Array.from({ length: 100_000 }, () => ['2024-01-15T11:30:00.000Z', 1]);
    const rows = ArchiveLines.ofRows(day as unknown as ArchiveRow[]);
    const inner: Inner = {
      archive: async (id, period) => ({ ...(await fixtureService.archive(id, period)), rows }),
    };
    const { archives, requested } = setUp({ inner });
    for (const station of [7, 19, 41, 110, 603]) await archives.archive(station, TODAY);
    await archives.archive(603, TODAY);
    expect(requested).toHaveLength(5);
    await archives.archive(7, TODAY);
    expect(requested).toHaveLength(6);
  });
});

describe('an archive across two 31-day chunks', () => {
  it('an archive across two 31-day chunks joins the rows of a past chunk and a current chunk', async () => {
    const { archives, requested, clock } = setUp();
    const { data, ...hold } = await archives.archive(110, ACROSS);
    expect(requested).toEqual([
      { station: 110, ...CLOSED_WINDOW },
      { station: 110, start: OPEN_START, stop: ACROSS.stop },
    ]);
    expect(hold).toEqual({ requestedMs: NOW, freshUntilMs: NOW + 60_000, isStale: false });
    await expectSame(data, fixtureService.archive(110, ACROSS));
    clock.ms += 10_000;
    expect((await archives.archive(110, ACROSS)).requestedMs).toBe(NOW);
    expect(requested.slice(2)).toEqual([{ station: 110, ...CLOSED_WINDOW }]);
  });

  it('an archive of two past 31-day chunks is final', async () => {
    const { archives, clock } = setUp();
    clock.ms = NOW + 60 * DAY_MS;
    expect(await archives.archive(110, ACROSS)).toMatchObject({
      freshUntilMs: Number.POSITIVE_INFINITY,
    });
  });

  it('an archive of two current 31-day chunks is dated at the earlier of both requests', async () => {
    const { archives, clock } = setUp();
    clock.ms = OPEN_START + HOUR_MS;
    await archives.archive(110, { start: ACROSS.start, stop: OPEN_START });
    clock.ms += 20_000;
    expect(await archives.archive(110, ACROSS)).toMatchObject({
      requestedMs: OPEN_START + HOUR_MS,
      freshUntilMs: OPEN_START + HOUR_MS + 60_000,
    });
  });

  it('an archive across two 31-day chunks is requested as two chunks at the same time, unless the station is new', async () => {
    const { archives, load } = setUp();
    await archives.archive(110, ACROSS);
    expect(load.most).toBe(1);
    await archives.archive(110, ACROSS);
    await archives.archive(110, { ...ACROSS, stop: ACROSS.stop + 1 });
    expect(load.most).toBe(2);
  });

  it('an archive across two 31-day chunks has the unit of pressure of the first chunk, and another unit is noted once', async () => {
    const inner: Inner = {
      async archive(id, period) {
        const archive = await fixtureService.archive(id, period);
        const unit = period.start < OPEN_START ? 'hPa' : 'mbar';
        return { ...archive, units: archive.units.with(7, unit) };
      },
    };
    const notes: string[] = [];
    const { archives } = setUp({ inner, note: (sentence) => notes.push(sentence) });
    const { data } = await archives.archive(110, ACROSS);
    await archives.archive(110, { ...ACROSS, stop: ACROSS.stop - 1 });
    expect(data.units[7]).toBe('hPa');
    expect(data.rows.count).toBe(2 * 288);
    expect(notes).toEqual([
      expect.stringMatching(naming('pressure', '“hPa”', '“mbar”', 'station 110')),
    ]);
  });

  it('an archive across two 31-day chunks has ascending rows, each once, even if the service sends too many rows in descending order', async () => {
    const inner: Inner = {
      async archive(id, { start, stop }) {
        const wider = { start: start - HOUR_MS, stop: stop + HOUR_MS };
        const archive = await fixtureService.archive(id, wider);
        return { ...archive, rows: ArchiveLines.ofRows([...rowsOf(archive.rows)].reverse()) };
      },
    };
    const { data } = await setUp({ inner }).archives.archive(110, ACROSS);
    await expectSame(data, fixtureService.archive(110, ACROSS));
  });

  it('an archive across two 31-day chunks keeps rows that the service sends twice, byte for byte', async () => {
    const line = (ms: number): string => `"${formatDate(ms)}",1.50,-0\n`;
    const times = [OPEN_START - 1, OPEN_START - 1, OPEN_START, OPEN_START + 1, OPEN_START + 1];
    const rows = new ArchiveLines(Buffer.from(times.map(line).join('')), times.length);
    const inner: Inner = {
      archive: async (id, period) => ({ ...(await fixtureService.archive(id, period)), rows }),
    };
    const { data } = await setUp({ inner }).archives.archive(110, ACROSS);
    expect(data.rows.text).toBe(rows.text);
  });
});

describe('concurrent archive requests', () => {
  it.each([
    ['past', INSIDE_CLOSED],
    ['current', TODAY],
  ])(
    'concurrent archive requests for one period of a %s 31-day chunk share one request to the service and one object',
    async (_, period) => {
      const { archives, requested } = setUp();
      const all = await Promise.all(
        Array.from({ length: 1000 }, () => archives.archive(110, { ...period })),
      );
      expect(requested).toHaveLength(1);
      expect(new Set(all.map(({ data }) => data)).size).toBe(1);
      await expectSame((all[0] as { data: Archive }).data, fixtureService.archive(110, period));
    },
  );

  it('concurrent archive requests for different periods of a past 31-day chunk share one request to the service', async () => {
    const { archives, requested } = setUp();
    const periods = Array.from({ length: 10 }, (_, day) => ({
      start: CLOSED_START + day * HOUR_MS,
      stop: OPEN_START - day * HOUR_MS,
    }));
    const responses = await Promise.all(periods.map((period) => archives.archive(110, period)));
    expect(requested).toHaveLength(1);
    for (const [i, { data }] of responses.entries()) {
      await expectSame(data, fixtureService.archive(110, periods[i] as Period));
    }
  });

  it('concurrent archive requests are sent to the service in order, no more at once than the concurrency, and all get a response', async () => {
    const { archives, requested, load } = setUp({ concurrency: 3 });
    const wanted = Array.from({ length: 40 }, (_, i) => ({ ...TODAY, start: TODAY.start + i }));
    const stations = [110, 603, 7, 19];
    // Other requests for a station wait until its first request has ended.
    await Promise.all(stations.map((station) => archives.archive(station, INSIDE_CLOSED)));
    requested.length = 0;
    await Promise.all(
      wanted.map((period, i) => archives.archive(stations[i % 4] as number, period)),
    );
    expect(load.most).toBe(3);
    expect(requested.map(({ start }) => start - TODAY.start)).toEqual([...wanted.keys()]);
  });

  /** A service that has every station. */
  const inner: Inner = { archive: (_, period) => fixtureService.archive(110, period) };

  it('archive requests fail at once while the queue is full, and succeed when they are sent again', async () => {
    const { archives, requested } = setUp({ inner, concurrency: 2 });
    const responses = Array.from({ length: 204 }, (_, station) => archives.archive(station, TODAY));
    await Promise.all(responses.slice(202).map((a) => expect(a).rejects.toThrow(UnavailableError)));
    expect(requested.length).toBeLessThan(202);
    await Promise.all(responses.slice(0, 202));
    await archives.archive(203, TODAY);
    expect(requested).toHaveLength(203);
  });

  it('a client that fills the queue of archive requests loses its newest request when another client comes', async () => {
    const { archives } = setUp({ inner, concurrency: 2 });
    const sendRequest = (station: number, client: string) =>
      archives.archive(station, TODAY, client);
    const greedy = Array.from({ length: 201 }, (_, station) => sendRequest(station, 'greedy'));
    const other = sendRequest(201, 'other');
    const further = sendRequest(202, 'further');
    const outcomes = await Promise.allSettled(greedy);
    const failed = [...outcomes.entries()].filter(([, { status }]) => status === 'rejected');
    expect(failed.map(([station]) => station)).toEqual([200]);
    expect((await other).data.rows.count).toBe(12);
    expect((await further).data.rows.count).toBe(12);
  });

  it('the archive request of the client with the fewest requests at the service goes first, and among equals the one that has waited longest', async () => {
    const { archives, requested } = setUp({ inner, concurrency: 3 });
    const clients = ['a', 'a', 'a', 'a', 'a', 'b', 'b', 'b', 'c', 'b'];
    await Promise.all(clients.map((client, station) => archives.archive(station, TODAY, client)));
    expect(requested.map(({ station }) => clients[station]).join('')).toBe('aabcababab');
  });

  it('archive requests for a new station wait for its first request in the turn of each client that waits for it', async () => {
    const { archives, requested } = setUp({ inner, concurrency: 2 });
    const greedy = Array.from({ length: 9 }, (_, station) =>
      archives.archive(station, TODAY, 'greedy'),
    );
    const other = archives.archive(8, INSIDE_CLOSED, 'other');
    await Promise.all([...greedy, other]);
    expect(requested.slice(0, 2).map(({ station }) => station)).toEqual([0, 8]);
  });
});

describe('an unknown station', () => {
  it('the archive of an unknown station is requested once in 60 s, whatever the period', async () => {
    const { archives, requested, clock } = setUp();
    const periods = [ACROSS, INSIDE_CLOSED, TODAY, { start: NOW, stop: NOW + DAY_MS }];
    const sendRequest = () =>
      Promise.allSettled(periods.map((p) => archives.archive(UNKNOWN_STATION, p)));
    for (const response of [...(await sendRequest()), ...(await sendRequest())]) {
      expect(response).toMatchObject({ status: 'rejected', reason: expect.any(NotFoundError) });
    }
    clock.ms += 59_999;
    await sendRequest();
    expect(requested).toHaveLength(1);
    clock.ms += 1;
    await sendRequest();
    expect(requested).toHaveLength(2);
    await archives.archive(110, TODAY);
    expect(requested).toHaveLength(3);
  });
});

describe('a failure of the service', () => {
  const gone = new UnavailableError('The service cannot be reached.');

  it('a failure of an archive request reaches every waiting client', async () => {
    const { inner, fail } = unreliable();
    fail(gone);
    const { archives, requested } = setUp({ inner });
    const all = await Promise.allSettled(
      Array.from({ length: 100 }, () => archives.archive(110, TODAY)),
    );
    expect(requested).toHaveLength(1);
    for (const one of all) expect(one).toEqual({ status: 'rejected', reason: gone });
  });

  it('a service that cannot be reached is not requested again for 5 s for the same 31-day chunk', async () => {
    const { inner, fail } = unreliable();
    fail(gone);
    const { archives, requested, clock } = setUp({ inner });
    await expect(archives.archive(110, INSIDE_CLOSED)).rejects.toBe(gone);
    fail(undefined);
    clock.ms += 4999;
    const sameWindow = { ...INSIDE_CLOSED, start: INSIDE_CLOSED.start + 1 };
    await expect(archives.archive(110, sameWindow)).rejects.toBe(gone);
    expect(requested).toHaveLength(1);
    await archives.archive(110, TODAY);
    await archives.archive(603, INSIDE_CLOSED);
    clock.ms += 1;
    expect((await archives.archive(110, INSIDE_CLOSED)).data.rows.count).toBe(576);
  });

  it('a failed archive request is not remembered if it was refused or failed by an unexpected error', async () => {
    const { inner, fail } = unreliable();
    const { archives } = setUp({ inner });
    fail(new RefusedError('No.', 403));
    await expect(archives.archive(110, TODAY)).rejects.toThrow('No.');
    fail(new TypeError('a defect'));
    await expect(archives.archive(110, TODAY)).rejects.toThrow('a defect');
    fail(undefined);
    expect((await archives.archive(110, TODAY)).data.rows.count).toBe(12);
  });

  it('a failure of the first archive request for a station does not stop the requests that wait for it', async () => {
    const { inner, fail } = unreliable();
    fail(gone);
    const { archives, requested } = setUp({ inner });
    await expect(archives.archive(110, ACROSS)).rejects.toBe(gone);
    await new Promise(setImmediate);
    expect(requested).toHaveLength(2);
  });
});

describe('the archive cache in memory, in front of the cache on disk', () => {
  let folder: string;
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function setUpCached(options: { inner?: Inner; concurrency?: number } = {}) {
    folder = await mkdtemp(join(tmpdir(), 'vane-archives-'));
    let cached: ArchiveDiskCache | undefined;
    const wrap = (inner: Inner): ArchiveDiskCache => {
      cached = archiveDiskCache(inner, {
        cache: diskCacheIn(folder, { now: () => NOW }),
        baseUrl: 'http://a',
        now: () => NOW,
        refresh: false,
        counters: createRequestCounters(),
      });
      return cached;
    };
    return { ...setUp({ wrap, ...options }), settle: () => cached?.settle() };
  }

  it('the archive cache in memory requests a past 31-day chunk once from the cache on disk', async () => {
    const { archives, requested, settle } = await setUpCached();
    for (const day of [1, 2, 5, 2]) {
      const period = { start: CLOSED_START + day * DAY_MS, stop: CLOSED_START + 9 * DAY_MS + day };
      const { data } = await archives.archive(110, period);
      await settle();
      await expectSame(data, fixtureService.archive(110, period));
    }
    expect(requested).toEqual([{ station: 110, ...CLOSED_WINDOW }]);
  });

  it('the archive cache in memory serves cached chunks while the service is busy', async () => {
    let release = (): void => {};
    const stuck = new Promise<void>((resolve) => {
      release = resolve;
    });
    const inner: Inner = {
      async archive(station, period) {
        if (station === 603) await stuck;
        return fixtureService.archive(station, period);
      },
    };
    const { archives, settle } = await setUpCached({ inner, concurrency: 1 });
    await archives.archive(110, INSIDE_CLOSED);
    await settle();
    const waiting = archives.archive(603, TODAY);
    expect((await archives.archive(110, INSIDE_CLOSED)).data.rows.count).toBe(576);
    release();
    await waiting;
  });
});

describe('the archive cache in memory', () => {
  const simulated = simulatedService(() => NOW);
  const periods = fc
    .record({
      backMs: fc.integer({ min: -2 * DAY_MS, max: 70 * DAY_MS }),
      lengthMs: fc.oneof(
        fc.integer({ min: 0, max: DAY_MS }),
        fc.integer({ min: 0, max: MAX_PERIOD_MS }),
        fc.constantFrom(0, MAX_PERIOD_MS),
      ),
      step: fc.constantFrom(1, HOUR_MS, DAY_MS),
    })
    .map(({ backMs, lengthMs, step }) => {
      const start = OPEN_START + Math.round((NOW - backMs - OPEN_START) / step) * step;
      return { start, stop: start + lengthMs };
    });

  /** Stations that double readings, move, pause or measure in other steps: the hard cases. */
  const odd = [...EXAMPLE_STATIONS, ...Object.values(ODD_STATIONS)].map(({ id }) => id);

  it.each([
    ['service of made-up stations', fixtureService, [110, 603, 7], 60],
    ['simulated service', simulated, odd, 25],
  ] as const)(
    'the archive cache in memory responds for any period like the %s does',
    async (_, inner, stations, numRuns) => {
      const { archives, requested } = setUp({ inner });
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...stations), periods, async (id, period) => {
          const { data } = await archives.archive(id, period);
          await expectSame(data, inner.archive(id, period));
        }),
        { seed: 20240115, numRuns },
      );
      // Many open periods of one station are cut from one response.
      expect(requested.length).toBeGreaterThanOrEqual(numRuns / 2);
    },
  );
});
