import type { Traits } from '../formats/format.ts';

export const KINDS = ['series', 'rose', 'calendar', 'pattern'] as const;
export type Kind = (typeof KINDS)[number];

/** Default width and height of a picture of each kind, px. */
export const DEFAULT_SIZES: Readonly<Record<Kind, readonly [width: number, height: number]>> = {
  series: [960, 400],
  rose: [560, 600],
  calendar: [960, 420],
  pattern: [960, 440],
};

/** How long before its end a picture begins if no start is given, in ISO 8601. */
export const DEFAULT_PERIODS: Readonly<Record<Kind, string>> = {
  series: 'P1D',
  rose: 'P30D',
  calendar: 'P1Y',
  pattern: 'P1Y',
};

/** Most stations in one picture. */
export const MAX_STATIONS = 12;

/** The formats of pictures, in the order of help. */
export const PICTURE_FORMATS = {
  terminal: { meaning: 'a picture of characters; the default of plot', endings: ['.txt'] },
  svg: { meaning: "a picture for pages, light or dark as the reader's system" },
  png: { meaning: 'the same picture in pixels', isBinary: true },
  html: { meaning: 'the same picture in a page, with its numbers', endings: ['.html', '.htm'] },
} satisfies Record<string, Traits>;

export type PictureFormatName = keyof typeof PICTURE_FORMATS;
