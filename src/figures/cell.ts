import type { Role } from './figure.ts';

/** One character of a terminal, with the marks that cover it. */
export interface Cell {
  /** Colours of the upper and the lower half of the cell. */
  readonly shades: [upper: Role | undefined, lower: Role | undefined];
  /** The character that stands for the shades on a terminal without colours. */
  sign: string | undefined;
  /** The part of the cell that a band covers. */
  fill: Fill | undefined;
  rule: { readonly role: Role; readonly isVertical: boolean } | undefined;
  /** The dots of a braille character, as bits of its code. */
  dots: number;
  dotRole: Role;
  /** The character of a text; empty in the second cell of a wide character. */
  text: string | undefined;
  textRole: Role;
  isBold: boolean;
}

/** A coloured part of a cell: the lowest `eighths` of its height or, if hanging, all above them. */
interface Fill {
  readonly role: Role;
  readonly eighths: number;
  readonly isHanging: boolean;
}

export const emptyCell = (): Cell => ({
  shades: [undefined, undefined],
  sign: undefined,
  fill: undefined,
  rule: undefined,
  dots: 0,
  dotRole: 'ink',
  text: undefined,
  textRole: 'ink',
  isBold: false,
});

/** Fills a part of a cell, together with the part that is filled already. */
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
