import { describe, expect, it } from 'vitest';
import { FORCE_COLOURS, THEMES } from '../../src/domain/palette.ts';
import { SPEED_UNIT_NAMES } from '../../src/domain/units.ts';
import { amountClasses, cellClasses } from '../../src/figures/classes.ts';
import { drawFigure } from '../../src/figures/draw.ts';
import type { Role } from '../../src/figures/figure.ts';
import { cellStyle, pixelStyle } from '../../src/figures/style.ts';
import { writeTerminal } from '../../src/figures/terminal.ts';
import { difference, EYES } from '../support/colourDifference.ts';
import { OPTIONS, plotData, type Row, stationOf } from '../support/pictures.ts';

/** Rows of one day each, with one mean from 12 to 19 km/h. */
const MILD = Array.from(
  { length: 30 },
  (_, day): Row => [day * 1440 + 60, 5, 12 + (day % 8), 25, 90],
);
const draw = (options = OPTIONS, style = pixelStyle(900, 400)) =>
  drawFigure('calendar', plotData([stationOf(MILD)], 30), options, style);
const HELD = {
  ...OPTIONS,
  value: 'hours' as const,
  where: { text: 'avg > 99kn', holds: () => false },
};

const hexOf = (role: Role): string =>
  typeof role === 'number' ? (FORCE_COLOURS[role]?.hex ?? '') : THEMES.dark[role];

describe('a picture of cells', () => {
  it('has classes of equal width where fewer than four Beaufort forces occur', () => {
    const { marks, credit } = draw();
    const roles = new Set(marks.flatMap((mark) => (mark.kind === 'rectangle' ? [mark.role] : [])));
    expect([...roles]).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const texts = marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));
    expect(texts).toEqual(expect.arrayContaining(['12–13', '15–16', '18–19']));
    expect(credit.join(' ')).toContain('Colours: km/h, in classes of equal width.');
  });

  it('has cells that can be seen in the lowest panels of twelve stations', () => {
    const stations = Array.from({ length: 12 }, (_, id) => stationOf(MILD, { id }));
    const style = pixelStyle(200, 720, { isBound: true });
    const { marks } = drawFigure('calendar', plotData(stations, 365), OPTIONS, style);
    const cells = marks.flatMap((mark) => (mark.kind === 'rectangle' ? [mark] : []));
    expect(cells.length).toBeGreaterThan(300);
    for (const { width, height } of cells) expect(Math.min(width, height)).toBeGreaterThan(0);
  });

  it('has the Beaufort forces where four of them occur, or all speeds are one', () => {
    expect(cellClasses([3, 8, 15, 25], 'kn').note).toBe('Colours: kn. ');
    expect(cellClasses([15, 15], 'kn').note).toBe('Colours: kn. ');
    expect(cellClasses([15, 15.05], 'kn').note).toBe('Colours: kn. ');
    expect(cellClasses([], 'kn').note).toBe('Colours: kn. ');
  });

  it.each(SPEED_UNIT_NAMES)('has a class for each speed, ascending, in %s', (unit) => {
    const speeds = Array.from({ length: 40 }, (_, index) => 13 + index / 4);
    const { entries, indexOf, note } = cellClasses(speeds, unit);
    expect(note).toContain('in classes of equal width');
    const places = speeds.map(indexOf);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect([places[0], places.at(-1)]).toEqual([0, entries.length - 1]);
  });

  it.each(Object.entries(EYES))(
    'gives neighbouring classes colours that differ by ΔE 10 or more to eyes %s',
    (_, eye) => {
      for (const { entries } of [
        cellClasses([12, 19], 'kmh'),
        cellClasses([12.4, 18.9], 'kn'),
        amountClasses([1, 2, 4, 8, 12], 'h'),
        amountClasses([5, 10, 20, 40, 60], '%'),
      ]) {
        entries.forEach(({ role }, index) => {
          const next = entries[index + 1];
          if (next) expect(difference(hexOf(role), hexOf(next.role), eye)).toBeGreaterThan(10);
        });
      }
    },
  );

  it('shows 0 hours as faint as a night, and as a dot where the terminal lacks that colour', () => {
    const { marks } = draw(HELD);
    const roles = marks.flatMap((mark) => (mark.kind === 'rectangle' ? [mark.role] : []));
    expect(new Set(roles)).toEqual(new Set(['night']));
    for (const colours of [0, 1] as const) {
      const figure = draw(HELD, cellStyle(80, 24, colours > 0));
      const text = writeTerminal(figure, { colours, isUnicode: true, theme: 'dark' });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal
      expect(text.replaceAll(/\u001b\[\d*m/g, '')).toContain('.'.repeat(30));
    }
  });
});
