import { formatZoneName } from '../../domain/dates.ts';
import {
  plainField,
  type ReadableColumn,
  type ReadableField,
  readableColumn,
} from '../../domain/document.ts';
import type { GroupKey, GroupStatistics } from '../statistics.ts';
import type { StationGroup, ViewContext } from './view.ts';

/** The fields with the keys of a row's group, such as `month` and `hour_of_day`. */
export const groupKeyFields = (by: readonly GroupKey[]): ReadableField<StationGroup>[] => [
  plainField('station', ({ station }) => station.station),
  ...by.map((key, place) =>
    plainField<StationGroup>(key.replaceAll('-', '_'), ({ keys }) => keys[place]),
  ),
];

/**
 * The column that shows how many readings a group is based on: the coverage or, for a sector, its
 * frequency, since all sectors have the same coverage.
 */
export const coverageOrFrequencyColumn = (
  by: readonly GroupKey[],
  rank: number,
): ReadableColumn<GroupStatistics> =>
  by.includes('sector')
    ? readableColumn('frequency', rank, 'share', ({ frequency = null }) => frequency)
    : readableColumn('coverage', rank, 'share', ({ summary }) => summary.coverage);

/** Shorter column names for keys with long names. */
const HEADS: Partial<Record<GroupKey, string>> = {
  'hour-of-day': 'hour',
  'month-of-year': 'month',
};

type Keys = Pick<GroupStatistics, 'keys'>;

/** The columns with the keys of a row's group. */
export function groupKeyColumns(
  rows: readonly Keys[],
  { by, zone }: Pick<ViewContext, 'by' | 'zone'>,
): ReadableColumn<Keys>[] {
  return by.map((key, place) => {
    if (key === 'hour') return hourColumn(rows, place, zone);
    const isDecimal = key !== 'day';
    return readableColumn(
      HEADS[key] ?? key,
      0,
      'plain',
      ({ keys }) => formatGroupKey(keys[place]),
      {
        isDecimal,
      },
    );
  });
}

/**
 * A column that shows hours on the zone's clock. An hour that the clock shows twice gets its
 * offset: `2024-10-27 02:00+01`.
 */
function hourColumn(rows: readonly Keys[], place: number, zone: string): ReadableColumn<Keys> {
  const hours = [...new Set(rows.map(({ keys }) => String(keys[place])))];
  const clockOf = (hour: string): string => hour.slice(0, 'yyyy-mm-ddThh:mm'.length);
  const counts = new Map<string, number>();
  for (const hour of hours) counts.set(clockOf(hour), (counts.get(clockOf(hour)) ?? 0) + 1);
  const offsetOf = (hour: string): string =>
    counts.get(clockOf(hour)) === 1 ? '' : hour.slice('yyyy-mm-ddThh:mm:ss'.length);
  const write = (hour: string): string =>
    clockOf(hour).replace('T', ' ') + offsetOf(hour).replace(/:00$/, '');
  return readableColumn(
    `hour ${formatZoneName(zone)}`,
    0,
    'plain',
    ({ keys }) => write(String(keys[place])),
    {
      room: 'head',
    },
  );
}

/** Formats a group's key for people. An hour becomes `2024-05-01 14:00 +02:00`. */
export function formatGroupKey(key: string | number | undefined): string {
  const text = String(key);
  return text.replace(/T(\d\d:\d\d):00(?:\.000)?(?:Z|([+-]\d\d:\d\d))?$/, ' $1 $2').trimEnd();
}
