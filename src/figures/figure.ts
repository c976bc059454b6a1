import type { THEME_COLOURS } from '../domain/palette.ts';
import type { Shade } from './shades.ts';

/** The meaning of a shape, which a theme maps to a colour. A number is a Beaufort force. */
export type ColourRole = keyof (typeof THEME_COLOURS)['light'] | number | Shade;

/** A position in px from the upper left corner of the picture. */
export type PixelPoint = readonly [x: number, y: number];

export interface LineMark {
  readonly kind: 'line';
  readonly role: ColourRole;
  readonly points: readonly PixelPoint[];
}

/** An area between an upper and a lower curve, for example from lull to gust. */
export interface BandMark {
  readonly kind: 'band';
  /** Points of both curves, px, in order of `x`. */
  readonly points: readonly { readonly x: number; readonly top: number; readonly bottom: number }[];
  /** Beaufort forces, lowest first. Each colours the area above the position `from`, px. */
  readonly layers: readonly { readonly from: number; readonly role: number }[];
}

interface Tipped {
  /** A tooltip for the shape in SVG and HTML. */
  readonly tip?: string | undefined;
  /** A character that replaces the shape's colour on a terminal without colours. */
  readonly sign?: string | undefined;
}

export interface RectangleMark extends Tipped {
  readonly kind: 'rectangle';
  /** The meaning of the rectangle; undefined for an invisible one that only has a `tip`. */
  readonly role: ColourRole | undefined;
  /** For a point of a series: the index of its panel in the picture. */
  readonly panel?: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A part of a ring between two radii and two angles, for example a sector of a wind rose. */
export interface SectorMark extends Tipped {
  readonly kind: 'sector';
  readonly role: ColourRole;
  readonly centre: PixelPoint;
  readonly inner: number;
  readonly outer: number;
  /** The angles of the straight sides, degrees clockwise from north; `from` is less than `to`. */
  readonly from: number;
  readonly to: number;
}

/** An arrow that points to where the wind blows. */
export interface ArrowMark {
  readonly kind: 'arrow';
  readonly role: ColourRole;
  readonly centre: PixelPoint;
  /** The direction the wind comes from, degrees. */
  readonly headingDeg: number;
  /** The length of a bold arrow, px; undefined for a thin arrow of the default length. */
  readonly lengthPx?: number;
}

export interface TextMark {
  readonly kind: 'text';
  readonly role: ColourRole;
  /** The position of the text's start, middle or end, as `anchor` says, at half its height. */
  readonly at: PixelPoint;
  readonly anchor: 'start' | 'middle' | 'end';
  readonly text: string;
  readonly isBold?: boolean;
  /** The font size in px; undefined for the default. A terminal has a single size. */
  readonly sizePx?: number;
  /** Whether the letters have an outline in the background colour, to be readable on an area. */
  readonly hasEdge?: boolean;
}

/** A straight line, for an axis or a threshold. */
export interface RuleMark {
  readonly kind: 'rule';
  readonly role: ColourRole;
  readonly from: PixelPoint;
  readonly to: PixelPoint;
  readonly isDashed?: boolean;
}

/** A circle, for the axis of a wind rose. */
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

/** The numbers in a picture as a table, for readers who cannot see the picture. */
export interface FigureTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A picture as a list of shapes. Later shapes are drawn above earlier ones. */
export interface Figure {
  /** Width and height of the picture, px. */
  readonly width: number;
  readonly height: number;
  readonly title: string;
  /** Texts below the title (`facts`) and below the picture (`credit`). */
  readonly facts: readonly string[];
  readonly credit: readonly string[];
  readonly marks: readonly Mark[];
  readonly table: FigureTable;
  /** Whether the picture only shows a sentence that says why nothing can be drawn. */
  readonly isNotice?: boolean;
}
