import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/domain/json.ts';
import type { ArchiveLines } from '../../src/domain/readings/lines.ts';
import { simulatedService } from '../../src/service/simulated/simulatedService.ts';
import { encodeArchive } from '../../src/wire/archive.ts';
import { isWireDate } from '../../src/wire/check.ts';
import { scanRows } from '../../src/wire/scanRows.ts';
import { rowsOf } from '../support/archives.ts';

const TIME = '2024-05-01T12:00:00.000Z';
const ROW = `["${TIME}",45.5,-6.25,0,1,2.5,270,null]`;
const responseOf = (data: string): string => `{"doc":"d","data":[${data}],"units":[]}`;
const scan = (text: string) => scanRows(Buffer.from(text));

describe('scanRows', () => {
  it('scanRows splits an archive response into its rows and the document around the rows', () => {
    const scanned = scan(responseOf(`${ROW},${ROW}`));
    expect(scanned?.frame).toBe(responseOf('null'));
    expect(scanned?.rows.text).toBe(`${ROW.slice(1, -1)}\n`.repeat(2));
    expect(scanned?.rows.count).toBe(2);
  });

  it('scanRows allows white space between the rows of an archive response', () => {
    const text = `{"x":"data", "data" : [ \r\n${ROW}\t, ${ROW}\n] }`;
    expect(JSON.parse(scan(text)?.frame ?? '')).toEqual({ x: 'data', data: [null] });
    expect(rowsOf(scan(text)?.rows as ArchiveLines)).toEqual(JSON.parse(text).data);
  });

  it('scanRows reads the rows of every simulated station', async () => {
    const now = Date.UTC(2026, 0, 1);
    const service = simulatedService(() => now);
    const { data } = await service.liveAll({ withMeta: false });
    for (const { id } of data) {
      const archive = await service.archive(id, { start: now - 3_600_000, stop: now });
      const scanned = scan(encodeArchive(archive));
      expect(scanned === undefined).toBe(archive.rows.count === 0);
      expect((scanned?.rows.text ?? '') === archive.rows.text).toBe(true);
    }
  });

  const scanValue = (value: string) => scan(responseOf(ROW.replace('45.5', value)));

  it.each([
    ...['0', '-1', '7', '999999999', '-999999999', 'null'],
    ...['0.5', '-0.5', '0.000001', '123456789.000001', '-0.1', '10', '100.25', '1.01'],
  ])('scanRows accepts the value %s and keeps it unchanged', (value) => {
    expect(rowsOf(scanValue(value)?.rows as ArchiveLines)[0]?.[1]).toBe(JSON.parse(value));
  });

  it.each([
    ...['-0', '00', '01', '-01', '1.0', '1.50', '0.0', '-0.0', '1.', '.5', '-', '+1', '1e3'],
    ...['1E3', '0.0000001', '1234567890', '', ' 1', '1 ', 'nul', 'nulll', 'NaN', '"1"', 'true'],
  ])(
    'scanRows refuses a value unless it is null or a short number that JSON.stringify writes the same way: %j',
    (value) => {
      expect(scanValue(value)).toBeUndefined();
    },
  );

  it.each([
    ...['2024-00-01T12:00:00.000Z', '2024-13-01T12:00:00.000Z', '2024-05-00T12:00:00.000Z'],
    ...['2024-02-30T12:00:00.000Z', '2023-02-29T12:00:00.000Z', '1900-02-29T12:00:00.000Z'],
    ...['2024-04-31T12:00:00.000Z', '2024-11-31T12:00:00.000Z', '2024-06-31T12:00:00.000Z'],
    ...['2024-05-32T12:00:00.000Z', '2024-05-01T24:00:00.000Z', '2024-05-01T12:60:00.000Z'],
    ...['2024-05-01T12:00:60.000Z', '2024-05-01 12:00:00.000Z', '2024-05-01T12:00:00Z'],
    ...['2024-05-01T12:00:00.0000Z', '2024-05-01T12:00:00.000z', '20x4-05-01T12:00:00.000Z'],
    ...['2024-05-01T12:00:00.00/Z', '2024-05-01T12:00:00.:00Z', '+2024-05-01T12:00:00.000Z'],
  ])('scanRows refuses a time unless it is a date such as 2024-05-01T12:00:00.000Z: %s', (time) => {
    expect(scan(responseOf(ROW.replace(TIME, time)))).toBeUndefined();
  });

  it.each([
    ...['', '[]', `${ROW},`, `,${ROW}`, `${ROW}${ROW}`, `[${ROW}]`, ROW.replace(',null', '')],
    ...[
      ROW.replace('null', 'null,1'),
      ROW.replace('[', '[ '),
      ROW.replace(',0', ', 0'),
      `${ROW} 1`,
    ],
  ])('scanRows leaves rows in another layout than the usual one to the JSON parser: %j', (data) => {
    expect(scan(responseOf(data))).toBeUndefined();
  });

  it('scanRows refuses a response that is cut before the end of its last row', () => {
    const text = responseOf(`${ROW},${ROW}`);
    const whole = text.lastIndexOf(ROW) + ROW.length + 1;
    for (let length = 0; length < whole; length++) {
      expect(scan(text.slice(0, length))).toBeUndefined();
    }
    // Further on it is for the frame to tell.
    for (let length = whole; length <= text.length; length++) {
      expect(() => scan(text.slice(0, length))).not.toThrow();
    }
  });
});

/** Rows with one byte of theirs another, gone, or there twice. */
const damaged = fc
  .record({
    rows: fc.array(
      fc.tuple(
        fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        ...Array.from({ length: 7 }, () =>
          fc.oneof(
            fc.constant(null),
            fc.integer(),
            fc.integer().map((n) => n / 100),
            fc.double(),
          ),
        ),
      ),
      { minLength: 1, maxLength: 4 },
    ),
    place: fc.nat(),
    by: fc.oneof(
      fc.constantFrom(...'0123456789-.,[]"eEnulTZ: \n'),
      fc.constantFrom('', '00', '],['),
    ),
    isKept: fc.boolean(),
  })
  .map(({ rows, place, by, isKept }) => {
    const text = JSON.stringify(rows).slice(1, -1);
    const at = place % text.length;
    return isKept ? text : text.slice(0, at) + by + text.slice(at + 1);
  });

it('scanRows returns the rows that JSON.parse reads and JSON.stringify writes', () => {
  fc.assert(
    fc.property(damaged, (data) => {
      const text = responseOf(data);
      const rows = scan(text)?.rows;
      if (rows === undefined) return;
      const readings: Json[][] = JSON.parse(text).data;
      expect(rowsOf(rows)).toEqual(readings);
      expect(rows.text).toBe(readings.map((r) => `${JSON.stringify(r).slice(1, -1)}\n`).join(''));
      const times = readings.map(([time]) => time as string);
      expect(times.every(isWireDate)).toBe(true);
      const isAscending = times.every((time, i) => i === 0 || time > (times[i - 1] as string));
      expect(
        rows.isAscending({ start: Date.parse('0000-01-01'), stop: Date.UTC(10_000, 0) - 1 }),
      ).toBe(isAscending);
    }),
    { numRuns: 1000 },
  );
});
