import type { THEMES } from '../domain/palette.ts';

/** The meaning of a mark, to which the theme gives a colour. A number is a Beaufort force. */
export type Role = keyof (typeof THEMES)['light'] | number;

/** A place in px from the upper left corner. */
export type Point = readonly [x: number, y: number];

/** A line through points. */
export interface LineMark {
  readonly kind: 'line';
  readonly role: Role;
  readonly points: readonly Point[];
}

/** An area between an upper and a lower edge. */
export interface BandMark {
  readonly kind: 'band';
  /** The upper and lower edge in px, from left to right. */
  readonly points: readonly { readonly x: number; readonly top: number; readonly bottom: number }[];
  /** Colours of the area, each from the height `from` upwards, lowest first. */
  readonly layers: readonly { readonly from: number; readonly role: Role }[];
}

interface Tipped {
  /** A text shown when the reader points at the mark, as in HTML. */
  readonly tip?: string | undefined;
  /** A character that stands for the mark on a terminal without colours. */
  readonly sign?: string | undefined;
}

export interface RectangleMark extends Tipped {
  readonly kind: 'rectangle';
  /** The meaning of the area; undefined for an invisible area that only has a tip. */
  readonly role: Role | undefined;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A part of a ring, between the radii `inner` and `outer`. */
export interface SectorMark extends Tipped {
  readonly kind: 'sector';
  readonly role: Role;
  readonly centre: Point;
  readonly inner: number;
  readonly outer: number;
  /** Degrees clockwise from north, `from < to`. */
  readonly from: number;
  readonly to: number;
}

/** An arrow in the direction that the wind blows to. */
export interface ArrowMark {
  readonly kind: 'arrow';
  readonly role: Role;
  readonly centre: Point;
  /** Degrees the wind comes from. */
  readonly headingDeg: number;
}

export interface TextMark {
  readonly kind: 'text';
  readonly role: Role;
  /** The start, middle or end of the text, as `anchor` says, at half the height of the line. */
  readonly at: Point;
  readonly anchor: 'start' | 'middle' | 'end';
  readonly text: string;
  readonly isBold?: boolean;
  /** Whether the letters have an edge in the background colour, to be readable on an area. */
  readonly hasEdge?: boolean;
}

/** A straight line of an axis or a threshold. */
export interface RuleMark {
  readonly kind: 'rule';
  readonly role: Role;
  readonly from: Point;
  readonly to: Point;
  readonly isDashed?: boolean;
}

/** A circle of an axis, as in a wind rose. */
export interface RingMark {
  readonly kind: 'ring';
  readonly role: Role;
  readonly centre: Point;
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

/** The numbers behind a figure, for readers who cannot see the picture. */
export interface FigureTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A picture after layout. Later marks lie above earlier marks. */
export interface Figure {
  /** Width and height, px. */
  readonly width: number;
  readonly height: number;
  readonly title: string;
  /** Lines beneath the title (`facts`) and beneath the picture (`credit`). */
  readonly facts: readonly string[];
  readonly credit: readonly string[];
  readonly marks: readonly Mark[];
  readonly table: FigureTable;
}
