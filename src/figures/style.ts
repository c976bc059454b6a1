import stringWidth from 'string-width';
import { printable } from '../domain/text.ts';
import { cutText, wrapText } from '../formats/fitText.ts';
import type { Mark, TextMark } from './figure.ts';

/** The surface that a picture is laid out for: its size in px, drawn in pixels or in characters. */
export interface LayoutStyle {
  /**
   * Size of the requested picture, px; a picture that is not bound may be higher or lower,
   * as `drawFigure` says.
   */
  readonly width: number;
  readonly height: number;
  /** Width of a character and height of a line of text, px. */
  readonly charPx: number;
  readonly linePx: number;
  /** Size in px of the cells that shapes are fitted to: a pixel, or a character of a terminal. */
  readonly gridX: number;
  readonly gridY: number;
  /** Least height of an area of one colour, px: half a character if a terminal can show that. */
  readonly shadePx: number;
  /** Whether readers can point at a shape of the picture to see its numbers. */
  readonly hasTips: boolean;
  /** Whether there are colours enough for fine shades, and for faint ones such as those of nights. */
  readonly hasShades: boolean;
  /** Whether panels are squeezed and texts left out where the picture would get too high. */
  readonly isBound: boolean;
}

/** Width and height of one character of a terminal in the layout, px. */
export const CHARACTER_SIZE_PX = { width: 8, height: 16 } as const;

/** The layout style of SVG, PNG and HTML. */
export function pixelStyle(
  width: number,
  height: number,
  { hasTips = false, isBound = false }: Partial<Pick<LayoutStyle, 'hasTips' | 'isBound'>> = {},
): LayoutStyle {
  const text = { charPx: 7.2, linePx: 18 };
  return {
    width,
    height,
    ...text,
    gridX: 1,
    gridY: 1,
    shadePx: 1,
    hasTips,
    hasShades: true,
    isBound,
  };
}

/**
 * The layout style of a terminal.
 * @param hasHalves whether a character can show two colours, one above the other
 * @param hasShades whether there are colours enough for fine and faint shades
 */
export function cellStyle(
  columns: number,
  rows: number,
  hasHalves: boolean,
  hasShades = hasHalves,
): LayoutStyle {
  return {
    width: columns * CHARACTER_SIZE_PX.width,
    height: rows * CHARACTER_SIZE_PX.height,
    charPx: CHARACTER_SIZE_PX.width,
    linePx: CHARACTER_SIZE_PX.height,
    gridX: CHARACTER_SIZE_PX.width,
    gridY: CHARACTER_SIZE_PX.height,
    shadePx: hasHalves ? CHARACTER_SIZE_PX.height / 2 : CHARACTER_SIZE_PX.height,
    hasTips: false,
    hasShades,
    isBound: true,
  };
}

/** A rectangle within a picture, px. */
export interface PixelBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A text of a picture: by default in the theme's main colour, to the right of its place. */
export function textMark(
  text: string,
  at: TextMark['at'],
  options: Partial<Pick<TextMark, 'role' | 'anchor' | 'isBold' | 'hasEdge'>> = {},
): TextMark {
  return { kind: 'text', role: 'ink', anchor: 'start', ...options, at, text };
}

/** Text without control characters, cut to a width in px. */
export function fitTextToPx(text: string, width: number, { charPx }: LayoutStyle): string {
  return cutText(printable(text), Math.max(0, Math.floor(width / charPx)), '…');
}

/** Draws the title of a panel above it, cut to a width in px; nothing if it has no title. */
export function drawPanelTitle(
  title: string | undefined,
  at: TextMark['at'],
  width: number,
  style: LayoutStyle,
  anchor: TextMark['anchor'] = 'middle',
): Mark[] {
  if (title === undefined) return [];
  return [textMark(fitTextToPx(title, width, style), at, { anchor, isBold: true })];
}

/**
 * Texts joined by dots, in as few lines as a width in px allows; a long text takes several lines.
 */
export function wrapPieces(
  pieces: readonly string[],
  { charPx }: Pick<LayoutStyle, 'charPx'>,
  width: number,
): string[] {
  const room = Math.max(1, Math.floor(width / charPx));
  const lines: string[] = [];
  for (const piece of pieces.filter((text) => text !== '')) {
    const joined = `${lines.at(-1)} · ${piece}`;
    if (lines.length > 0 && stringWidth(joined) <= room) lines[lines.length - 1] = joined;
    else lines.push(...wrapText(cutWords(piece, room), room));
  }
  return lines;
}

/** A text in which a blank cuts each word of over `most` characters, such as an address. */
function cutWords(text: string, most: number): string {
  const cut = (word: string): string =>
    Array.from({ length: Math.ceil(word.length / most) }, (_, line) =>
      word.slice(line * most, (line + 1) * most),
    ).join(' ');
  return text.split(' ').map(cut).join(' ');
}

/** Rounds a length in px down to a multiple of `cell`: a pixel, or a character of a terminal. */
export function roundDownToCell(length: number, cell: number): number {
  return Math.floor(length / cell) * cell;
}
