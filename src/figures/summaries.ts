import { countOf } from '../domain/text.ts';
import { percentOf } from '../formats/forPeople.ts';
import {
  type Group,
  type GroupKey,
  Statistics,
  type StatisticsOptions,
} from '../statistics/statistics.ts';
import { type PlotData, type PlotStation, stationName } from './plotData.ts';
import type { PlotOptions } from './plotOptions.ts';

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
 * Number of readings and coverage for a subtitle. For several stations it gives the number of all
 * their readings, and the lowest coverage with the name of its station.
 * @param groups the group of each station, in the order of the stations
 */
export function describeCoverage({ stations }: PlotData, groups: readonly Group[]): string[] {
  const readings = groups.reduce((sum, { summary }) => sum + summary.readings, 0);
  const known = stations.flatMap((station, index) => {
    const coverage = groups[index]?.summary.coverage ?? null;
    return coverage === null ? [] : [{ coverage, station }];
  });
  const [lowest] = known.sort((a, b) => a.coverage - b.coverage);
  if (lowest === undefined) return [countOf(readings, 'reading')];
  const { coverage, station } = lowest;
  const isSeveral = stations.length > 1 && coverage < 1;
  const owner = isSeveral ? ` (${stationName(station)}) or more` : '';
  return [countOf(readings, 'reading'), `coverage ${percentOf(coverage, 1)} %${owner}`];
}

/** Readings and coverage for the subtitle of a picture that needs no other statistics. */
export function coverageFacts(data: PlotData, options: PlotOptions): string[] {
  const groups = data.stations.flatMap((station) => summarize(station, data, options, []));
  return describeCoverage(data, groups);
}
