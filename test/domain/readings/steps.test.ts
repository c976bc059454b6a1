import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dropImpossibleValues, dropRepeatedTimes } from '../../../src/domain/readings/steps.ts';
import type { ArchiveRow } from '../../../src/wire/archive.ts';
import {
  afterSteps,
  anyCuts,
  anyRows,
  chunkOf,
  chunksOf,
  headsOf,
  joinedColumns,
} from '../../support/chunks.ts';
import { expectSame } from '../../support/same.ts';

describe('distinct', () => {
  it('the step “distinct” keeps the first row of each time across chunks, and keeps every chunk, even an empty one', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, anyCuts, async (rows, cuts) => {
        const first = rows.filter(([time], i) => rows[i - 1]?.[0] !== time);
        const chunks = await afterSteps(chunksOf(rows, cuts), dropRepeatedTimes);
        expect(headsOf(chunks)).toEqual(headsOf(chunksOf(rows, cuts)));
        expectSame(joinedColumns(chunks), chunkOf(first).columns);
      }),
    );
  });

  it('the step “distinct” passes on a chunk unchanged, with its lines, where no time is repeated', async () => {
    const [first, second] = [
      chunkOf([['2024-05-01T12:00:00.000Z', 1, 2, 3, 4, 5, 6, null]]),
      chunkOf([['2024-05-01T12:04:00.000Z', 1, 2, 3, 4, 5, 6, null]]),
    ];
    const [same, alone, gone] = await afterSteps([first, second, second], dropRepeatedTimes);
    expect([same, alone]).toEqual([first, second]);
    expect(same).toBe(first);
    expect(alone?.lines).toBe(second.lines);
    expect(gone).toMatchObject({ count: 0, lines: undefined });
  });
});

describe('possible', () => {
  const isImpossible = (value: number | null, max: number): boolean =>
    value !== null && (value < 0 || value > max);

  it('the step “possible” makes impossible speeds and directions missing, counts them, and keeps all other values', async () => {
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
        const chunks = await afterSteps(chunksOf(rows, cuts), dropImpossibleValues(count));
        expect(headsOf(chunks)).toEqual(headsOf(chunksOf(rows, cuts)));
        expectSame(joinedColumns(chunks), chunkOf(expected as unknown as ArchiveRow[]).columns);
        expect(impossible).toBe(expectedCount);
      }),
    );
  });

  it('the step “possible” passes on a chunk unchanged, with its lines, where all values are possible', async () => {
    const right = chunkOf([['2024-05-01T12:00:00.000Z', 1, 2, 0, 4, 450, 360, -1]]);
    const wrong = chunkOf([['2024-05-01T12:04:00.000Z', 1, 2, 0, 4, 450.5, 360, -1]]);
    const [same, changed] = await afterSteps(
      [right, wrong],
      dropImpossibleValues(() => {}),
    );
    expect(same).toBe(right);
    expect(changed).toMatchObject({ count: 1, lines: undefined });
  });
});

it('the steps “distinct” and “possible” together keep the lines of a chunk that neither changes', async () => {
  const chunk = chunkOf([
    ['2024-05-01T12:00:00.000Z', 1, 2, 3, 4, 5, 6, null],
    ['2024-05-01T12:04:00.000Z', 1, 2, 3, 4.5, 5, 6, null],
  ]);
  const steps = [dropRepeatedTimes, dropImpossibleValues(() => {})];
  expect(await afterSteps([chunk], ...steps)).toEqual([chunk]);
  expect((await afterSteps([chunk], ...steps))[0]?.lines).toBe(chunk.lines);
});
