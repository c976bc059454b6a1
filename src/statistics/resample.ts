import type { Period } from '../domain/period.ts';
import { Chunk } from '../domain/readings/chunk.ts';
import { columnsOfRows } from '../domain/readings/columns.ts';
import type { ReadingsStep } from '../domain/readings/steps.ts';
import { IntervalCombiner, type IntervalOptions, type IntervalRow } from './intervals.ts';

/** Maximum number of rows of a chunk. With `--fill`, a gap of years has very many rows. */
const MAX_ROWS = 5000;

/** Combines the readings of each interval of `--every` into one row. */
export function resampleReadings(options: IntervalOptions): ReadingsStep {
  return async function* resampled(chunks) {
    const intervals = new IntervalCombiner(options);
    let last: Chunk | undefined;
    for await (const chunk of chunks) {
      last = chunk;
      yield* inChunks(chunk, intervals.add(chunk.columns), options.period);
    }
    if (last) yield* inChunks(last, intervals.finish(), options.period);
  };
}

/** Puts rows into chunks of at most {@link MAX_ROWS}. Without rows, one empty chunk. */
function* inChunks({ head }: Chunk, rows: Iterable<IntervalRow>, period: Period): Generator<Chunk> {
  let piece: IntervalRow[] = [];
  for (const row of rows) {
    piece.push(row);
    if (piece.length < MAX_ROWS) continue;
    yield Chunk.ofColumns(period, head, columnsOfRows(piece));
    piece = [];
  }
  yield Chunk.ofColumns(period, head, columnsOfRows(piece));
}
