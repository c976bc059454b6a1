/** The lowest of the first `count` values; Infinity where all are NaN. */
export function lowest(values: Float64Array, count: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let row = 0; row < count; row++) {
    if ((values[row] as number) < least) least = values[row] as number;
  }
  return least;
}

/**
 * The index of the highest of the first `count` values, the first of several; −1 where all are NaN.
 */
export function placeOfHighest(values: Float64Array, count: number): number {
  let highest = Number.NEGATIVE_INFINITY;
  let place = -1;
  for (let row = 0; row < count; row++) {
    if (!((values[row] as number) > highest)) continue;
    highest = values[row] as number;
    place = row;
  }
  return place;
}
