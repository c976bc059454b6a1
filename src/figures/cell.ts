import type { ColourRole } from './figure.ts';

/** One character of a terminal while a picture is drawn, with all shapes that cover it. */
export interface CharacterCell {
  /** Colours of the upper and the lower half of the character. */
  readonly shades: [upper: ColourRole | undefined, lower: ColourRole | undefined];
  /** The character that a terminal without colours shows in place of the colours. */
  sign?: string | undefined;
  /** The part of the character that a band between two curves covers. */
  fill?: CellFill;
  rule?: { readonly role: ColourRole; readonly isVertical: boolean };
  /** Dots of a braille character, as bits of its code point. */
  dots?: { readonly role: ColourRole; readonly bits: number };
  /** A letter, or nothing in the second of two cells that a wide letter takes. */
  text?: { readonly role: ColourRole; readonly letter: string; readonly isBold: boolean };
}

/** A coloured part of a character: its lowest `eighths` or, if `isHanging`, all above them. */
export interface CellFill {
  readonly role: ColourRole;
  readonly eighths: number;
  readonly isHanging: boolean;
}

/** Colours a part of a character, joined with the part that an earlier shape coloured. */
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
