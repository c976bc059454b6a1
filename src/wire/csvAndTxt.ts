import { stringify } from 'csv-stringify/sync';
import type { Archive } from '../domain/envelope.ts';
import { printable } from '../domain/text.ts';

/** The members of an archive that CSV and TXT carry: all but `doc`. */
export type TextArchive = Omit<Archive, 'doc'>;

/** How an archive is written as lines of text: CSV or TXT. */
export interface TextLayout {
  /** The four head lines of an archive as text: license, attribution, names of columns, units. */
  head(head: Omit<TextArchive, 'rows'>): string;
  /** The line with the names of the columns. */
  names(legend: readonly string[]): string;
  /**
   * The lines of the rows.
   * @param lines the rows as lines of the service's csv
   * @param isEmpty whether a missing value is an empty cell, instead of the service's `null`
   * @param columns number of columns
   */
  rows(lines: string | Buffer, isEmpty?: boolean, columns?: number): string | Buffer;
}

const quotedLine = (fields: readonly string[]): string =>
  stringify([[...fields]], { quoted: true });

export const csvLayout: TextLayout = {
  head: ({ license, attribution, legend, units }) =>
    [['License', license], ['Attribution', attribution], legend, units].map(quotedLine).join(''),

  names: quotedLine,

  rows(lines, isEmpty = false, columns = 8) {
    // A row of one empty cell is written as `""`: most readers skip an empty line.
    return isEmpty ? withoutNulls(lines, columns === 1 ? '""' : '') : lines;
  },
};

const tabbedLine = (fields: readonly string[]): string => `${fields.map(printable).join('\t')}\n`;

export const txtLayout: TextLayout = {
  head: ({ license, attribution, legend, units }) =>
    `License: ${printable(license)}\nAttribution: ${printable(attribution)}\n` +
    tabbedLine(legend) +
    tabbedLine(units),

  names: tabbedLine,

  rows(lines, isEmpty = false) {
    // Tabs may replace commas, and quotes be dropped: dates, numbers and nulls hold none of them.
    const text = isEmpty ? withoutNulls(lines, '') : lines.toString();
    return text.replaceAll('"', '').replaceAll(',', '\t');
  },
};

/**
 * The rows as lines of text, with `missing` for each null. They contain dates, numbers and nulls,
 * all ASCII.
 */
function withoutNulls(lines: string | Buffer, missing: string): string {
  return lines.toString().replaceAll('null', missing);
}

/** Writes head and rows, the whole body of a response. */
export function encodeText(layout: TextLayout, archive: TextArchive): Buffer {
  const rows = layout.rows(archive.rows.bytes);
  return Buffer.concat([Buffer.from(layout.head(archive)), Buffer.from(rows)]);
}
