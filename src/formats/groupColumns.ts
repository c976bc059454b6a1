import type { Group, GroupKey } from '../statistics/statistics.ts';
import type { StatisticsList } from './format.ts';
import { formatShare, NOTHING, writeZone } from './humanReadable.ts';
import type { TableColumn } from './textTable.ts';

/** A column of a table of groups. */
export const columnOf = <T>(
  head: string,
  rank: number,
  read: (row: T) => string,
  isDecimal = true,
): TableColumn<T> => ({ head, rank, isDecimal, cell: (row) => ({ text: read(row) }) });

/**
 * The column that shows how many readings the values of a group are based on: their coverage or,
 * for a sector, its frequency, since all sectors have the coverage of their period.
 */
export function weightColumn<T extends Pick<Group, 'frequency' | 'summary'>>(
  { by }: StatisticsList,
  rank: number,
): TableColumn<T> {
  return by.includes('sector')
    ? columnOf('frequency', rank, ({ frequency }) => formatShare(frequency ?? null))
    : columnOf('coverage', rank, ({ summary }) => formatShare(summary.coverage));
}

/** Column names for keys whose own names are too long for a column. */
const HEADS: Partial<Record<GroupKey, string>> = {
  'hour-of-day': 'hour',
  'month-of-year': 'month',
};

/** The columns that name the group of a row of a table. */
export function keyColumns<T extends Pick<Group, 'keys'>>(
  rows: readonly T[],
  { by, zone }: StatisticsList,
): TableColumn<T>[] {
  return by.map((key, place) => {
    if (key === 'hour') return hourColumn(rows, place, zone);
    return columnOf(HEADS[key] ?? key, 0, ({ keys }) => formatKey(keys[place]), key !== 'day');
  });
}

/**
 * Writes the hours of groups as the clock of the zone shows them. An hour that the clock shows
 * twice has its offset too: `2024-10-27 02:00+01`.
 */
function hourColumn<T extends Pick<Group, 'keys'>>(
  rows: readonly T[],
  place: number,
  zone: string,
): TableColumn<T> {
  const hours = [...new Set(rows.map(({ keys }) => String(keys[place])))];
  const clockOf = (hour: string): string => hour.slice(0, 'yyyy-mm-ddThh:mm'.length);
  const counts = new Map<string, number>();
  for (const hour of hours) counts.set(clockOf(hour), (counts.get(clockOf(hour)) ?? 0) + 1);
  const offsetOf = (hour: string): string =>
    counts.get(clockOf(hour)) === 1 ? '' : hour.slice('yyyy-mm-ddThh:mm:ss'.length);
  const write = (hour: string): string =>
    clockOf(hour).replace('T', ' ') + offsetOf(hour).replace(/:00$/, '');
  const width = hours.reduce((most, hour) => Math.max(most, write(hour).length), 0);
  return {
    head: `hour ${writeZone(zone)}`,
    rank: 0,
    // Cut only the head of the column, never an hour.
    room: { roomy: Number.POSITIVE_INFINITY, comfortable: width, tight: width },
    cell: ({ keys }) => ({ text: write(String(keys[place])) }),
  };
}

/** The text for people of a group's key. An hour is written as `2024-05-01 14:00 +02:00`. */
export function formatKey(key: string | number | undefined): string {
  const text = String(key ?? NOTHING);
  return text.replace(/T(\d\d:\d\d):00(?:\.000)?(?:Z|([+-]\d\d:\d\d))?$/, ' $1 $2').trimEnd();
}
