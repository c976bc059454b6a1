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

/** An area between two heights. */
export interface BandMark {
  readonly kind: 'band';
  /** Points from left to right. */
  readonly points: readonly { readonly x: number; readonly top: number; readonly bottom: number }[];
  /** Fills of the area, each from a height upwards, lowest first. */
  readonly layers: readonly { readonly from: number; readonly role: Role }[];
}

interface Tipped {
  /** A text for the pointer, where the medium has one. */
  readonly tip?: string | undefined;
  /** A character that stands for the mark where there are no colours. */
  readonly sign?: string | undefined;
}

export interface RectangleMark extends Tipped {
  readonly kind: 'rectangle';
  /** The meaning of the area; undefined where it only has a tip. */
  readonly role: Role | undefined;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Part of a ring. */
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
  /** The middle of the line's height, at its start, middle or end. */
  readonly at: Point;
  readonly anchor: 'start' | 'middle' | 'end';
  readonly text: string;
  readonly isBold?: boolean;
  /** Whether an edge in the colour of the ground keeps the text readable on an area. */
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

/** A ring around a centre, of the same use as a rule. */
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

/** A picture after layout. Later marks lie above earlier ones. */
export interface Figure {
  /** Width and height, px. */
  readonly width: number;
  readonly height: number;
  readonly title: string;
  /** Lines beneath the title, and beneath the picture. */
  readonly facts: readonly string[];
  readonly credit: readonly string[];
  readonly marks: readonly Mark[];
  readonly table: FigureTable;
}
