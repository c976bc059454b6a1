import { stringify } from 'csv-stringify/sync';
import type { Archive } from '../domain/envelope.ts';
import { printable } from '../domain/text.ts';

/** The parts of an archive that CSV and TXT contain: everything except `doc`. */
export type TextArchive = Omit<Archive, 'doc'>;

/** Writes an archive as lines of text: CSV or TXT. */
export interface TextLayout {
  /** The four header lines: license, attribution, column names, units. */
  head(head: Omit<TextArchive, 'rows'>): string;
  /** The line with the column names. */
  names(legend: readonly string[]): string;
  /**
   * The lines of the rows.
   * @param lines the rows as lines of the service's csv
   * @param isEmpty whether to leave missing values empty instead of `null`
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
    // Write a row with a single empty cell as `""`, since most programs skip an empty line.
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
    // Tabs can simply replace commas, and quotes be dropped: dates, numbers and nulls contain
    // neither.
    const text = isEmpty ? withoutNulls(lines, '') : lines.toString();
    return text.replaceAll('"', '').replaceAll(',', '\t');
  },
};

/**
 * Replaces each null in rows by `missing`. Rows only contain dates, numbers and nulls, all in
 * ASCII.
 */
function withoutNulls(lines: string | Buffer, missing: string): string {
  return lines.toString().replaceAll('null', missing);
}

/** Encodes header and rows, the whole body of a response. */
export function encodeText(layout: TextLayout, archive: TextArchive): Buffer {
  const rows = layout.rows(archive.rows.bytes);
  return Buffer.concat([Buffer.from(layout.head(archive)), Buffer.from(rows)]);
}
