import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SERVICE_COLUMNS } from '../../../src/domain/readings/archiveColumns.ts';
import type { ReadingColumns } from '../../../src/domain/readings/columns.ts';
import { ArchiveLines } from '../../../src/domain/readings/lines.ts';
import { parseLines } from '../../../src/domain/readings/readLines.ts';
import type { ArchiveRow } from '../../../src/wire/archive.ts';
import { rowsOf } from '../../support/archives.ts';

const arraysOf = ({ count, writtenIn, ...columns }: ReadingColumns): Float64Array[] =>
  Object.values(columns);

/** A typed array for each column of rows whose values are parsed as JSON. */
const parsed = (lines: ArchiveLines): Float64Array[] =>
  SERVICE_COLUMNS.map((_, place) =>
    Float64Array.from(rowsOf(lines), (row) => {
      const value = row[place];
      if (place === 0) return Date.parse(value as string);
      return typeof value === 'number' ? value : Number.NaN;
    }),
  );

const time = fc
  .oneof(
    fc.integer({ min: Date.UTC(0, 0) - 1900 * 366 * 86_400_000, max: Date.UTC(9999, 11, 31) }),
    fc.constantFrom(Date.UTC(2024, 1, 29), Date.UTC(2000, 1, 29), Date.UTC(1900, 1, 28), 0, -1),
  )
  .filter((ms) => ms >= Date.parse('0000-01-01T00:00:00.000Z'))
  .map((ms) => new Date(ms).toISOString());

/** Texts of JSON numbers, in forms that JSON.stringify does not write too. */
const digits = (most: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: most });
const decimal = fc
  .tuple(fc.boolean(), fc.nat(), digits(20), fc.option(fc.integer({ min: -330, max: 330 })))
  .map(([isNegative, whole, decimals, exponent]) => {
    const power = exponent === null ? '' : `e${exponent}`;
    return `${isNegative ? '-' : ''}${whole}.${decimals.join('')}${power}`;
  });
const number = fc.oneof(
  fc.constantFrom('null', '0', '-0', '-0.0', '1e1', '1E+2', '0.1', '999999999999999', '1e-7'),
  fc.constantFrom('9007199254740993', '12345678901234.5', '123456789012345.6', '5e-324'),
  fc.integer({ min: 0, max: 9999 }).map((value) => String(value / 100)),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  decimal,
);
const lineOf = (field: fc.Arbitrary<string>) =>
  fc
    .tuple(time, fc.array(field, { minLength: 7, maxLength: 7 }))
    .map(([at, fields]) => [`"${at}"`, ...fields].join(','));

const linesOf = (lines: readonly string[]): ArchiveLines =>
  new ArchiveLines(Buffer.from(lines.map((line) => `${line}\n`).join('')), lines.length);

const sameAsParsed = (texts: readonly string[]): void => {
  const lines = linesOf(texts);
  const columns = parseLines(lines);
  expect(columns.count).toBe(texts.length);
  expect(arraysOf(columns)).toEqual(parsed(lines));
};

describe('the columns that parseLines reads from lines', () => {
  it('parseLines reads from the lines of a chunk the numbers and times that JSON.parse and Date.parse read', () => {
    fc.assert(fc.property(fc.array(lineOf(number)), sameAsParsed), { numRuns: 200 });
  });

  it('parseLines tells apart two positions whose numbers begin with the same digits', () => {
    const date = fc.constantFrom(
      '2024-05-01T12',
      '2024-05-01T13',
      '2024-05-11T12',
      '2024-06-01T12',
    );
    const degrees = fc.constantFrom('4.9', '4.91', '4.915', '-4.915', '49', 'null');
    const speed = fc.constantFrom('1', '12', '12.5', 'null');
    const line = fc
      .tuple(date, degrees, degrees, speed)
      .map(([hour, lat, lon, avg]) => `"${hour}:00:00.000Z",${lat},${lon},${avg},2,3,4,null`);
    fc.assert(fc.property(fc.array(line, { maxLength: 6 }), sameAsParsed), { numRuns: 200 });
  });

  it('parseLines leaves the columns that it returned before unchanged when it reads other lines', () => {
    const line = (avg: number) => `"2024-05-01T12:00:00.000Z",1,2,3,${avg},5,6,null`;
    const all = [[1, 2, 3], [4], [], [5, 6, 7, 8]].map((speeds) => linesOf(speeds.map(line)));
    const columns = all.map(parseLines);
    expect(columns.map(arraysOf)).toEqual(all.map(parsed));
  });

  it('parseLines reads the values of a row from the line that was made of the row', () => {
    const row: ArchiveRow = ['2024-05-01T12:00:00.000Z', 45.96, 6.24, 1, 2.5, 4, 270, null];
    const columns = parseLines(ArchiveLines.ofRows([row]));
    const values = [Date.parse(row[0]), 45.96, 6.24, 1, 2.5, 4, 270, Number.NaN];
    expect(arraysOf(columns)).toEqual(values.map((number) => Float64Array.of(number)));
    expect(parseLines(ArchiveLines.ofRows([])).count).toBe(0);
  });
});
