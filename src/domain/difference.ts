/** The index of the first difference of two lists; -1 for equal lists. */
export function placeOfDifference(names: readonly string[], others: readonly string[]): number {
  const longer = names.length > others.length ? names : others;
  return longer.findIndex((_, index) => names[index] !== others[index]);
}
