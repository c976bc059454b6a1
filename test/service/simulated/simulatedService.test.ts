import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LiveStations } from '../../../src/domain/envelope.ts';
import { positionOf, type Station } from '../../../src/domain/station.ts';
import { NotFoundError } from '../../../src/errors.ts';
import { SIMULATED_STATIONS } from '../../../src/service/simulated/network.ts';
import { EXAMPLE_STATIONS, ODD_STATIONS } from '../../../src/service/simulated/oddities.ts';
import { simulatedService } from '../../../src/service/simulated/simulatedService.ts';
import { ARCHIVE_LEGEND, ARCHIVE_UNITS, type ArchiveRow } from '../../../src/wire/archive.ts';
import { naming } from '../../support/naming.ts';
import { archive, DAY_MS, live, liveAll, liveResponse, ms, rows } from './responses.ts';

const IDS = [...SIMULATED_STATIONS.keys()];
const NOW = ms('2026-05-14T15:04:05Z');

/** Ids of stations, as many of odd as of ordinary ones. */
const anyStation = fc.oneof(
  fc.constantFrom(...IDS),
  fc.constantFrom(...Object.values(ODD_STATIONS).map(({ id }) => id)),
);
const time = (from: string, to: string) => fc.integer({ min: ms(from), max: ms(to) });
/** Periods of a millisecond to three days, from 2015 on. */
const anyPeriod = fc
  .tuple(time('2015-01-01', '2034-12-31'), fc.integer({ min: 1, max: 3 * DAY_MS }))
  .map(([start, length]) => ({ start, stop: start + length }));

const timeOf = (reading: ArchiveRow): number => Date.parse(reading[0]);

