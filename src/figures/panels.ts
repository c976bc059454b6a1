import { SEASONS } from '../statistics/zoneCalendar.ts';
import type { PanelKey } from './kinds.ts';
import { MONTHS } from './labels.ts';
import { type PlotData, type PlotStation, stationLabel } from './plotData.ts';

/** A part of the year, the same of all years. */
interface Part {
  /** A season as `vane stats` names it, such as `DJF`, or a month. */
  readonly name: string;
  /** Its months, 1 to 12, in order. */
  readonly months: readonly number[];
}

/** The parts of the year for each value of `--by`, with the word for one of them. */
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

/** What a panel of a picture shows: a station, in a part of the year or in all of it. */
export interface FigurePanel {
  readonly station: PlotStation;
  readonly part?: Part;
}

/** The panels of a picture, in order: for each station all parts of the year. */
export const listPanels = (
  { stations }: Pick<PlotData, 'stations'>,
  by?: PanelKey,
): FigurePanel[] =>
  stations.flatMap((station) =>
    by === undefined ? [{ station }] : PANEL_PARTS[by].parts.map((part) => ({ station, part })),
  );

/**
 * The title above a panel: its part of the year, and with several stations the name of its station;
 * undefined in a picture of one panel, whose title has the name.
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

/** The columns that tell the panels of a picture apart in its table, each with a cell for a panel. */
export function panelTableColumns({ stations }: PlotData, by?: PanelKey) {
  const station = { head: 'station', cell: (panel: FigurePanel) => panel.station.name.trim() };
  const part = {
    head: by ? PANEL_PARTS[by].word : '',
    cell: (panel: FigurePanel) => panel.part?.name ?? '',
  };
  return [...(stations.length > 1 ? [station] : []), ...(by ? [part] : [])];
}
