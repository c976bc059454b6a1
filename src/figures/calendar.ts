import { DateTime } from 'luxon';
import type { Drawing } from './drawing.ts';
import type { FigureOptions } from './figureOptions.ts';
import { type CellGrid, prepareGrid } from './grid.ts';
import { MONTHS } from './labels.ts';
import type { PlotData } from './plotData.ts';
import type { LayoutStyle } from './style.ts';

const DAYS = Array.from({ length: 31 }, (_, day) => String(day + 1));

/** Prepares a calendar of the wind: a row for each month, a cell for each day. */
export function prepareCalendar(
  data: PlotData,
  options: FigureOptions,
  style: LayoutStyle,
): Drawing {
  const { period, zone } = data;
  const first = DateTime.fromMillis(period.start, { zone }).startOf('month');
  const end = DateTime.fromMillis(Math.max(period.start, period.stop - 1), { zone });
  const rowOf = (year: number, month: number): number =>
    (year - first.year) * 12 + month - first.month;
  const rows = Array.from({ length: rowOf(end.year, end.month) + 1 }, (_, row) => {
    const month = (first.month - 1 + row) % 12;
    const isFirst = month === 0;
    const year = first.year + Math.floor((first.month - 1 + row) / 12);
    return { label: `${isFirst || row === 0 ? `${year} ` : ''}${MONTHS[month]}`, isFirst };
  });
  const grid: CellGrid = {
    by: 'day',
    keys: ['day'],
    across: 'day',
    columns: DAYS,
    rows,
    amounts: { unit: 'h', of: ({ hours }) => hours },
    placeOf: ([date]) => {
      const [year = 0, month = 1, day = 1] = String(date).split('-').map(Number);
      return [rowOf(year, month), day - 1];
    },
  };
  return prepareGrid(grid, data, options, style);
}
