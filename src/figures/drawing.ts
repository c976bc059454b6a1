import type { ColourRole, Mark } from './figure.ts';
import type { PixelBox } from './style.ts';

/** A colour in a legend, and its meaning. */
export interface LegendEntry {
  readonly role: ColourRole;
  readonly sign: string;
  readonly label: string;
}

/** A label below the bar that shows the colours of a scale. */
export interface ScaleLabel {
  /** The position of the label along the bar, from 0 to 1. */
  readonly share: number;
  readonly text: string;
}

/** A drawn panel: one station, or one station in a part of the year. */
export interface DrawnPanel {
  readonly marks: readonly Mark[];
  /** Returns the numbers in the panel as rows of the picture's table. */
  readonly rows: () => readonly (readonly string[])[];
}

/** A prepared picture of one kind, before its panels are placed. */
export interface Drawing {
  /** The subject of the picture, which follows the station's name in the title. */
  readonly subject: string;
  /** Texts that follow the period, time zone and unit in the subtitle. */
  readonly facts: readonly string[];
  /** The texts that replace period, time zone and unit in a picture of a single moment. */
  readonly lead?: readonly string[];
  /** The picture in words, for readers who cannot see it; by default its subtitle. */
  readonly description?: readonly string[];
  /** Whether a small picture has no texts around its panel, not even a title. */
  readonly standsAlone?: boolean;
  readonly legend: readonly LegendEntry[];
  /**
   * Labels of the colour scale in ascending order, the last one at its end; undefined for a picture
   * without a scale.
   */
  readonly scale?: readonly ScaleLabel[] | undefined;
  /** Sentences that explain the picture, placed below it. */
  readonly notes: readonly string[];
  /** Minimum width and height of a panel, px. */
  readonly minWidth: number;
  readonly minHeight: number;
  /** Minimum width and height of a panel in a picture of fixed size, px. */
  readonly squeezed: { readonly width: number; readonly height: number };
  /** The maximum height that a panel of the given width can use, px; undefined for no limit. */
  readonly maxHeight?: (width: number) => number;
  /** The column names for the `rows` of each panel. */
  readonly tableHead: readonly string[];
  /** Draw the panels in a given box, in the order of `listPanels`. */
  readonly panels: readonly ((box: PixelBox) => DrawnPanel)[];
}
