import { describe, expect, it } from 'vitest';
import { THEME_COLOURS, type Theme } from '../../src/domain/palette.ts';
import { convertSpeedExactly, SPEED_UNIT_NAMES, SPEED_UNITS } from '../../src/domain/units.ts';
import { drawFigure } from '../../src/figures/draw.ts';
import type { Figure } from '../../src/figures/figure.ts';
import { SHADE_COUNT, shadeColour } from '../../src/figures/shades.ts';
import { cellStyle, pixelStyle } from '../../src/figures/style.ts';
import { writeSvg } from '../../src/figures/svg.ts';
import { writeTerminal } from '../../src/figures/terminal.ts';
import { contrast, difference, EYES, lightness } from '../support/colourDifference.ts';
import { OPTIONS, plotData, type Row, stationOf } from '../support/pictures.ts';

/** One row a day, whose mean is the number of the day in km/h, from 0 to 30. */
const RISING = Array.from({ length: 31 }, (_, day): Row => [day * 1440 + 60, 0, day, 40, 90]);
const draw = (options = OPTIONS, style = pixelStyle(900, 400), rows: readonly Row[] = RISING) =>
  drawFigure('calendar', plotData([stationOf(rows)], 31), options, style);
const counting = (holds: (mean: number) => boolean) => ({
  ...OPTIONS,
  value: 'hours' as const,
  where: {
    text: 'avg > 20',
    holds: ({ windSpeedAvg }: { windSpeedAvg: Float64Array }, row: number) =>
      holds(windSpeedAvg[row] as number),
  },
});

