import { SPEED_UNITS } from '../domain/units.ts';
import type { Exceedance, Group } from '../statistics/statistics.ts';
import type { StationStatistics, StatisticsList, Thresholds } from './format.ts';
import { formatShare } from './forPeople.ts';
import { columnOf, keyColumns } from './groupColumns.ts';
import { wordsFor } from './statisticsWords.ts';
import { renderLines, type TableColumn, type TableStyle } from './textTable.ts';

/** One threshold of a group. */
interface Row extends Group, Exceedance {
  readonly threshold: number;
  readonly isFirst: boolean;
}

/** Writes for each station a row for each threshold, group by group. */
export async function* renderExceedances(
  thresholds: Thresholds,
  list: StatisticsList,
  style: TableStyle,
): AsyncGenerator<string> {
  let separator = '';
  for await (const statistics of list.stations) {
    yield `${separator}${exceedanceLines(statistics, thresholds, list, style).join('\n')}\n`;
    separator = '\n';
  }
}

function exceedanceLines(
  statistics: StationStatistics,
  { numbers, unit, value }: Thresholds,
  list: StatisticsList,
  style: TableStyle,
): string[] {
  const words = wordsFor(list);
  const { groups } = statistics;
  const rows = groups.flatMap((group) =>
    group.exceedances.map((exceedance, place): Row => {
      return { ...group, ...exceedance, threshold: numbers[place] ?? 0, isFirst: place === 0 };
    }),
  );
  const column = columnOf<Row>;
  const columns: TableColumn<Row>[] = [
    ...keyColumns(rows, list),
    column('coverage', 2, ({ summary }) => formatShare(summary.coverage)),
  ].map((shown) => ({
    ...shown,
    // A group has its name and coverage once, on the row of its first threshold.
    cell: (row) => (row.isFirst ? shown.cell(row) : { text: '' }),
  }));
  const { label } = SPEED_UNITS[unit];
  const decimals = Math.max(...numbers.map((one) => String(one).split('.')[1]?.length ?? 0));
  columns.splice(
    -1,
    0,
    column(`${value} ≥`, 0, ({ threshold }) => `${threshold.toFixed(decimals)} ${label}`),
    column('hours', 0, ({ hours }) => hours.toFixed(1)),
    column('share', 3, ({ share }) => formatShare(share)),
    column('days', 0, ({ days }) => words.count(days)),
    column('days ≥1 h', 1, ({ days1h }) => words.count(days1h)),
  );
  return [...words.title(statistics, [], style), '', ...renderLines(columns, rows, style)];
}
