import { describe, expect, it } from 'vitest';
import { ODD_STATIONS } from '../../../src/service/simulated/oddities.ts';
import type { ArchiveRow } from '../../../src/wire/archive.ts';
import { DAY_MS, live, ms, rows } from './responses.ts';

const NOW = ms('2026-05-14T15:04:05Z');
const YESTERDAY = NOW - DAY_MS;

type Name = keyof typeof ODD_STATIONS;
type Check = (id: number) => Promise<void>;

const isFresh = (date: string | null) => date !== null && NOW - Date.parse(date) < 1_800_000;

const named =
  (pattern: RegExp): Check =>
  async (id) =>
    expect((await live(id, NOW)).meta.name).toMatch(pattern);

const described =
  (description: unknown): Check =>
  async (id) =>
    expect((await live(id, NOW)).meta.description).toEqual(description);

const snr =
  (value: number): Check =>
  async (id) => {
    for (const now of [NOW, NOW - 40 * DAY_MS])
      expect((await live(id, now)).status.snr).toBe(value);
  };

/** A station retired at a time: `on` before, `state` after, its last row shortly before. */
const retired =
  (moment: string, state: string | null): Check =>
  async (id) => {
    const station = await live(id, NOW);
    const date = station.measurements.date as string;
    expect(station.status).toMatchObject({ date, state });
    expect(ms(moment) - ms(date)).toBeGreaterThan(0);
    expect(ms(moment) - ms(date)).toBeLessThan(3_600_000);
    expect(await rows(id, ms(date) + 1, NOW)).toEqual([]);
    expect(await live(id, ms('9999-12-31'))).toEqual(station);
    expect((await live(id, ms(moment) - DAY_MS)).status.state).toBe('on');
  };

const positions = (readings: readonly ArchiveRow[]) => [
  ...new Set(readings.map(([, latitude, longitude]) => `${latitude}, ${longitude}`)),
];

const doubles = async (id: number) => {
  const day = await rows(id, YESTERDAY, NOW);
  const pairs = day.slice(1).flatMap((row, i) => {
    const before = day[i] as ArchiveRow;
    return row[0] === before[0] ? [[before, row] as const] : [];
  });
  expect(pairs.length).toBeGreaterThan(15);
  expect(pairs.length).toBeLessThan(day.length / 4);
  return pairs;
};