describe('the simulated network', () => {
  it('the simulated network has about 600 stations in ascending order, with those of the examples in the documentation', () => {
    expect(IDS).toEqual(expect.arrayContaining([19, 41, 110, 603, 1234, 1333, 1500]));
    expect(IDS.length).toBeGreaterThan(570);
    expect(IDS.length).toBeLessThan(630);
    expect(IDS).toEqual([...new Set(IDS)].sort((a, b) => a - b));
    expect(IDS.filter((id) => id < 1 || id > 1900)).toEqual([2176]);
  });

  it('the simulated network has the station ids that existing programs request', () => {
    expect(IDS).toEqual(expect.arrayContaining([23, 298, 410, 1006, 1008, 1708, 2176]));
  });

  let responses: LiveStations[];
  beforeAll(async () => {
    const times = [NOW, NOW + 17_000, NOW + 400 * DAY_MS];
    responses = await Promise.all(times.map((now) => liveAll(now)));
  });

  const lateMs = ({ status, measurements }: Station): number =>
    Date.parse(status.date ?? '') - Date.parse(measurements.date ?? '');
  const dates = ({ meta, measurements, status }: Station) => [
    ...[meta.date, measurements.date, status.date],
  ];

  it.each<[string, number, number, (station: Station) => boolean]>([
    ['a last contact after the last reading', 10, 20, (station) => lateMs(station) > 0],
    ['a last contact before the last reading', 0.2, 4, (station) => lateMs(station) < 0],
    [
      'milliseconds in dates',
      5,
      10,
      (station) => dates(station).some((date) => date && !date.endsWith('.000Z')),
    ],
    [
      'no wind value at all',
      3,
      8,
      ({ measurements: { wind_speed_avg, wind_speed_min, wind_speed_max, wind_heading } }) =>
        [wind_speed_avg, wind_speed_min, wind_speed_max, wind_heading].every((v) => v === null),
    ],
    ['a location that failed (success false)', 5, 8, ({ location }) => !location.success],
    ['blanks around the name', 5, 8, ({ meta: { name } }) => name !== name.trim()],
    ['metadata without a date', 8, 12, ({ meta }) => meta.date === null],
    [
      'a signal-to-noise ratio of 0 or −1',
      30,
      37,
      ({ status }) => [0, -1].includes(status.snr ?? 9),
    ],
  ])(
    'the simulated network has as many stations with %s as the real network: %d to %d percent',
    (_, from, to, isOdd) => {
      for (const { data } of responses) {
        const percent = (100 * data.filter(isOdd).length) / data.length;
        expect(percent).toBeGreaterThanOrEqual(from);
        expect(percent).toBeLessThanOrEqual(to);
      }
    },
  );

  it('the simulated network spreads its ids evenly from 1 to 1900', () => {
    for (let from = 0; from < 1900; from += 190) {
      const here = IDS.filter((id) => id > from && id <= from + 190).length;
      expect(here, `ids from ${from}`).toBeGreaterThan(40);
      expect(here, `ids from ${from}`).toBeLessThan(90);
    }
  });

  it('the simulated network has most stations in and around Europe, and the rest around the globe', async () => {
    const places = (await liveAll(NOW)).data.flatMap((station) => positionOf(station) ?? []);
    const count = (test: (latitude: number, longitude: number) => boolean) =>
      places.filter(({ latitude, longitude }) => test(latitude, longitude)).length;
    const inEurope = count((lat, lon) => lat > 35 && lat < 60 && lon > -12 && lon < 20);
    expect(inEurope / places.length).toBeGreaterThan(0.7);
    expect(count((lat) => lat < 0)).toBeGreaterThan(10);
    expect(count((_, lon) => lon < -30)).toBeGreaterThan(10);
    expect(count((_, lon) => lon > 178 && lon <= 180)).toBeGreaterThan(0);
    expect(count((_, lon) => lon < -178 && lon >= -180)).toBeGreaterThan(0);
  });

  it('the simulated network calls itself simulated in every response and nearly every name', async () => {
    const { data, attribution } = await liveAll(NOW);
    expect(attribution).toMatch(/^Simulated by vane/);
    const silent = data.filter(({ meta }) => !meta.name.trim().endsWith('(simulated)'));
    expect(silent.map(({ id }) => id)).toEqual([1666]);
    expect(new Set(data.map(({ meta }) => meta.name)).size).toBe(data.length);
  });

  it('the simulated network has readings under 30 minutes old at most stations, at any time from 2020 to 2035', async () => {
    await fc.assert(
      fc.asyncProperty(time('2020-01-01', '2035-12-31'), async (now) => {
        const { data } = await liveAll(now, false);
        const fresh = data.filter(({ measurements: { date } }) => ageMs(date, now) < 1_800_000);
        expect(fresh.length / data.length).toBeGreaterThan(0.85);
      }),
      { numRuns: 8 },
    );
  });

  it.each([0, -1, 111.5, 1_000_000])(
    'the simulated network refuses the unknown station %d',
    async (id) => {
      const service = simulatedService(() => NOW);
      for (const refused of [
        service.live(id, { withMeta: false }),
        service.archive(id, { start: 0, stop: 1 }),
      ]) {
        await expect(refused).rejects.toThrow(NotFoundError);
        await expect(refused).rejects.toThrow(naming(`Station ${id}`, 'simulated network'));
      }
    },
  );
});

function ageMs(date: string | null, now: number): number {
  return date === null ? Number.POSITIVE_INFINITY : now - Date.parse(date);
}

