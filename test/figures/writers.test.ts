import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawFigure } from '../../src/figures/draw.ts';
import type { Figure, TextMark } from '../../src/figures/figure.ts';
import { writeHtml } from '../../src/figures/html.ts';
import { FIGURE_KINDS } from '../../src/figures/kinds.ts';
import { cellStyle, pixelStyle } from '../../src/figures/style.ts';
import { writeSvg } from '../../src/figures/svg.ts';
import { writeTerminal } from '../../src/figures/terminal.ts';
import { anyCharacter } from '../support/anyCharacter.ts';
import { expectColumns } from '../support/fits.ts';
import { OPTIONS, plotData, type Row, stationOf, swingingRows } from '../support/pictures.ts';
import { checkXml } from '../support/strictXml.ts';

const STYLE = pixelStyle(900, 400, { hasTips: true });
const HOSTILE = `</text><script>alert(1)</script> "'&amp; \u0000\u001b[2J\u009b\u202e\ud800 ]]> <!--`;

/** A page without its own script, which is not XML. */
const withoutScript = (html: string): string =>
  html.replace(/<script type="module">\n[^<]*(?:<(?!\/script)[^<]*)*<\/script>\n/, '');

const draw = (
  rows: readonly Row[],
  days: number,
  name = 'Col du Vent',
  kind = FIGURE_KINDS[0] as (typeof FIGURE_KINDS)[number],
): Figure => drawFigure(kind, plotData([stationOf(rows, { name })], days), OPTIONS, STYLE);

const NOTES = {
  series: 'Area: lull to gust. Line: mean. Arrows: where the wind blows to.',
  rose: 'Sectors: where the wind comes from, by speed in km/h. Middle: calm.',
  calendar: 'Blank: no reading.',
  pattern: 'Blank: no reading.',
  now: 'gust 3.7 km/h',
};

/** Whether two texts touch, if a letter takes 6 by 10 px. */
function touch(one: TextMark, other: TextMark): boolean {
  const extent = ({ at: [x], anchor, text }: TextMark) => {
    const width = 6 * text.length;
    const from = x - { start: 0, middle: width / 2, end: width }[anchor];
    return { from, to: from + width };
  };
  const [some, rest] = [extent(one), extent(other)];
  return Math.abs(one.at[1] - other.at[1]) < 10 && some.from < rest.to && rest.from < some.to;
}

