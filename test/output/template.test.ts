import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import {
  checkFileNameTemplate,
  expandFileName,
  type FileNameValues,
  parseFileNameTemplate,
} from '../../src/output/template.ts';
import { anyCharacter } from '../support/anyCharacter.ts';
import { naming } from '../support/naming.ts';

fc.configureGlobal({ seed: 20240115, numRuns: 200 });

const VALUES: FileNameValues = {
  station: 110,
  name: 'Col du Galibier',
  period: { start: Date.UTC(2024, 0, 1), stop: Date.UTC(2024, 1, 1, 12, 30) },
  year: 2024,
  month: 1,
};

const expand = (path: string, values: Partial<FileNameValues> = {}) =>
  expandFileName(parseFileNameTemplate(path), { ...VALUES, ...values });
const expandName = (name: string) => expand('{name}', { name });

it('a station name in a file name has _ for DEL, C1 controls and bidirectional marks', () => {
  const values = {
    station: 110,
    name: 'a\u009bb\u202ec\u007f',
    year: 0,
    month: 0,
    period: { start: 0, stop: 0 },
  };
  expect(expandFileName(parseFileNameTemplate('{name}.csv'), values)).toBe('a_b_c_.csv');
});

describe('parseFileNameTemplate', () => {
  it('the template of -o lists its placeholders', () => {
    expect(parseFileNameTemplate('a/{station}-{year}/{year}.csv').uses).toEqual(
      new Set(['station', 'year']),
    );
    expect(parseFileNameTemplate('wind.csv').uses.size).toBe(0);
  });

  it.each(['{foo}.csv', '{}.csv', '{Station}.csv', '{ year}.csv', '{toString}', '{__proto__}'])(
    'the template of -o refuses the unknown placeholder of %s',
    (path) => {
      expect(() => parseFileNameTemplate(path)).toThrow(UsageError);
      expect(() => parseFileNameTemplate(path)).toThrow(
        /\{.*\} .*\{station\}, \{name\}, \{start\}, \{stop\}, \{year\}, \{month\}/,
      );
    },
  );

  it.each(['{station.csv', 'station}.csv', '{station}}.csv', '{{station}.csv', 'a{b/{year}'])(
    'the template of -o refuses the unmatched brace of %s',
    (path) => {
      expect(() => parseFileNameTemplate(path)).toThrow(UsageError);
      expect(() => parseFileNameTemplate(path)).toThrow(/“[{}]”.*\{station\}/);
    },
  );

  it.each(['{name}/../x.csv', 'a/{year}/b/..', '{name}\\..\\x.csv'])(
    'the template of -o refuses .. after a placeholder: %s',
    (path) => {
      expect(() => parseFileNameTemplate(path)).toThrow(UsageError);
    },
  );

  it('the template of -o accepts .. before a placeholder', () => {
    expect(expand('../data/{station}..x/..{year}')).toBe('../data/110..x/..2024');
  });
});

describe('expandFileName', () => {
  it.each([
    ['wind.csv', 'wind.csv'],
    ['wind/station={station}/year={year}/data.parquet', 'wind/station=110/year=2024/data.parquet'],
    ['{year}-{month}/{name}.csv.gz', '2024-01/Col du Galibier.csv.gz'],
    ['{start}_{stop}.csv', '2024-01-01_2024-02-01T1230Z.csv'],
    ['{station}{station}', '110110'],
  ])('the template %s of -o becomes the path %s', (path, expected) => {
    expect(expand(path)).toBe(expected);
  });

  it.each([
    ['2024-01-01T00:00:00Z', '2024-01-01'],
    ['2024-01-01T12:30:00Z', '2024-01-01T1230Z'],
    ['2024-01-01T00:05:00Z', '2024-01-01T0005Z'],
    ['2024-01-01T12:30:45Z', '2024-01-01T123045Z'],
    ['2024-01-01T12:30:45.999Z', '2024-01-01T123045Z'],
    ['2024-01-01T00:00:00.500Z', '2024-01-01'],
  ])('the template of -o writes {start} for a period that starts at %s as %s', (iso, expected) => {
    expect(expand('{start}', { period: { start: Date.parse(iso), stop: 0 } })).toBe(expected);
  });

  it('the template of -o writes a year with four digits and a month with two', () => {
    expect(expand('{year}-{month}', { year: 7, month: 12 })).toBe('0007-12');
  });

  it('the template of -o keeps a $ in the name of a station as it is', () => {
    expect(expandName('a$&b$1')).toBe('a$&b$1');
  });
});

