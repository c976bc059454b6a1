import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXCLUDED_FLAGS, type Quality } from '../../../src/domain/quality/limits.ts';
import { filterByQuality, flagReadings } from '../../../src/domain/quality/steps.ts';
import type { Chunk } from '../../../src/domain/readings/chunk.ts';
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

const NOW_MS = Date.UTC(2025, 0, 1);

const flagsOf = (chunks: readonly Chunk[]): number[] =>
  chunks.flatMap(({ columns: { flag, count } }) => {
    expect(flag).toHaveLength(count);
    return [...(flag ?? [])];
  });

/** The rows, each with the flag that it has when all are in one chunk. */
async function flagged(rows: readonly ArchiveRow[]): Promise<{ row: ArchiveRow; flag: number }[]> {
  const flags = flagsOf(await afterSteps([chunkOf(rows)], flagReadings(NOW_MS)));
  return rows.map((row, i) => ({ row, flag: flags[i] as number }));
}

describe('flagReadings', () => {
  it('flagReadings flags readings alike in any chunks, and keeps every chunk and row in order, even repeated rows and empty chunks', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, anyCuts, async (rows, cuts) => {
        const chunks = await afterSteps(chunksOf(rows, cuts), flagReadings(NOW_MS));
        expect(headsOf(chunks)).toEqual(headsOf(chunksOf(rows, cuts)));
        expectSame(joinedColumns(chunks), chunkOf(rows).columns);
        const whole = await flagged(rows);
        expect(flagsOf(chunks)).toEqual(whole.map(({ flag }) => flag));
      }),
    );
  });
});

describe('filterByQuality', () => {
  const levels = fc.constantFrom<Quality>('suspect', 'pass');

  it('filterByQuality drops every row whose time has a refused row, and keeps the other rows and each chunk in order', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, anyCuts, levels, async (rows, cuts, quality) => {
        const refused: readonly number[] = EXCLUDED_FLAGS[quality];
        const all = await flagged(rows);
        const fails = all.filter(({ flag }) => refused.includes(flag));
        const gone = new Set(fails.map(({ row: [time] }) => time));
        const expected = all.filter(({ row: [time] }) => !gone.has(time));
        let leftOut = 0;
        const count = (more: number): void => {
          leftOut += more;
        };
        const chunks = await afterSteps(
          chunksOf(rows, cuts),
          ...filterByQuality(quality, NOW_MS, count),
        );
        expect(headsOf(chunks)).toEqual(headsOf(chunksOf(rows, cuts)));
        expectSame(joinedColumns(chunks), chunkOf(expected.map(({ row }) => row)).columns);
        expect(flagsOf(chunks)).toEqual(expected.map(({ flag }) => flag));
        expect(leftOut).toBe(fails.length);
      }),
    );
  });

  it('filterByQuality with the quality “all” drops nothing', () => {
    expect(filterByQuality('all', NOW_MS, () => {})).toEqual([]);
  });
});
