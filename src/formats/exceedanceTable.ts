import { SPEED_UNITS } from '../domain/units.ts';
import type { Exceedance, Group } from '../statistics/statistics.ts';
import type { StationStatistics, StatisticsList } from './format.ts';
import { columnOf, keyColumns, weightColumn } from './groupColumns.ts';
import { formatShare } from './humanReadable.ts';
import { wordsFor } from './statisticsWords.ts';
import { renderLines, type TableColumn, type TableStyle } from './textTable.ts';

/** One threshold of a group. */
interface Row extends Group, Exceedance {
  readonly threshold: number;
  readonly isFirst: boolean;
}

/** A table of a station with a row for each threshold, group by group. */
export function exceedanceLines(
  statistics: StationStatistics,
  list: StatisticsList,
  style: TableStyle,
): string[] {
  if (list.above === undefined) return [];
  const { numbers, unit, value } = list.above;
  const words = wordsFor(list);
  const { groups } = statistics;
  const rows = groups.flatMap((group) =>
    group.exceedances.map((exceedance, place): Row => {
      return { ...group, ...exceedance, threshold: numbers[place] ?? 0, isFirst: place === 0 };
    }),
  );
  const column = columnOf<Row>;
  /** A column with one cell for each group, on the row of its first threshold. */
  const once = (shown: TableColumn<Row>): TableColumn<Row> => ({
    ...shown,
    cell: (row) => (row.isFirst ? shown.cell(row) : { text: '' }),
  });
  const { label } = SPEED_UNITS[unit];
  const decimals = Math.max(...numbers.map((one) => String(one).split('.')[1]?.length ?? 0));
  const columns = [
    ...keyColumns(rows, list).map(once),
    column(`${value} ≥`, 0, ({ threshold }) => `${threshold.toFixed(decimals)} ${label}`),
    column('hours', 0, ({ hours }) => hours.toFixed(1)),
    column('share', 3, ({ share }) => formatShare(share)),
    column('days', 0, ({ days }) => words.count(days)),
    column('days ≥1 h', 1, ({ days1h }) => words.count(days1h)),
    once(weightColumn<Row>(list, 2)),
  ];
  return [...words.title(statistics, [], style), '', ...renderLines(columns, rows, style)];
}
