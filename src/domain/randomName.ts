/**
 * A name that no other process is likely to take.
 * @param random from 0 up to 1
 */
export function randomName(random: () => number): string {
  return Math.floor(random() * 2 ** 48).toString(36);
}
