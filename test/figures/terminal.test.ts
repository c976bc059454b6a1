import { describe, expect, it } from 'vitest';
import { drawFigure } from '../../src/figures/draw.ts';
import type { Figure } from '../../src/figures/figure.ts';
import { FIGURE_KINDS, type FigureKind } from '../../src/figures/kinds.ts';
import { cellStyle } from '../../src/figures/style.ts';
import { type TerminalLook, writeTerminal } from '../../src/figures/terminal.ts';
import { expectColumns, expectLines } from '../support/fits.ts';
import { OPTIONS, plotData, stationOf, swingingRows } from '../support/pictures.ts';

const SIZES = [
  [60, 20],
  [80, 24],
  [120, 40],
] as const;

const LOOKS = {
  'all colours': { colours: 3, isUnicode: true },
  '16 colours': { colours: 1, isUnicode: true },
  'no colours': { colours: 0, isUnicode: true },
  ASCII: { colours: 0, isUnicode: false },
} as const satisfies Record<string, Omit<TerminalLook, 'theme'>>;

/** Days of readings that each kind is drawn from. */
const DAYS: Readonly<Record<FigureKind, number>> = {
  series: 2,
  rose: 20,
  calendar: 75,
  pattern: 95,
  now: 1,
};

/** Figures that were drawn before: several looks share a figure. */
const figures = new Map<string, Figure>();

function figureOf(kind: FigureKind, columns: number, rows: number, colours: number): Figure {
  const key = `${kind} ${columns} ${rows} ${colours}`;
  const days = DAYS[kind];
  const data = plotData([stationOf(swingingRows(days))], days);
  const options = { ...OPTIONS, marksKmh: [40] };
  const style = cellStyle(columns, rows, colours > 1);
  const figure = figures.get(key) ?? drawFigure(kind, data, options, style);
  figures.set(key, figure);
  return figure;
}

function picture(
  kind: FigureKind,
  columns: number,
  rows: number,
  look: Omit<TerminalLook, 'theme'>,
) {
  const figure = figureOf(kind, columns, rows, look.isUnicode ? look.colours : 0);
  return writeTerminal(figure, { ...look, theme: 'dark' });
}

/** Lines without what paints them. */
const plain = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with ESC
    .map((line) => line.replace(/\u001b\[[\d;]*m/g, ''));

describe.each(FIGURE_KINDS)('a picture by vane plot --kind %s', (kind) => {
  for (const [columns, rows] of SIZES) {
    it.each(Object.entries(LOOKS))(
      `a picture of the kind ${kind} fits a terminal of ${columns} × ${rows} cells with %s, and equals the stored snapshot`,
      (_, look) => {
        const text = picture(kind, columns, rows, look);
        expectColumns(text, columns);
        expectLines(text, Math.max(rows, 24));
        if (!look.isUnicode) expect(text).toMatch(/^[\n -~]*$/);
        if (look.colours === 0) expect(text).not.toContain('\u001b');
        expect(text).toMatchSnapshot();
      },
    );
  }

  it(`a picture of the kind ${kind} begins with the same two lines in a terminal with and without colours`, () => {
    const [title, ...facts] = plain(picture(kind, 80, 24, LOOKS['all colours']));
    const without = plain(picture(kind, 80, 24, LOOKS['no colours']));
    expect(without.slice(0, 2)).toEqual([title, facts[0]]);
    expect(without.at(-1)).toContain('https://example.org/license');
  });
});

describe('a terminal of 256 colours', () => {
  it('a picture in a terminal of 256 colours uses only colours of that palette', () => {
    const text = picture('pattern', 80, 24, { colours: 2, isUnicode: true });
    expect(text).toContain('\u001b[48;5;');
    expect(text).not.toContain('[48;2;');
  });
});

describe('a calendar in a terminal', () => {
  it('a narrow calendar in a terminal leaves out the day numbers for which a column is too narrow', () => {
    const lines = plain(picture('calendar', 40, 20, LOOKS.ASCII));
    const head = lines.find((line) => /^ +1 +4 +7/.test(line)) ?? '';
    expect(head.trim().split(/ +/).map(Number)).toEqual([1, 4, 7, 10, 13, 16, 19, 22, 25, 28]);
  });
});
