import type { Archive } from '../domain/envelope.ts';
import type { Json } from '../domain/json.ts';
import { printable } from '../domain/text.ts';
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

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const quotedLine = (fields: readonly string[]): string => `${fields.map(quoted).join(',')}\n`;

function csvField(value: Json): string {
  if (typeof value === 'string') return quoted(value);
  return typeof value === 'object' && value !== null
    ? quoted(printable(JSON.stringify(value)))
    : String(value);
}

export const csvLayout: TextLayout = {
  head: ({ license, attribution, legend, units }) =>
    [['License', license], ['Attribution', attribution], legend, units].map(quotedLine).join(''),

  names: quotedLine,

  rows({ legend, rows }) {
    if (isPlain(legend)) return rows.bytes;
    return rows.readings.map((reading) => `${reading.map(csvField).join(',')}\n`).join('');
  },
};

const tabbedLine = (fields: readonly string[]): string => `${fields.map(printable).join('\t')}\n`;

const txtField = (value: Json): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

export const txtLayout: TextLayout = {
  head: ({ license, attribution, legend, units }) =>
    `License: ${printable(license)}\nAttribution: ${printable(attribution)}\n` +
    tabbedLine(legend) +
    tabbedLine(units),

  names: tabbedLine,

  rows({ legend, rows }) {
    // Dates, numbers and nulls hold neither commas nor quotes.
    if (isPlain(legend)) return rows.lines.replaceAll('"', '').replaceAll(',', '\t');
    return rows.readings.map((reading) => tabbedLine(reading.map(txtField))).join('');
  },
};

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
  return Buffer.concat([Buffer.from(layout.head(archive)), Buffer.from(rows)]);
}
