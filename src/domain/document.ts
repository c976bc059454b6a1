import type { Provenance } from './envelope.ts';
import type { Period } from './period.ts';

/**
 * How a value is written. Programs get `speed` and `spread` in the chosen unit, `limit` too, a date
 * for the times `time`, `minute`, `clock` and `day`, and other values as they are. The other kinds
 * say how people read the value.
 */
export type ValueKind =
  /** Written as it is. */
  | 'plain'
  /** A text of the service, in which control characters are harmless. */
  | 'text'
  /** Kilometres per hour. */
  | 'speed'
  /** A difference of speeds in km/h, or a parameter of their distribution: it has no force. */
  | 'spread'
  /** A speed in km/h that the user chose, written without the noise of the conversion. */
  | 'limit'
  /** Milliseconds since 1970, to the second. */
  | 'time'
  /** The same to the minute, with the offset if the clock shows the minute twice. */
  | 'minute'
  /** The same to the minute. */
  | 'clock'
  /** The same as a date. */
  | 'day'
  /** A length in seconds. */
  | 'length'
  /** A number from 0 to 1, as per cent. */
  | 'share'
  | 'count'
  /** A number with one decimal. */
  | 'tenths'
  /** A number with two decimals. */
  | 'hundredths'
  | 'whole'
  /** Degrees: point and number, or the point alone. */
  | 'direction'
  | 'point';

/** A value of a row. Formats without nested values write an object or a list in several columns. */
export type FieldValue = number | string | null | undefined | object;

/** A named value of each flat row. */
export interface RowField {
  readonly name: string;
  readonly kind: ValueKind;
  /** The columns that csv has for a value that is an object or a list. */
  readonly parts?: {
    readonly names: readonly string[];
    readonly of: (value: FieldValue) => readonly FieldValue[];
  };
}

/** Reads a value from an item of type `T`. */
export interface ValueReader<T> {
  readonly read: (item: T) => FieldValue;
}

export type ReadableField<T> = RowField & ValueReader<T>;

/** Widths in cells that a column's text may be cut to, so that other columns are not left out. */
export interface MinimumTextWidths {
  /** Least width of text, in cells, to keep columns ranked above 4; by default `comfortable`. */
  readonly roomy?: number;
  /** Least width of text, in cells, to keep columns ranked 4. */
  readonly comfortable: number;
  /** Least width of text, in cells, to keep columns ranked below 4. */
  readonly tight: number;
}

/** A column of a table for people. */
export interface TextColumn {
  readonly head: string;
  /** In a narrow window, the column of the highest rank is left out first; rank 0 always stays. */
  readonly rank: number;
  readonly kind: ValueKind;
  /** Whether values are aligned at their decimal points; by default if the kind is a number. */
  readonly isDecimal?: boolean;
  /** How far the text may be cut; `head` lets only the name of the column be cut. */
  readonly room?: MinimumTextWidths | 'head';
  /** Shortens a text to a width, if not by cutting its end off. */
  readonly shorten?: (text: string, width: number) => string;
  /** A shorter name, for a narrow window. */
  readonly brief?: string;
}

export type ReadableColumn<T> = TextColumn & ValueReader<T>;

/** The values of an item, in the order of fields or columns. */
export type DocumentRow = readonly FieldValue[];

export const readRowValues = <T>(fields: readonly ValueReader<T>[], item: T): DocumentRow =>
  fields.map(({ read }) => read(item));

/** A station that a part of a document is about. */
export interface StationTitle {
  readonly station: number;
  /** The name of the station; undefined if names were not requested. */
  readonly name: string | undefined;
  readonly period: Period;
}

/** A part of a document for people. One blank line is between two blocks. */
export type DocumentBlock =
  /** Station and period, with the keys of a group; `lead` is a line below, or two. */
  | { readonly title: StationTitle; readonly keys?: readonly string[]; readonly lead?: string }
  /** A table; `foot` is a line below. */
  | {
      readonly columns: readonly TextColumn[];
      readonly rows: readonly DocumentRow[];
      readonly foot?: string | undefined;
    }
  /** Paragraphs. */
  | { readonly notes: readonly string[] }
  /** Facts, each a label with its text, and beside them a table without a head. */
  | {
      readonly facts: readonly (readonly string[])[];
      readonly beside: readonly (readonly string[])[];
    };

/** A table of a document for people. */
export function tableBlock<T>(
  items: readonly T[],
  columns: readonly ReadableColumn<NoInfer<T>>[],
  foot?: string,
): DocumentBlock {
  return { columns, rows: items.map((item) => readRowValues(columns, item)), foot };
}

/** Writes a value for people. */
export type ValueWriter = (kind: ValueKind, value: FieldValue) => string;

/** The rows of one station. */
interface StationRows extends StationTitle {
  /** Each row has the values of the document's fields, in their order. */
  readonly rows: Iterable<DocumentRow>;
}

/** A document of flat rows, which each format writes in its way. */
export interface RowDocument {
  readonly fields: readonly RowField[];
  /** The rows, station by station. Either these are read or the blocks. */
  rows(): AsyncIterable<StationRows>;
  /** The document for people. */
  blocks(write: ValueWriter): AsyncIterable<DocumentBlock>;
  /** Lists of speeds for the head of json, in the chosen unit. */
  readonly speeds?: Readonly<Record<string, readonly number[]>> | undefined;
  /** Whether csv has the names of the fields even without a row. */
  readonly isNamedEmpty?: boolean | undefined;
  /** Whether json is one indented object, without a period of all stations. */
  readonly isIndented?: boolean;
  /** License and source of the data, as far as known; complete once the first station has come. */
  readonly provenance: () => Partial<Provenance>;
}

/** Makes fields of one kind. */
const fieldOf =
  (kind: ValueKind) =>
  <T>(name: string, read: (item: T) => FieldValue): ReadableField<T> => ({ name, kind, read });

export const plainField = fieldOf('plain');
export const speedField = fieldOf('speed');
export const spreadField = fieldOf('spread');
export const limitField = fieldOf('limit');
export const timeField = fieldOf('time');

/** Makes a column of a table. */
export const readableColumn = <T>(
  head: string,
  rank: number,
  kind: ValueKind,
  read: (item: T) => FieldValue,
  more: Partial<TextColumn> = {},
): ReadableColumn<T> => ({ head, rank, kind, read, ...more });
