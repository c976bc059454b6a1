import type { Drawing } from './drawing.ts';
import type { FigureOptions } from './figureOptions.ts';
import { type CellGrid, prepareGrid } from './grid.ts';
import { MONTHS } from './labels.ts';
import type { PlotData } from './plotData.ts';
import type { LayoutStyle } from './style.ts';

const GRID: CellGrid = {
  by: 'hour and month',
  keys: ['month-of-year', 'hour-of-day'],
  across: 'hour',
  columns: Array.from({ length: 24 }, (_, hour) => String(hour)),
  rows: MONTHS.map((label) => ({ label, isFirst: false })),
  amounts: {
    unit: '%',
    of: ({ share }) => (share === null ? null : 100 * share),
  },
  placeOf: ([month, hour]) => [Number(month) - 1, Number(hour)],
};

/**
 * Prepares the pattern of a usual year: a column for each hour of the day, a row for each month.
 */
export const preparePattern = (
  data: PlotData,
  options: FigureOptions,
  style: LayoutStyle,
): Drawing => prepareGrid(GRID, data, options, style);
