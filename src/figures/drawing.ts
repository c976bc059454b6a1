import type { ColourRole, Mark } from './figure.ts';
import type { PixelBox } from './style.ts';

/** A colour in a legend, and what it represents. */
export interface LegendEntry {
  readonly role: ColourRole;
  readonly sign: string;
  readonly label: string;
}

/** A label beneath the bar that shows the shades of a scale. */
export interface ScaleLabel {
  /** The place of the label along the bar, from 0 to 1. */
  readonly share: number;
  readonly text: string;
}

/** A part of a picture, which shows one station, or one part of the year of it. */
export interface DrawnPanel {
  readonly marks: readonly Mark[];
  /** Writes the numbers that the panel shows, as rows of the picture's table. */
  readonly rows: () => readonly (readonly string[])[];
}

/** A picture of one kind with its data, before its panels have their places. */
export interface Drawing {
  /** The subject of the picture; the title has it after the name of the station. */
  readonly subject: string;
  /** Texts of the subtitle that follow its period, time zone and unit. */
  readonly facts: readonly string[];
  readonly legend: readonly LegendEntry[];
  /** Labels of the scale of shades, ascending; the last is its end. Without labels it has no bar. */
  readonly scale?: readonly ScaleLabel[] | undefined;
  /** Sentences that explain the picture, written beneath it. */
  readonly notes: readonly string[];
  /** Least width and height of a panel, px. */
  readonly minWidth: number;
  readonly minHeight: number;
  /** Least width and height of a panel in a picture that is bound to its size, px. */
  readonly squeezed: { readonly width: number; readonly height: number };
  /** The greatest height that a panel of a width can fill, px; undefined for any height. */
  readonly maxHeight?: (width: number) => number;
  /** Names of the columns of each panel's `rows`. */
  readonly tableHead: readonly string[];
  /** Draws each panel within a box, in the order of `panelsOf`. */
  readonly panels: readonly ((box: PixelBox) => DrawnPanel)[];
}
