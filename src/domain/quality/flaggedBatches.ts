import type { ReadingColumns } from '../readings/columns.ts';
import { ReadingFlagger } from './flagger.ts';
import type { QualityFlag } from './limits.ts';
import { qualityFlagOf, type TestedReading } from './testedReading.ts';

/** A batch of readings, such as a chunk, and the flag of each reading. */
interface FlaggedBatch<T> {
  readonly batch: T;
  readonly flags: readonly QualityFlag[];
}

/**
 * Flags the readings of one station in batches. Each batch is returned in order once all its flags
 * are final.
 */
export class FlaggedBatches<T> {
  readonly #flagger: ReadingFlagger;
  readonly #waiting: { readonly batch: T; readonly count: number }[] = [];
  #flags: QualityFlag[] = [];

  /** @param now the current time, milliseconds since 1970; later readings count as in the future */
  constructor(now: number) {
    this.#flagger = new ReadingFlagger(now);
  }

  /**
   * Adds a batch and its readings.
   * @returns the batches whose flags are now final
   */
  add(batch: T, readings: ReadingColumns): FlaggedBatch<T>[] {
    this.#flagger.add(readings);
    this.#waiting.push({ batch, count: readings.count });
    return this.#removeFinal(this.#flagger.removeFinal());
  }

  /** Returns the remaining batches after the last one was added. */
  finish(): FlaggedBatch<T>[] {
    return this.#removeFinal(this.#flagger.finish());
  }

  #removeFinal(readings: readonly TestedReading[]): FlaggedBatch<T>[] {
    this.#flags = this.#flags.concat(readings.map(qualityFlagOf));
    const final: FlaggedBatch<T>[] = [];
    for (const { batch, count } of this.#waiting) {
      if (count > this.#flags.length) break;
      final.push({ batch, flags: this.#flags.splice(0, count) });
    }
    this.#waiting.splice(0, final.length);
    return final;
  }
}
