import { describe, expect, it } from 'vitest';
import type { ReadingColumns } from '../../src/domain/readings/columns.ts';
import type { ConditionSpell } from '../../src/statistics/statistics.ts';
import type { TestReading } from '../support/columns.ts';
import { vane } from '../support/run.ts';
import stations from './spells.json' with { type: 'json' };
import {
  DAY_MS,
  drawsOf,
  groupsOf,
  HOUR_MS,
  START_MS,
  STEP_MS,
  slotsOf,
  times,
} from './support.ts';

const NEVER = undefined;

/** A condition on gusts, which a missing gust leaves open. */
const lasting = {
  holds: ({ windSpeedMax }: ReadingColumns, row: number) => {
    const gust = windSpeedMax[row] as number;
    return Number.isNaN(gust) ? undefined : gust >= 30;
  },
  minMs: 0,
};
const during = (length: number) => ({
  period: { start: START_MS, stop: START_MS + length },
  spells: lasting,
});

/** Readings of the given gusts, one every five minutes; a reading without a gust is left out. */
const gusts = (...gusts: readonly (number | undefined)[]): TestReading[] =>
  gusts.flatMap((max, i) =>
    max === NEVER ? [] : [{ time: START_MS + (i + 1) * STEP_MS, avg: max / 2, max }],
  );

/** The spells of a day, from and to by numbers of steps since its start. */
const spellsOf = (readings: readonly TestReading[]): (readonly [from: number, to: number])[] =>
  (groupsOf(readings, during(DAY_MS))[0]?.spells ?? []).map(({ start, stop }) => [
    (start - START_MS) / STEP_MS,
    (stop - START_MS) / STEP_MS,
  ]);

describe('a spell', () => {
  it('a spell of wind reaches from one step before its first reading to its last reading, with mean and gust', () => {
    const [group] = groupsOf(gusts(9, 9, 40, 60, 50, 9, 9, 30), during(DAY_MS));
    expect(group?.held).toBeUndefined();
    expect(group?.spells).toEqual([
      { start: START_MS + 2 * STEP_MS, stop: START_MS + 5 * STEP_MS, mean: 25, gust: 60 },
      { start: START_MS + 7 * STEP_MS, stop: START_MS + 8 * STEP_MS, mean: 15, gust: 30 },
    ]);
  });

  it('a spell of wind goes on over three missing readings, and ends where four are missing', () => {
    const three = gusts(9, 30, 30, NEVER, NEVER, NEVER, 30, 9, 9);
    expect(spellsOf(three)).toEqual([[1, 7]]);
    const four = gusts(9, 30, 30, NEVER, NEVER, NEVER, NEVER, 30, 9, 9);
    expect(spellsOf(four)).toEqual([
      [1, 3],
      [7, 8],
    ]);
  });

  it('a spell of wind treats a reading without an average, or one that leaves the condition open, as missing', () => {
    const readings = gusts(9, 30, 30, 30, 9, 30, 9);
    const without = (place: number, name: 'avg' | 'max') =>
      readings.map((reading, i) => (i === place ? { ...reading, [name]: NEVER } : reading));
    for (const name of ['avg', 'max'] as const) {
      expect(spellsOf(without(2, name))).toEqual([
        [1, 4],
        [5, 6],
      ]);
      expect(spellsOf(without(4, name))).toEqual([[1, 6]]);
      expect(spellsOf(without(5, name))).toEqual([[1, 4]]);
    }
  });

  it('a spell of wind begins neither before the period nor before the previous spell ends', () => {
    const early = gusts(30, 30, 9).map((reading) => ({ ...reading, time: reading.time - 60_000 }));
    expect(spellsOf(early)).toEqual([[0, 1.8]]);
    const atStart = gusts(30, 9, 9).map((reading) => ({
      ...reading,
      time: reading.time - STEP_MS,
    }));
    expect(spellsOf(atStart)).toEqual([]);
    const again = { time: START_MS + 3.5 * STEP_MS, avg: 3, max: 9 };
    const soon = gusts(9, 30, 30, NEVER, 30, 30, 30).map((reading, i) =>
      i === 3 ? { ...reading, time: reading.time - 1.25 * STEP_MS } : reading,
    );
    expect(spellsOf([...soon, again].toSorted((a, b) => a.time - b.time))).toEqual([
      [1, 3],
      [3, 7],
    ]);
  });

  it('a spell of wind has no gust if none of its readings has one', () => {
    const always = { ...lasting, holds: () => true };
    const readings = times(3).map((time) => ({ time, avg: 5 }));
    const [group] = groupsOf(readings, { ...during(HOUR_MS), spells: always });
    expect(group?.spells).toMatchObject([{ mean: 5, gust: null }]);
  });

  it('a spell of wind belongs to the group in which it begins, in the chosen time zone', () => {
    const night = times(36, START_MS + 21.5 * HOUR_MS + STEP_MS);
    const readings = night.map((time) => ({ time, avg: 5, max: 50 }));
    const startsOf = (zone: string) =>
      groupsOf(readings, { ...during(2 * DAY_MS), by: ['day'], zone }).flatMap(({ keys, spells }) =>
        (spells ?? []).map(() => keys[0]),
      );
    expect(startsOf('utc')).toEqual(['2024-05-01']);
    expect(startsOf('Asia/Kathmandu')).toEqual(['2024-05-02']);
  });
});

