import type { Archive } from '../domain/envelope.ts';
import { LEGEND } from './archive.ts';

/** The members of an archive that CSV and TXT carry: all but `doc`. */
export type TextArchive = Omit<Archive, 'doc'>;

/** How an archive is written as lines of text: CSV or TXT. */
export interface TextLayout {
  /** The four head lines: license, attribution, column names, units. */
  head(head: Omit<TextArchive, 'rows'>): string;
  /** A line of column names. */
  names(legend: readonly string[]): string;
  /** A line for each row. */
  rows(archive: Pick<Archive, 'legend' | 'rows'>): string | Buffer;
}

/**
 * Whether all columns hold dates, numbers and nulls alone: they are the interface's own, after a
 * station's id at most. A name that comes twice is a column of the service's, with any values.
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