describe.each(FIGURE_KINDS)('a picture by vane plot --kind %s', (kind) => {
  it(`a picture of the kind ${kind} written as svg is XML with role, title and description, and numbers of two decimals at most`, () => {
    const svg = writeSvg(draw(swingingRows(40), 40, 'Col', kind), { theme: 'both' });
    expect(checkXml(svg).slice(0, 3)).toEqual(['svg', 'title', 'desc']);
    expect(svg).toContain('role="img"');
    const body = svg.replace(/<style>.*<\/style>|<linearGradient.*|<title.*|<desc.*/g, '');
    expect(body).not.toMatch(/\d\.\d{3}/);
    expect(body).not.toMatch(/NaN|undefined|Infinity/);
  });

  it(`a picture of the kind ${kind} written as svg has the same bytes for the same data`, () => {
    const write = () => writeSvg(draw(swingingRows(2), 2, 'Col', kind), { theme: 'light' });
    expect(write()).toBe(write());
  });

  it(`a picture of the kind ${kind} written as svg or html escapes the name of a station, and has no control characters`, () => {
    const svg = writeSvg(draw(swingingRows(2), 2, HOSTILE, kind), { theme: 'dark' });
    expect(checkXml(svg)).not.toContain('script');
    const figure = draw(swingingRows(2), 2, HOSTILE, kind);
    const html = withoutScript(writeHtml(figure, figure, { theme: 'both' }));
    expect(html).not.toContain('<script');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these
    expect(svg + html).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  it(`a picture of the kind ${kind} written as html is one page that needs no other file, with tooltips and a table of its numbers`, () => {
    const html = withoutScript(
      writeHtml(draw(swingingRows(2), 2, 'Col', kind), undefined, { theme: 'both' }),
    );
    expect(html).not.toMatch(/\b(?:src|href)=|@import|url\((?!#)/);
    checkXml(html.replace('<!doctype html>\n', '').replaceAll(/<meta [^>]*>/g, ''));
    expect(html.match(/<title>/g)?.length).toBeGreaterThanOrEqual(3);
    expect(html.match(/<tr>/g)?.length).toBeGreaterThan(1);
    expect(html).toContain('prefers-color-scheme:dark');
  });
});

it('a picture written as svg is well-formed XML for any station name', () => {
  const hour = swingingRows(1).slice(0, 6);
  const names = fc.string({ unit: anyCharacter, maxLength: 40 });
  fc.assert(
    fc.property(names, fc.constantFrom(...FIGURE_KINDS), (name, kind) => {
      checkXml(writeSvg(draw(hour, 1, name, kind), { theme: 'light' }));
    }),
  );
});

describe.each(FIGURE_KINDS)('a picture by vane plot --kind %s of odd data or size', (kind) => {
  const calm = swingingRows(3).map(([at]): Row => [at, 0, 0, 0, null]);
  const nothing = swingingRows(3).map(([at]): Row => [at, null, null, null, null]);
  const month = swingingRows(40).filter(([at]) => at < 4 * 1440 || at > 36 * 1440);
  it.each([
    ['an empty period', [], 0],
    ['a period without readings', [], 3],
    ['one reading', [[600, 5, 10, 15, 90]] as Row[], 1],
    ['calm readings only', calm, 3],
    ['readings without any value', nothing, 3],
    ['readings with a gap of a month', month, 40],
    ['four years', swingingRows(30), 1461],
  ])(`a picture of the kind ${kind} of %s contains neither NaN nor undefined`, (_, rows, days) => {
    const data = plotData([stationOf(rows)], days);
    const svg = writeSvg(drawFigure(kind, data, OPTIONS, STYLE), { theme: 'light' });
    checkXml(svg);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
    for (const look of [
      { colours: 3, isUnicode: true, theme: 'dark' },
      { colours: 0, isUnicode: false, theme: 'dark' },
    ] as const) {
      const text = writeTerminal(
        drawFigure(kind, data, OPTIONS, cellStyle(60, 20, look.isUnicode)),
        look,
      );
      expect(text).toContain('Col du Vent');
      expect(text).not.toMatch(/NaN|Infinity|undefined/);
    }
  });

  it.each([1, 4, 12])(
    `a picture of the kind ${kind} bound to a size has exactly this size, even with %i stations`,
    (count) => {
      const stations = Array.from({ length: count }, () => stationOf(swingingRows(3)));
      for (const [width, height] of [
        [200, 120],
        [960, 120],
        [390, 200],
        [960, 400],
        [200, 2000],
      ] as const) {
        const style = pixelStyle(width, height, { isBound: true });
        const figure = drawFigure(kind, plotData(stations, 3), OPTIONS, style);
        expect([figure.width, figure.height]).toEqual([width, height]);
        const svg = writeSvg(figure, { theme: 'light' });
        expect(svg).not.toMatch(/NaN|Infinity|undefined|(?:width|height|r)="-/);
        expect(svg).toMatch(/contributors|>\d+ stations .*\d+ × \d+ px\.</);
      }
    },
  );

  it.each([
    [200, 120],
    [390, 200],
    [400, 300],
    [200, 800],
    [640, 300],
  ])(
    `a picture of the kind ${kind} of four or twelve stations bound to %i by %i px has no text on another`,
    (width, height) => {
      for (const count of [4, 12]) {
        const stations = Array.from({ length: count }, () => stationOf(swingingRows(3)));
        const style = pixelStyle(width, height, { isBound: true });
        const { marks } = drawFigure(kind, plotData(stations, 300), OPTIONS, style);
        const texts = marks.filter((mark) => mark.kind === 'text');
        const touching = texts.flatMap((one, place) =>
          texts
            .slice(place + 1)
            .filter((other) => touch(one, other))
            .map((other) => [one.text, other.text]),
        );
        expect(touching).toEqual([]);
      }
    },
  );

  it(`a picture of the kind ${kind} that is narrow is described in whole sentences`, () => {
    const data = plotData([stationOf(swingingRows(3))], 3);
    const svg = writeSvg(drawFigure(kind, data, OPTIONS, pixelStyle(200, 400)), { theme: 'light' });
    const [, described] = svg.match(/<desc[^>]*>(.*)<\/desc>/) ?? [];
    expect(described?.split(' · ')).toEqual(
      expect.arrayContaining([NOTES[kind], '(c) contributors of the network']),
    );
  });

  it(`a picture of the kind ${kind} fits a terminal window of 1 to 40 columns`, () => {
    const data = plotData([stationOf(swingingRows(3))], 3);
    for (const columns of [1, 5, 20, 40]) {
      for (const colours of [0, 3] as const) {
        const figure = drawFigure(kind, data, OPTIONS, cellStyle(columns, 10, colours > 0));
        const text = writeTerminal(figure, { colours, isUnicode: true, theme: 'dark' });
        expectColumns(text, columns);
      }
    }
  });
});
