import type { Json } from '../domain/json.ts';
import { printable } from '../domain/text.ts';
import { assembleText, bareValue, isPlain, type TextLayout } from './layout.ts';

const tabbedLine = (fields: readonly string[]): string => `${fields.map(printable).join('\t')}\n`;

function field(value: Json): string {
  return printable(typeof value === 'string' ? value : JSON.stringify(value));
}

export const txtLayout: TextLayout = {
  head: ({ license, attribution, legend, units }) =>
    `License: ${printable(license)}\nAttribution: ${printable(attribution)}\n` +
    tabbedLine(legend) +
    tabbedLine(units),

  names: tabbedLine,

  rows({ legend, rows }) {
    // The interface's own values hold neither commas nor quotes.
    if (isPlain(legend)) return rows.lines.replaceAll('"', '').replaceAll(',', '\t');
    return rows.readings.map((reading) => `${reading.map(field).join('\t')}\n`).join('');
  },

  decode(text, station) {
    const [license, attribution, legend = '', units = '', ...rows] = text.split(/\r?\n/);
    return assembleText(
      {
        license: afterLabel('License: ', license),
        attribution: afterLabel('Attribution: ', attribution),
        legend: legend.split('\t'),
        units: units.split('\t'),
        rows: rows
          .filter((line) => line !== '')
          .map((line): Json => line.split('\t').map(bareValue)),
      },
      station,
    );
  },
};

function afterLabel(label: string, line: string | undefined): string | undefined {
  return line?.startsWith(label) ? line.slice(label.length) : undefined;
}
