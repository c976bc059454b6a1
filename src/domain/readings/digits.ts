/**
 * Up to this many characters, the digits of a number form an integer that a double represents
 * exactly.
 */
export const MAX_EXACT_LENGTH = 15;
export const POWERS_OF_TEN = Float64Array.from(
  { length: MAX_EXACT_LENGTH },
  (_, exponent) => 10 ** exponent,
);

/** The value of an ASCII digit, 0 to 9. XOR with `0` gives 10 or more for all other bytes. */
export function digitAt(bytes: Buffer, at: number): number {
  return (bytes[at] as number) ^ '0'.charCodeAt(0);
}
