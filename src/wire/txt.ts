import type { Json } from '../domain/json.ts';
import type { Reading } from '../domain/reading.ts';
import { printable } from '../domain/text.ts';
import { assembleText, bareValue, type TextLayout } from './layout.ts';

const tabbedLine = (fields: readonly string[]): string => `${fields.map(printable).join('\t')}\n`;

function extraFields(reading: Reading): string {
  return reading
    .slice(8)
    .map((value) => `\t${printable(typeof value === 'string' ? value : JSON.stringify(value))}`)
    .join('');
}

export const txtLayout: TextLayout = {
  head: ({ license, attribution, legend, units }) =>
    `License: ${printable(license)}\nAttribution: ${printable(attribution)}\n` +
    tabbedLine(legend) +
    tabbedLine(units),

  names: tabbedLine,

  rows(readings) {
    let text = '';
    for (const r of readings) {
      text += `${r[0]}\t${r[1]}\t${r[2]}\t${r[3]}\t${r[4]}\t${r[5]}\t${r[6]}\t${r[7]}`;
      text += r.length > 8 ? `${extraFields(r)}\n` : '\n';
    }
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