const CHECKS: Record<Name, Check> = {
  async neverLocated(id) {
    const { location, measurements } = await live(id, NOW);
    expect(location).toEqual({ latitude: 0, longitude: 0, date: null, success: false });
    expect(isFresh(measurements.date)).toBe(true);
    expect(positions(await rows(id, YESTERDAY, NOW))).toEqual(['null, null']);
  },
  async locationLost(id) {
    const { location } = await live(id, NOW);
    expect(location.success).toBe(false);
    expect(location.date).not.toBeNull();
    expect(location.latitude).not.toBe(0);
  },
  async locatedLate(id) {
    const day = await rows(id, ms('2016-07-22'), ms('2016-07-23'));
    const [first, second] = [day.filter((row) => row[1] === null), day.filter((row) => row[1])];
    expect(first.length).toBeGreaterThan(90);
    expect(second.length).toBeGreaterThan(120);
    expect(day).toEqual([...first, ...second]);
    expect(first[0]?.[0]).toMatch(/^2016-07-22T0[78]:/);
    expect(second[0]?.[0]).toMatch(/^2016-07-22T15:0/);
    expect((await live(id, ms('2016-07-22T14:59:00Z'))).location).toMatchObject({
      ...{ latitude: 0, longitude: 0, date: null, success: false },
    });
    expect((await live(id, ms('2016-07-22T15:09:00Z'))).location).toMatchObject({
      ...{ latitude: second[0]?.[1], date: '2016-07-22T15:00:00.000Z', success: true },
    });
  },
  async moved(id) {
    const day = await rows(id, ms('2021-05-12'), ms('2021-05-13'));
    expect(positions(day)).toEqual(['45.7728, 6.2207', '45.9036, 6.4231']);
    expect(day.find((row) => row[1] === 45.9036)?.[0]).toMatch(/^2021-05-12T14:2/);
    expect((await live(id, ms('2021-05-12T14:00:00Z'))).location.latitude).toBe(45.7728);
    expect((await live(id, ms('2021-05-12T15:00:00Z'))).location).toMatchObject({
      ...{ latitude: 45.9036, date: '2021-05-12T14:20:00.000Z' },
    });
  },
  async hdopNull(id) {
    expect((await live(id, NOW)).location).toMatchObject({ success: true, hdop: null });
  },
  async hdopMissing(id) {
    const { location } = await live(id, NOW);
    expect(location.success).toBe(true);
    expect(location).not.toHaveProperty('hdop');
  },
  async neverMeasured(id) {
    const { measurements, status } = await live(id, NOW);
    expect(measurements.date).toBeNull();
    expect(status).toEqual({ date: null, snr: null, state: null });
    expect(await rows(id, ms('2014-01-01'), NOW)).toEqual([]);
  },
  longSilent: retired('2017-09-03T11:00:00Z', 'on'),
  switchedOff: retired('2019-11-02T16:00:00Z', 'off'),
  offNearby: retired('2024-10-27T16:00:00Z', 'off'),
  oldNearby: retired('2024-12-01T05:00:00Z', 'on'),
  stateUnknown: retired('2019-02-20T09:00:00Z', null),
  async winterBreak(id) {
    // The first and the last day of each month of 2020 and 2021.
    const days = Array.from({ length: 24 }, (_, month) => [
      Date.UTC(2020, month, 1),
      Date.UTC(2020, month + 1, 0),
    ]).flat();
    const readings = await Promise.all(days.map((start) => rows(id, start, start + DAY_MS)));
    const months = [...new Set(readings.flat().map(([time]) => time.slice(0, 7)))];
    expect(months).toEqual(
      ['2020', '2021'].flatMap((year) =>
        ['04', '05', '06', '07', '08', '09', '10'].map((month) => `${year}-${month}`),
      ),
    );
    const { measurements } = await live(id, ms('2021-03-31T23:59:00Z'));
    expect(measurements.date).toMatch(/^2020-10-31T23:/);
    expect((await live(id, ms('2021-04-01T01:00:00Z'))).measurements.date).toMatch(/^2021-04-01/);
  },
  async meanOnly(id) {
    const { measurements } = await live(id, NOW);
    expect(isFresh(measurements.date)).toBe(true);
    expect(measurements).toMatchObject({ wind_speed_min: null, wind_speed_max: null });
    expect(measurements.wind_speed_avg).not.toBeNull();
    for (const [, , , min, avg, max, heading] of await rows(id, YESTERDAY, NOW)) {
      expect([min, avg === null, max, heading === null]).toEqual([null, false, null, false]);
    }
  },
  async deadSensor(id) {
    const { measurements, status } = await live(id, NOW);
    expect(isFresh(measurements.date)).toBe(true);
    expect(status.state).toBe('on');
    const day = await rows(id, YESTERDAY, NOW);
    expect(day.length).toBeGreaterThan(300);
    for (const row of day) expect(row.slice(3)).toEqual([null, null, null, null, null]);
  },
  snrZero: snr(0),
  snrMinusOne: snr(-1),
  async repeatedRows(id) {
    for (const [first, second] of await doubles(id)) expect(second).toEqual(first);
  },
  async differingRows(id) {
    const differing = (await doubles(id)).filter(
      ([first, second]) => JSON.stringify(first) !== JSON.stringify(second),
    );
    expect(differing.length).toBeGreaterThan(10);
    const [, second] = differing[0] as readonly [ArchiveRow, ArchiveRow];
    const { measurements } = await live(id, ms(second[0]));
    expect(measurements).toMatchObject({ wind_speed_avg: second[4], wind_speed_max: second[5] });
  },
  nameDoubleSpaces: named(/\S {2}\S/),
  nameLeadingSpace: named(/^ \S/),
  nameTrailingSpace: named(/\S $/),
  nameQuotes: named(/".+"/),
  nameApostrophe: named(/’/),
  nameAccents: named(/É.*Ż.*ó.*Ö/),
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape is the point.
  nameHostile: named(/^\u001b\[2J<b>=1\+1$/),
  nameEquals: named(/^=/),
  namePlus: named(/^\+/),
  nameMinus: named(/^-/),
  nameAt: named(/^@/),
  descriptionLines: described(expect.stringContaining('\r\n')),
  descriptionEmpty: described(''),
  descriptionNull: described(null),
};

/** Names of tests: “has a station that …”. */
const IN_WORDS: Record<Name, string> = {
  neverLocated: 'was never located',
  locationLost: 'has a last position that is no longer valid',
  locatedLate: 'was located hours after its first reading',
  moved: 'moved once',
  hdopNull: 'has hdop null',
  hdopMissing: 'has no field hdop',
  neverMeasured: 'never measured',
  longSilent: 'is silent for years but still “on”',
  switchedOff: 'was switched off',
  offNearby: 'was switched off near the example 603',
  oldNearby: 'is silent near the example 603, with its state still on',
  stateUnknown: 'has the state null',
  winterBreak: 'sends nothing from November to March',
  meanOnly: 'has a mean wind without lull and gust',
  deadSensor: 'is on but has no wind values',
  snrZero: 'has a signal-to-noise ratio of 0',
  snrMinusOne: 'has a signal-to-noise ratio of −1',
  repeatedRows: 'has some rows twice',
  differingRows: 'has different rows of the same time',
  nameDoubleSpaces: 'has double spaces in its name',
  nameLeadingSpace: 'has a space before its name',
  nameTrailingSpace: 'has a space after its name',
  nameQuotes: 'has quotes in its name',
  nameApostrophe: 'has an apostrophe in its name',
  nameAccents: 'has accents in its name',
  nameHostile: 'has an escape sequence, markup and a formula as its name',
  nameEquals: 'has a name that begins with =',
  namePlus: 'has a name that begins with +',
  nameMinus: 'has a name that begins with -',
  nameAt: 'has a name that begins with @',
  descriptionLines: 'has line breaks in its description',
  descriptionEmpty: 'has an empty description',
  descriptionNull: 'has null as its description',
};

describe('the simulated network', () => {
  const names = Object.keys(CHECKS) as Name[];
  it.each(names.map((name) => [IN_WORDS[name], name] as const))(
    'the simulated network has a station that %s',
    async (_, name) => {
      await CHECKS[name](ODD_STATIONS[name].id);
    },
  );

  it('the simulated network has a separate station for each oddity of real responses', () => {
    const stations = Object.values(ODD_STATIONS).map(({ id }) => id);
    expect(new Set(stations).size).toBe(stations.length);
  });
});
