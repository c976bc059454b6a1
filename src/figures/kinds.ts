export const KINDS = ['series', 'rose', 'calendar', 'pattern'] as const;
export type Kind = (typeof KINDS)[number];

/** Default width and height of a picture of each kind, px. */
export const DEFAULT_SIZES: Readonly<Record<Kind, readonly [width: number, height: number]>> = {
  series: [960, 400],
  rose: [560, 600],
  calendar: [960, 420],
  pattern: [960, 440],
};

/** Most stations in one picture. */
export const MAX_STATIONS = 12;
