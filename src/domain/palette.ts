import { beaufortForce } from './units.ts';

/** Colours of one Beaufort force. */
interface ForceColour {
  /** The colour of filled areas, visible on light and dark backgrounds. */
  readonly hex: string;
  /** The colour of text on a terminal, and of areas on a terminal with 16 colours. */
  readonly ansi: 'cyan' | 'green' | 'yellow' | 'red' | 'magenta';
}

/**
 * Colours of the Beaufort forces 0 to 12. Neighbouring colours differ by a ΔE of at least 10 (CIE
 * 1976), even for people who cannot see red or green.
 */
export const FORCE_COLOURS: readonly ForceColour[] = [
  { hex: '#b9c3cd', ansi: 'cyan' },
  { hex: '#8fb4e0', ansi: 'cyan' },
  { hex: '#5f93d6', ansi: 'cyan' },
  { hex: '#3a6fc4', ansi: 'cyan' },
  { hex: '#1f9d8f', ansi: 'green' },
  { hex: '#5cc36a', ansi: 'green' },
  { hex: '#7f9e22', ansi: 'yellow' },
  { hex: '#efc917', ansi: 'yellow' },
  { hex: '#e8851c', ansi: 'red' },
  { hex: '#d4452b', ansi: 'red' },
  { hex: '#a3224a', ansi: 'magenta' },
  { hex: '#d95fae', ansi: 'magenta' },
  { hex: '#8a4cc2', ansi: 'magenta' },
];

/** The colours of a speed in km/h. */
export const colourOfSpeed = (speedKmh: number): ForceColour =>
  FORCE_COLOURS[beaufortForce(speedKmh)] as ForceColour;

/** Relative luminance of a colour, 0 to 1 (WCAG 2.2). */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Black or white, whichever is easier to read on a colour. The contrast is at least 4.5. */
export function readableInkOn(hex: string): '#000000' | '#ffffff' {
  // At this luminance, black and white have the same contrast: (L + 0.05)² = 0.05 × 1.05.
  return luminance(hex) > Math.sqrt(0.05 * 1.05) - 0.05 ? '#000000' : '#ffffff';
}

/** Colours of pictures for light and dark backgrounds, apart from those of Beaufort forces. */
export const THEME_COLOURS = {
  light: {
    background: '#ffffff',
    ink: '#1f2328',
    muted: '#59636e',
    grid: '#d1d9e0',
    night: '#eaeef4',
    held: '#fbe3b0',
    heldNight: '#dfe3c4',
    mark: '#b3261e',
  },
  dark: {
    background: '#0d1117',
    ink: '#e6edf3',
    muted: '#9198a1',
    grid: '#30363d',
    night: '#1b2230',
    held: '#372c0d',
    heldNight: '#29301f',
    mark: '#ff8a80',
  },
} as const;

export type Theme = keyof typeof THEME_COLOURS;
export const THEME_NAMES = Object.keys(THEME_COLOURS) as Theme[];