describe('a simulated reading', () => {
  it('a simulated reading lies in the period, after the reading before it and not in the future', async () => {
    await fc.assert(
      fc.asyncProperty(anyStation, anyPeriod, fc.nat(4 * DAY_MS), async (id, period, lead) => {
        const now = period.start - DAY_MS / 2 + lead;
        const { data } = await archive(id, period.start, period.stop, now);
        const times = data.map(timeOf);
        expect(times).toEqual([...times].sort((a, b) => a - b));
        const isInside = (t: number) => t >= period.start && t < period.stop && t <= now;
        expect(times.filter((t) => !isInside(t))).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it('a simulated reading appears at the millisecond of its time, not earlier', async () => {
    const last = (await rows(110, NOW - DAY_MS, NOW)).at(-1) as ArchiveRow;
    const t = timeOf(last);
    expect((await archive(110, t, t + 1, t)).data).toEqual([last]);
    expect((await archive(110, t, t + 1, t - 1)).data).toEqual([]);
    expect((await archive(110, t - 1, t, NOW)).data).toEqual([]);
    expect((await live(110, t)).measurements.date).toBe(last[0]);
    expect((await live(110, t - 1)).measurements.date).not.toBe(last[0]);
  });

  it('a simulated reading is the same however a period is divided into requests, and whenever they are sent', async () => {
    const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(anyStation, anyPeriod, cuts, async (id, { start, stop }, parts) => {
        const bounds = parts.map((part) => Math.round(start + part * (stop - start)));
        bounds.push(start, stop);
        bounds.sort((a, b) => a - b);
        const whole = (await archive(id, start, stop)).data;
        const pieces: ArchiveRow[] = [];
        for (const [i, from] of bounds.slice(0, -1).entries()) {
          pieces.push(...(await archive(id, from, bounds[i + 1] as number, NOW + 9e11)).data);
        }
        expect(pieces).toEqual(whole);
      }),
      { numRuns: 50 },
    );
  });

  it('a simulated reading is the same whether 40 days are requested day by day or in chunks', async () => {
    const [start, stop] = [ms('2024-02-01'), ms('2024-02-01') + 40 * DAY_MS];
    const whole = await rows(110, start, stop);
    const days: ArchiveRow[] = [];
    for (let t = start; t < stop; t += DAY_MS) {
      days.push(...(await archive(110, t, t + DAY_MS)).data);
    }
    // toEqual takes much longer over so many rows.
    expect(isDeepStrictEqual(days, whole)).toBe(true);
  });

  it('a simulated reading has 0 ≤ lull ≤ mean ≤ gust, a heading on the circle and no pressure', async () => {
    const isSound = ([, , , min, avg, max, heading, pressure]: ArchiveRow) =>
      (min === null || avg === null || max === null || isAscending([0, min, avg, max, 250])) &&
      (heading === null || (heading >= 0 && heading < 360)) &&
      pressure === null;
    await fc.assert(
      fc.asyncProperty(anyStation, anyPeriod, async (id, { start, stop }) => {
        const unsound = (await archive(id, start, stop)).data.filter((row) => !isSound(row));
        expect(unsound).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});

const isAscending = (values: readonly number[]): boolean =>
  values.every((value, i) => i === 0 || value >= (values[i - 1] as number));

describe('the simulated network on any machine', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.resetModules();
  });

  it('the simulated network depends neither on Math.random nor on the clock of the machine', async () => {
    const responses = [];
    for (const [seed, day] of [
      [0.1, '2020-02-02'],
      [0.9, '2031-03-03'],
    ] as const) {
      vi.resetModules();
      vi.spyOn(Math, 'random').mockReturnValue(seed);
      vi.useFakeTimers({ toFake: ['Date'], now: ms(day) });
      const fresh = await import('../../../src/service/simulated/simulatedService.ts');
      const service = fresh.simulatedService(() => NOW);
      responses.push([
        await service.liveAll({ withMeta: true }),
        await service.archive(603, { start: NOW - DAY_MS, stop: NOW }),
      ]);
    }
    expect(responses[0]).toEqual(responses[1]);
  });
});

describe('the simulated live response', () => {
  it('the simulated live response is the last row of the archive', async () => {
    await fc.assert(
      fc.asyncProperty(anyStation, time('2014-01-01', '2035-12-31'), async (id, now) => {
        const { measurements, status, location } = await live(id, now);
        const from = measurements.date === null ? ms('2013-06-01') : Date.parse(measurements.date);
        const last = (await rows(id, from, now + 1, now)).at(-1);
        expect(measurements).toEqual({
          date: last?.[0] ?? null,
          pressure: null,
          wind_heading: last?.[6] ?? null,
          wind_speed_avg: last?.[4] ?? null,
          wind_speed_max: last?.[5] ?? null,
          wind_speed_min: last?.[3] ?? null,
        });
        const lagMs = 1000 * (SIMULATED_STATIONS.get(id)?.contactLagS ?? 0);
        const contactMs = Date.parse(measurements.date ?? '') + lagMs;
        expect(Date.parse(status.date ?? '')).toBe(contactMs > now ? contactMs - lagMs : contactMs);
        expect([location.latitude, location.longitude]).toEqual([last?.[1] ?? 0, last?.[2] ?? 0]);
        if (location.date !== null) {
          expect(Date.parse(location.date)).toBeLessThanOrEqual(from);
          expect(Date.parse(location.date)).toBeGreaterThan(from - DAY_MS);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('the simulated live response of all stations contains the same stations as the response of each station alone', async () => {
    for (const withMeta of [false, true]) {
      const { data } = await liveAll(NOW, withMeta);
      expect(data.map(({ id }) => id)).toEqual(IDS);
      const each = await Promise.all(IDS.map((id) => liveResponse(id, NOW, withMeta)));
      expect(data).toEqual(each.map((response) => response.data));
    }
  });

  it('the simulated live response has the fields of the real service in the same order', async () => {
    const bare = await liveResponse(110, NOW, false);
    const full = await liveResponse(110, NOW);
    expect(Object.keys(bare)).toEqual(['doc', 'license', 'attribution', 'data']);
    for (const { data } of [bare, full]) {
      expect(Object.keys(data)).toEqual(['id', 'meta', 'location', 'measurements', 'status']);
      expect(Object.keys(data.location)).toEqual([
        ...['latitude', 'longitude', 'date', 'success', 'hdop'],
      ]);
      expect(Object.keys(data.measurements)).toEqual([
        ...['date', 'pressure', 'wind_heading'],
        ...['wind_speed_avg', 'wind_speed_max', 'wind_speed_min'],
      ]);
      expect(Object.keys(data.status)).toEqual(['date', 'snr', 'state']);
    }
    expect(Object.keys(bare.data.meta)).toEqual(['name']);
    expect(Object.keys(full.data.meta)).toEqual([
      ...['name', 'description', 'picture', 'date', 'rating'],
    ]);
    expect(Object.keys(full.data.meta.rating ?? {})).toEqual(['upvotes', 'downvotes']);
  });

  it('the simulated live response has no metadata dated later than the response', async () => {
    const now = ms('2016-06-01');
    const dates = (await liveAll(now)).data.map(({ meta }) => meta.date ?? null);
    expect(dates).toContain(null);
    for (const date of dates) if (date !== null) expect(Date.parse(date)).toBeLessThanOrEqual(now);
  });

  it('the simulated live response of all stations is as large as a real one', async () => {
    const bytes = Buffer.byteLength(JSON.stringify(await liveAll(NOW)));
    expect(bytes).toBeGreaterThan(250_000);
    expect(bytes).toBeLessThan(650_000);
    const sizes = await Promise.all(
      IDS.map(async (id) => Buffer.byteLength(JSON.stringify(await liveResponse(id, NOW)))),
    );
    expect(Math.max(...sizes)).toBeLessThan(2000);
  });
});

describe.each(EXAMPLE_STATIONS)('example station $id', ({ id }) => {
  it(`example station ${id} of the simulated network is on, located and measures the wind at any time`, async () => {
    await fc.assert(
      fc.asyncProperty(time('2015-01-01', '2060-12-31'), async (now) => {
        const { location, measurements, status } = await live(id, now);
        expect(ageMs(measurements.date, now)).toBeLessThan(600_000);
        expect(measurements.wind_speed_min).not.toBeNull();
        expect(measurements.wind_heading).not.toBeNull();
        expect(location.success).toBe(true);
        expect(status.state).toBe('on');
        expect(status.snr).toBeGreaterThan(20);
      }),
    );
  });

  it(`example station ${id} of the simulated network has readings in a week of each month of 2024, with good wind and storms`, async () => {
    const weeks = await Promise.all(
      Array.from({ length: 12 }, (_, month) => {
        const start = Date.UTC(2024, month, 8);
        return rows(id, start, start + 7 * DAY_MS);
      }),
    );
    const perWeek = (7 * 86_400) / (id < 1000 ? 240 : 300);
    expect(weeks.map(({ length }) => length)).toEqual(Array(12).fill(perWeek));
    const readings = weeks.flat();
    expect(mean(readings.map((row) => row[4] as number))).toBeGreaterThan(10);
    expect(readings.some((row) => (row[5] as number) > 80)).toBe(true);
  });
});

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

describe('the two generations of simulated stations', () => {
  const steps = (readings: readonly ArchiveRow[]) =>
    readings.slice(1).map((row, i) => (timeOf(row) - timeOf(readings[i] as ArchiveRow)) / 1000);

  it('simulated stations report every 240 s with jitter (ids below 1000) and every 300 s exactly (ids from 1000)', async () => {
    const first = steps(await rows(110, NOW - 9 * DAY_MS, NOW));
    expect(Math.min(...first)).toBeGreaterThanOrEqual(235);
    expect(Math.max(...first)).toBeLessThanOrEqual(245);
    expect(new Set(first).size).toBeGreaterThan(5);
    expect(new Set(steps(await rows(1500, NOW - 9 * DAY_MS, NOW)))).toEqual(new Set([300]));
  });

  it('simulated stations of both generations lose a reading now and then', async () => {
    const longest = Math.max(...steps(await rows(1234, NOW - 31 * DAY_MS, NOW)));
    expect(longest).toBeGreaterThanOrEqual(600);
    expect(longest).toBeLessThan(3600);
  });

  it('simulated stations report speeds and headings in the resolution of their generation, without floating-point errors', async () => {
    for (const [generation, headingStep, clean] of [
      [IDS.filter((id) => id < 1000), 22.5, /^\d+(?:\.25|\.5|\.75)?$/],
      [IDS.filter((id) => id >= 1000), 1, /^\d+(?:\.\d)?$/],
    ] as const) {
      const speeds = new Set<number>();
      const headings = new Set<number>();
      for (const id of generation) {
        for (const row of (await archive(id, NOW - DAY_MS / 8, NOW)).data) {
          for (const speed of row.slice(3, 6)) if (speed !== null) speeds.add(speed as number);
          if (row[6] !== null) headings.add(row[6]);
        }
      }
      expect([...speeds].filter((speed) => !clean.test(String(speed)))).toEqual([]);
      expect([...headings].filter((heading) => heading % headingStep !== 0)).toEqual([]);
      expect(headings.size).toBeGreaterThan(headingStep === 1 ? 300 : 15);
      expect(speeds.size).toBeGreaterThan(100);
    }
  });
});

describe('simulated responses', () => {
  it('simulated responses link to addresses that nobody owns, one for live data and one for archives', async () => {
    const one = await liveResponse(41, NOW, false);
    const all = await liveAll(NOW);
    const history = await archive(41, NOW - DAY_MS, NOW);
    expect(one.doc).toBe('https://wind.example/api/live/');
    expect(all.doc).toBe(one.doc);
    expect(history.doc).toBe('https://wind.example/api/archive/');
    for (const { license, attribution } of [one, all, history]) {
      expect(license).toBe('https://creativecommons.org/publicdomain/zero/1.0/');
      expect(attribution).toContain('none of it is real');
    }
  });

  it('simulated responses of an archive have legend and units, even without rows', async () => {
    const empty = await archive(1890, NOW - DAY_MS, NOW);
    expect(Object.keys(empty)).toEqual([
      ...['doc', 'license', 'attribution', 'legend', 'units', 'data'],
    ]);
    expect(empty).toMatchObject({ legend: ARCHIVE_LEGEND, units: ARCHIVE_UNITS, data: [] });
  });
});
