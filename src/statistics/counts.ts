/** Distinct values in ascending order, and how often each came. */
export interface Counted {
  readonly values: Float64Array;
  readonly counts: Float64Array;
  /** Number of all values, equal ones counted each: the sum of `counts`. */
  readonly total: number;
}

/** Up to this many values, a plain list takes less memory than a hash table. */
const LIST_LENGTH = 32;

/**
 * Most distinct values kept exactly: more are rounded, so that a hash table takes at most 25 MB.
 */
const MAX_DISTINCT = 2 ** 20;

const NO_VALUES = new Float64Array(0);
const NO_COUNTS = new Uint32Array(0);

/** A double and its 64 bits in one memory, to compute the double's hash. */
const NUMBER = new Float64Array(1);
const BITS = new Uint32Array(NUMBER.buffer);

/**
 * Counts how often each value came. Stations measure speeds in steps, so that a million readings
 * have some hundred distinct values. Every statistic of the values follows exactly from the counts,
 * in whatever order the values came.
 *
 * Memory is bounded: with more than 1,048,576 distinct values, all values are rounded to multiples
 * of `bin`, then of ten times `bin`, and so on. Percentiles are then off by half of that step at
 * most. Speeds of stations never have so many values: 0 to 500 km/h in steps of 0.01 has 50,000.
 */
export class ValueCounts {
  readonly #maxDistinct: number;
  #bin: number;
  #isRounded = false;
  /** The values in the order they came; empty once the hash table replaces the list. */
  #list: number[] = [];
  /** A hash table with open addressing; a slot with the count 0 is empty. */
  #values = NO_VALUES;
  #counts = NO_COUNTS;
  #distinct = 0;

  /**
   * Begins with no value.
   * @param bin values are rounded to multiples of this if too many of them are distinct
   */
  constructor(bin = 0.01, maxDistinct = MAX_DISTINCT) {
    this.#bin = bin;
    this.#maxDistinct = maxDistinct;
  }

  /** Counts a value once more. @param value any number but NaN */
  add(value: number): void {
    if (this.#counts.length > 0) {
      this.#count(value, 1);
    } else {
      this.#list.push(value);
      if (this.#list.length === LIST_LENGTH) this.#tabulate();
    }
  }

  /** Counts the first `count` of `values`, without those that are NaN. */
  addAll(values: Float64Array, count: number): void {
    if (this.#list.length + count >= LIST_LENGTH) this.#tabulate();
    if (this.#counts.length === 0) {
      for (const value of values.subarray(0, count))
        if (!Number.isNaN(value)) this.#list.push(value);
      return;
    }
    for (let i = 0; i < count; i++) {
      const value = values[i] as number;
      if (!Number.isNaN(value)) this.#count(value, 1);
    }
  }

  merge(other: ValueCounts): void {
    if (other.#isRounded) {
      this.#tabulate();
      while (!this.#isRounded || this.#bin < other.#bin) this.#round();
    }
    const { values, counts } = other.sorted();
    if (counts.length > 0) this.#tabulate();
    for (let i = 0; i < counts.length; i++) {
      this.#count(values[i] as number, counts[i] as number);
    }
  }

  sorted(): Counted {
    return this.#counts.length > 0 ? this.#sortTable() : countList(this.#list);
  }

  #sortTable(): Counted {
    const values = new Float64Array(this.#distinct);
    let length = 0;
    for (let place = 0; place < this.#counts.length; place++) {
      if (this.#counts[place] !== 0) values[length++] = this.#values[place] as number;
    }
    values.sort();
    const counts = new Float64Array(length);
    let total = 0;
    for (let i = 0; i < length; i++) {
      counts[i] = this.#counts[this.#placeOf(values[i] as number)] as number;
      total += counts[i] as number;
    }
    return { values, counts, total };
  }

  #tabulate(): void {
    if (this.#counts.length > 0) return;
    const list = this.#list;
    this.#list = [];
    this.#resize(4 * LIST_LENGTH);
    for (const value of list) this.#count(value, 1);
  }

  #count(exact: number, times: number): void {
    const value = this.#isRounded ? Math.round(exact / this.#bin) * this.#bin : exact;
    const counts = this.#counts;
    const place = this.#placeOf(value);
    const before = counts[place] as number;
    counts[place] = before + times;
    if (before > 0) return;
    this.#values[place] = value;
    this.#distinct++;
    if (2 * this.#distinct <= counts.length) return;
    if (this.#distinct > this.#maxDistinct) this.#round();
    else this.#resize(2 * counts.length);
  }

  /** The slot of a value in the hash table, or the empty slot where the value belongs. */
  #placeOf(value: number): number {
    const values = this.#values;
    const counts = this.#counts;
    const mask = counts.length - 1;
    let place = hash(value) & mask;
    while (counts[place] !== 0 && values[place] !== value) place = (place + 1) & mask;
    return place;
  }

  /** Rounds all values, also later ones; each further call is ten times as coarse. */
  #round(): void {
    if (this.#isRounded) this.#bin *= 10;
    this.#isRounded = true;
    this.#resize(this.#counts.length);
  }

  #resize(size: number): void {
    const [values, counts] = [this.#values, this.#counts];
    this.#values = new Float64Array(size);
    this.#counts = new Uint32Array(size);
    this.#distinct = 0;
    counts.forEach((count, place) => {
      if (count > 0) this.#count(values[place] as number, count);
    });
  }
}

/**
 * Hashes a number by multiplication with odd constants, of which the last is about 2³² divided by
 * the golden ratio: the high bits of the product depend on all bits of the number.
 */
function hash(value: number): number {
  // Adding 0 turns −0 into 0, which compares equal to −0 and must have the same hash.
  NUMBER[0] = value + 0;
  const mixed = (BITS[1] as number) ^ Math.imul(BITS[0] as number, 0x85ebca6b);
  const product = Math.imul(mixed, 0x9e3779b1);
  return product ^ (product >>> 15);
}

function countList(list: readonly number[]): Counted {
  const values = Float64Array.from(list).sort();
  const counts = new Float64Array(list.length);
  let distinct = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (i === 0 || value !== values[distinct - 1]) values[distinct++] = value;
    counts[distinct - 1] = (counts[distinct - 1] as number) + 1;
  }
  const total = list.length;
  return { values: values.subarray(0, distinct), counts: counts.subarray(0, distinct), total };
}
