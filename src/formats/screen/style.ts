import { Chalk, type ChalkInstance } from 'chalk';
import stringWidth from 'string-width';
import { printable } from '../../domain/text.ts';
import { cutText } from '../table/cut.ts';
import type { Window } from './screen.ts';

/** How text is written in one window: its width, colours and characters. */
export interface Style {
  readonly chalk: ChalkInstance;
  readonly isUnicode: boolean;
  /** Width of the window in cells. */
  readonly columns: number;
  readonly ellipsis: string;
  /** Text on one line, safe for a terminal and in characters that it has. */
  readonly write: (text: string) => string;
  /** The same, cut to a number of cells: the width of the window unless another is given. */
  readonly cut: (text: string, width?: number) => string;
}

/** The style that suits a window. */
export function styleFor({ colour, isUnicode, columns }: Window): Style {
  const write = (text: string): string => (isUnicode ? printable(text) : toAscii(printable(text)));
  const ellipsis = write('…');
  return {
    chalk: new Chalk({ level: colour ? 1 : 0 }),
    isUnicode,
    columns,
    ellipsis,
    write,
    cut: (text, width = columns) => cutText(write(text), width, ellipsis),
  };
}

/** The first of several texts that fits the window whole, written in its style. */
export function findFitting(texts: readonly string[], style: Style): string | undefined {
  return texts.map(style.write).find((text) => stringWidth(text) <= style.columns);
}

const ASCII_SIGNS: Readonly<Record<string, string>> = {
  '–': '-',
  '·': '|',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
};

/** Text with accents taken off its letters, and `?` for every other character beyond ASCII. */
function toAscii(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replace(/[^ -~]/gu, (character) => ASCII_SIGNS[character] ?? '?');
}
