import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/domain/json.ts';
import { ArchiveLines } from '../../src/domain/readings/lines.ts';
import { UnexpectedResponseError } from '../../src/errors.ts';
import { ARCHIVE_LEGEND, ARCHIVE_UNITS, decodeArchive } from '../../src/wire/archive.ts';
import { csvLayout, encodeText, txtLayout } from '../../src/wire/csvAndTxt.ts';
import { plain, unplain } from '../support/archives.ts';
import { naming } from '../support/naming.ts';
import { decodeCsv, decodeTxt } from '../support/textArchive.ts';
import { ARCHIVE, CSV_ARCHIVE, headOf, TEXT_ARCHIVE, TXT_ARCHIVE } from './samples.ts';

const [FIRST, SECOND] = structuredClone(ARCHIVE.data) as unknown as [Json[], Json[]];

/** An archive as it may come: its columns and rows are anything. */
interface Columns {
  readonly legend: Json;
  readonly units: Json;
  readonly data: Json;
}

const decode = (change: Partial<Columns>) =>
  plain(decodeArchive(Buffer.from(JSON.stringify({ ...ARCHIVE, ...change })), 110));

/** The sample with its columns in another order, some of them more than once or not at all. */
function pick(places: readonly number[]): Columns {
  const take = (row: readonly Json[]) => places.map((place) => row[place] as Json);
  return { legend: take(ARCHIVE_LEGEND), units: take(ARCHIVE_UNITS), data: ARCHIVE.data.map(take) };
}

