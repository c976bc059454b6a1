import { expect, it } from 'vitest';
import { columnsOf } from '../../src/domain/columnReader.ts';
import type { Reading } from '../../src/domain/reading.ts';
import { Rows } from '../../src/domain/rows.ts';
import { fillTemplate, insertStation } from '../../src/formats/convert.ts';
import { LEGEND, UNITS } from '../../src/wire/archive.ts';
import { ARCHIVE_PROVENANCE } from '../support/fixture-service.ts';

it.each([0, 3, 8])(
  'insertStation puts the id of the station into column %i of each row',
  (place) => {
    const readings = [1, 2].map(
      (avg): Reading => ['2024-01-01T00:00:00.000Z', null, null, 1, avg, 3, 0, null],
    );
    const rows = Rows.ofReadings(readings);
    const chunk = {
      ...ARCHIVE_PROVENANCE,
      station: 110,
      legend: LEGEND,
      units: UNITS,
      rows,
      columns: () => columnsOf(rows),
    };
    const withStation = insertStation(chunk, place);
    expect(withStation.legend).toEqual(LEGEND.toSpliced(place, 0, 'station'));
    expect(withStation.units).toEqual(UNITS.toSpliced(place, 0, 'id'));
    const expected = readings.map((reading) => [...reading].toSpliced(place, 0, 110));
    expect(withStation.rows.readings).toEqual(expected);
    expect(insertStation({ ...chunk, rows: Rows.ofReadings([]) }, place).rows.readings).toEqual([]);
  },
);

it.each([
  ['without a comma', 'a'.repeat(100_000)],
  ['of carriage returns', '\r'.repeat(100_000)],
  ['of line separators', '\u2028'.repeat(100_000)],
])('fillTemplate leaves a long line %s as it is, in linear time', (_, line) => {
  // Quadratic time would exceed the time limit of a test.
  expect(fillTemplate(`1,2\n${line}x\n3,4\n`, 2, '$2,$1\n')).toBe(`2,1\n${line}x\n4,3\n`);
});
