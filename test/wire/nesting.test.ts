import { describe, expect, it } from 'vitest';
import { UnexpectedResponseError } from '../../src/errors.ts';
import { ARCHIVE_LEGEND, ARCHIVE_UNITS, decodeArchive } from '../../src/wire/archive.ts';
import { decodeLiveStation, decodeLiveStations } from '../../src/wire/live.ts';
import { ARCHIVE_PROVENANCE, LIVE_PROVENANCE, STATIONS } from '../support/fixture-service.ts';

const nested = (levels: number, open = '[', close = ']'): string =>
  `${open.repeat(levels)}null${close.repeat(levels)}`;
const DEEP = [
  ['5,000 arrays', nested(5000)],
  ['5,000 objects', nested(5000, '{"a":', '}')],
  ['100,000 arrays', nested(100_000)],
] as const;

/** A document with text in the place of the number 4711. */
const put = (document: object, text: string): string =>
  JSON.stringify(document).replace('4711', text);

describe('nested JSON', () => {
  it.each(DEEP)(
    'a station whose response contains JSON nested in %s is refused, as are all over 64 levels',
    (_, deep) => {
      const response = { ...LIVE_PROVENANCE, data: { ...STATIONS[3], note: 4711 } };
      expect(() => decodeLiveStation(put(response, deep), 110, true)).toThrow(
        UnexpectedResponseError,
      );
      const list = { ...LIVE_PROVENANCE, data: [{ ...STATIONS[3], note: 4711 }] };
      expect(() => decodeLiveStations(put(list, deep), true)).toThrow(/nested/);
    },
  );

  it.each(DEEP)(
    'an archive whose response contains JSON nested in %s is refused, as are all over 64 levels',
    (_, deep) => {
      const time = '2024-05-01T12:00:00.000Z';
      const archive = { ...ARCHIVE_PROVENANCE, legend: ARCHIVE_LEGEND, units: ARCHIVE_UNITS };
      const beside = { ...archive, note: 4711, data: [[time, 1, 1, 1, 1, 1, 1, null]] };
      const wide = { legend: [...ARCHIVE_LEGEND, 'note'], units: [...ARCHIVE_UNITS, ''] };
      const inside = { ...archive, ...wide, data: [[time, 1, 1, 1, 1, 1, 1, null, 4711]] };
      for (const response of [beside, inside]) {
        expect(() => decodeArchive(Buffer.from(put(response, deep)), 110)).toThrow(
          UnexpectedResponseError,
        );
      }
    },
  );

  it('JSON of 20 levels is accepted in an additional field of a response', () => {
    const response = { ...LIVE_PROVENANCE, data: { ...STATIONS[3], note: 4711 } };
    expect(decodeLiveStation(put(response, nested(20)), 110, true).data.id).toBe(110);
  });
});