/** The colours of the cells of a picture in a theme, in the order of their days. */
function coloursOf(figure: Figure, theme: Theme): string[] {
  const svg = writeSvg(figure, { theme });
  const fills = new Map(
    Array.from(svg.matchAll(/\.(\w+){fill:(#\w{6})}/g), ([, name, fill]) => [name, fill]),
  );
  return Array.from(
    svg.matchAll(/<rect class="(\w+)"[^>]*><title>/g),
    ([, name]) => fills.get(name) as string,
  );
}

const textsOf = ({ marks }: Figure): string[] =>
  marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));

const shadesIn = (theme: Theme): string[] =>
  Array.from({ length: SHADE_COUNT }, (_, index) => shadeColour(`s${index}`, theme));

/** The differences between neighbours, each as a share of their mean. */
function evenness(numbers: readonly number[]): number[] {
  const steps = numbers.slice(1).map((number, index) => number - (numbers[index] as number));
  const mean = steps.reduce((sum, step) => sum + step, 0) / steps.length;
  return steps.map((step) => step / mean);
}

describe('a calendar', () => {
  it.each([
    ['light', -1],
    ['dark', 1],
  ] as const)(
    'a calendar of daily means draws each mean of 0 to 30 km/h in a colour of its own in the %s theme, further from the ground the stronger the wind',
    (theme, way) => {
      const colours = coloursOf(draw(), theme);
      expect(colours).toHaveLength(31);
      expect(new Set(colours).size).toBe(31);
      const lightnesses = colours.map((hex) => way * lightness(hex));
      expect(lightnesses).toEqual(lightnesses.toSorted((a, b) => a - b));
    },
  );

  it('a calendar has a scale of colours from 0 to the highest value of all its stations', () => {
    const gentle = RISING.map(([at, lull, mean, gust, from]): Row => {
      return [at, lull, (mean ?? 0) / 2, gust, from];
    });
    const stations = [stationOf(gentle, { id: 1 }), stationOf(RISING, { id: 2 })];
    const figure = drawFigure('calendar', plotData(stations, 31), OPTIONS, pixelStyle(900, 400));
    const colours = coloursOf(figure, 'dark');
    // The first station's 15 km/h of day 31 look as the second one's of day 16.
    expect(colours[30]).toBe(colours[31 + 15]);
    expect(textsOf(figure)).toEqual(expect.arrayContaining(['0', '10', '20', '30 km/h']));
  });

  it.each(SPEED_UNIT_NAMES)(
    'a calendar labels the end of its scale of colours with its highest value in %s',
    (unit) => {
      const data = { ...plotData([stationOf(RISING)], 31), unit };
      const figure = drawFigure('calendar', data, OPTIONS, pixelStyle(900, 400));
      // Beaufort forces are no steps of equal width.
      const linear = unit === 'bft' ? 'kmh' : unit;
      const highest = Number((convertSpeedExactly(30, linear) as number).toFixed(1));
      expect(textsOf(figure)).toContain(`${highest} ${SPEED_UNITS[linear].label}`);
    },
  );

  it('a calendar of the hours of --where has a scale of colours from 0 to the longest time', () => {
    const rows = Array.from(
      { length: 5 * 24 },
      (_, hour): Row => [hour * 60, 5, hour % 24, 40, 90],
    );
    const figure = draw(
      counting((mean) => mean >= 18),
      undefined,
      rows,
    );
    expect(textsOf(figure)).toEqual(expect.arrayContaining(['0', '6 h']));
  });

  it.each([
    ['calms', [0, 0]],
    ['a mean of 0.02 km/h', [0, 0.02]],
  ])('a calendar of nothing but %s has a scale of colours that ends at 0', (_, means) => {
    const rows = means.map((mean, day): Row => [day * 1440 + 60, 0, mean, 0, 90]);
    for (const style of [pixelStyle(900, 400), cellStyle(80, 24, false)]) {
      expect(textsOf(draw(OPTIONS, style, rows)).join('|')).toMatch(/\b0 km\/h/);
    }
  });

  it('a calendar without a reading has no scale of colours', () => {
    const texts = textsOf(draw(OPTIONS, undefined, []));
    expect(texts).not.toContain('0');
  });

  it('a calendar has cells that can be seen in the lowest panels of twelve stations', () => {
    const stations = Array.from({ length: 12 }, (_, id) => stationOf(RISING, { id }));
    const style = pixelStyle(200, 720, { isBound: true });
    const { marks } = drawFigure('calendar', plotData(stations, 365), OPTIONS, style);
    const cells = marks.flatMap((mark) => (mark.kind === 'rectangle' && mark.tip ? [mark] : []));
    expect(cells.length).toBeGreaterThan(300);
    for (const { width, height } of cells) expect(Math.min(width, height)).toBeGreaterThan(0);
  });

  it('a calendar shows 0 hours as faint as a night, and as a dot where the terminal lacks that colour', () => {
    const never = counting(() => false);
    expect(new Set(coloursOf(draw(never), 'dark'))).toEqual(new Set([THEME_COLOURS.dark.night]));
    for (const colours of [0, 1] as const) {
      const figure = draw(never, cellStyle(80, 24, false));
      const text = writeTerminal(figure, { colours, isUnicode: true, theme: 'dark' });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal
      expect(text.replaceAll(/\u001b\[\d*m/g, '')).toContain('.'.repeat(30));
    }
  });

  it.each([0, 1] as const)(
    'a calendar in a terminal of colour level %i has a character for each of 15 classes of 2 km/h, which the legend explains',
    (colours) => {
      const figure = draw(OPTIONS, cellStyle(40, 24, false));
      const text = writeTerminal(figure, { colours, isUnicode: true, theme: 'dark' });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal
      const plain = text.replaceAll(/\u001b\[\d*m/g, '');
      expect(plain).toContain('00112233445566778899AABBCCDDEEE');
      for (const entry of ['00 <2', '11 2–4', 'AA 20–22', 'EE 28–30 km/h']) {
        expect(plain).toContain(entry);
      }
    },
  );

  it('a calendar has at least ten colours in a terminal of 256 colours', () => {
    const figure = draw(OPTIONS, cellStyle(80, 24, true));
    const text = writeTerminal(figure, { colours: 2, isUnicode: true, theme: 'dark' });
    const row = text.split('\n').find((line) => line.includes('2024 May')) ?? '';
    expect(new Set(row.match(/48;5;\d+/g)).size).toBeGreaterThanOrEqual(10);
  });
});

describe.each(['light', 'dark'] as const)('the scale of cells in %s', (theme) => {
  const shades = shadesIn(theme);

  it.each(Object.entries(EYES))(
    `the scale of colours in the ${theme} theme gets steadily lighter or darker to eyes %s`,
    (name, eye) => {
      const steps = evenness(shades.map((hex) => lightness(hex, eye)));
      // By CIELAB no step is less than half or more than one and a half of the mean step.
      const [least, most] = name === 'with all cones' ? [0.5, 1.5] : [0, 2.5];
      expect(Math.min(...steps)).toBeGreaterThan(least);
      expect(Math.max(...steps)).toBeLessThan(most);
    },
  );

  it.each(Object.entries(EYES))(
    `the scale of colours in the ${theme} theme has shades that differ from each other and from the ground to eyes %s`,
    (_, eye) => {
      const { background, night } = THEME_COLOURS[theme];
      shades.slice(1).forEach((hex, index) => {
        expect(difference(hex, shades[index] as string, eye)).toBeGreaterThan(1);
      });
      for (const ground of [background, night]) {
        expect(difference(shades[0] as string, ground, eye)).toBeGreaterThan(20);
      }
    },
  );

  it(`the scale of colours in the ${theme} theme ends with the colour of the strongest contrast with the ground, at least 7 to 1`, () => {
    const contrasts = shades.map((hex) => contrast(hex, THEME_COLOURS[theme].background));
    expect(contrasts).toEqual(contrasts.toSorted((a, b) => a - b));
    expect(contrasts.at(-1)).toBeGreaterThan(7);
  });
});
