import type { FormatTraits } from '../formats/format.ts';

export const FIGURE_KINDS = ['series', 'rose', 'calendar', 'pattern'] as const;
export type FigureKind = (typeof FIGURE_KINDS)[number];

/** What `--by` divides a wind rose or a pattern by, with the number of panels of a station. */
const PANELS_BY = { season: 4, 'month-of-year': 12 } as const;
export type PanelKey = keyof typeof PANELS_BY;
export const PANEL_KEYS = Object.keys(PANELS_BY) as PanelKey[];

/** Most panels in one picture. */
export const MAX_PANELS = 12;

/** The number of panels of each station: one or, with `--by`, several. */
export const panelsPerStation = (by: PanelKey | undefined): number =>
  by === undefined ? 1 : PANELS_BY[by];

/** Most stations in one picture. */
export const maxStationsInFigure = (by: PanelKey | undefined): number =>
  Math.floor(MAX_PANELS / panelsPerStation(by));

/** Default width and height of a picture of each kind, px. */
const DEFAULT_SIZES: Readonly<Record<FigureKind, readonly [width: number, height: number]>> = {
  series: [960, 400],
  rose: [560, 600],
  calendar: [960, 420],
  pattern: [960, 440],
};

/** The requested width and height, px. */
interface RequestedSize {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/**
 * The least width of one wind rose among several, px, and the greatest width of all of them
 * together.
 */
const ROSE_PX = 280;
const ROSES_PX = 960;

/**
 * The size of a picture of a kind, px. Wind roses are round: many make the picture wider, and a
 * greater width makes it higher. A requested height binds the picture to it.
 * @param panels number of panels
 */
export function figureSizePx(kind: FigureKind, panels: number, { width, height }: RequestedSize) {
  const [usualWidth, usualHeight] = DEFAULT_SIZES[kind];
  const isRose = kind === 'rose';
  const roses = isRose ? Math.min(ROSES_PX, ROSE_PX * Math.ceil(Math.sqrt(panels))) : 0;
  const scale = isRose && width !== undefined ? width / usualWidth : 1;
  return {
    width: width ?? Math.max(usualWidth, roses),
    height: height ?? Math.round(scale * usualHeight),
    isBound: height !== undefined,
  };
}

const DEFAULT_PERIODS: Readonly<Record<FigureKind, string>> = {
  series: 'P1D',
  rose: 'P30D',
  calendar: 'P1Y',
  pattern: 'P1Y',
};

/**
 * How long before its end a picture begins without a start, in ISO 8601. Panels by part of the year
 * show a whole year.
 */
export const defaultFigurePeriod = (kind: FigureKind, by: PanelKey | undefined): string =>
  by === undefined ? DEFAULT_PERIODS[kind] : 'P1Y';

/** The formats of pictures, in the order of help. */
export const PICTURE_FORMATS = {
  terminal: { meaning: 'a picture made of characters; the default of plot', endings: ['.txt'] },
  svg: { meaning: 'a vector picture for web pages' },
  png: { meaning: 'the same picture in pixels', isBinary: true },
  html: {
    meaning: 'the same picture in a page with tooltips and its numbers',
    endings: ['.html', '.htm'],
  },
} satisfies Record<string, FormatTraits>;

export type PictureFormatName = keyof typeof PICTURE_FORMATS;
