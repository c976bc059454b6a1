import { SEASONS } from '../statistics/zoneCalendar.ts';
import type { PanelKey } from './kinds.ts';
import { MONTHS } from './labels.ts';
import { type PlotData, type PlotStation, stationLabel } from './plotData.ts';

/** A part of the year, such as a season. It is the same in all years. */
interface Part {
  /** The name of a season as in `vane stats`, such as `DJF`, or of a month. */
  readonly name: string;
  /** The months of the part, 1 to 12, in order. */
  readonly months: readonly number[];
}

/** The parts of the year for each value of `--by`, and the word for such a part. */
export const PANEL_PARTS: Readonly<
  Record<PanelKey, { readonly word: string; readonly parts: Part[] }>
> = {
  season: {
    word: 'season',
    parts: SEASONS.map((name, season) => ({
      name,
      months: [3 * season || 12, 3 * season + 1, 3 * season + 2],
    })),
  },
  'month-of-year': {
    word: 'month',
    parts: MONTHS.map((name, month) => ({ name, months: [month + 1] })),
  },
};

/** What a panel shows: a station, in the whole year or in a part of it. */
export interface FigurePanel {
  readonly station: PlotStation;
  readonly part?: Part;
}

/** Lists the panels of a picture: for each station, all parts of the year. */
export const listPanels = (
  { stations }: Pick<PlotData, 'stations'>,
  by?: PanelKey,
): FigurePanel[] =>
  stations.flatMap((station) =>
    by === undefined ? [{ station }] : PANEL_PARTS[by].parts.map((part) => ({ station, part })),
  );

/**
 * The title of a panel: its part of the year and, with several stations, the station's name.
 * Undefined for a single panel, since the picture's title already names the station.
 */
export function panelTitle(
  { station, part }: FigurePanel,
  { stations }: PlotData,
): string | undefined {
  const names = [
    ...(part ? [part.name] : []),
    ...(stations.length > 1 ? [stationLabel(station)] : []),
  ];
  return names.length > 0 ? names.join(', ') : undefined;
}

/** The columns of a picture's table that identify the panel, each with a function for its cells. */
export function panelTableColumns({ stations }: PlotData, by?: PanelKey) {
  const station = { head: 'station', cell: (panel: FigurePanel) => panel.station.name.trim() };
  const part = {
    head: by ? PANEL_PARTS[by].word : '',
    cell: (panel: FigurePanel) => panel.part?.name ?? '',
  };
  return [...(stations.length > 1 ? [station] : []), ...(by ? [part] : [])];
}
