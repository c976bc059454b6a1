/** Distinct values in ascending order, and how often each came. */
export interface Counted {
  readonly values: Float64Array;
  readonly counts: Float64Array;
  /** Number of all values, equal ones included: the sum of `counts`. */
  readonly total: number;
}

/** Most distinct values that are counted exactly: more are rounded, to bound the memory. */
const MAX_DISTINCT = 2 ** 20;

/**
 * Counts how often each value came. Stations measure speeds in steps, so that a million readings
 * have some hundred distinct values. Every statistic of the values follows exactly from the counts,
 * in whatever order the values came.
 *
 * With more than 1,048,576 distinct values, all values are rounded to multiples of `bin`, then of
 * ten times `bin`, and so on. Percentiles are then off by half of that step at most. Speeds of
 * stations never have so many values: 0 to 500 km/h in steps of 0.01 has 50,000.
 */
export class ValueCounts {
  readonly #bin: number;
  readonly #maxDistinct: number;
  /** The step to whose multiples values are rounded; 0 while they are exact. */
  #step = 0;
  /** By value. The count is an object, since a Map writes a changed number slowly. */
  #counts = new Map<number, { count: number }>();

  /**
   * Begins with no value.
   * @param bin values are rounded to multiples of this if too many of them are distinct
   */
  constructor(bin = 0.01, maxDistinct = MAX_DISTINCT) {
    this.#bin = bin;
    this.#maxDistinct = maxDistinct;
  }

  /** Counts a value, `times` times. @param value any number but NaN, which is left out */
  add(value: number, times = 1): void {
    if (Number.isNaN(value)) return;
    const rounded = this.#step === 0 ? value : Math.round(value / this.#step) * this.#step;
    const known = this.#counts.get(rounded);
    if (known) {
      known.count += times;
    } else {
      this.#counts.set(rounded, { count: times });
      if (this.#counts.size > this.#maxDistinct) this.#round();
    }
  }

  /** Rounds all values, also later ones; each further call is ten times as coarse. */
  #round(): void {
    this.#step = this.#step === 0 ? this.#bin : 10 * this.#step;
    const counts = this.#counts;
    this.#counts = new Map();
    for (const [value, { count }] of counts) this.add(value, count);
  }

  sorted(): Counted {
    const values = Float64Array.from(this.#counts.keys()).sort();
    const counts = values.map((value) => this.#counts.get(value)?.count as number);
    return { values, counts, total: counts.reduce((sum, count) => sum + count, 0) };
  }
}
