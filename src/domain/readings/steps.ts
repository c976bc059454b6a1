import type { Chunk } from './chunk.ts';
import { firstRowsOfTimes, withoutImpossibleValues } from './columns.ts';

/** A transformation of one station's chunks, which come and go in order of time. */
export type ReadingsStep = (chunks: AsyncIterable<Chunk>) => AsyncIterable<Chunk>;

/** The chunks of a station after all steps, each applied to the result of the one before. */
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
 * Makes impossible values missing: speeds below 0 or above 450 km/h, and directions outside 0 to 360.
 * Statistics, pictures and --every need this; an export of the readings themselves keeps all values.
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
