import type { Period } from '../domain/period.ts';
import { Chunk } from '../domain/readings/chunk.ts';
import { columnsOfRows } from '../domain/readings/columns.ts';
import type { Step } from '../domain/readings/steps.ts';
import { type StepOptions, type StepRow, Steps } from './steps.ts';

/** Most rows of a chunk: with `--fill`, a gap of years has very many. */
const MAX_ROWS = 5000;

/** Combines the readings of each interval of `--every` into one row. */
export function resample(options: StepOptions): Step {
  return async function* resampled(chunks) {
    const steps = new Steps(options);
    let last: Chunk | undefined;
    for await (const chunk of chunks) {
      last = chunk;
      yield* inChunks(chunk, steps.add(chunk.columns), options.period);
    }
    if (last) yield* inChunks(last, steps.finish(), options.period);
  };
}

/** Chunks of at most {@link MAX_ROWS} rows; without rows one empty chunk. */
function* inChunks({ head }: Chunk, rows: Iterable<StepRow>, period: Period): Generator<Chunk> {
  let piece: StepRow[] = [];
  for (const row of rows) {
    piece.push(row);
    if (piece.length < MAX_ROWS) continue;
    yield Chunk.ofColumns(period, head, columnsOfRows(piece));
    piece = [];
  }
  yield Chunk.ofColumns(period, head, columnsOfRows(piece));
}
