import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawFigure } from '../../src/figures/draw.ts';
import type { SectorMark } from '../../src/figures/figure.ts';
import { figureSizePx } from '../../src/figures/kinds.ts';
import { pixelStyle } from '../../src/figures/style.ts';
import { summarizeStation } from '../../src/figures/summaries.ts';
import { OPTIONS, plotData, type Row, stationOf, swingingRows } from '../support/pictures.ts';

const STYLE = pixelStyle(600, 600);

function sectorsOf(rows: readonly Row[], days: number, options = OPTIONS): SectorMark[] {
  const figure = drawFigure('rose', plotData([stationOf(rows)], days), options, STYLE);
  return figure.marks.filter((mark): mark is SectorMark => mark.kind === 'sector');
}

/** Readings of one heading and mean each. */
const steady = (headings: readonly number[], mean = 15): Row[] =>
  headings.map((heading, index): Row => [index * 10, mean, mean, mean, heading]);

const middleOf = ({ from, to }: SectorMark): number => (from + to) / 2;

describe('a wind rose', () => {
  it.each([
    [1, 560, 600, 600],
    [2, 560, 390, 430],
    [4, 560, 560, 640],
    [12, 960, 780, 860],
  ])(
    'wind roses of %i stations in a picture %i px wide need %i to %i px of height',
    (count, width, least, most) => {
      const stations = Array.from({ length: count }, () => stationOf(swingingRows(3)));
      const size = figureSizePx('rose', count, {});
      const figure = drawFigure(
        'rose',
        plotData(stations, 3),
        OPTIONS,
        pixelStyle(width, size.height),
      );
      expect(size.width).toBe(width);
      expect(figure.height).toBeGreaterThanOrEqual(least);
      expect(figure.height).toBeLessThanOrEqual(most);
    },
  );

  it('a wind rose is higher in a wider picture', () => {
    const { width, height } = figureSizePx('rose', 1, { width: 1120 });
    const data = plotData([stationOf(swingingRows(3))], 3);
    const figure = drawFigure('rose', data, OPTIONS, pixelStyle(width, height));
    expect(figure.height).toBeGreaterThan(1000);
  });

  it('a wind rose draws sectors with lengths in proportion to the shares that vane stats prints', () => {
    const choices = fc.constantFrom(8 as const, 12 as const, 16 as const, 32 as const, 36 as const);
    const readings = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 359 }), fc.integer({ min: 1, max: 120 })),
      {
        minLength: 1,
        maxLength: 140,
      },
    );
    fc.assert(
      fc.property(choices, readings, (sectors, pairs) => {
        const rows = pairs.map(
          ([heading, mean], index): Row => [index * 10, mean, mean, mean, heading],
        );
        const options = { ...OPTIONS, sectors };
        const data = plotData([stationOf(rows)], 1);
        const [station] = data.stations;
        const [group] = station
          ? summarizeStation(station, data, options, [], {
              classesKmh: options.classesKmh,
              prepare: undefined,
            })
          : [];
        const shares = (group?.rose?.sectors ?? []).flatMap((classes) =>
          classes.filter((share) => share > 0),
        );
        const marks = sectorsOf(rows, 1, options);
        expect(marks).toHaveLength(shares.length);
        const pxOfPercent = marks.map(
          ({ inner, outer }, index) => (outer - inner) / (shares[index] as number),
        );
        for (const px of pxOfPercent) expect(px).toBeCloseTo(pxOfPercent[0] as number, 6);
      }),
      { numRuns: 50 },
    );
  });

  it('a wind rose draws north at the top, and 360° as 0°', () => {
    for (const heading of [0, 360]) {
      const [sector, ...others] = sectorsOf(steady([heading, heading]), 1);
      expect(others).toEqual([]);
      expect(sector && middleOf(sector)).toBeCloseTo(0, 6);
    }
    const [east] = sectorsOf(steady([90]), 1);
    expect(east && middleOf(east)).toBeCloseTo(90, 6);
  });

  it('a wind rose stacks the sectors of one direction outwards by speed', () => {
    const rows = [...steady([90, 90, 90]), [30, 30, 30, 30, 90] as Row];
    const [slow, fast] = sectorsOf(rows, 1);
    expect(slow?.role).toBe(3);
    expect(fast?.role).toBe(5);
    expect(fast?.inner).toBeCloseTo(slow?.outer ?? 0, 6);
  });

  it('a wind rose shows the share of calm in the middle, and readings and coverage in the subtitle', () => {
    const rows = [
      ...steady([90, 90, 90]),
      ...steady([0], 0).map(([, ...rest]): Row => [30, ...rest]),
    ];
    const figure = drawFigure('rose', plotData([stationOf(rows)], 1), OPTIONS, STYLE);
    const texts = figure.marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));
    expect(texts).toContain('25 %');
    expect(figure.facts.join(' ')).toMatch(/4 readings.*coverage 2.7 %/);
  });

  it('the longest petal of a wind rose reaches the outer edge of its panel', () => {
    const percents = [1, 3, 7, 11].map((count) => [
      ...new Array<number>(count).fill(90),
      ...Array.from({ length: 30 }, (_, index) => (index * 45) % 360),
    ]);
    const ends = percents.map((headings) =>
      Math.max(...sectorsOf(steady(headings), 1).map(({ outer }) => outer)),
    );
    for (const end of ends) expect(end).toBeCloseTo(ends[0] as number, 6);
  });

  it('a wind rose of gusts has no data for a station that measures none, and does not say that all is calm', () => {
    const rows: Row[] = [
      [0, null, 0, null, null],
      [10, null, 20, null, 90],
    ];
    const options = { ...OPTIONS, value: 'gust' as const };
    const { marks } = drawFigure('rose', plotData([stationOf(rows)], 1), options, STYLE);
    const texts = marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));
    expect(texts).toContain('no readings');
    expect(texts).not.toContain('100 %');
  });

  it('a wind rose of gusts divides its sectors by gust, and has the calms of the averages', () => {
    const rows: Row[] = [
      [0, 5, 15, 40, 90],
      [10, 5, 15, null, 90],
      [20, 0, 0, 12, 90],
    ];
    const options = { ...OPTIONS, value: 'gust' as const };
    expect(sectorsOf(rows, 1, options).map(({ role }) => role)).toEqual([6]);
    const figure = drawFigure('rose', plotData([stationOf(rows)], 1), options, STYLE);
    const texts = figure.marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));
    expect(figure.title).toBe('Col du Vent: wind rose of gusts');
    expect(texts).toContain('50 %');
  });

  it('wind roses in one picture have the same scale for every station', () => {
    const both = plotData([stationOf(steady([0, 0])), stationOf(steady([0, 90]))], 1);
    const figure = drawFigure('rose', both, OPTIONS, STYLE);
    const lengths = figure.marks.flatMap((mark) =>
      mark.kind === 'sector' ? [mark.outer - mark.inner] : [],
    );
    expect(lengths[0]).toBeCloseTo(2 * (lengths[1] ?? 0), 6);
  });

  it('a wind rose draws each speed class that the user chose in a colour of its own', () => {
    const rows = [1, 2, 3, 4].map((mean, index): Row => [index * 10, mean, mean, mean, 90]);
    const marks = sectorsOf(rows, 1, { ...OPTIONS, classesKmh: [2, 3, 4] });
    expect(new Set(marks.map(({ role }) => role)).size).toBe(4);
  });

  it('a wind rose labels every second ring where not all labels find room', () => {
    const stations = [stationOf(steady([90, 90, 90, 180])), stationOf([])];
    const { marks } = drawFigure('rose', plotData(stations, 1), OPTIONS, pixelStyle(560, 600));
    const labels = marks.flatMap((mark) =>
      mark.kind === 'text' && mark.hasEdge ? [mark.text] : [],
    );
    expect(labels.slice(0, labels.length / 2)).toEqual(['20 %', '60 %']);
  });

  it('a wind rose with 36 sectors shows a month of readings in over ten directions', () => {
    const marks = sectorsOf(swingingRows(30), 30, { ...OPTIONS, sectors: 36 });
    expect(new Set(marks.map(middleOf)).size).toBeGreaterThan(10);
  });
});
