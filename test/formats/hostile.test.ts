import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Station } from '../../src/domain/station.ts';
import { UnexpectedResponseError } from '../../src/errors.ts';
import { safeLine, safeText } from '../../src/formats/delimited.ts';
import type { StationList } from '../../src/formats/format.ts';
import { formatNames, STATION_FORMATS } from '../../src/formats/index.ts';
import { anyCharacter } from '../support/anyCharacter.ts';
import { LIVE_PROVENANCE, NOW, STATIONS } from '../support/fixture-service.ts';

const sample = STATIONS[3] as Station;

function listOf(text: string, isSingle: boolean): StationList {
  const station = {
    ...sample,
    meta: { ...sample.meta, name: text, description: text },
    note: text,
  };
  return {
    provenance: { ...LIVE_PROVENANCE, attribution: text },
    stations: [{ station, distanceKm: undefined }],
    isSingle,
    withMeta: true,
    unit: 'kn',
    writeDate: (isoUtc) => isoUtc,
    now: NOW,
  };
}

/** Text rich in characters that control terminals, spreadsheets and web pages. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\u001b[2J',
        '\u009b2J',
        '\u0007',
        '\r\n',
        '\t',
        '"',
        ',',
        '=',
        '@',
        '\u202e',
      ),
      fc.string({ unit: 'grapheme', maxLength: 5 }),
      fc.string({ unit: anyCharacter, maxLength: 5 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

async function write(format: keyof typeof STATION_FORMATS, list: StationList): Promise<string> {
  const { stations } = STATION_FORMATS[format];
  return [...stations(list, { colour: false, width: 60, isUnicode: true })].join('');
}

describe('a hostile text from the service', () => {
  it.each(formatNames(STATION_FORMATS))(
    'a hostile text from the service puts no control character into the format %s',
    async (format) => {
      await fc.assert(
        fc.asyncProperty(hostile, fc.boolean(), async (text, isSingle) => {
          const written = await write(format, listOf(text, isSingle));
          expect(written.replace(/[\n\t]/g, '')).not.toMatch(/\p{Cc}/u);
        }),
      );
    },
  );

  it('a hostile text from the service stays in its csv cell and starts no formula', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        const rows = parse(await write('csv', listOf(text, false))) as string[][];
        expect(rows).toHaveLength(2);
        expect(rows[1]).toHaveLength(rows[0]?.length ?? 0);
        for (const cell of [rows[1]?.[1], rows[1]?.[2]]) expect(cell).not.toMatch(/^\s*[=+\-@]/);
      }),
    );
  });

  it('a hostile text from the service stays on its txt line', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        const lines = (await write('txt', listOf(text, false))).split('\n');
        expect(lines).toHaveLength(3);
        expect(lines[1]?.split('\t')).toHaveLength(lines[0]?.split('\t').length ?? 0);
      }),
    );
  });

  it.each(['json', 'ndjson'] as const)(
    'a hostile text from the service reads back unchanged from %s',
    async (format) => {
      await fc.assert(
        fc.asyncProperty(hostile, async (text) => {
          const value = JSON.parse(await write(format, listOf(text, true)));
          expect((format === 'json' ? value.data : value).meta.name).toBe(text);
        }),
      );
    },
  );
});

describe('a name of 200,000 blanks', () => {
  // By a pattern for blanks at the end of a line each blank was a start to look from: for minutes.
  it('a station name of 200,000 blanks is laid out in a table in linear time', async () => {
    const name = `a${' '.repeat(200_000)}b`;
    for (const isSingle of [true, false]) {
      expect(await write('table', { ...listOf(name, isSingle), withMeta: false })).toMatch(/a +…/);
    }
  });
});

describe('stations that share no field', () => {
  /** Stations with 100 fields of their own each, the last with the rest of so many fields. */
  function list(count: number): StationList {
    const fields = Array.from({ length: count }, (_, index) => [`field${index}`, index]);
    const stations = [];
    for (let first = 0; first < count; first += 100) {
      const own = Object.fromEntries(fields.slice(first, first + 100));
      stations.push({ station: { ...sample, ...own }, distanceKm: undefined });
    }
    return { ...listOf('', false), stations };
  }

  it.each(['csv', 'txt'] as const)(
    'stations that share no field are written as %s with up to 1000 additional columns, and refused with more',
    async (format) => {
      expect(await write(format, list(1000))).toContain('field999');
      await expect(write(format, list(1001))).rejects.toThrow(UnexpectedResponseError);
      await expect(write(format, list(1001))).rejects.toThrow(/1001 unknown fields.*-f json/);
    },
  );

  it('stations that share no field are written as json whatever their number', async () => {
    expect(JSON.parse(await write('json', list(1001))).data).toHaveLength(11);
  });
});

describe('safeText', () => {
  it.each(['=1+1', '+33 6', '-1', '@SUM(A1)', ' =1', '\t=1', '＝1'])(
    'safeText puts an apostrophe before %j, which a spreadsheet would read as a formula',
    (text) => {
      expect(safeText(text)).toMatch(/^'/);
      expect(safeLine(text)).toMatch(/^'/);
    },
  );

  it.each(['Col = 1', '1=1', 'Été', '', '“=1”'])(
    'safeText leaves the harmless text %j as it is',
    (text) => {
      expect(safeText(text)).toBe(text);
    },
  );
});
