import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ReadingColumns } from '../../../src/domain/readings/columns.ts';
import { ARCHIVE_LEGEND, ARCHIVE_UNITS } from '../../../src/wire/archive.ts';
import { readFrom } from '../../support/fromFiles.ts';
import { naming } from '../../support/naming.ts';

// Test files share modules: load those anew that another file may have loaded without the spy.
vi.hoisted(() => vi.resetModules());
vi.mock('csv-parse/sync', { spy: true });
beforeEach(() => void vi.mocked(parse).mockClear());

const HEAD = `"License","l"\n"Attribution","a"\n${ARCHIVE_LEGEND}\n${ARCHIVE_UNITS}\n`;
const TXT_HEAD = `License: l\nAttribution: a\n${ARCHIVE_LEGEND}\n${ARCHIVE_UNITS}\n`.replaceAll(
  ',',
  '\t',
);
const MINUTE_MS = 60_000;
const timeOf = (row: number): string => new Date(Date.UTC(2024, 0) + row * MINUTE_MS).toISOString();
const rowAt = (row: number): string => `"${timeOf(row)}",43.5,-1.25,1,${row}.5,null,22.5,null\n`;
const rows = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, i) => rowAt(from + i)).join('');

/** Reads a file that arrives in pieces on stdin. */
async function read(...stdin: (string | Buffer)[]): Promise<readonly ReadingColumns[]> {
  const stations = await readFrom({ stdin });
  return stations.flatMap(({ columns }) => columns);
}

type Name = 'time' | 'windSpeedMin' | 'windSpeedAvg' | 'windSpeedMax' | 'windHeading';

const numbers = (taken: readonly ReadingColumns[], name: Name): number[] =>
  taken.flatMap((columns) => [...columns[name]]);

describe('rows as vane archive writes them', () => {
  const time = '2024-03-31T02:05:00.000';
  it.each([
    ['empty cells', `${ARCHIVE_LEGEND}\n`, `"${time}Z",43.5,-1.25,,7.5,12,,\n`],
    ['a station', `station,${ARCHIVE_LEGEND}\n`, `110,"${time}Z",43.5,-1.25,,7.5,12,22.5,\n`],
    [
      'knots',
      `${ARCHIVE_LEGEND.join().replaceAll(/speed_\w+/g, '$&_kn')}\n`,
      `"${time}Z",,,1,7.5,12,0,\n`,
    ],
    ['an offset from UTC', HEAD, `"${time}+02:00",43.5,-1.25,1,7.5,12,22.5,null\n`],
    ['chosen columns', 'time,wind_speed_max,wind_speed_avg\n', `"${time}Z",12,7.5\n`],
    ['columns without a time first', 'wind_speed_avg,time\n', `7.5,"${time}Z"\n`],
    ['steps', 'time,wind_speed_avg,readings,coverage\n', `"${time}Z",7.5,12,0.75\n`],
    ['tabs', TXT_HEAD, `${time}Z\t\t\t1\t7.5\tnull\t0\tnull\n`],
  ])(
    'the fast reader of the csv rows of vane archive reads the same values as the csv parser: with %s',
    async (_, head, row) => {
      const isParsed = () =>
        vi.mocked(parse).mock.calls.some(([text]) => `${text}`.includes('7.5'));
      const fast = await read(head, row.repeat(3));
      expect(isParsed()).toBe(false);
      // vane writes no plus.
      const careful = await read(head, row.replace('7.5', '+7.5').repeat(3));
      expect(isParsed()).toBe(true);
      expect(fast).toEqual(careful);
      expect(numbers(fast, 'windSpeedAvg')).toHaveLength(3);
    },
  );

  it('csv rows as vane archive writes them may have numbers of any length, each read as the nearest double', async () => {
    const digits = (minLength: number) =>
      fc.array(fc.nat(9), { minLength, maxLength: 20, size: 'max' }).map((list) => list.join(''));
    const number = fc
      .tuple(fc.constantFrom('', '-'), digits(1), fc.option(digits(1)))
      .map(([sign, whole, part]) => sign + whole + (part === null ? '' : `.${part}`));
    const property = fc.asyncProperty(fc.array(number, { minLength: 1 }), async (cells) => {
      const lines = cells.map((cell) => `"${time}Z",${cell}\n`).join('');
      const taken = await read(`time,wind_heading\n${lines}`);
      expect(numbers(taken, 'windHeading')).toEqual(cells.map(Number));
    });
    await fc.assert(property);
  });

  it('csv rows as vane archive writes them may have times with any offset from UTC, of which impossible ones are refused', async () => {
    const two = (max: number) => fc.nat(max).map((number) => String(number).padStart(2, '0'));
    const zone = fc
      .tuple(fc.constantFrom('+', '-'), two(25), two(61))
      .map(([sign, hours, minutes]) => `${sign}${hours}:${minutes}`);
    const day = fc.tuple(two(13), two(32)).map(([month, day]) => `2023-${month}-${day}`);
    const clock = fc.tuple(two(25), two(61), two(61)).map((parts) => `${parts.join(':')}.125`);
    const property = fc.asyncProperty(
      day,
      clock,
      fc.oneof(zone, fc.constant('Z')),
      async (...at) => {
        const [date, clock, zone] = at;
        const text = `${date}T${clock}${zone}`;
        const isDay = new Date(`${date}Z`).toJSON()?.startsWith(date);
        const ms = isDay ? Date.parse(text) : Number.NaN;
        const reading = read('time,wind_speed_avg\n', `${text},5\n`);
        if (Number.isNaN(ms))
          await expect(reading).rejects.toThrow('line 2: time: expected a date');
        else expect(numbers(await reading, 'time')).toEqual([ms]);
      },
    );
    await fc.assert(property, { numRuns: 300 });
  });
});

