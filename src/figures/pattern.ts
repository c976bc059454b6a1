import type { Held } from '../statistics/statistics.ts';
import type { Drawing } from './drawing.ts';
import { type Cells, cellValue, MONTHS, prepareGrid } from './grid.ts';
import type { PlotData, PlotStation } from './plotData.ts';
import type { PlotOptions } from './plotOptions.ts';
import type { Style } from './style.ts';
import { summarize } from './summaries.ts';

const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour));

const percentOf = ({ share }: Held): number | null => (share === null ? null : 100 * share);

/**
 * The usual wind of a year as a picture: a column for each hour of the day, a row for each month.
 */
export function preparePattern(data: PlotData, options: PlotOptions, style: Style): Drawing {
  const rows = MONTHS.map((label) => ({ label, isFirst: false }));
  const cellsOf = (station: PlotStation): Cells => {
    const byMonth: (number | undefined)[][] = MONTHS.map(() => []);
    const keys = ['month-of-year', 'hour-of-day'] as const;
    for (const group of summarize(station, data, options, keys, { where: true })) {
      const [month, hour] = group.keys.map(Number);
      const row = byMonth[(month ?? 1) - 1];
      if (row) row[hour ?? 0] = cellValue(group, options, percentOf);
    }
    return byMonth;
  };
  const amounts = { unit: '%', bounds: [5, 10, 20, 40, 60] };
  const by = 'hour and month';
  const grid = { by, across: 'hour', amounts, columns: HOURS, rows, cellsOf } as const;
  return prepareGrid(grid, data, options, style);
}
