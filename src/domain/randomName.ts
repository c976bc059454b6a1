/**
 * A name for a temporary file, of 48 random bits against collisions with other processes.
 * @param random returns numbers from 0 up to 1
 */
export function randomName(random: () => number): string {
  return Math.floor(random() * 2 ** 48).toString(36);
}
