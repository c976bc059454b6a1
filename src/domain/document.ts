import type { Provenance } from './envelope.ts';
import type { Period } from './period.ts';

/**
 * How a value is written. Programs get `speed`, `spread` and `limit` as numbers in the chosen unit,
 * the times `time`, `minute`, `clock` and `day` as dates, and other values unchanged. For people,
 * each kind has its own format.
 */
export type ValueKind =
  /** Written as it is. */
  | 'plain'
  /** A text from the service. Control characters are made harmless. */
  | 'text'
  /** Kilometres per hour. */
  | 'speed'
  /**
   * A difference of speeds in km/h, or a parameter of their distribution. It cannot be a Beaufort
   * force.
   */
  | 'spread'
  /** A speed in km/h that the user chose, written without floating-point noise. */
  | 'limit'
  /** Milliseconds since 1970, shown to the second. */
  | 'time'
  /**
   * Milliseconds since 1970, shown to the minute, with the offset if the clock shows that minute
   * twice.
   */
  | 'minute'
  /** Milliseconds since 1970, shown to the minute. */
  | 'clock'
  /** Milliseconds since 1970, shown as a date. */
  | 'day'
  /** A duration in seconds. */
  | 'length'
  /** A number from 0 to 1, shown as a percentage. */
  | 'share'
  | 'count'
  /** A number with one decimal. */
  | 'tenths'
  /** A number with two decimals. */
  | 'hundredths'
  | 'whole'
  /** Degrees, shown as compass point and number (`direction`) or as the point only (`point`). */
  | 'direction'
  | 'point';

/**
 * A value of a row. Formats without nested values split an object or a list into several columns.
 */
export type FieldValue = number | string | null | undefined | object;

/** A named value that every row has. */
export interface RowField {
  readonly name: string;
  readonly kind: ValueKind;
  /** The names of the csv columns for a value that is an object or a list. */
  readonly parts?: {
    readonly names: readonly string[];
    readonly of: (value: FieldValue) => readonly FieldValue[];
  };
}

/** Reads a value from an item of type `T`. */
interface ValueReader<T> {
  readonly read: (item: T) => FieldValue;
}

export type ReadableField<T> = RowField & ValueReader<T>;

/** The widths, in cells, to which a column's text may be cut so that other columns fit. */
export interface MinimumTextWidths {
  /** Minimum text width while columns of rank above 4 are kept; `comfortable` by default. */
  readonly roomy?: number;
  /** Minimum text width while columns of rank 4 are kept. */
  readonly comfortable: number;
  /** Minimum text width while columns of rank below 4 are kept. */
  readonly tight: number;
}

/** A column of a table for people. */
export interface TextColumn {
  readonly head: string;
  /** In a narrow window, columns of high rank are dropped first. Rank 0 always stays. */
  readonly rank: number;
  readonly kind: ValueKind;
  /** Whether values are aligned at the decimal point; by default true for kinds of numbers. */
  readonly isDecimal?: boolean;
  /** How far the text may be cut. With `head`, only the column's name may be cut. */
  readonly room?: MinimumTextWidths | 'head';
  /** Shortens a text to a width; by default its end is cut off. */
  readonly shorten?: (text: string, width: number) => string;
  /** A shorter name for narrow windows. */
  readonly brief?: string;
}

export type ReadableColumn<T> = TextColumn & ValueReader<T>;

/** The values of one row, in the order of fields or columns. */
export type DocumentRow = readonly FieldValue[];

export const readRowValues = <T>(fields: readonly ValueReader<T>[], item: T): DocumentRow =>
  fields.map(({ read }) => read(item));

/** The station and period in the title of a part of a document. */
export interface StationTitle {
  readonly station: number;
  /** The name of the station; undefined if names were not requested. */
  readonly name: string | undefined;
  readonly period: Period;
}

/** A part of a document for people. Blocks are separated by a blank line. */
export type DocumentBlock =
  /** Station and period, with the keys of a group. `lead` adds one or two lines below. */
  | { readonly title: StationTitle; readonly keys?: readonly string[]; readonly lead?: string }
  /** A table; `foot` is a line below it. */
  | {
      readonly columns: readonly TextColumn[];
      readonly rows: readonly DocumentRow[];
      readonly foot?: string | undefined;
    }
  /** Paragraphs. */
  | { readonly notes: readonly string[] }
  /** Facts as pairs of label and text, and a table without a header beside them. */
  | {
      readonly facts: readonly (readonly string[])[];
      readonly beside: readonly (readonly string[])[];
    };

/** Creates the block of a table. */
export function tableBlock<T>(
  items: readonly T[],
  columns: readonly ReadableColumn<NoInfer<T>>[],
  foot?: string,
): DocumentBlock {
  return { columns, rows: items.map((item) => readRowValues(columns, item)), foot };
}

/** Formats a value for people. */
export type ValueWriter = (kind: ValueKind, value: FieldValue) => string;

/** The rows of one station. */
interface StationRows extends StationTitle {
  /** The rows, each with values in the order of the document's fields. */
  readonly rows: Iterable<DocumentRow>;
}

/** A document of flat rows, which every format can write. */
export interface RowDocument {
  readonly fields: readonly RowField[];
  /** The rows, station by station. Read either the rows or the blocks, not both. */
  rows(): AsyncIterable<StationRows>;
  /** The document for people, as blocks. */
  blocks(write: ValueWriter): AsyncIterable<DocumentBlock>;
  /** Lists of speeds that json writes before the rows, by name, such as speed classes; in the chosen unit. */
  readonly speeds?: Readonly<Record<string, readonly number[]>> | undefined;
  /** Whether csv writes the field names even if there are no rows. */
  readonly isNamedEmpty?: boolean | undefined;
  /** Whether json is one indented object instead of a line for each row. */
  readonly isIndented?: boolean;
  /**
   * License and attribution, as far as they are known. Complete once the first station was read.
   */
  readonly provenance: () => Partial<Provenance>;
}

/** Creates a function that makes fields of one kind. */
const fieldOf =
  (kind: ValueKind) =>
  <T>(name: string, read: (item: T) => FieldValue): ReadableField<T> => ({ name, kind, read });

export const plainField = fieldOf('plain');
export const speedField = fieldOf('speed');
export const spreadField = fieldOf('spread');
export const limitField = fieldOf('limit');
export const timeField = fieldOf('time');

/** Creates a column that reads its values from items. */
export const readableColumn = <T>(
  head: string,
  rank: number,
  kind: ValueKind,
  read: (item: T) => FieldValue,
  more: Partial<TextColumn> = {},
): ReadableColumn<T> => ({ head, rank, kind, read, ...more });
