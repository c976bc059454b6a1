import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Archive } from '../../../src/domain/envelope.ts';
import type { Json } from '../../../src/domain/json.ts';
import type { Reading } from '../../../src/domain/reading.ts';
import { Rows } from '../../../src/domain/rows.ts';
import { startServer } from '../../../src/server/server.ts';
import type { StationService } from '../../../src/service/service.ts';
import { fixtureService, NOW, thinOut } from '../../support/fixture-service.ts';
import { vane } from '../../support/run.ts';

type Extra = readonly [name: string, unit: string, value: Json];

const daily = thinOut((time) => time.slice(11, 16) === '12:00');

/** A service whose answers have the further columns that `extraOf` returns for their first day. */
function changing(extraOf: (day: string, station: number) => readonly Extra[]): StationService {
  return {
    ...fixtureService,
    async archive(id, period): Promise<Archive> {
      const archive = await daily.archive(id, period);
      const extra = extraOf(new Date(period.start).toISOString().slice(0, 10), id);
      const widen = (row: Reading) => [...row, ...extra.map(([, , value]) => value)];
      return {
        ...archive,
        legend: [...archive.legend, ...extra.map(([name]) => name)],
        units: [...archive.units, ...extra.map(([, unit]) => unit)],
        rows: Rows.ofReadings(archive.rows.readings.map(widen) as unknown as Reading[]),
      };
    },
  };
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-columns-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function archive(service: StationService, line: string) {
  const server = await startServer({ service, host: '127.0.0.1', port: 0, now: () => NOW });
  const period = ['--start', '2023-11-15', '--stop', '2024-01-15'];
  const args = ['archive', ...line.split(' '), ...period, '--base-url', server.baseUrl];
  try {
    return await vane(args);
  } finally {
    await server.close(0);
  }
}

const SECOND = '2023-12-16';
const notesOf = (err: string): string[] => err.split('\n').filter((line) => /olumn/.test(line));

describe('vane archive', () => {
  it.each<[string, (day: string) => readonly Extra[], string, (string | undefined)[]]>([
    [
      'appears in mid-period leaves it out of the file, and reports it once',
      (day) => (day === '2023-11-15' ? [] : [['rain', 'mm', 1]]),
      `Columns differ between the answers: “rain” (mm) appears with station 110 from ${SECOND}`,
      [undefined, undefined],
    ],
    [
      'vanishes in mid-period leaves its cells empty from there, and reports it once',
      (day) => (day === '2023-11-15' ? [['rain', 'mm', 1]] : []),
      `Columns differ between the answers: “rain” (mm) vanishes with station 110 from ${SECOND}`,
      ['1', 'null'],
    ],
    [
      'changes its unit leaves its cells empty from there, and reports it once',
      (day) => [day === '2023-11-15' ? ['rain', 'mm', 1] : ['rain', 'inch', 2]],
      `Columns differ between the answers: “rain” changes its unit from mm to inch with station 110 from ${SECOND}`,
      ['1', 'null'],
    ],
    [
      'changes places with another column writes it under its name, and reports nothing',
      (day) =>
        day === '2023-11-15'
          ? [
              ['rain', 'mm', 1],
              ['snow', 'mm', 2],
            ]
          : [
              ['snow', 'mm', 2],
              ['rain', 'mm', 1],
            ],
      '',
      ['1', '1'],
    ],
    [
      'stands twice in an answer writes two columns, and reports it once',
      () => [
        ['rain', 'mm', 1],
        ['rain', 'mm', 2],
      ],
      'Columns differ between the answers: “rain” (mm) stands twice with station 110 from 2023-11-15',
      ['1', '1'],
    ],
  ])('with a column in the answers that %s', async (_, extraOf, note, values) => {
    const { code, out, err } = await archive(changing(extraOf), '110 -f csv');
    expect(code).toBe(0);
    expect(notesOf(err)).toEqual(note === '' ? [] : [expect.stringContaining(note)]);
    const rows = out.trimEnd().split('\n').slice(4);
    const cells = [rows[0], rows.at(-1)].map((row) => row?.split(',')[8]);
    expect(cells).toEqual(values);
  });

  it('writes a second column wind_speed_avg of the service as wind_speed_avg_2, beside the wind speed', async () => {
    const service = changing(() => [['wind_speed_avg', 'km/h', 999]]);
    const { out, err } = await archive(service, '110 -f ndjson');
    const [first = ''] = out.split('\n');
    expect(first).toMatch(/"wind_speed_avg":(?!999)[\d.]+,.*"wind_speed_avg_2":999\}$/);
    expect(notesOf(err)).toEqual([expect.stringContaining('“wind_speed_avg” (km/h) stands twice')]);
  });

  it('writes a column named station of the service as station_2, beside the station id', async () => {
    const service = changing(() => [['station', '', 'x']]);
    const { out } = await archive(service, '110 603 -f ndjson');
    expect(JSON.parse(out.split('\n')[0] ?? '')).toMatchObject({ station: 110, station_2: 'x' });
  });

  it('the long name and unit of a column are cut between characters, not within an emoji', async () => {
    const [name, unit] = [`${'n'.repeat(39)}🌧️🌧️`, `${'u'.repeat(39)}😀😀`];
    const { err } = await archive(
      changing((_, id) => (id === 603 ? [[name, unit, 1]] : [])),
      '110 603 -f ndjson',
    );
    expect(err).not.toMatch(/\p{Cs}/u);
    expect(err).toContain(`“${'n'.repeat(39)}🌧…” (${'u'.repeat(39)}😀…) appears`);
  });

  it('a column that only the second station has is left out of a file of both stations, and reported once', async () => {
    const service = changing((_, station) => (station === 603 ? [['rain', 'mm', 1]] : []));
    const { out, err } = await archive(service, '110 603 -f ndjson');
    expect(out).not.toContain('rain');
    expect(notesOf(err)).toEqual([
      expect.stringContaining('“rain” (mm) appears with station 603 from 2023-11-15'),
    ]);
  });

  it('does not report a change of a column that --columns leaves out', async () => {
    const service = changing((day) => (day === '2023-11-15' ? [] : [['rain', 'mm', 1]]));
    const { err } = await archive(service, '110 -f csv --columns time,wind_speed_avg');
    expect(notesOf(err)).toEqual([]);
  });

  it('--split year writes a column that appears with a new year into the file of that year, and reports it', async () => {
    const service = changing((day) => (day < '2024' ? [] : [['rain', 'mm', 1]]));
    const name = join(folder, '{year}.csv');
    const { err } = await archive(service, `110 -f csv --split year -o ${name}`);
    expect(await readFile(join(folder, '2024.csv'), 'utf8')).toContain('"rain"');
    expect(await readFile(join(folder, '2023.csv'), 'utf8')).not.toContain('rain');
    expect(notesOf(err)).toHaveLength(1);
  });

  it('reports changes of hundreds of columns in one line', async () => {
    const service = changing((day) =>
      day === '2023-11-15' ? [] : Array.from({ length: 300 }, (_, i): Extra => [`c${i}`, '', i]),
    );
    const { err } = await archive(service, '110 -f csv');
    expect(notesOf(err)).toEqual([expect.stringMatching(/“c7” appears .* and 292 more/)]);
  });
});

it('vane archive -f csv writes a text in a second column wind_heading of the service as one quoted cell', async () => {
  const service = changing(() => [['wind_heading', '', 'a","b']]);
  const { out } = await archive(service, '110 -f csv --header names');
  const [head, first] = out.split('\n');
  expect(head).toMatch(/"pressure","wind_heading_2"$/);
  expect(first).toMatch(/,,"a"",""b"$/);
});

describe('vane archive', () => {
  it('writes null for a pressure in hPa, since the unit in the header is “(deprecated)”', async () => {
    const service: StationService = {
      ...fixtureService,
      async archive(id, period) {
        const archive = await daily.archive(id, period);
        const units = [...archive.units.slice(0, 7), 'hPa'];
        const rows = archive.rows.readings.map((row) => [...row.slice(0, 7), 1013]);
        return { ...archive, units, rows: Rows.ofReadings(rows as unknown as Reading[]) };
      },
    };
    const { out } = await archive(service, '110 -f csv');
    expect(out.split('\n')[4]).toMatch(/,null$/);
  });
});