describe('the name of station 110 in a path', () => {
  it.each([
    ['Crête du Mont’', 'Crête du Mont’'],
    ['Cre\u0302te', 'Cr\u00eate'],
    ['  two  spaces ', 'two spaces'],
    ['a/b\\c:d', 'a_b_c_d'],
    ['../../etc/passwd', '_.._etc_passwd'],
    ['/etc/passwd', '_etc_passwd'],
    ['C:\\Windows', 'C_Windows'],
    ['.hidden', 'hidden'],
    ['-rf', 'rf'],
    ['- .-.x', 'x'],
    ['ends. . ', 'ends'],
    ['CON', 'CON_'],
    ['.CON', 'CON_'],
    ['nul.txt', 'nul_.txt'],
    [`con${' '.repeat(200)}x`, 'con x'],
    ['com1', 'com1_'],
    ['a\u0000b\u001b[31mc\u007fd\u0085e', 'a_b_[31mc_d_e'],
    ['a\u202eb\u2066c\u200fd\u2028e', 'a_b_c_d e'],
    ['line\r\nbreak', 'line break'],
    ['half \ud83c pair', 'half _ pair'],
    ['🪁', '🪁'],
    ['', 'station-110'],
    ['..', 'station-110'],
    ['???', 'station-110'],
    ['///', 'station-110'],
    [' - ', 'station-110'],
  ])('the station name %j becomes %j in the path of -o', (name, expected) => {
    expect(expandName(name)).toBe(expected);
  });

  it('a long station name in the path of -o is cut between characters', () => {
    expect(expandName('x'.repeat(200))).toBe('x'.repeat(99));
    expect(expandName('風'.repeat(200))).toBe('風'.repeat(33));
    expect(expandName(`${'x'.repeat(97)}👩‍👩‍👧‍👦`)).toBe('x'.repeat(97));
    expect(expandName(`a.${'x'.repeat(300)}`)).toBe(`a.${'x'.repeat(97)}`);
    expect(expandName(`a${'\u0301'.repeat(300)}`)).toBe('station-110');
    expect(expandName(`con a${'\u0301'.repeat(300)}`)).toBe('con_');
  });

  it('a station name of any length is made safe for a path within a short time', () => {
    // A pattern that looks for the end of dots from each of them would take minutes.
    expect(expandName(`${'. '.repeat(500_000)}x`)).toBe('station-110');
    expect(expandName(`x${' .'.repeat(500_000)}x`)).toBe('x');
  });

  const odd = fc.constantFrom('.', '..', '/', '\\', ':', ' ', '-', '\0', '\u202e', 'CON', '~', '%');
  const names = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 150 }),
    fc.string({ unit: 'grapheme', maxLength: 150 }),
    fc.array(fc.oneof(odd, fc.string({ unit: anyCharacter, maxLength: 3 }))).map((a) => a.join('')),
    fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes)),
  );

  it('a station name in the path of -o is made safe for every system', () => {
    fc.assert(
      fc.property(names, (name) => {
        const safe = expandName(name);
        expect(safe).not.toBe('');
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(100);
        expect(safe).toBe(safe.normalize('NFC'));
        expect(Buffer.from(safe).toString()).toBe(safe);
        expect(safe).not.toMatch(/[<>:"/\\|?*\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
        expect(safe).not.toMatch(/^[ .-]|[ .]$/);
        expect(safe).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d) *(\.|$)/i);
      }),
    );
  });

  it('a station name in the path of -o has / and .. replaced, so that the file stays in its folder', () => {
    const templates = fc.constantFrom(
      '{name}',
      'data/{name}.csv',
      '/srv/wind/{name}/{name}-{station}.csv',
      'data/.{name}',
      'data/{name}{name}/..x.csv',
    );
    fc.assert(
      fc.property(templates, names, (path, name) => {
        const expanded = expand(path, { name });
        for (const system of [posix, win32]) {
          const folder = system.dirname(path.slice(0, path.indexOf('{') + 1));
          const within = system.relative(system.resolve(folder), system.resolve(expanded));
          expect(within).not.toMatch(/^\.\.(?:[/\\]|$)/);
          expect(system.isAbsolute(within)).toBe(false);
          expect(system.isAbsolute(expanded)).toBe(system.isAbsolute(path));
          const count = (text: string) => system.normalize(text).split(system.sep).length;
          expect(count(expanded)).toBe(count(path));
        }
      }),
    );
  });
});

describe('checkFileNameTemplate', () => {
  const check = (path: string, split?: 'year' | 'month', severalStations = false) =>
    checkFileNameTemplate(parseFileNameTemplate(path), { split, severalStations });

  it.each([
    ['wind.csv', 'year', "'wind-{year}.csv'"],
    ['wind.csv.gz', 'year', "'wind-{year}.csv.gz'"],
    ['a.b/{station}', 'month', "'a.b/{station}-{year}-{month}'"],
    ['{year}.csv', 'month', "'{year}-{month}.csv'"],
    ['{month}.csv', 'month', "'{year}-{month}.csv'"],
    ['m/{station}-{month}.csv', 'month', "'m/{station}-{year}-{month}.csv'"],
  ] as const)(
    'the template %s of -o is refused with --split %s, and the error proposes %s',
    (path, split, better) => {
      expect(() => check(path, split)).toThrow(UsageError);
      expect(() => check(path, split)).toThrow(naming(path, better));
    },
  );

  it.each([
    ['{year}.csv', 'without --split', 'year', undefined],
    ['{month}.csv', 'without --split', 'month', undefined],
    ['{year}-{month}.csv', 'without --split', 'month', undefined],
    ['{year}-{month}.csv', 'with --split year', 'month', 'year'],
  ] as const)(
    'the template %s of -o is refused %s, and the error names --split %s',
    (path, _, missing, split) => {
      expect(() => check(path, split)).toThrow(UsageError);
      expect(() => check(path, split)).toThrow(`--split ${missing}`);
    },
  );

  it('the template of -o without {station} or {name} is refused for several stations', () => {
    expect(() => check('data/{year}.csv', 'year', true)).toThrow(UsageError);
    expect(() => check('data/{year}.csv', 'year', true)).toThrow("'data/{year}-{station}.csv'");
    expect(() => check('data/{stop}.csv', undefined, true)).toThrow(UsageError);
  });

  it.each([
    ['wind.csv', 'one station without --split', undefined, false],
    ['wind.ndjson', 'several stations without --split', undefined, true],
    ['{year}.csv', 'one station with --split year', 'year', false],
    ['{year}/{month}.csv', 'one station with --split month', 'month', false],
    ['{station}.csv', 'several stations without --split', undefined, true],
    ['{name}.csv', 'several stations without --split', undefined, true],
    ['{start}-{stop}.csv', 'one station without --split', undefined, false],
  ] as const)('the template %s of -o is accepted for %s', (path, _, split, severalStations) => {
    expect(() => check(path, split, severalStations)).not.toThrow();
  });
});
