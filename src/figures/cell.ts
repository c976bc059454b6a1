import type { ColourRole } from './figure.ts';

/** A character of a terminal while a picture is drawn, with everything that covers it. */
export interface CharacterCell {
  /** The colours of the upper and lower half of the character. */
  readonly shades: [upper: ColourRole | undefined, lower: ColourRole | undefined];
  /** The character to show instead of colours on a terminal that has none. */
  sign?: string | undefined;
  /** The part of the character that is covered by a band between two curves. */
  fill?: CellFill;
  rule?: { readonly role: ColourRole; readonly isVertical: boolean };
  /** The dots of a braille character, as bits of its code point. */
  dots?: { readonly role: ColourRole; readonly bits: number };
  /** A letter; empty in the second cell of a wide letter. */
  text?: { readonly role: ColourRole; readonly letter: string; readonly isBold: boolean };
}

/**
 * A coloured part of a character: its lowest `eighths`, or with `isHanging` the part above them.
 */
export interface CellFill {
  readonly role: ColourRole;
  readonly eighths: number;
  readonly isHanging: boolean;
}

/** Colours a part of a character, and joins it with a part that is already coloured. */
export function addCellFill(cell: CharacterCell, fill: CellFill): void {
  cell.fill = cell.fill ? joinFills(cell.fill, fill) : fill;
}

function joinFills(some: CellFill, other: CellFill): CellFill {
  const role = some.eighths > other.eighths ? some.role : other.role;
  const isHanging = some.isHanging && other.isHanging;
  if (some.isHanging !== other.isHanging) return { role, isHanging, eighths: 8 };
  const pick = isHanging ? Math.min : Math.max;
  return { role, isHanging, eighths: pick(some.eighths, other.eighths) };
}
