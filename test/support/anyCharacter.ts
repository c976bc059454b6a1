import fc from 'fast-check';

/** The halves of surrogate pairs, which are no characters: U+D800 to U+DFFF. */
const [FIRST_HALF, HALVES] = [0xd800, 0x800];
const LAST = 0x10ffff;

/**
 * Any Unicode character. The unit `binary` of fast-check has the same characters, but makes a table
 * of them all, which takes half a second.
 */
export const anyCharacter = fc.integer({ min: 0, max: LAST - HALVES }).map(
  (place) => String.fromCodePoint(place < FIRST_HALF ? place : place + HALVES),
  (character) => {
    const point = (character as string).codePointAt(0) as number;
    return point < FIRST_HALF ? point : point - HALVES;
  },
);
