import { DateTime } from 'luxon';
import type { Drawing } from './drawing.ts';
import { type Cells, cellValue, MONTHS, prepareGrid } from './grid.ts';
import type { PlotData, PlotStation } from './plotData.ts';
import type { PlotOptions } from './plotOptions.ts';
import type { Style } from './style.ts';
import { summarize } from './summaries.ts';

const DAYS = Array.from({ length: 31 }, (_, day) => String(day + 1));

/** A calendar of the wind: a row for each month, a cell for each day. */
export function prepareCalendar(data: PlotData, options: PlotOptions, style: Style): Drawing {
  const { period, zone } = data;
  const first = DateTime.fromMillis(period.start, { zone }).startOf('month');
  const end = DateTime.fromMillis(Math.max(period.start, period.stop - 1), { zone });
  const count = (end.year - first.year) * 12 + end.month - first.month + 1;
  const rows = Array.from({ length: count }, (_, index) => {
    const month = (first.month - 1 + index) % 12;
    const isFirst = month === 0;
    const year = first.year + Math.floor((first.month - 1 + index) / 12);
    return { label: `${isFirst || index === 0 ? `${year} ` : ''}${MONTHS[month]}`, isFirst };
  });
  const cellsOf = (station: PlotStation): Cells => {
    const byMonth: (number | undefined)[][] = rows.map(() => []);
    for (const group of summarize(station, data, options, ['day'], { where: true })) {
      const [year = 0, month = 1, day = 1] = String(group.keys[0]).split('-').map(Number);
      const row = byMonth[(year - first.year) * 12 + month - first.month];
      if (row) row[day - 1] = cellValue(group, options, ({ hours }) => hours);
    }
    return byMonth;
  };
  const amounts = { unit: 'h', bounds: [1, 2, 4, 8, 12] };
  const grid = { by: 'day', across: 'day', amounts, columns: DAYS, rows, cellsOf } as const;
  return prepareGrid(grid, data, options, style);
}
