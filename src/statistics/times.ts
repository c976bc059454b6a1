import { sortRows } from '../domain/columns.ts';
import type { Period } from '../domain/period.ts';

/** A list of times that span 49 days at most, each kept as milliseconds after the first. */
interface Block {
  readonly start: number;
  readonly stop: number;
  readonly offsets: Uint32Array;
  readonly marks: Uint8Array | undefined;
}

const LONGEST_MS = 2 ** 32 - 1;
const LONGEST_COUNT = 16_384;

/**
 * The distinct times of readings, at 4 bytes each; they may be added in any order. Since all times
 * are kept, a reading that two files contain counts once, and a gap between two chunks is found.
 */
export class Times {
  readonly #period: Period;
  readonly #hasMarks: boolean;
  /** Lists of times in order; their spans do not overlap. */
  readonly #blocks: Block[] = [];

  /**
   * Begins without times.
   * @param hasMarks whether a number from 0 to 255, a mark, is kept with each time
   */
  constructor(period: Period, hasMarks = false) {
    this.#period = period;
    this.#hasMarks = hasMarks;
  }

  /**
   * Adds the times that lie in the period and are not there yet.
   * @param markOf gives the mark to keep with the time of a row, 0 to 255
   * @returns the rows whose times were added, in order of time, of equal times the first row;
   *   undefined where all rows were added and were already in order
   */
  add(time: Float64Array, count: number, markOf?: (row: number) => number): Int32Array | undefined {
    const candidates = distinctRows(time, count, this.#period);
    if (candidates.length === 0) return candidates;
    const first = time[candidates[0] as number] as number;
    const last = time[candidates.at(-1) as number] as number;
    const begin = this.#blocks.findLastIndex(({ stop }) => stop < first) + 1;
    const after = this.#blocks.findIndex(({ start }) => start > last);
    const end = after < 0 ? this.#blocks.length : after;
    const rows = begin === end ? candidates : this.#without(candidates, time, begin, end);
    if (rows.length === 0) return rows;
    const added = new Float64Array(rows.length);
    const marks = this.#hasMarks ? new Uint8Array(rows.length) : undefined;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      added[i] = time[row] as number;
      if (marks) marks[i] = markOf?.(row) ?? 0;
    }
    const blocks =
      begin === end
        ? blocksOf(added, marks)
        : mergeBlocks(this.#blocks.slice(begin, end), added, marks);
    this.#blocks.splice(begin, end - begin, ...blocks);
    const isUnchanged = rows.length === count && rows.every((row, place) => row === place);
    return isUnchanged ? undefined : rows;
  }

  /** All times, as lists in order of time. */
  get blocks(): readonly Block[] {
    return this.#blocks;
  }

  #without(rows: Int32Array, time: Float64Array, begin: number, end: number): Int32Array {
    const known = new Set<number>();
    for (const block of this.#blocks.slice(begin, end)) {
      for (const offset of block.offsets) known.add(block.start + offset);
    }
    return rows.filter((row) => !known.has(time[row] as number));
  }

  /** Calls `visit` with each time in order and with its mark, which is 0 if no marks are kept. */
  forEach(visit: (time: number, mark: number) => void): void {
    for (const { start, offsets, marks } of this.#blocks) {
      // A loop by index is several times as fast as a loop by iterator.
      for (let i = 0; i < offsets.length; i++) {
        visit(start + (offsets[i] as number), marks?.[i] ?? 0);
      }
    }
  }

  /** Adds the times of `other`. @throws Error where `other` has a time that is already here */
  merge(other: Times): void {
    for (const { start, offsets, marks } of other.#blocks) {
      const time = Float64Array.from(offsets, (offset) => start + offset);
      const rows = this.add(time, time.length, (row) => marks?.[row] ?? 0);
      if (rows && rows.length < time.length)
        throw new Error('Statistics that share a time cannot be merged.');
    }
  }
}

/** Indexes of the rows with a time in a period, in order of time; of equal times the first row. */
function distinctRows(time: Float64Array, count: number, { start, stop }: Period): Int32Array {
  const rows = new Int32Array(count);
  let length = 0;
  let latest = Number.NEGATIVE_INFINITY;
  let isAscending = true;
  for (let row = 0; row < count; row++) {
    const ms = time[row] as number;
    if (!(ms >= start && ms < stop) || ms === latest) continue;
    isAscending &&= ms > latest;
    latest = ms;
    rows[length++] = row;
  }
  const kept = rows.subarray(0, length);
  return isAscending ? kept : sortRows(kept, time);
}

function blocksOf(times: Float64Array, marks: Uint8Array | undefined): Block[] {
  const blocks: Block[] = [];
  for (let from = 0; from < times.length; ) {
    const start = times[from] as number;
    let to = Math.min(from + LONGEST_COUNT, times.length);
    while ((times[to - 1] as number) - start > LONGEST_MS) to--;
    const offsets = new Uint32Array(to - from);
    for (let i = from; i < to; i++) offsets[i - from] = (times[i] as number) - start;
    const stop = times[to - 1] as number;
    blocks.push({ start, stop, offsets, marks: marks?.slice(from, to) });
    from = to;
  }
  return blocks;
}

function mergeBlocks(
  blocks: readonly Block[],
  added: Float64Array,
  marks: Uint8Array | undefined,
): Block[] {
  const entries = [
    ...blocks.flatMap(({ start, offsets, marks }) =>
      Array.from(offsets, (offset, i) => [start + offset, marks?.[i] ?? 0] as const),
    ),
    ...Array.from(added, (ms, i) => [ms, marks?.[i] ?? 0] as const),
  ].sort(([a], [b]) => a - b);
  const merged = Float64Array.from(entries, ([ms]) => ms);
  return blocksOf(merged, marks && Uint8Array.from(entries, ([, mark]) => mark));
}

/**
 * Binary search in ascending values: the first place, at `from` or later, whose value is `least` or
 * more; `to` where no place before `to` has such a value.
 */
export function placeAtLeast(
  least: number,
  values: Float64Array | Uint32Array,
  from: number,
  to: number,
): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