describe('no row is lost, whatever line end each line has and wherever the blocks of the file end', () => {
  const tabbed = (row: number): string => rowAt(row).replaceAll('"', '').replaceAll(',', '\t');
  const json = (row: number): string =>
    `{"time":"${timeOf(row)}","wind_speed_avg":${row}.5,"wind_heading":null}\n`;
  const KINDS = [
    { kind: 'csv as vane archive writes it', head: HEAD, rowOf: rowAt },
    {
      kind: 'csv that another program wrote',
      head: 'Time,Größe,avg\n',
      rowOf: (row: number) => `"${timeOf(row)}","é",${row}.50 \n`,
    },
    { kind: 'txt', head: TXT_HEAD, rowOf: tabbed },
    { kind: 'ndjson', head: '', rowOf: json },
  ];

  it.each(KINDS)(
    'no row of a file is lost, whatever line end each line has and wherever the blocks of the file end: in $kind',
    async ({ head, rowOf }) => {
      const lines = fc.array(fc.constantFrom('\n', '\r\n', '\r', '\r\r\n'), {
        ...{ minLength: 1, maxLength: 60, size: 'max' },
      });
      const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 9 });
      const property = fc.asyncProperty(lines, sizes, fc.boolean(), async (ends, sizes, isOpen) => {
        const text = head + ends.map((_, row) => rowOf(row)).join('');
        let line = 0;
        const mixed = text.replaceAll('\n', () => ends[line++ % ends.length] as string);
        const bytes = Buffer.from(isOpen ? mixed.trimEnd() : mixed);
        const blocks: Buffer[] = [];
        for (let at = 0; at < bytes.length; at += blocks.at(-1)?.length ?? 0) {
          blocks.push(bytes.subarray(at, at + (sizes[blocks.length % sizes.length] as number)));
        }
        const taken = await read(...blocks);
        expect(numbers(taken, 'time')).toEqual(ends.map((_, row) => Date.parse(timeOf(row))));
        expect(numbers(taken, 'windSpeedAvg')).toEqual(ends.map((_, row) => row + 0.5));
      });
      await fc.assert(property);
    },
  );
});

describe('rows of a csv file in the layout of the service', () => {
  it('csv rows in the layout of the service yield the same numbers as rows in another layout', async () => {
    const plain = await read(HEAD, rows(0, 50), rows(50, 99));
    const careful = await read(HEAD + rows(0, 99).replaceAll('.5,null', '.5 ,null'));
    for (const name of ['time', 'windSpeedMin', 'windSpeedAvg', 'windSpeedMax'] as const) {
      expect(numbers(plain, name)).toEqual(numbers(careful, name));
    }
    expect(numbers(plain, 'windHeading')).toEqual(numbers(careful, 'windHeading'));
  });

  it('csv rows in the layout of the service keep their order around a row in another layout', async () => {
    const odd = rowAt(50).replace('43.5', '+43.5');
    const taken = await read(HEAD + rows(0, 20), rows(20, 40), rows(40, 50) + odd, rows(51, 60));
    expect(numbers(taken, 'windSpeedAvg')).toEqual(Array.from({ length: 60 }, (_, i) => i + 0.5));
  });

  it.each([
    ['"2024-13-01T00:00:00.000Z",43.5,-1.25,1,1,2,3,4', ['time', '“2024-13-01T00:00:00.000Z”']],
    ['"2024-02-03T00:00:00.000Z",43.5,-1.25,1,1.2.3,2,3,4', ['wind_speed_avg', '“1.2.3”']],
  ])(
    'a csv row in the layout of the service with a wrong value is refused with the number of its line: %s',
    async (row, names) => {
      const wrong = read(HEAD, rows(0, 10), `${rows(10, 12)}${row}\n${rows(12, 14)}`);
      await expect(wrong).rejects.toThrow(naming('stdin, line 17', ...names));
    },
  );
});

it.each([
  ...['0x10', '0b11', '0o17', '-0x10', '1_000', '１２', 'Infinity', '1e999', '12 kn', '1,5'],
])('a csv cell that is no decimal number is refused: %s', async (cell) => {
  const file = `time,wind_speed_avg\n2024-02-29T10:00Z,"${cell}"\n`;
  await expect(read(file)).rejects.toThrow('stdin, line 2: wind_speed_avg: expected a number');
});

it.each([
  [' 12 ', 12],
  ['+1.5', 1.5],
  ['.5', 0.5],
  ['5.', 5],
  ['1.2e1', 12],
  ['1E-7', 1e-7],
  ['00012', 12],
])(
  'a csv cell with a decimal number is read as other programs write it: %s',
  async (cell, number) => {
    const taken = await read(`time,wind_speed_avg\n2024-02-29T10:00Z,"${cell}"\n`);
    expect(numbers(taken, 'windSpeedAvg')).toEqual([number]);
  },
);

it.each(['2024-02-30T10:00:00.000Z', '2024-02-30T10:00:00.000+01:00'])(
  'a csv row on a day that no calendar has is refused, with the number of its line: %s',
  async (time) => {
    const head = 'time,wind_speed_avg\n';
    // The first block has the names, the second one goes to the reader of vane's own lines.
    const wrong = read(`${head}2024-02-29T10:00:00.000+01:00,5\n`, `${time},5\n`);
    await expect(wrong).rejects.toThrow('stdin, line 3: time: expected a date');
  },
);
