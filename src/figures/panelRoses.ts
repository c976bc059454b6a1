import type { WindReadings } from '../statistics/readings.ts';
import { joinWindRoses, type WindRose } from '../statistics/statistics.ts';
import type { FigureOptions } from './figureOptions.ts';
import { PANEL_PARTS } from './panels.ts';
import type { PlotData, PlotStation } from './plotData.ts';
import { summarizeStation } from './summaries.ts';

/** Computes the wind rose of each panel, in the order of `listPanels`. */
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

/**
 * Computes the wind roses of a station: one for each month of the year with `--by`, otherwise a
 * single one.
 */
function stationRoses(station: PlotStation, data: PlotData, options: FigureOptions): WindRose[] {
  const { by, calmKmh, classesKmh } = options;
  const prepare = options.value === 'gust' ? byGusts(calmKmh) : undefined;
  const keys = by === undefined ? [] : (['month-of-year'] as const);
  const groups = summarizeStation(station, data, options, keys, { classesKmh, prepare });
  return groups.map(({ rose }) => rose as WindRose);
}

/**
 * Prepares readings for `--value gust`: the gust replaces the average of readings that are not
 * calm. All readings without a gust are left out. The results of their condition are kept.
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
