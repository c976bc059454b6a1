import { compassPoint } from '../domain/compass.ts';
import { formatDate } from '../domain/dates.ts';
import { type ClimateMonth, climateOf, STRONG_GUSTS_MS } from '../statistics/climate.ts';
import { wrapText } from './fitText.ts';
import type { StationStatistics, StatisticsList } from './format.ts';
import { columnOf } from './groupColumns.ts';
import { formatDirection, formatShare, NOTHING } from './humanReadable.ts';
import { wordsFor } from './statisticsWords.ts';
import { renderLines, type TableColumn, type TableStyle } from './textTable.ts';

/** A climate table of a station, with a row for each month of the year. */
export function climateLines(
  statistics: StationStatistics,
  list: StatisticsList,
  style: TableStyle,
): string[] {
  const { columns = Number.POSITIVE_INFINITY, write } = style;
  const { groups, period } = statistics;
  const months = climateOf(groups, period, list.zone);
  const gusts = STRONG_GUSTS_MS.map((speed) => `${speed} m/s`).join(', ');
  const notes = [
    `${gusts}: mean number of days with gusts of that speed or more.`,
    ...(months.some(({ leftOut }) => leftOut > 0)
      ? ['* The means ignore years in which readings cover less than 80 % of the month.']
      : []),
  ];
  return [
    ...wordsFor(list).title(statistics, [], style),
    '',
    ...renderLines(climateColumns(list), months, style),
    '',
    ...notes.flatMap((note) => wrapText(write(note), columns)),
  ];
}

function climateColumns(list: StatisticsList): TableColumn<ClimateMonth>[] {
  const words = wordsFor(list);
  const column = columnOf<ClimateMonth>;
  const dayOf = (ms: number | null = null): string =>
    ms === null ? NOTHING : list.writeDate(formatDate(ms)).slice(0, 'yyyy-mm-dd'.length);
  const pointOf = (degrees: number | null = null): string =>
    degrees === null ? NOTHING : compassPoint(degrees);
  return [
    column('month', 0, ({ month, leftOut }) => `${month}${leftOut > 0 ? '*' : ' '}`),
    column(`mean ${words.unit}`, 0, ({ mean }) => words.speed(mean)),
    column('direction', 4, (month) => formatDirection(month.prevailingDirection), false),
    column('gust', 0, ({ highest }) => words.speed(highest?.maxGust)),
    column('from', 6, ({ highest }) => pointOf(highest?.maxGustDirection), false),
    column('on', 5, ({ highest }) => dayOf(highest?.maxGustAt), false),
    ...STRONG_GUSTS_MS.map((speed, place) =>
      column(`${speed} m/s`, 3 * place, ({ strongGustDays }) => words.days(strongGustDays[place])),
    ),
    // The coverage stays wherever the mean is shown: a mean without its coverage may mislead.
    column('coverage', 0, ({ coverage }) => formatShare(coverage)),
    column('years', 7, ({ years }) => words.count(years)),
  ];
}
