import type { Json } from '../domain/json.ts';
import { printable } from '../domain/text.ts';
import { isPlain, type TextLayout } from './layout.ts';

const tabbedLine = (fields: readonly string[]): string => `${fields.map(printable).join('\t')}\n`;

function txtField(value: Json): string {
  return printable(typeof value === 'string' ? value : JSON.stringify(value));
}

export const txtLayout: TextLayout = {
  head: ({ license, attribution, legend, units }) =>
    `License: ${printable(license)}\nAttribution: ${printable(attribution)}\n` +
    tabbedLine(legend) +
    tabbedLine(units),

  names: tabbedLine,

  rows({ legend, rows }) {
    // Dates, numbers and nulls hold neither commas nor quotes.
    if (isPlain(legend)) return rows.lines.replaceAll('"', '').replaceAll(',', '\t');
    return rows.readings.map((reading) => `${reading.map(txtField).join('\t')}\n`).join('');
  },
};
