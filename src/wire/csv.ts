import { stringify } from 'csv-stringify/sync';
import type { Json } from '../domain/json.ts';
import { printable } from '../domain/text.ts';
import { isPlain, type TextLayout } from './layout.ts';

const quotedLines = (...lines: (readonly string[])[]): string =>
  stringify(
    lines.map((fields) => [...fields]),
    { quoted: true },
  );

const quotedField = (text: string): string => `"${text.replaceAll('"', '""')}"`;

function csvField(value: Json): string {
  if (typeof value === 'string') return quotedField(value);
  return typeof value === 'object' && value !== null
    ? quotedField(printable(JSON.stringify(value)))
    : String(value);
}

export const csvLayout: TextLayout = {
  head: ({ license, attribution, legend, units }) =>
    quotedLines(['License', license], ['Attribution', attribution], legend, units),

  names: (legend) => quotedLines(legend),

  rows({ legend, rows }) {
    if (isPlain(legend)) return rows.bytes;
    return rows.readings.map((reading) => `${reading.map(csvField).join(',')}\n`).join('');
  },
};
