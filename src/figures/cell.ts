import type { Role } from './figure.ts';

/** One character of a terminal while a picture is drawn, with all shapes that cover it. */
export interface Cell {
  /** Colours of the upper and the lower half of the character. */
  readonly shades: [upper: Role | undefined, lower: Role | undefined];
  /** The character that a terminal without colours shows in place of the colours. */
  sign?: string | undefined;
  /** The part of the character that a band between two curves covers. */
  fill?: Fill;
  rule?: { readonly role: Role; readonly isVertical: boolean };
  /** Dots of a braille character, as bits of its code point. */
  dots?: { readonly role: Role; readonly bits: number };
  /** A letter, or nothing in the second of two cells that a wide letter takes. */
  text?: { readonly role: Role; readonly letter: string; readonly isBold: boolean };
}

/** A coloured part of a character: its lowest `eighths` or, if `isHanging`, all above them. */
export interface Fill {
  readonly role: Role;
  readonly eighths: number;
  readonly isHanging: boolean;
}

/** Colours a part of a character, joined with the part that an earlier shape coloured. */
export function addFill(cell: Cell, fill: Fill): void {
  cell.fill = cell.fill ? joinFills(cell.fill, fill) : fill;
}

function joinFills(some: Fill, other: Fill): Fill {
  const role = some.eighths > other.eighths ? some.role : other.role;
  const isHanging = some.isHanging && other.isHanging;
  if (some.isHanging !== other.isHanging) return { role, isHanging, eighths: 8 };
  const pick = isHanging ? Math.min : Math.max;
  return { role, isHanging, eighths: pick(some.eighths, other.eighths) };
}
