import stringWidth from 'string-width';
import { printable } from '../domain/text.ts';
import { cutText, wrapText } from '../formats/fitText.ts';
import type { Mark, TextMark } from './figure.ts';

/**
 * The surface that a picture is laid out for: its size, and the size of its pixels or characters.
 */
export interface LayoutStyle {
  /**
   * Requested size of the picture, px. If the picture is not bound, its height may differ, as
   * `drawFigure` describes.
   */
  readonly width: number;
  readonly height: number;
  /** Width of a character and height of a text line, px. */
  readonly charPx: number;
  readonly linePx: number;
  /** Size in px of the smallest cell that shapes fit: a pixel, or a character of a terminal. */
  readonly gridX: number;
  readonly gridY: number;
  /**
   * Minimum height of an area in one colour, px; half a character if the terminal can show that.
   */
  readonly shadePx: number;
  /** Whether shapes have tooltips with their numbers. */
  readonly hasTips: boolean;
  /** Whether there are enough colours for fine shades, and for faint ones such as nights. */
  readonly hasShades: boolean;
  /** Whether to shrink panels and drop texts so that the picture keeps its requested height. */
  readonly isBound: boolean;
}

/** Width and height of a terminal's character in the layout, px. */
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
 * The layout style for a terminal.
 * @param hasHalves whether a character can show two colours, one above the other
 * @param hasShades whether there are enough colours for fine and faint shades
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

/** Creates a text. By default it has the theme's main colour and starts at its position. */
export function textMark(
  text: string,
  at: TextMark['at'],
  options: Partial<Pick<TextMark, 'role' | 'anchor' | 'isBold' | 'hasEdge' | 'sizePx'>> = {},
): TextMark {
  return { kind: 'text', role: 'ink', anchor: 'start', ...options, at, text };
}

/** Removes control characters from a text and cuts it to a width in px. */
export function fitTextToPx(text: string, width: number, { charPx }: LayoutStyle): string {
  return cutText(printable(text), Math.max(0, Math.floor(width / charPx)), '…');
}

/** Draws the title above a panel, cut to a width in px; nothing if there is no title. */
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

/** Joins texts with dots, in as few lines as a width in px allows. A long text is wrapped. */
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

/**
 * Inserts blanks into words of more than `most` characters, such as addresses, so that they can
 * wrap.
 */
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