/** The readings of spells.py as csv. */
function csvOf({ jitter, loss, late, ...station }: (typeof stations)[number]) {
  const next = drawsOf(station.seed);
  const stop = station.days * 86_400;
  const lines = ['time,avg,gust'];
  let avg = 30;
  for (const [slot, at, isInGap] of slotsOf(station)) {
    const [early, lost, missing, change] = [next(), next(), next(), next()];
    if (change < 1 / 16) avg = 40 * next();
    const lateS = late.find(([place]) => place === slot)?.[1] ?? 0;
    const time = at + Math.floor(early * (jitter + 1)) + lateS;
    if (time < stop && lost >= loss && !isInGap) {
      const date = new Date(Date.parse(station.start) + 1000 * time).toISOString();
      const gust = missing > 0.02 && missing < 0.1 ? '' : 1.25 * avg + (slot % 7);
      lines.push(`${date},${missing < 0.03 ? '' : avg},${gust}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

describe.each(stations)('spells by pandas, in $zone', (station) => {
  const start = Date.parse(station.start);
  const stop = new Date(start + station.days * DAY_MS).toISOString();
  const stdin = csvOf(station);
  const run = async (name: 'avg' | 'max', ...more: string[]) => {
    const condition = name === 'avg' ? 'avg >= 20kmh' : 'max >= 28kmh';
    const period = ['--start', station.start, '--stop', stop, '--tz', station.zone];
    const args = ['stats', '110', '--from', '-', ...period, '--where', condition, '--spells'];
    const { code, out, err } = await vane([...args, ...more], { stdin, now: Date.UTC(2026, 0) });
    expect(code, err).toBe(0);
    return out;
  };

  it.each(['avg', 'max'] as const)(
    `the spells in ${station.zone} in ndjson are exactly those that pandas computes, for a condition on %s`,
    async (name) => {
      const rows = (await run(name, '-f', 'ndjson')).trimEnd().split('\n');
      const found = rows.map(
        (row) => JSON.parse(row) as Omit<ConditionSpell, 'start' | 'stop'> & Dates,
      );
      const expected = station.spells[name].all;
      expect(found.length).toBe(expected.length);
      for (const [place, [from = 0, to = 0, mean = 0, gust = 0]] of expected.entries()) {
        const row = found[place] as (typeof found)[number];
        expect((Date.parse(row.start) - start) / 1000).toBe(from);
        expect((Date.parse(row.stop) - start) / 1000).toBe(to);
        expect(row.hours).toBeCloseTo((to - from) / 3600, 12);
        expect(row.mean).toBeCloseTo(mean as number, 9);
        if (gust === null) expect(row.gust).toBeNull();
        else expect(row.gust).toBeCloseTo(gust, 9);
      }
    },
  );

  it.each(['', '--for 2h'] as const)(
    `the spells in ${station.zone} in a table by month %s have the number, median and total that pandas computes`,
    async (least) => {
      const options = ['--by', 'month', ...least.split(' ').filter(Boolean)];
      for (const name of ['avg', 'max'] as const) {
        const out = await run(name, ...options);
        const rows = Array.from(out.matchAll(/^(\d{4}-\d\d) +(\d+) +(\S+) +(\S+) +\S+ %$/gm));
        const expected = Object.entries(station.spells[name][least] as Months);
        expect(rows.map(([, ...cells]) => cells)).toEqual(
          expected.map(([month, [count, median = 0, total = 0]]) => [
            month,
            String(count),
            median.toFixed(1),
            total.toFixed(1),
          ]),
        );
      }
    },
  );
});

interface Dates {
  readonly start: string;
  readonly stop: string;
  readonly hours: number;
}

type Months = Readonly<Record<string, readonly number[]>>;
