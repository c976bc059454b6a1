import { describe, expect, it } from 'vitest';
import { drawFigure } from '../../src/figures/draw.ts';
import { pixelStyle } from '../../src/figures/style.ts';
import { OPTIONS, plotData, type Row, stationOf } from '../support/pictures.ts';

const STYLE = pixelStyle(900, 400);

describe('the numbers of a picture', () => {
  it('are rounded once from the exact speed, as in stats', () => {
    // 1.549 kn would be 1.55 kn with two decimals, and 1.6 kn after a second rounding.
    const mean = 1.549 * 1.852;
    const data = { ...plotData([stationOf([[0, mean, mean, mean, 90]])], 1), unit: 'kn' } as const;
    const [row] = drawFigure('calendar', data, OPTIONS, STYLE).table.rows;
    expect(row).toContain('1.5 kn');
  });

  it('call a direction just west of north 0°, not 360°', () => {
    const rows: Row[] = [[0, 10, 12, 14, 359.7]];
    const { table } = drawFigure('series', plotData([stationOf(rows)], 1), OPTIONS, STYLE);
    expect(table.rows[0]).toContain('N 0°');
  });
});
