import { sortRows } from '../domain/columns.ts';
import type { Period } from '../domain/period.ts';

/** Times of readings, ascending, each with its mark. */
interface Block {
  readonly time: Float64Array;
  readonly marks: Uint8Array;
}

const LONGEST_COUNT = 16_384;

/**
 * The distinct times of readings, each with a number from 0 to 255, a mark; they may be added in
 * any order. Since all times are kept, a reading that two files contain counts once, and a gap
 * between two chunks is found.
 */
export class Times {
  readonly #period: Period;
  /** Lists of times in order; their spans do not overlap. */
  readonly #blocks: Block[] = [];

  constructor(period: Period) {
    this.#period = period;
  }

  /** All times, as lists in order of time. */
  get blocks(): readonly Block[] {
    return this.#blocks;
  }

  /**
   * Adds the times that lie in the period and are not there yet.
   * @param markOf gives the mark of a row, 0 to 255
   * @returns the rows whose times were added, in order of time, of equal times the first row
   */
  add(time: Float64Array, markOf: (row: number) => number): Int32Array {
    const candidates = distinctRows(time, this.#period);
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
    const added = { time: new Float64Array(rows.length), marks: new Uint8Array(rows.length) };
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

/** Indexes of the rows with a time in a period, in order of time; of equal times the first row. */
function distinctRows(time: Float64Array, { start, stop }: Period): Int32Array {
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
function mergeBlocks(blocks: readonly Block[]): Block[] {
  const entries = blocks
    .flatMap(({ time, marks }) => Array.from(time, (ms, i) => [ms, marks[i] as number] as const))
    .sort(([a], [b]) => a - b);
  const merged: Block[] = [];
  for (let from = 0; from < entries.length; from += LONGEST_COUNT) {
    const part = entries.slice(from, from + LONGEST_COUNT);
    merged.push({
      time: Float64Array.from(part, ([ms]) => ms),
      marks: Uint8Array.from(part, ([, mark]) => mark),
    });
  }
  return merged;
}
