import { CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import type { Json } from '../domain/json.ts';
import { printable } from '../domain/text.ts';
import { NotInterfaceError } from '../errors.ts';
import { assembleText, bareValue, isPlain, type TextLayout } from './layout.ts';

const quotedLine = (fields: readonly string[]): string =>
  stringify([[...fields]], { quoted: true });

const quote = (text: string): string =>
  `"${text.includes('"') ? text.replaceAll('"', '""') : text}"`;

function field(value: Json): string {
  if (typeof value === 'string') return quote(value);
  return typeof value === 'object' && value !== null
    ? quote(printable(JSON.stringify(value)))
    : String(value);
}

export const csvLayout: TextLayout = {
  head: ({ license, attribution, legend, units }) =>
    stringify([['License', license], ['Attribution', attribution], [...legend], [...units]], {
      quoted: true,
    }),

  names: quotedLine,

  rows({ legend, rows }) {
    if (isPlain(legend)) return rows.bytes;
    return rows.readings.map((reading) => `${reading.map(field).join(',')}\n`).join('');
  },

  decode(text, station) {
    const [license, attribution, legend = [], units = [], ...rows] = parseFields(text, station);
    return assembleText(
      {
        license: license?.[0] === 'License' ? String(license[1]) : undefined,
        attribution: attribution?.[0] === 'Attribution' ? String(attribution[1]) : undefined,
        legend: legend.map(String),
        units: units.map(String),
        rows,
      },
      station,
    );
  },
};

function parseFields(text: string, station: number): Json[][] {
  try {
    return parse(text, {
      relax_column_count: true,
      cast: (field, { quoting }) => (quoting ? field : bareValue(field)),
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new NotInterfaceError(
      `The answer for the archive of station ${station} is not CSV (${error.message}).`,
    );
  }
}
