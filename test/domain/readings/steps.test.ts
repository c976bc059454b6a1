import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QUALITIES, type Quality } from '../../../src/domain/quality/limits.ts';
import { flagReadings, leaveOut } from '../../../src/domain/quality/steps.ts';
import { NO_PRESSURE } from '../../../src/domain/readings/archiveColumns.ts';
import { Chunk } from '../../../src/domain/readings/chunk.ts';
import { type Columns, joinColumns } from '../../../src/domain/readings/columns.ts';
import { Lines } from '../../../src/domain/readings/lines.ts';
import { applySteps, distinct, possible, type Step } from '../../../src/domain/readings/steps.ts';
import type { ArchiveRow } from '../../../src/wire/archive.ts';
import { expectSame } from '../../support/same.ts';

const START_MS = Date.UTC(2024, 4, 1);
const NOW_MS = Date.UTC(2025, 0, 1);
const PERIOD = { start: START_MS, stop: NOW_MS };

/** Rows as a service may send them, ascending by time; many have the time of the row before. */
const anyRows = fc
  .array(
    fc.record({
      minutes: fc.constantFrom(0, 0, 4, 5, 60),
      lull: fc.constantFrom(null, 0, 2, 9, -1),
      avg: fc.constantFrom(null, 0, 8, 8.25, 451, -3),
      gust: fc.constantFrom(null, 0, 10, 240.5, 500, 8),
      heading: fc.constantFrom(null, 0, 22.5, 180.1, 360, 361),
    }),
    { maxLength: 30 },
  )
  .map((list) => {
    let ms = START_MS;
    return list.map(({ minutes, lull, avg, gust, heading }): ArchiveRow => {
      ms += minutes * 60_000;
      return [new Date(ms).toISOString(), 44.5, -1.25, lull, avg, gust, heading, null];
    });
  });
/** Places at which rows are divided into chunks; a place that comes twice makes an empty chunk. */
const anyCuts = fc.array(fc.nat(), { maxLength: 12 });

const chunkOf = (rows: readonly ArchiveRow[], pressureUnit = NO_PRESSURE): Chunk =>
  Chunk.ofLines(PERIOD, { pressureUnit }, Lines.ofRows(rows));

/** Chunks of the rows; the unit of the pressure in its head tells a chunk from the others. */
function chunksOf(rows: readonly ArchiveRow[], cuts: readonly number[] = []): Chunk[] {
  const ends = cuts.map((cut) => cut % (rows.length + 1)).sort((a, b) => a - b);
  return [...ends, rows.length].map((end, i) =>
    chunkOf(rows.slice(ends[i - 1] ?? 0, end), `unit ${i}`),
  );
}

async function run(chunks: readonly Chunk[], ...steps: readonly Step[]): Promise<Chunk[]> {
  async function* stream(): AsyncGenerator<Chunk> {
    yield* chunks;
  }
  const all: Chunk[] = [];
  for await (const chunk of applySteps(stream(), steps)) all.push(chunk);
  return all;
}

const columnsOf = (chunks: readonly Chunk[]): Columns =>
  joinColumns(chunks.map(({ columns }) => columns));
const flagsOf = (chunks: readonly Chunk[]): number[] =>
  chunks.flatMap(({ columns: { flag, count } }) => {
    expect(flag).toHaveLength(count);
    return [...(flag ?? [])];
  });
const headsOf = (chunks: readonly Chunk[]): string[] => chunks.map(({ head }) => head.pressureUnit);

/** The rows, each with the flag that it has when all are in one chunk. */
async function flagged(rows: readonly ArchiveRow[]): Promise<{ row: ArchiveRow; flag: number }[]> {
  const flags = flagsOf(await run([chunkOf(rows)], flagReadings(NOW_MS)));
  return rows.map((row, i) => ({ row, flag: flags[i] as number }));
}

describe('any step', () => {
  it.each<[string, () => readonly Step[]]>([
    ['flagReadings', () => [flagReadings(NOW_MS)]],
    ['leaveOut', () => leaveOut('suspect', NOW_MS, () => {})],
    ['distinct', () => [distinct]],
    ['possible', () => [possible(() => {})]],
  ])(
    'such as %s passes on every chunk in order, also an empty one, since its head may be the only one',
    async (_, steps) => {
      await fc.assert(
        fc.asyncProperty(anyRows, anyCuts, async (rows, cuts) => {
          const chunks = chunksOf(rows, cuts);
          expect(headsOf(await run(chunks, ...steps()))).toEqual(headsOf(chunks));
        }),
      );
      expect(await run([], ...steps())).toEqual([]);
    },
  );
});

