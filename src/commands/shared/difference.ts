/**
 * The index of the first place where two lists of names differ, one of which may be longer; -1 for
 * equal lists.
 */
export function placeOfDifference(names: readonly string[], others: readonly string[]): number {
  const longer = names.length > others.length ? names : others;
  return longer.findIndex((_, index) => names[index] !== others[index]);
}
