import { DAY_MS } from '../../domain/dates.ts';
import type { Period } from '../../domain/period.ts';
import type { FilesOptions } from '../../flags/history.ts';

/** What folders such as `station=110/year=2024` say about the rows below them. */
export interface Partition {
  readonly station?: number | undefined;
  readonly year?: string | undefined;
  /** The period that may contain the rows of the year, milliseconds since 1970. */
  readonly period?: Period | undefined;
}

const STATION = /^station=(\d{1,15})$/i;
const YEAR = /^year=(\d{4})$/i;

/**
 * How far rows may be outside the UTC year of their folder: files of `--every 1w` begin and end
 * with a whole week in a time zone.
 */
const MARGIN_MS = 8 * DAY_MS;

/**
 * Parses the folders of a path. The innermost of each kind counts.
 * @param folder a path that consists of folders only
 */
export function parsePartition(folder: string): Partition {
  const folders = folder.split(/[/\\]/).toReversed();
  const valueIn = (form: RegExp) =>
    folders.map((name) => form.exec(name)?.[1]).find((value) => value !== undefined);
  const [station, year] = [valueIn(STATION), valueIn(YEAR)];
  return {
    station: station === undefined ? undefined : Number(station),
    year,
    period: year === undefined ? undefined : periodOfYear(year),
  };
}

function periodOfYear(year: string): Period {
  const next = new Date(`${year}-01-01`);
  next.setUTCFullYear(next.getUTCFullYear() + 1);
  return { start: Date.parse(`${year}-01-01`) - MARGIN_MS, stop: next.getTime() + MARGIN_MS };
}

/** Whether a folder or file may contain a row of the wanted stations and period. */
export function mayContainWanted(
  { station, period }: Partition,
  { stations, bounds }: Pick<FilesOptions, 'stations' | 'bounds'>,
): boolean {
  if (station !== undefined && stations !== 'all' && !stations.includes(station)) return false;
  if (period === undefined) return true;
  const { start = -Infinity, stop = Infinity } = bounds;
  return period.stop > start && period.start < stop;
}
