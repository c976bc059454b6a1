import { formatCount } from '../domain/text.ts';
import { roundDownToPercent } from '../formats/humanReadable.ts';
import { type Coverage, coverageOf } from '../statistics/coverage.ts';
import { joinWindReadings, type WindReadings, windReadingsOf } from '../statistics/readings.ts';
import {
  computeStatistics,
  type GroupKey,
  type GroupStatistics,
} from '../statistics/statistics.ts';
import type { FigureOptions } from './figureOptions.ts';
import { type PlotData, type PlotStation, stationLabel } from './plotData.ts';

/** What the computation of a wind rose needs. */
interface RoseSettings {
  readonly classesKmh: readonly number[];
  /** Changes the readings after their condition was tested. */
  readonly prepare: ((readings: WindReadings) => WindReadings) | undefined;
}

/**
 * Computes the statistics of one station by group, as `vane stats` does.
 * @param rose adds a wind rose to each group
 */
export function summarizeStation(
  { readings }: PlotStation,
  { period, zone }: PlotData,
  { calmKmh, sectors, where }: FigureOptions,
  by: readonly GroupKey[],
  rose?: RoseSettings,
): GroupStatistics[] {
  const statistics = {
    ...{ period, zone, by, calmKmh, sectors },
    classesKmh: rose?.classesKmh,
    where: where && { holds: where.holds, minMs: 0 },
  };
  const joined = joinWindReadings(readings.map((columns) => windReadingsOf(columns, statistics)));
  return computeStatistics(rose?.prepare?.(joined) ?? joined, statistics);
}

/** The coverage of each station of a picture. */
export function coverageOfStations({ stations, period }: PlotData): Coverage[] {
  return stations.map(({ readings }) =>
    coverageOf(joinWindReadings(readings.map((columns) => windReadingsOf(columns))), period),
  );
}

/**
 * The number of readings and the coverage, for a subtitle. With several stations, the total number
 * and the lowest coverage with its station's name.
 * @param shown number of readings in the picture, if it does not show all
 */
export function describeCoverage(
  data: PlotData,
  coverages: readonly Coverage[] = coverageOfStations(data),
  shown?: number,
): string[] {
  const all = formatCount(
    coverages.reduce((sum, coverage) => sum + coverage.readings, 0),
    'reading',
  );
  const readings = shown === undefined ? all : `${shown.toLocaleString('en')} of ${all}`;
  const known = data.stations.flatMap((station, index) => {
    const coverage = coverages[index]?.coverage ?? null;
    return coverage === null ? [] : [{ coverage, station }];
  });
  const [lowest] = known.sort((a, b) => a.coverage - b.coverage);
  if (lowest === undefined) return [readings];
  const { coverage, station } = lowest;
  const isSeveral = data.stations.length > 1 && coverage < 1;
  const owner = isSeveral ? ` (${stationLabel(station)}) or more` : '';
  return [readings, `coverage ${roundDownToPercent(coverage, 1)} %${owner}`];
}
