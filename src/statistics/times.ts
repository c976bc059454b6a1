import type { Period } from '../domain/period.ts';
import { type Columns, sortRows } from '../domain/readings/columns.ts';
import { averageMark } from './marks.ts';

/** Times of readings, ascending, milliseconds since 1970; each has a mark of 32 bits. */
export interface MarkedTimes {
  readonly time: Float64Array;
  readonly marks: Uint32Array;
}

/** Most times in one part of a merged list. */
const MAX_PART_LENGTH = 16_384;

/**
 * The distinct times of readings with their marks; they may be added in any order. Since all times
 * are kept, a reading that two files contain counts once, and a gap between two chunks is found.
 */
export class Times {
  readonly #bounds: Partial<Period>;
  /** Lists of times in order; their spans do not overlap. */
  readonly #blocks: MarkedTimes[] = [];

  constructor(bounds: Partial<Period>) {
    this.#bounds = bounds;
  }

  /** All times in one list. */
  all(): MarkedTimes {
    return joinTimes(this.#blocks);
  }

  /**
   * Adds the times that lie within the bounds and are not there yet.
   * @param markOf returns the mark of a row, 32 bits
   * @returns the rows whose times were added, in order of time, of equal times the first row
   */
  add(time: Float64Array, markOf: (row: number) => number): Int32Array {
    const candidates = distinctRows(time, this.#bounds);
    const [first, last] = [time[candidates[0] as number], time[candidates.at(-1) as number]];
    if (first === undefined || last === undefined) return candidates;
    const from = this.#blocks.findLastIndex((block) => (block.time.at(-1) as number) < first) + 1;
    let to = from;
    while (((this.#blocks[to]?.time[0] as number) ?? Infinity) <= last) to++;
    const overlapping = this.#blocks.slice(from, to);
    const known = new Set(overlapping.flatMap((block) => [...block.time]));
    const rows =
      known.size === 0 ? candidates : candidates.filter((row) => !known.has(time[row] as number));
    if (rows.length === 0) return rows;
    const added = { time: new Float64Array(rows.length), marks: new Uint32Array(rows.length) };
    rows.forEach((row, place) => {
      added.time[place] = time[row] as number;
      added.marks[place] = markOf(row);
    });
    this.#blocks.splice(
      from,
      overlapping.length,
      ...(overlapping.length === 0 ? [added] : mergeBlocks([...overlapping, added])),
    );
    return rows;
  }
}

function joinTimes(blocks: readonly MarkedTimes[]): MarkedTimes {
  const count = blocks.reduce((sum, { time }) => sum + time.length, 0);
  const all = { time: new Float64Array(count), marks: new Uint32Array(count) };
  let at = 0;
  for (const { time, marks } of blocks) {
    all.time.set(time, at);
    all.marks.set(marks, at);
    at += time.length;
  }
  return all;
}

/** The times of readings in chunks that ascend by time, each time once. */
export function timesOf(chunks: readonly Columns[]): MarkedTimes {
  const blocks = chunks.map((columns) => ({
    time: columns.time.subarray(0, columns.count),
    marks: Uint32Array.from({ length: columns.count }, (_, row) => averageMark(columns, row)),
  }));
  return joinTimes(blocks);
}

/** Indexes of the rows with a time within bounds, in order of time; of equal times the first row. */
function distinctRows(
  time: Float64Array,
  { start = Number.NEGATIVE_INFINITY, stop = Number.POSITIVE_INFINITY }: Partial<Period>,
): Int32Array {
  const rows = new Int32Array(time.length);
  let length = 0;
  let latest = Number.NEGATIVE_INFINITY;
  let isAscending = true;
  time.forEach((ms, row) => {
    if (!(ms >= start && ms < stop) || ms === latest) return;
    isAscending &&= ms > latest;
    latest = ms;
    rows[length++] = row;
  });
  const kept = rows.subarray(0, length);
  return isAscending ? kept : sortRows(kept, time);
}

/** Merges lists whose spans overlap into lists of limited length that do not overlap. */
function mergeBlocks(blocks: readonly MarkedTimes[]): MarkedTimes[] {
  const entries = blocks
    .flatMap(({ time, marks }) => Array.from(time, (ms, i) => [ms, marks[i] as number] as const))
    .sort(([a], [b]) => a - b);
  const merged: MarkedTimes[] = [];
  for (let from = 0; from < entries.length; from += MAX_PART_LENGTH) {
    const part = entries.slice(from, from + MAX_PART_LENGTH);
    merged.push({
      time: Float64Array.from(part, ([ms]) => ms),
      marks: Uint32Array.from(part, ([, mark]) => mark),
    });
  }
  return merged;
}
