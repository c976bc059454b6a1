/** The lowest of the first `count` values; infinite where all are NaN. */
export function lowest(values: Float64Array, count: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let row = 0; row < count; row++) {
    if ((values[row] as number) < least) least = values[row] as number;
  }
  return least;
}

/** The place of the first of the highest among the first `count` values; −1 where all are NaN. */
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
