import type { Json } from '../domain/json.ts';
import { printable } from '../domain/text.ts';
import { assembleText, bareValue, type TextLayout } from './layout.ts';

const tabbedLine = (fields: readonly string[]): string => `${fields.map(printable).join('\t')}\n`;

function field(value: Json): Json {
  if (typeof value === 'string') return printable(value);
  return typeof value === 'object' && value !== null ? printable(JSON.stringify(value)) : value;
}

export const txtLayout: TextLayout = {
  head: ({ license, attribution, legend, units }) =>
    `License: ${printable(license)}\nAttribution: ${printable(attribution)}\n` +
    tabbedLine(legend) +
    tabbedLine(units),

  names: tabbedLine,

  rows(rows) {
    let text = '';
    for (const row of rows) text += `${row.map(field).map(String).join('\t')}\n`;
    return text;
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
