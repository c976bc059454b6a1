import type { Chunk } from './chunk.ts';
import { firstRowsOfTimes, withoutImpossibleValues } from './columns.ts';

/** Transforms the chunks of one station. Chunks are in order of time before and after. */
export type ReadingsStep = (chunks: AsyncIterable<Chunk>) => AsyncIterable<Chunk>;

/** Applies steps one after the other to the chunks of a station. */
export function applySteps(
  chunks: AsyncIterable<Chunk>,
  steps: readonly ReadingsStep[],
): AsyncIterable<Chunk> {
  return steps.reduce((before, step) => step(before), chunks);
}

/** Keeps the first reading of each time. */
export async function* dropRepeatedTimes(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
  let last = Number.NaN;
  for await (const chunk of chunks) {
    const before = last;
    last = chunk.columns.time.at(-1) ?? last;
    yield chunk.with(firstRowsOfTimes(chunk.columns, before));
  }
}

/**
 * Replaces impossible values by NaN: speeds below 0 or above 450 km/h, and directions outside 0 to
 * 360. Statistics, pictures and --every need this; an export of plain readings keeps all values.
 * @param onImpossible called with the number of impossible values of a chunk
 */
export function dropImpossibleValues(onImpossible: (count: number) => void): ReadingsStep {
  return async function* possibleValues(chunks) {
    for await (const chunk of chunks) {
      const { possible, impossible } = withoutImpossibleValues(chunk.columns);
      onImpossible(impossible);
      yield impossible === 0 ? chunk : chunk.with(possible);
    }
  };
}
