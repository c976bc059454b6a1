import { countOf } from '../domain/text.ts';
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

/** The texts of a subtitle that tell the number of readings and the coverage of a station. */
export function writeCoverage({ summary: { readings, coverage } }: Group): string[] {
  const count = countOf(readings, 'reading');
  return coverage === null ? [count] : [count, `coverage ${writeShare(coverage)}`];
}

/** A share from 0 to 1 as per cent with one decimal; only a share of 1 is written as 100 %. */
function writeShare(share: number): string {
  const percent = Math.round(share * 1000) / 10;
  return `${percent === 100 && share < 1 ? 99.9 : percent} %`;
}

/** Number of readings and coverage in a picture of one station; nothing for several stations. */
export function coverageFacts(data: PlotData, options: PlotOptions): string[] {
  const [station, ...others] = data.stations;
  if (station === undefined || others.length > 0) return [];
  const [group] = summarize(station, data, options, []);
  return group === undefined ? [] : writeCoverage(group);
}
