import type { FormatTraits } from '../formats/format.ts';

export const FIGURE_KINDS = ['series', 'rose', 'calendar', 'pattern', 'now'] as const;
export type FigureKind = (typeof FIGURE_KINDS)[number];

/** The values of `--by`, with the number of panels that each station then has. */
const PANELS_BY = { season: 4, 'month-of-year': 12 } as const;
export type PanelKey = keyof typeof PANELS_BY;
export const PANEL_KEYS = Object.keys(PANELS_BY) as PanelKey[];

/** Maximum number of panels in one picture. */
export const MAX_PANELS = 12;

/** The number of panels per station: one, or several with `--by`. */
export const panelsPerStation = (by: PanelKey | undefined): number =>
  by === undefined ? 1 : PANELS_BY[by];

/** Maximum number of stations in one picture. */
export const maxStationsInFigure = (by: PanelKey | undefined): number =>
  Math.floor(MAX_PANELS / panelsPerStation(by));

/** The default width and height of each kind of picture, px. */
const DEFAULT_SIZES: Readonly<Record<FigureKind, readonly [width: number, height: number]>> = {
  series: [960, 400],
  rose: [560, 600],
  calendar: [960, 420],
  pattern: [960, 440],
  now: [300, 300],
};

/** The requested width and height, px. */
interface RequestedSize {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** Minimum width of a wind rose beside others, px, and maximum width of all of them together. */
const ROSE_PX = 280;
const ROSES_PX = 960;

/**
 * Minimum width and height of a dial, px. Other kinds of pictures would not be readable at this
 * size.
 */
const DIAL_PX = 60;

/**
 * The minimum width or height of a kind of picture, px.
 * @param usual the minimum of kinds other than a dial
 */
export const minimumSizePx = (kind: FigureKind, usual: number): number =>
  kind === 'now' ? DIAL_PX : usual;

/**
 * The size of a picture, px. Wind roses are round: several make the picture wider, and a greater
 * width makes it higher. A requested height is always kept. A dial is square, and its picture
 * always has a fixed height.
 * @param panels number of panels
 */
export function figureSizePx(kind: FigureKind, panels: number, { width, height }: RequestedSize) {
  const [usualWidth, usualHeight] = DEFAULT_SIZES[kind];
  if (kind === 'now') {
    const columns = Math.ceil(Math.sqrt(panels));
    const shape = Math.ceil(panels / columns) / columns;
    const wanted = height === undefined ? columns * usualWidth : Math.round(height / shape);
    const wide = width ?? Math.min(ROSES_PX, wanted);
    return { width: wide, height: height ?? Math.round(wide * shape), isBound: true };
  }
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
  // A dial only shows the last hour, but a series of the last day can then share the request.
  now: 'P1D',
};

/**
 * The default period of a picture, as an ISO 8601 duration before its end. Panels for parts of the
 * year show a whole year.
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