describe('decodeArchive', () => {
  it('decodeArchive expects the columns and units that the service sends', () => {
    expect(ARCHIVE_LEGEND).toEqual(ARCHIVE.legend);
    expect(ARCHIVE_UNITS).toEqual(ARCHIVE.units);
  });

  it('decodeArchive keeps every value of an archive', () => {
    expect(decode({})).toEqual(ARCHIVE);
  });

  it.each([
    [
      'rows on lines of their own',
      (json: string) => json.replaceAll('[[', '[\n  [').replaceAll('],[', '],\n  ['),
    ],
    [
      'every value on a line of its own',
      (json: string) => JSON.stringify(JSON.parse(json), null, 2),
    ],
    ['numbers with exponents', (json: string) => json.replace(',1,', ',1e0,')],
    ['numbers with trailing zeros', (json: string) => json.replace(',1,', ',1.00,')],
    [
      'rows before the legend',
      (json: string) =>
        JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(json)).reverse())),
    ],
  ])('decodeArchive reads an archive from JSON with %s', (_, layOut) => {
    const text = layOut(JSON.stringify(ARCHIVE));
    expect(plain(decodeArchive(Buffer.from(text), 110))).toEqual(ARCHIVE);
  });

  it.each([
    [
      'a second member “data” without rows follows the first',
      (json: string) => json.replace(/}$/, ',"data":[]}'),
    ],
    [
      'a member other than “data” holds an archive with rows',
      (json: string) => `{"x":${json},${json.slice(1).replace(/"data":.*]]/, '"data":[]')}`,
    ],
  ])('decodeArchive reads the same rows as JSON.parse when %s', (_, change) => {
    const text = change(JSON.stringify(ARCHIVE));
    expect(JSON.parse(text).data).toEqual([]);
    expect(plain(decodeArchive(Buffer.from(text), 110)).data).toEqual([]);
  });

  it('decodeArchive reads an archive without rows', () => {
    expect(decode({ data: [] })).toEqual({ ...ARCHIVE, data: [] });
  });

  it('decodeArchive finds columns by name in any order', () => {
    expect(decode(pick([7, 6, 5, 4, 3, 2, 1, 0]))).toEqual(ARCHIVE);
  });

  it.each([[[0, 2, 1, 3, 4, 5, 6, 7]], [[0, 1, 2, 3, 5, 4, 6, 7]]])(
    'decodeArchive finds columns by name even where two columns of numbers are swapped: %j',
    (places) => {
      expect(decode(pick(places))).toEqual(ARCHIVE);
    },
  );

  it('decodeArchive reads the pressure as null when its column is missing', () => {
    expect(decode(pick([0, 1, 2, 3, 4, 5, 6]))).toEqual(ARCHIVE);
  });

  it.each([
    ['in the usual order', [0, 1, 2, 3, 4, 5, 6, 7]],
    ['in another order', [7, 0, 1, 2, 3, 4, 5, 6]],
  ])('decodeArchive keeps the pressure and its unit, with the columns %s', (_, places) => {
    const withPressure = {
      ...ARCHIVE,
      units: ARCHIVE_UNITS.with(7, 'hPa'),
      data: ARCHIVE.data.map((row, index) => row.with(7, 1013.25 + index)),
    };
    const take = (row: readonly Json[]) => places.map((place) => row[place] as Json);
    const { legend, units, data } = withPressure;
    const change = { legend: take(legend), units: take(units), data: data.map(take) };
    expect(decode(change)).toEqual(withPressure);
  });

  it('decodeArchive leaves out a column that the interface does not have, and names it', () => {
    const named: (readonly string[])[] = [];
    const wider = {
      ...ARCHIVE,
      legend: ['temperature', ...ARCHIVE_LEGEND, 'note'],
      units: ['°C', ...ARCHIVE_UNITS, ''],
      data: ARCHIVE.data.map((row, index) => [index, ...row, { any: ['value'] }]),
    };
    const body = Buffer.from(JSON.stringify(wider));
    expect(plain(decodeArchive(body, 110, undefined, (names) => named.push(names)))).toEqual(
      ARCHIVE,
    );
    expect(named).toEqual([['“temperature” (°C)', '“note”']]);
  });

  it('decodeArchive uses the first of two columns that have the same documented name', () => {
    const { legend, data } = decode(pick([0, 1, 2, 3, 4, 5, 6, 7, 4]));
    expect(legend).toEqual(ARCHIVE_LEGEND);
    expect(data).toEqual(ARCHIVE.data);
  });

  it.each(ARCHIVE_LEGEND.slice(0, 7))(
    'decodeArchive refuses an archive without the column %s',
    (name) => {
      const places = [...ARCHIVE_LEGEND.keys()].filter((place) => ARCHIVE_LEGEND[place] !== name);
      expect(() => decode(pick(places))).toThrow(naming('station 110', 'legend', name));
    },
  );

  it.each([
    [
      { units: ARCHIVE_UNITS.map((unit) => unit.replace('km/h', 'kn')) },
      ['wind_speed_min', '"kn"', '“km/h”'],
    ],
    [{ units: ARCHIVE_UNITS.slice(1) }, ['legend', 8, 'units', 7]],
    [{ legend: null }, ['legend', 'null', 'an array']],
    [{ legend: [1] }, ['legend[0]', 'number 1', 'a string']],
    [{ units: {} }, ['units', 'an object', 'an array']],
    [{ data: {} }, ['data', 'an object', 'an array']],
  ])('decodeArchive refuses a wrong member with an error that names it: %j', (change, names) => {
    expect(() => decode(change)).toThrow(UnexpectedResponseError);
    expect(() => decode(change)).toThrow(naming('station 110', ...names));
  });
});

describe('decodeArchive refuses a row', () => {
  it.each<[string, Json, (string | number)[]]>([
    ['that is too short', SECOND.slice(1), ['data[1]', 'an array', 8]],
    ['that is too long', [...SECOND, 7], ['data[1]', 'an array', 8]],
    ['that is an object', {}, ['data[1]', 'an object', 8]],
    ['that is null', null, ['data[1]', 'null', 8]],
    ['without a time', SECOND.with(0, null), ['time of row 2', 'null', 'a date']],
    ['with a bad date', SECOND.with(0, '2026-10-09'), ['time of row 2', '"2026-10-09"', 'a date']],
    ...ARCHIVE_LEGEND.slice(1).map((name, index): [string, Json, (string | number)[]] => [
      `with a string for ${name}`,
      SECOND.with(index + 1, '1'),
      [`${name} of row 2`, '2026-10-09T04:51:54.000Z', '"1"', 'a number or null'],
    ]),
  ])(
    'decodeArchive refuses a row %s, with an error that names the place of the row',
    (_what, row, names) => {
      const refused = () => decode({ data: [FIRST, row] });
      expect(refused).toThrow(UnexpectedResponseError);
      expect(refused).toThrow(naming('station 110', ...names));
    },
  );
});

