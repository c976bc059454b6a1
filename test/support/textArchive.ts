import { CsvError, parse } from 'csv-parse/sync';
import type { Json } from '../../src/domain/json.ts';
import { UnexpectedResponseError } from '../../src/errors.ts';
import { arrangeArchiveRows } from '../../src/wire/archive.ts';
import type { TextArchive } from '../../src/wire/csvAndTxt.ts';

/** Reads an archive in CSV or TXT as a client would. @throws NotInterfaceError */
export type TextDecoder = (text: string, station: number) => TextArchive;

export const decodeCsv: TextDecoder = (text, station) => {
  const [license, attribution, legend = [], units = [], ...rows] = parseCsv(text, station);
  return assemble(station, {
    license: license?.[0] === 'License' ? String(license[1]) : undefined,
    attribution: attribution?.[0] === 'Attribution' ? String(attribution[1]) : undefined,
    legend: legend.map(String),
    units: units.map(String),
    rows,
  });
};

export const decodeTxt: TextDecoder = (text, station) => {
  const [license, attribution, legend = '', units = '', ...rows] = text.split(/\r?\n/);
  return assemble(station, {
    license: afterLabel('License: ', license),
    attribution: afterLabel('Attribution: ', attribution),
    legend: legend.split('\t'),
    units: units.split('\t'),
    rows: rows.filter((line) => line !== '').map((line): Json => line.split('\t').map(bareValue)),
  });
};

function parseCsv(text: string, station: number): Json[][] {
  try {
    return parse(text, {
      relax_column_count: true,
      cast: (field, { quoting }) => (quoting ? field : bareValue(field)),
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new UnexpectedResponseError(
      `The response for the archive of station ${station} is not CSV (${error.message}).`,
    );
  }
}

function afterLabel(label: string, line: string | undefined): string | undefined {
  return line?.startsWith(label) ? line.slice(label.length) : undefined;
}

interface Parts {
  readonly license: string | undefined;
  readonly attribution: string | undefined;
  readonly legend: readonly string[];
  readonly units: readonly string[];
  readonly rows: readonly Json[];
}

function assemble(station: number, { license, attribution, ...columns }: Parts): TextArchive {
  const subject = `the archive of station ${station}`;
  if (license === undefined || attribution === undefined) {
    const line = license === undefined ? 'License' : 'Attribution';
    throw new UnexpectedResponseError(
      `The response for ${subject} has no ${line} line at its head.`,
    );
  }
  const { legend, units, rows } = columns;
  return { license, attribution, ...arrangeArchiveRows(subject, legend, units, rows) };
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** The value of an unquoted field: null, a number, or else its text. */
function bareValue(text: string): Json {
  if (text === 'null') return null;
  return NUMBER.test(text) ? Number(text) : text;
}
