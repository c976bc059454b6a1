/** Distinct values in ascending order, and how often each came. */
export interface ValueCounts {
  readonly values: Float64Array;
  readonly counts: Float64Array;
  /** Number of all values, equal ones included: the sum of `counts`. */
  readonly total: number;
}

/**
 * Counts how often each value came; NaN is left out. Stations measure speeds in steps, so that a
 * million readings have some hundred distinct values, and every statistic follows from the counts.
 * @param parts the part of each value that counts, above 0 to 1; without it values count whole
 */
export function countValues(all: Float64Array, parts?: Float64Array): ValueCounts {
  // The count is an object, since a Map writes a changed number slowly.
  const found = new Map<number, { count: number }>();
  let total = 0;
  for (let i = 0; i < all.length; i++) {
    const value = all[i] as number;
    if (Number.isNaN(value)) continue;
    const part = parts === undefined ? 1 : (parts[i] as number);
    const known = found.get(value);
    if (known) known.count += part;
    else found.set(value, { count: part });
    total += part;
  }
  const values = new Float64Array(found.size);
  let at = 0;
  for (const value of found.keys()) values[at++] = value;
  values.sort();
  return { values, counts: values.map((value) => found.get(value)?.count as number), total };
}
