import { describe, expect, it } from 'vitest';
import { ARCHIVE_LEGEND, ARCHIVE_UNITS, decodeArchive } from '../../src/wire/archive.ts';
import { isWireDate } from '../../src/wire/check.ts';
import { decodeLiveStation } from '../../src/wire/live.ts';
import { rowsOf } from '../support/archives.ts';
import { ARCHIVE_PROVENANCE, LIVE_PROVENANCE, STATIONS } from '../support/fixture-service.ts';
import { naming } from '../support/naming.ts';

const archiveOf = (time: string, gust: string): Buffer =>
  Buffer.from(
    JSON.stringify({
      ...ARCHIVE_PROVENANCE,
      ...{ legend: ARCHIVE_LEGEND, units: ARCHIVE_UNITS },
      data: [[time, 45.5, 6, 1, 2, 4711, 0, null]],
    }).replace('4711', gust),
  );

describe('a date in a response', () => {
  it.each(['2024-02-30', '2023-02-29', '1900-02-29', '2024-04-31', '2024-11-31'])(
    'a date in a response such as %s is refused, since no calendar has the day',
    (day) => {
      const time = `${day}T12:00:00.000Z`;
      expect(isWireDate(time)).toBe(false);
      // The second number is written as the fast way does not take it.
      for (const gust of ['3', '3.0']) {
        expect(() => decodeArchive(archiveOf(time, gust), 110)).toThrow(
          naming('station 110', 'time of row 1', `"${time}`),
        );
      }
      const [, , , station] = STATIONS;
      const data = { ...station, measurements: { ...station?.measurements, date: time } };
      const answer = JSON.stringify({ ...LIVE_PROVENANCE, data });
      expect(() => decodeLiveStation(answer, 110, true)).toThrow(/measurements\.date/);
    },
  );

  it.each(['2024-02-29', '2000-02-29', '0000-02-29', '2023-02-28', '2024-12-31', '2024-04-30'])(
    'a date in a response such as %s is accepted, since it is the last day of its month',
    (day) => {
      const time = `${day}T12:00:00.000Z`;
      expect(isWireDate(time)).toBe(true);
      for (const gust of ['3', '3.0']) {
        expect(rowsOf(decodeArchive(archiveOf(time, gust), 110).rows)[0]?.[0]).toBe(time);
      }
    },
  );
});
