import { countOf } from '../domain/text.ts';
import { percentOf } from '../formats/words.ts';
import {
  type Group,
  type GroupKey,
  Statistics,
  type StatisticsOptions,
} from '../statistics/statistics.ts';
import type { PlotData, PlotOptions, PlotStation } from './plotData.ts';

/** The statistics of one station by group, computed as `vane stats` does. */
export function summarize(
  { readings }: PlotStation,
  { period, zone }: PlotData,
  { calmKmh, sectors, classesKmh, where }: PlotOptions,
  by: readonly GroupKey[],
  needs: { readonly rose?: boolean; readonly where?: boolean } = {},
): Group[] {
  const options: StatisticsOptions = {
    period,
    zone,
    by,
    calmKmh,
    sectors,
    classesKmh: needs.rose ? classesKmh : undefined,
    where: needs.where && where ? { holds: where.holds, leastMs: 0 } : undefined,
  };
  const statistics = new Statistics(options);
  for (const columns of readings) statistics.add(columns);
  return statistics.groups();
}

/**
 * Number of readings and coverage of each station for a subtitle, with its name where there are
 * several stations.
 * @param groups the group of each station, in the order of the stations
 */
export function describeCoverage({ stations }: PlotData, groups: readonly Group[]): string[] {
  const [only, ...others] = groups.map(({ summary: { readings, coverage } }) => [
    countOf(readings, 'reading'),
    ...(coverage === null ? [] : [`coverage ${percentOf(coverage, 1)} %`]),
  ]);
  if (only === undefined || others.length === 0) return only ?? [];
  return [only, ...others].map((facts, index) => {
    const { name = '', id } = stations[index] ?? {};
    return `${name.trim() || `station ${id}`}: ${facts.join(', ')}`;
  });
}

/** Number of readings and coverage of each station, for a picture that has no other use for them. */
export function coverageFacts(data: PlotData, options: PlotOptions): string[] {
  const groups = data.stations.flatMap((station) => summarize(station, data, options, []));
  return describeCoverage(data, groups);
}
