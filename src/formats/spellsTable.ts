import { HOUR_MS } from '../domain/dates.ts';
import { countValues } from '../statistics/counts.ts';
import { median } from '../statistics/distribution.ts';
import type { Group, Spell } from '../statistics/statistics.ts';
import type { StationStatistics, StatisticsList } from './format.ts';
import { columnOf, keyColumns } from './groupColumns.ts';
import { formatShare, NOTHING, writeZone } from './humanReadable.ts';
import { type StatisticsWords, wordsFor } from './statisticsWords.ts';
import { renderLines, type TableColumn, type TableStyle } from './textTable.ts';

/** Most spells in a table; other formats have all. */
const MAX_SPELLS = 10;

const hoursOf = ({ start, stop }: Spell): number => (stop - start) / HOUR_MS;

/** A table of the longest spells of a station, then number and lengths of the spells of each group. */
export function spellLines(
  statistics: StationStatistics,
  list: StatisticsList,
  style: TableStyle,
): string[] {
  const words = wordsFor(list);
  const { groups } = statistics;
  const longest = groups
    .flatMap(({ spells = [] }) => spells)
    .sort((a, b) => hoursOf(b) - hoursOf(a) || a.start - b.start)
    .slice(0, MAX_SPELLS);
  const columns = spellColumns(longest, list, words);
  return [
    ...words.title(statistics, [], style),
    '',
    ...(longest.length > 0 ? [...renderLines(columns, longest, style), ''] : []),
    ...renderLines([...keyColumns(groups, list), ...lengthColumns(words)], groups, style),
  ];
}

function spellColumns(
  spells: readonly Spell[],
  { zone }: StatisticsList,
  words: StatisticsWords,
): TableColumn<Spell>[] {
  const column = columnOf<Spell>;
  const timeColumn = (name: 'start' | 'stop', head: string, rank: number) => {
    const width = spells.reduce(
      (most, spell) => Math.max(most, words.minute(spell[name]).length),
      0,
    );
    // Cut only the head of the column, never a time.
    const room = { roomy: Number.POSITIVE_INFINITY, comfortable: width, tight: width };
    return { ...column(head, rank, (spell) => words.minute(spell[name]), false), room };
  };
  return [
    timeColumn('start', `start ${writeZone(zone)}`, 0),
    timeColumn('stop', 'stop', 1),
    column('hours', 0, (spell) => hoursOf(spell).toFixed(1)),
    column(`mean ${words.unit}`, 0, ({ mean }) => words.speed(mean)),
    column('gust', 0, ({ gust }) => words.speed(gust)),
  ];
}

/** Number and lengths of the spells of a group; its coverage, since a gap may hide a spell. */
function lengthColumns(words: StatisticsWords): TableColumn<Group>[] {
  const column = (head: string, brief: string, read: (group: Group) => string) => ({
    ...columnOf(head, 0, read),
    brief: { head: brief },
  });
  return [
    column('spells', 'n', ({ spells = [] }) => words.count(spells.length)),
    column('median h', 'med h', ({ spells = [] }) => {
      const hours = countValues(Float64Array.from(spells, hoursOf));
      return median(hours)?.toFixed(1) ?? NOTHING;
    }),
    column('total h', 'tot h', ({ spells = [] }) =>
      spells.reduce((sum, spell) => sum + hoursOf(spell), 0).toFixed(1),
    ),
    column('coverage', 'cover', ({ summary }) => formatShare(summary.coverage)),
  ];
}
