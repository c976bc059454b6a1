import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import type { Archive } from '../../src/domain/envelope.ts';
import type { Reading } from '../../src/domain/reading.ts';
import { Rows } from '../../src/domain/rows.ts';
import type { Header } from '../../src/formats/format.ts';
import { ARCHIVE_FORMATS } from '../../src/formats/index.ts';
import { presentArchive } from '../../src/formats/present.ts';
import { LEGEND, UNITS } from '../../src/wire/archive.ts';
import { csvLayout, encodeText, txtLayout } from '../../src/wire/csvAndTxt.ts';
import { ARCHIVE_PROVENANCE } from '../support/fixture-service.ts';

const FORMULAS = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' \n=1', '\uff1d1', '-'];
const HARMLESS = ['a=1', '1', '"=1"', "'=1", '', 'Rain', '(=1)'];
const STARTS_FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r]/;

/** An archive with a further column of each text, which is its name and its only value. */
function archiveOf(texts: readonly string[]): Archive {
  const row = ['2024-05-01T12:00:00.000Z', 45.5, -6.25, 0, -1, 2.5, 270, null, ...texts];
  return {
    ...ARCHIVE_PROVENANCE,
    attribution: texts.at(0) ?? '',
    legend: [...LEGEND, ...texts],
    units: [...UNITS, ...texts.map(() => '=2')],
    rows: Rows.ofReadings([row as unknown as Reading]),
  };
}

const AS_IT_CAME = { unit: 'kmh', zone: 'utc', columns: undefined, isUnicode: true } as const;

async function write(
  name: 'csv' | 'txt',
  archive: Archive,
  header: Header,
  stationAt?: number,
): Promise<string> {
  const format = await ARCHIVE_FORMATS[name].load();
  const writeDate = (isoUtc: string) => isoUtc;
  async function* chunks() {
    yield presentArchive(110, archive, { ...AS_IT_CAME, writeDate });
  }
  let text = '';
  const look = { colour: false, columns: undefined, isUnicode: true };
  for await (const piece of format.archive(chunks(), { header, stationAt }, look)) text += piece;
  return text;
}

/** The cells of further columns. */
const cellsOf = (name: 'csv' | 'txt', text: string): string[] => {
  const rows: string[][] =
    name === 'csv'
      ? parse(text)
      : text
          .split('\n')
          .slice(0, -1)
          .map((line) => line.split('\t'));
  return rows.flatMap((row) => row.slice(8));
};

describe.each(['csv', 'txt'] as const)('an archive in %s', (name) => {
  it.each(['names', 'none'] as const)(
    'has no formula in a cell with --header %s',
    async (header) => {
      const text = await write(name, archiveOf(FORMULAS), header);
      const cells = cellsOf(name, text);
      expect(cells).toHaveLength(header === 'names' ? 2 * FORMULAS.length : FORMULAS.length);
      for (const cell of cells) expect([cell, STARTS_FORMULA.test(cell)]).toEqual([cell, false]);
      expect(cells.at(-FORMULAS.length)).toBe("'=1+1");
    },
  );

  it('keeps harmless texts and negative numbers as they are with --header names', async () => {
    const text = await write(name, archiveOf(HARMLESS), 'names', 0);
    const [, row = []] = (
      name === 'csv' ? parse(text) : text.split('\n').map((line) => line.split('\t'))
    ) as string[][];
    expect(row.slice(0, 8)).toEqual([
      ...['110', '2024-05-01T12:00:00.000Z', '45.5', '-6.25', '0', '-1', '2.5', '270'],
    ]);
    expect(row.slice(9)).toEqual(HARMLESS);
  });

  it('is byte for byte the document of the service with --header service', async () => {
    const archive = archiveOf(['=1+1', '+1', '-1', '@SUM(A1)']);
    const layout = name === 'csv' ? csvLayout : txtLayout;
    expect(await write(name, archive, 'service')).toBe(encodeText(layout, archive).toString());
  });
});
