import { countOf } from '../domain/text.ts';
import { percentOf } from '../formats/forPeople.ts';
import { type Coverage, coverageOf } from '../statistics/coverage.ts';
import {
  type Group,
  type GroupKey,
  Statistics,
  type StatisticsOptions,
} from '../statistics/statistics.ts';
import { timesOf } from '../statistics/times.ts';
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
 * @param coverages the coverage of each station, in the order of the stations
 */
export function describeCoverage({ stations }: PlotData, coverages: readonly Coverage[]): string[] {
  const readings = coverages.reduce((sum, coverage) => sum + coverage.readings, 0);
  const known = stations.flatMap((station, index) => {
    const coverage = coverages[index]?.coverage ?? null;
    return coverage === null ? [] : [{ coverage, station }];
  });
  const [lowest] = known.sort((a, b) => a.coverage - b.coverage);
  if (lowest === undefined) return [countOf(readings, 'reading')];
  const { coverage, station } = lowest;
  const isSeveral = stations.length > 1 && coverage < 1;
  const owner = isSeveral ? ` (${stationName(station)}) or more` : '';
  return [countOf(readings, 'reading'), `coverage ${percentOf(coverage, 1)} %${owner}`];
}

/** The coverage of each station of a picture. */
export function coverageOfStations({ stations, period }: PlotData): Coverage[] {
  return stations.map(({ readings }) => coverageOf(timesOf(readings), period));
}
