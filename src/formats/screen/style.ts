import { Chalk, type ChalkInstance } from 'chalk';
import stringWidth from 'string-width';
import { printable } from '../../domain/text.ts';
import { cutText } from '../table/cut.ts';
import type { Window } from './screen.ts';

/** Writes what a terminal can show. */
export interface Style {
  readonly chalk: ChalkInstance;
  readonly isUnicode: boolean;
  readonly ellipsis: string;
  /** Text on one line, safe for a terminal and in characters that it has. */
  readonly write: (text: string) => string;
  /** The same, cut to a number of cells. */
  readonly cut: (text: string, width: number) => string;
}

/** The style that a window can show the strokes of. */
export function styleFor({ colour, isUnicode }: Pick<Window, 'colour' | 'isUnicode'>): Style {
  const write = (text: string): string => (isUnicode ? printable(text) : toAscii(printable(text)));
  const ellipsis = write('…');
  return {
    chalk: new Chalk({ level: colour ? 1 : 0 }),
    isUnicode,
    ellipsis,
    write,
    cut: (text, width) => cutText(write(text), width, ellipsis),
  };
}

/** The first variant that fits as a whole, or the last one cut. */
export function writeFitting(variants: readonly string[], width: number, style: Style): string {
  const written = variants.map(style.write);
  const fitting = written.find((text) => stringWidth(text) <= width);
  return fitting ?? cutText(written.at(-1) ?? '', width, style.ellipsis);
}

const ASCII_SIGNS: Readonly<Record<string, string>> = {
  '–': '-',
  '·': '|',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
};

/** Letters without their marks; what is left beyond ASCII is `?`. */
function toAscii(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replace(/[^ -~]/gu, (character) => ASCII_SIGNS[character] ?? '?');
}
