import { describe, expect, it } from 'vitest';
import { drawFigure } from '../../src/figures/draw.ts';
import { FIGURE_KINDS } from '../../src/figures/kinds.ts';
import { prepareSeries } from '../../src/figures/series.ts';
import { pixelStyle } from '../../src/figures/style.ts';
import { OPTIONS, plotData, type Row, stationOf, swingingRows } from '../support/pictures.ts';

const STYLE = pixelStyle(900, 400);

describe('the numbers of a picture', () => {
  it('the numbers of a picture are rounded once from the exact speed, as in stats', () => {
    // 1.549 kn would be 1.55 kn with two decimals, and 1.6 kn after a second rounding.
    const mean = 1.549 * 1.852;
    const data = { ...plotData([stationOf([[0, mean, mean, mean, 90]])], 1), unit: 'kn' } as const;
    const [row] = drawFigure('calendar', data, OPTIONS, STYLE).table.rows;
    expect(row).toContain('1.5 kn');
  });

  it('the numbers of a picture call a direction just west of north 0°, not 360°', () => {
    const rows: Row[] = [[0, 10, 12, 14, 359.7]];
    const { table } = drawFigure('series', plotData([stationOf(rows)], 1), OPTIONS, STYLE);
    expect(table.rows[0]).toContain('N 0°');
  });

  it('the table of one station in a series can be read before the other panels of the picture are drawn', () => {
    const stations = [[12], [24]].map(([mean = 0]) => stationOf([[0, mean, mean, mean, 90]]));
    const [, draw] = prepareSeries(plotData(stations, 1), OPTIONS, STYLE).panels;
    const rows = draw?.({ left: 0, top: 0, width: 400, height: 300 }).rows();
    expect(rows).toEqual([['2024-05-01 00:00', '24', '24', '24', 'E 90°']]);
  });

  it.each(FIGURE_KINDS)(
    'the numbers of a %s of several stations describe all readings and the lowest coverage',
    (kind) => {
      const stations = [
        stationOf(swingingRows(4), { name: 'Col du Vent' }),
        stationOf(swingingRows(2), { name: 'Plage' }),
      ];
      const { facts } = drawFigure(kind, plotData(stations, 4), OPTIONS, STYLE);
      expect(facts.join(' · ')).toContain('864 readings · coverage 50 % (Plage) or more');
    },
  );

  it('the numbers of a picture of several stations name no station for a coverage of 100 %', () => {
    const stations = ['Col du Vent', 'Plage'].map((name) => stationOf(swingingRows(2), { name }));
    const { facts } = drawFigure('rose', plotData(stations, 2), OPTIONS, STYLE);
    expect(facts.join(' · ')).toContain('576 readings · coverage 100 %');
  });

  it('the coverage in the numbers of a picture is rounded down', () => {
    const rows = swingingRows(10).filter((_, index) => index !== 700 && index !== 701);
    const { facts } = drawFigure('series', plotData([stationOf(rows)], 10), OPTIONS, STYLE);
    expect(facts.join(' · ')).toContain('1,438 readings · coverage 99.8 %');
  });
});
