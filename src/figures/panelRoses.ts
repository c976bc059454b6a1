import type { WindReadings } from '../statistics/readings.ts';
import { joinWindRoses, type WindRose } from '../statistics/statistics.ts';
import type { FigureOptions } from './figureOptions.ts';
import { PANEL_PARTS } from './panels.ts';
import type { PlotData, PlotStation } from './plotData.ts';
import { summarizeStation } from './summaries.ts';

/** The wind rose of each panel of a picture, in the order of `panelsOf`. */
export function computePanelRoses(data: PlotData, options: FigureOptions): WindRose[] {
  const { by } = options;
  return data.stations.flatMap((station) => {
    const roses = stationRoses(station, data, options);
    if (by === undefined) return roses;
    return PANEL_PARTS[by].parts.map(({ months }) =>
      joinWindRoses(months.map((month) => roses[month - 1] as WindRose)),
    );
  });
}

/** The wind roses of a station: one of each month of the year, or without `--by` one of all. */
function stationRoses(station: PlotStation, data: PlotData, options: FigureOptions): WindRose[] {
  const { by, calmKmh, classesKmh } = options;
  const prepare = options.value === 'gust' ? byGusts(calmKmh) : undefined;
  const keys = by === undefined ? [] : (['month-of-year'] as const);
  const groups = summarizeStation(station, data, options, keys, { classesKmh, prepare });
  return groups.map(({ rose }) => rose as WindRose);
}

/**
 * For the rose of `--value gust`: readings that are not calm have their gust as speed, and those
 * without a gust are left out, calm ones too. What their condition says of them stays.
 */
const byGusts =
  (calmKmh: number) =>
  (readings: WindReadings): WindReadings => ({
    ...readings,
    windSpeedAvg: readings.windSpeedAvg.map((average, row) => {
      const gust = readings.windSpeedMax[row] as number;
      return average < calmKmh && !Number.isNaN(gust) ? average : gust;
    }),
  });
