/** Distinct values in ascending order, and how often each occurs. */
export interface ValueCounts {
  readonly values: Float64Array;
  readonly counts: Float64Array;
  /** Number of all values, including equal ones: the sum of `counts`. */
  readonly total: number;
}

/**
 * Counts how often each value occurs; NaN is ignored. Stations measure speeds in steps, so a
 * million readings have only some hundred distinct values. All statistics are computed from these
 * counts.
 * @param parts the weight of each value, above 0 to 1; by default 1
 */
export function countValues(all: Float64Array, parts?: Float64Array): ValueCounts {
  // Store counts in objects, since updating a number in a Map is slow.
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