describe('flagReadings', () => {
  it('keeps every row with its values and order, repeats too, and flags them alike in any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, anyCuts, async (rows, cuts) => {
        const chunks = await run(chunksOf(rows, cuts), flagReadings(NOW_MS));
        expectSame(columnsOf(chunks), chunkOf(rows).columns);
        const whole = await flagged(rows);
        expect(flagsOf(chunks)).toEqual(whole.map(({ flag }) => flag));
      }),
    );
  });
});

describe('leaveOut', () => {
  const levels = fc.constantFrom<Quality>('suspect', 'pass');

  it('drops every row of a time with a refused row, in any chunks, and keeps the others in order', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, anyCuts, levels, async (rows, cuts, quality) => {
        const refused: readonly number[] = QUALITIES[quality];
        const all = await flagged(rows);
        const fails = all.filter(({ flag }) => refused.includes(flag));
        const gone = new Set(fails.map(({ row: [time] }) => time));
        const expected = all.filter(({ row: [time] }) => !gone.has(time));
        let leftOut = 0;
        const count = (more: number): void => {
          leftOut += more;
        };
        const chunks = await run(chunksOf(rows, cuts), ...leaveOut(quality, NOW_MS, count));
        expectSame(columnsOf(chunks), chunkOf(expected.map(({ row }) => row)).columns);
        expect(flagsOf(chunks)).toEqual(expected.map(({ flag }) => flag));
        expect(leftOut).toBe(fails.length);
      }),
    );
  });

  it('with the quality all is no step', () => {
    expect(leaveOut('all', NOW_MS, () => {})).toEqual([]);
  });
});

describe('distinct', () => {
  it('keeps the first row of each time, in any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, anyCuts, async (rows, cuts) => {
        const first = rows.filter(([time], i) => rows[i - 1]?.[0] !== time);
        const chunks = await run(chunksOf(rows, cuts), distinct);
        expectSame(columnsOf(chunks), chunkOf(first).columns);
      }),
    );
  });

  it('passes on a chunk itself, with its lines, where no time comes twice', async () => {
    const [first, second] = [
      chunkOf([['2024-05-01T12:00:00.000Z', 1, 2, 3, 4, 5, 6, null]]),
      chunkOf([['2024-05-01T12:04:00.000Z', 1, 2, 3, 4, 5, 6, null]]),
    ];
    const [same, alone, gone] = await run([first, second, second], distinct);
    expect([same, alone]).toEqual([first, second]);
    expect(same).toBe(first);
    expect(alone?.lines).toBe(second.lines);
    expect(gone).toMatchObject({ count: 0, lines: undefined });
  });
});

describe('possible', () => {
  const isImpossible = (value: number | null, max: number): boolean =>
    value !== null && (value < 0 || value > max);

  it('makes impossible speeds and directions missing, counts them, and keeps all else', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, anyCuts, async (rows, cuts) => {
        let expectedCount = 0;
        const orMissing = (value: number | null, max: number): number | null => {
          if (!isImpossible(value, max)) return value;
          expectedCount++;
          return null;
        };
        const expected = rows.map(([time, lat, lon, lull, avg, gust, heading, pressure]) => {
          const speeds = [lull, avg, gust].map((speed) => orMissing(speed, 450));
          return [time, lat, lon, ...speeds, orMissing(heading, 360), pressure];
        });
        let impossible = 0;
        const count = (more: number): void => {
          impossible += more;
        };
        const chunks = await run(chunksOf(rows, cuts), possible(count));
        expectSame(columnsOf(chunks), chunkOf(expected as unknown as ArchiveRow[]).columns);
        expect(impossible).toBe(expectedCount);
      }),
    );
  });

  it('passes on a chunk itself, with its lines, where all values are possible', async () => {
    const right = chunkOf([['2024-05-01T12:00:00.000Z', 1, 2, 0, 4, 450, 360, -1]]);
    const wrong = chunkOf([['2024-05-01T12:04:00.000Z', 1, 2, 0, 4, 450.5, 360, -1]]);
    const [same, changed] = await run(
      [right, wrong],
      possible(() => {}),
    );
    expect(same).toBe(right);
    expect(changed).toMatchObject({ count: 1, lines: undefined });
  });
});

it('the steps before statistics keep the lines of a chunk that none of them changes', async () => {
  const chunk = chunkOf([
    ['2024-05-01T12:00:00.000Z', 1, 2, 3, 4, 5, 6, null],
    ['2024-05-01T12:04:00.000Z', 1, 2, 3, 4.5, 5, 6, null],
  ]);
  const steps = [...leaveOut('all', NOW_MS, () => {}), distinct, possible(() => {})];
  expect(await run([chunk], ...steps)).toEqual([chunk]);
  expect((await run([chunk], ...steps))[0]?.lines).toBe(chunk.lines);
});
