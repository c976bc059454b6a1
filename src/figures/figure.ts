import type { THEME_COLOURS } from '../domain/palette.ts';
import type { Shade } from './shades.ts';

/**
 * The meaning of a shape in a picture; the theme has a colour for each. A number is a Beaufort
 * force.
 */
export type ColourRole = keyof (typeof THEME_COLOURS)['light'] | number | Shade;

/** A place in px from the upper left corner of the picture. */
export type PixelPoint = readonly [x: number, y: number];

export interface LineMark {
  readonly kind: 'line';
  readonly role: ColourRole;
  readonly points: readonly PixelPoint[];
}

/** An area between an upper and a lower curve, such as from the lull to the gust. */
export interface BandMark {
  readonly kind: 'band';
  /** Points of the upper and the lower curve, px, ascending by `x`. */
  readonly points: readonly { readonly x: number; readonly top: number; readonly bottom: number }[];
  /** Beaufort forces, lowest first; each colours the area from the height `from` upwards, px. */
  readonly layers: readonly { readonly from: number; readonly role: number }[];
}

interface Tipped {
  /** A text for the reader who points at the shape with the mouse, in SVG and HTML. */
  readonly tip?: string | undefined;
  /** A character that represents the shape on a terminal without colours. */
  readonly sign?: string | undefined;
}

export interface RectangleMark extends Tipped {
  readonly kind: 'rectangle';
  /** The meaning of the rectangle; undefined for an invisible one that only has a `tip`. */
  readonly role: ColourRole | undefined;
  /** The index of its panel in the picture, for a rectangle that represents a point of a series. */
  readonly panel?: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A part of a ring between two radii and two angles, such as a sector of a wind rose. */
export interface SectorMark extends Tipped {
  readonly kind: 'sector';
  readonly role: ColourRole;
  readonly centre: PixelPoint;
  readonly inner: number;
  readonly outer: number;
  /** The angles of both straight sides, degrees clockwise from north; `from` is less than `to`. */
  readonly from: number;
  readonly to: number;
}

/** An arrow in the direction that the wind blows to. */
export interface ArrowMark {
  readonly kind: 'arrow';
  readonly role: ColourRole;
  readonly centre: PixelPoint;
  /** The direction that the wind comes from, in degrees. */
  readonly headingDeg: number;
}

export interface TextMark {
  readonly kind: 'text';
  readonly role: ColourRole;
  /** The place of the start, middle or end of the text, as `anchor` says, at half of its height. */
  readonly at: PixelPoint;
  readonly anchor: 'start' | 'middle' | 'end';
  readonly text: string;
  readonly isBold?: boolean;
  /** Whether the letters have an outline in the background colour, to be readable on an area. */
  readonly hasEdge?: boolean;
}

/** A straight line of an axis or a threshold. */
export interface RuleMark {
  readonly kind: 'rule';
  readonly role: ColourRole;
  readonly from: PixelPoint;
  readonly to: PixelPoint;
  readonly isDashed?: boolean;
}

/** A circle of an axis, as in a wind rose. */
export interface RingMark {
  readonly kind: 'ring';
  readonly role: ColourRole;
  readonly centre: PixelPoint;
  readonly radius: number;
}

export type Mark =
  | LineMark
  | BandMark
  | RectangleMark
  | SectorMark
  | ArrowMark
  | TextMark
  | RuleMark
  | RingMark;

/** The numbers that a picture shows, as a table for readers who cannot see the picture. */
export interface FigureTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A picture as shapes with their places. Later shapes lie above earlier shapes. */
export interface Figure {
  /** Width and height of the picture, px. */
  readonly width: number;
  readonly height: number;
  readonly title: string;
  /** Texts beneath the title (`facts`) and beneath the picture (`credit`). */
  readonly facts: readonly string[];
  readonly credit: readonly string[];
  readonly marks: readonly Mark[];
  readonly table: FigureTable;
  /** Whether the picture is a sentence that says why there is no other. */
  readonly isNotice?: boolean;
}
