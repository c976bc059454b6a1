import type { Archive } from '../domain/envelope.ts';
import type { Json } from '../domain/json.ts';
import { NotInterfaceError } from '../errors.ts';
import { arrangeRows, LEGEND } from './archive.ts';

/** What the text forms of an archive carry: all of the envelope but `doc`. */
export type TextArchive = Omit<Archive, 'doc'>;

/** An archive as text lines. CSV and TXT differ only in how a line is written. */
export interface TextLayout {
  /** The four head lines: license, attribution, column names, units. */
  head(head: Omit<TextArchive, 'rows'>): string;
  /** A line of column names alone. */
  names(legend: readonly string[]): string;
  /** A line for each row. `legend` tells whether there are columns of another's making. */
  rows(archive: Pick<Archive, 'legend' | 'rows'>): string | Buffer;
  /** Reads head and rows back. @throws NotInterfaceError */
  decode(text: string, station: number): TextArchive;
}

/**
 * Whether columns hold nothing but dates, numbers and nulls: the interface's own, and before them a
 * station's id. A name that comes again is that of another's column, of whatever values.
 */
export function isPlain(legend: readonly string[]): boolean {
  return legend.every(
    (name, place) =>
      (LEGEND.includes(name) || (name === 'station' && place === 0)) &&
      legend.indexOf(name) === place,
  );
}

/** Writes head and rows, the whole body of an answer. */
export function encodeText(layout: TextLayout, archive: TextArchive): Buffer {
  const rows = layout.rows(archive);
  return Buffer.concat([
    Buffer.from(layout.head(archive)),
    typeof rows === 'string' ? Buffer.from(rows) : rows,
  ]);
}

/** The parts of a text archive split into fields, still unchecked. */
export interface TextParts {
  readonly license: string | undefined;
  readonly attribution: string | undefined;
  readonly legend: readonly string[];
  readonly units: readonly string[];
  readonly rows: readonly Json[];
}

/** Checks what a text form was split into. @throws NotInterfaceError */
export function assembleText(parts: TextParts, station: number): TextArchive {
  const subject = `the archive of station ${station}`;
  const { license, attribution } = parts;
  if (license === undefined || attribution === undefined) {
    const line = license === undefined ? 'License' : 'Attribution';
    throw new NotInterfaceError(`The answer for ${subject} has no ${line} line at its head.`);
  }
  const arranged = arrangeRows(subject, parts.legend, parts.units, parts.rows);
  return { license, attribution, ...arranged };
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** The value of an unquoted field: null, a number, or the text as it stands. */
export function bareValue(text: string): Json {
  if (text === 'null') return null;
  return NUMBER.test(text) ? Number(text) : text;
}
