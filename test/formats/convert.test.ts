import { expect, it } from 'vitest';
import { columnsOf } from '../../src/domain/columnReader.ts';
import { COLUMNS, type Reading } from '../../src/domain/reading.ts';
import { Rows } from '../../src/domain/rows.ts';
import { insertStation } from '../../src/formats/convert.ts';
import { ARCHIVE_PROVENANCE } from '../support/fixture-service.ts';

it('insertStation puts the id of the station before each row and nowhere else', () => {
  const time = '2024-01-01T00:00:00.000Z';
  const readings = ['a\u2028b\u2029c', 'd\r\ne'].map(
    (note): Reading => [time, null, null, 1, 2, 3, 0, null, note],
  );
  const rows = Rows.ofReadings(readings);
  const chunk = {
    ...ARCHIVE_PROVENANCE,
    station: 110,
    legend: [...COLUMNS.map(({ name }) => name), 'note'],
    units: [...COLUMNS.map(({ unit }) => unit), 'unknown'],
    rows,
    columns: () => columnsOf(rows),
  };
  const withStation = insertStation(chunk, 0);
  expect(withStation.legend).toEqual(['station', ...chunk.legend]);
  expect(withStation.rows.readings).toEqual(readings.map((reading) => [110, ...reading]));
  expect(insertStation({ ...chunk, rows: Rows.ofReadings([]) }, 0).rows.readings).toEqual([]);
});
