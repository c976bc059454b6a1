import fc from 'fast-check';
import { DEPRECATED_PRESSURE_UNIT } from '../../src/domain/readings/archiveColumns.ts';
import { Chunk } from '../../src/domain/readings/chunk.ts';
import { joinColumns, type ReadingColumns } from '../../src/domain/readings/columns.ts';
import { ArchiveLines } from '../../src/domain/readings/lines.ts';
import { applySteps, type ReadingsStep } from '../../src/domain/readings/steps.ts';
import type { ArchiveRow } from '../../src/wire/archive.ts';

const START_MS = Date.UTC(2024, 4, 1);
const PERIOD = { start: START_MS, stop: Date.UTC(2025, 0, 1) };

/** Rows as a service may send them, ascending by time; many have the time of the row before. */
export const anyRows = fc
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
export const anyCuts = fc.array(fc.nat(), { maxLength: 12 });

/** A chunk of rows, with a unit of the pressure. */
export const chunkOf = (
  rows: readonly ArchiveRow[],
  pressureUnit = DEPRECATED_PRESSURE_UNIT,
): Chunk => Chunk.ofLines(PERIOD, { pressureUnit }, ArchiveLines.ofRows(rows));

/** Chunks of the rows; the unit of the pressure in its head tells a chunk from the others. */
export function chunksOf(rows: readonly ArchiveRow[], cuts: readonly number[] = []): Chunk[] {
  const ends = cuts.map((cut) => cut % (rows.length + 1)).sort((a, b) => a - b);
  return [...ends, rows.length].map((end, i) =>
    chunkOf(rows.slice(ends[i - 1] ?? 0, end), `unit ${i}`),
  );
}

/** The chunks after the steps. */
export async function afterSteps(
  chunks: readonly Chunk[],
  ...steps: readonly ReadingsStep[]
): Promise<Chunk[]> {
  async function* stream(): AsyncGenerator<Chunk> {
    yield* chunks;
  }
  const all: Chunk[] = [];
  for await (const chunk of applySteps(stream(), steps)) all.push(chunk);
  return all;
}

/** The columns of all chunks. */
export const joinedColumns = (chunks: readonly Chunk[]): ReadingColumns =>
  joinColumns(chunks.map(({ columns }) => columns));

/** The units of the pressure, which tell the chunks of {@link chunksOf} apart. */
export const headsOf = (chunks: readonly Chunk[]): string[] =>
  chunks.map(({ head }) => head.pressureUnit);