describe.each([
  ['CSV', { layout: csvLayout, decodeText: decodeCsv, text: CSV_ARCHIVE }],
  ['TXT', { layout: txtLayout, decodeText: decodeTxt, text: TXT_ARCHIVE }],
] as const)('the history of a station in %s', (name, { layout, decodeText, text }) => {
  const inHead = (from: string, to: string): string => text.replace(from, to);

  it(`the history of a station in ${name} is encoded to the bytes that the service sends, with rows and without`, () => {
    expect(String(encodeText(layout, unplain(TEXT_ARCHIVE)))).toBe(text);
    expect(String(encodeText(layout, { ...TEXT_ARCHIVE, rows: ArchiveLines.ofRows([]) }))).toBe(
      `${headOf(text)}\n`,
    );
  });

  it(`the history of a station in ${name} has a line of column names`, () => {
    expect(layout.names(ARCHIVE_LEGEND)).toBe(`${text.split('\n')[2]}\n`);
  });

  it(`the history of a station in ${name} is decoded without a change`, () => {
    expect(plain(decodeText(text, 110))).toEqual(TEXT_ARCHIVE);
  });

  it(`the history of a station in ${name} is decoded with CRLF, and without a last line end`, () => {
    expect(plain(decodeText(text.replaceAll('\n', '\r\n'), 110))).toEqual(TEXT_ARCHIVE);
    expect(plain(decodeText(text.trimEnd(), 110))).toEqual(TEXT_ARCHIVE);
  });

  it(`a history without rows in ${name} is decoded as a history without readings`, () => {
    const empty = { ...TEXT_ARCHIVE, data: [] };
    expect(plain(decodeText(headOf(text), 110))).toEqual(empty);
    expect(plain(decodeText(`${headOf(text)}\n`, 110))).toEqual(empty);
  });

  it.each([
    ['an empty text', '', ['station 110', 'License']],
    [
      'a first line that does not begin with “License”',
      inHead('License', 'Licence'),
      ['station 110', 'License'],
    ],
    [
      'a second line that does not begin with “Attribution”',
      inHead('Attribution', 'Thanks'),
      ['station 110', 'Attribution'],
    ],
    ['an HTML page', '<!DOCTYPE html>\n<p>"Sorry"</p>', ['station 110']],
    ['a missing line of column names', text.split('\n').slice(0, 2).join('\n'), ['legend', 'time']],
    [
      'a renamed column',
      inHead('wind_heading', 'heading'),
      ['station 110', 'legend', 'wind_heading'],
    ],
    ['speeds in another unit', inHead('km/h', 'kn'), ['wind_speed_min', '"kn"', '“km/h”']],
    ['a cut last row', text.slice(0, -10), ['station 110', 'data[2]', 8]],
    [
      'a word in place of a latitude',
      inHead('45.960298', 'north'),
      ['latitude of row 1', '2026-10-09T04:46:54.000Z'],
    ],
    [
      'a date without seconds',
      inHead('04:51:54.000Z', '04:51'),
      ['time of row 2', '"2026-10-09T04:51"', 'a date'],
    ],
  ])(`the history of a station in ${name} is refused by the decoder for %s`, (_, broken, names) => {
    expect(() => decodeText(broken, 110)).toThrow(UnexpectedResponseError);
    expect(() => decodeText(broken, 110)).toThrow(naming(...names));
  });
});

describe('CSV', () => {
  it('a CSV history whose quote never closes is refused', () => {
    const open = CSV_ARCHIVE.replace('Z"', 'Z');
    expect(() => decodeCsv(open, 110)).toThrow(UnexpectedResponseError);
    expect(() => decodeCsv(open, 110)).toThrow(naming('station 110', 'CSV'));
  });

  it('a CSV history with a quoted number is refused', () => {
    const quoted = CSV_ARCHIVE.replace('45.960298', '"45.960298"');
    expect(() => decodeCsv(quoted, 110)).toThrow('latitude of row 1');
  });
});

describe('TXT', () => {
  it('a TXT history keeps license and attribution on one line without control characters', () => {
    const text = txtLayout.head({
      ...TEXT_ARCHIVE,
      license: 'https://example.org\r\n\u001b[2J',
      attribution: 'one\ttwo',
    });
    expect(text.split('\n').slice(0, 2)).toEqual([
      'License: https://example.org ␛[2J',
      'Attribution: one two',
    ]);
  });
});
