import type { Chunk } from '../readings/chunk.ts';
import { filterRows } from '../readings/columns.ts';
import type { ReadingsStep } from '../readings/steps.ts';
import { FlaggedBatches } from './flaggedBatches.ts';
import { EXCLUDED_FLAGS, type Quality, type QualityFlag } from './limits.ts';

/**
 * Adds the column `flag` with the flag of each reading. A chunk is held back until the flags of all
 * its readings are final, which may depend on the next chunks.
 * @param now the current time, milliseconds since 1970; later readings count as in the future
 */
export function flagReadings(now: number): ReadingsStep {
  return async function* flagged(chunks) {
    const batches = new FlaggedBatches<Chunk>(now);
    const withFlags = ({ batch, flags }: { batch: Chunk; flags: readonly QualityFlag[] }): Chunk =>
      batch.with({ ...batch.columns, flag: Float64Array.from(flags) });
    for await (const chunk of chunks) yield* batches.add(chunk, chunk.columns).map(withFlags);
    yield* batches.finish().map(withFlags);
  };
}

/**
 * Leaves out readings of bad quality, and every other reading with the same time.
 * @param now the current time, milliseconds since 1970; later readings count as in the future
 * @param onLeftOut called with the number of readings left out because of their own flags
 */
export function filterByQuality(
  quality: Quality,
  now: number,
  onLeftOut: (count: number) => void,
): readonly ReadingsStep[] {
  const refused: readonly number[] = EXCLUDED_FLAGS[quality];
  if (refused.length === 0) return [];
  function* sieve(chunks: readonly Chunk[]): Generator<Chunk> {
    const times = chunks.flatMap(({ columns: { time, flag } }) =>
      Array.from(time.filter((_, row) => refused.includes(flag?.[row] as number))),
    );
    onLeftOut(times.length);
    const gone = new Set(times);
    for (const chunk of chunks) {
      const { columns } = chunk;
      const isKept = (row: number): boolean => !gone.has(columns.time[row] as number);
      yield gone.size === 0 ? chunk : chunk.with(filterRows(columns, isKept));
    }
  }
  async function* kept(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
    // Hold back chunks until a later time begins: the next chunk may add a bad reading with the
    // last time.
    const waiting: Chunk[] = [];
    let latest = Number.NaN;
    for await (const chunk of chunks) {
      const { time } = chunk.columns;
      if (time.length > 0 && time[0] !== latest) yield* sieve(waiting.splice(0));
      waiting.push(chunk);
      latest = time.at(-1) ?? latest;
    }
    yield* sieve(waiting);
  }
  return [flagReadings(now), kept];
}
