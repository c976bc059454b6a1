import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/domain/json.ts';
import { printable } from '../../src/domain/text.ts';
import {
  ARCHIVE_LEGEND,
  ARCHIVE_UNITS,
  type ArchiveRow,
  decodeArchive,
  encodeArchive,
} from '../../src/wire/archive.ts';
import { csvLayout, encodeText, type TextArchive, txtLayout } from '../../src/wire/csvAndTxt.ts';
import { wrapJsonp } from '../../src/wire/jsonp.ts';
import { decodeLiveStation, decodeLiveStations } from '../../src/wire/live.ts';
import { anyCharacter } from '../support/anyCharacter.ts';
import { type Plain, plain, unplain } from '../support/archives.ts';
import { unwrapJsonp } from '../support/jsonp.ts';
import { decodeCsv, decodeTxt } from '../support/textArchive.ts';

fc.configureGlobal({ seed: 20240115, numRuns: 50 });

/** Any text: quotes, line ends, control characters, every script. */
const text = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', '\t', ' ', '<', '\u2028', 'é', '0') }),
);

const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });

/** Any JSON value, −0 as JSON writes it: 0. */
const json = fc.jsonValue().map((value): Json => JSON.parse(JSON.stringify(value)));

/** Any number but −0, which JSON writes as 0. */
const number = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .map((value) => (value === 0 ? 0 : value));

const date = fc
  .date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((value) => value.toISOString());

/** An object with the given fields and others that the interface does not name. */
const withOthers = <T extends object>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc
    .tuple(
      fc.dictionary(
        text.map((name) => `x${name}`),
        json,
        { maxKeys: 3 },
      ),
      fc.record(fields),
    )
    .map(([others, own]) => ({ ...others, ...own }));

const station = withOthers({
  id: fc.maxSafeNat(),
  meta: withOthers({
    name: text,
    description: orNull(text),
    picture: orNull(text),
    date: orNull(date),
    rating: withOthers({ upvotes: fc.nat(), downvotes: fc.nat() }),
  }),
  location: withOthers({
    latitude: orNull(number),
    longitude: orNull(number),
    date: orNull(date),
    success: fc.boolean(),
  }),
  measurements: withOthers({
    date: orNull(date),
    pressure: fc.constant(null),
    wind_heading: orNull(number),
    wind_speed_avg: orNull(number),
    wind_speed_max: orNull(number),
    wind_speed_min: orNull(number),
  }),
  status: withOthers({ date: orNull(date), snr: orNull(number), state: orNull(text) }),
});

const terms = { doc: text, license: text, attribution: text };

/** Readings in the eight columns, with any unit of the pressure. */
const archiveOf = (texts: fc.Arbitrary<string>) =>
  fc.record({
    license: texts,
    attribution: texts,
    legend: fc.constant(ARCHIVE_LEGEND),
    units: texts.map((unit) => ARCHIVE_UNITS.with(7, unit)),
    data: fc.array(
      fc
        .tuple(date, ...Array.from({ length: 7 }, () => orNull(number)))
        .map((row) => row as unknown as ArchiveRow),
    ),
  }) satisfies fc.Arbitrary<Plain<TextArchive>>;

describe('encoding and decoding', () => {
  it('a station that is encoded as JSON and decoded again is unchanged', () => {
    fc.assert(
      fc.property(withOthers({ ...terms, data: station }), (response) => {
        const body = JSON.stringify(response);
        expect(decodeLiveStation(body, response.data.id, true)).toEqual(response);
      }),
    );
  });

  it('a list of stations that is encoded as JSON and decoded again is unchanged, sorted by id', () => {
    const stations = fc.uniqueArray(station, { selector: ({ id }) => id, maxLength: 5 });
    fc.assert(
      fc.property(withOthers({ ...terms, data: stations }), (response) => {
        const ascending = response.data.toSorted((a, b) => a.id - b.id);
        const body = JSON.stringify(response);
        expect(decodeLiveStations(body, true)).toEqual({ ...response, data: ascending });
      }),
    );
  });

  it('an archive that is encoded as JSON and decoded again is unchanged', () => {
    fc.assert(
      fc.property(text, archiveOf(text), (doc, archive) => {
        const response = { doc, ...archive };
        expect(plain(decodeArchive(Buffer.from(JSON.stringify(response)), 110))).toEqual(response);
        expect(plain(decodeArchive(Buffer.from(encodeArchive(unplain(response))), 110))).toEqual(
          response,
        );
      }),
    );
  });

  it('an archive that is encoded as CSV and decoded again is unchanged', () => {
    fc.assert(
      fc.property(archiveOf(text), (archive) => {
        const written = String(encodeText(csvLayout, unplain(archive)));
        expect(plain(decodeCsv(written, 110))).toEqual(archive);
      }),
    );
  });

  it('an archive that is encoded as TXT and decoded again is unchanged', () => {
    // TXT has no quotes, so no text in it can hold a tab, a line end or another control character.
    fc.assert(
      fc.property(archiveOf(text.map(printable)), (archive) => {
        const written = String(encodeText(txtLayout, unplain(archive)));
        expect(plain(decodeTxt(written, 110))).toEqual(archive);
      }),
    );
  });

  it('a JSON document that is encoded as JSONP and decoded again is unchanged, and contains no characters that end a script', () => {
    const name = fc.stringMatching(/^[A-Za-z_$][\w$]{0,9}(\[\d\])?(\.[A-Za-z]{1,9})?$/);
    const document = fc.oneof(json, text);
    fc.assert(
      fc.property(name, document, (callback, value) => {
        const script = wrapJsonp(callback, JSON.stringify(value));
        expect(script).not.toMatch(/[<\u2028\u2029]/);
        expect(JSON.parse(unwrapJsonp(script) as string)).toEqual(value);
      }),
    );
  });
});
