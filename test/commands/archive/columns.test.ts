import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetMetadata } from 'hyparquet';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Archive } from '../../../src/domain/envelope.ts';
import type { Json } from '../../../src/domain/json.ts';
import { ArchiveLines } from '../../../src/domain/readings/lines.ts';
import { startServer } from '../../../src/server/server.ts';
import type { StationService } from '../../../src/service/service.ts';
import type { ArchiveRow } from '../../../src/wire/archive.ts';
import { rowsOf } from '../../support/archives.ts';
import { fixtureService, NOW, thinOut } from '../../support/fixture-service.ts';
import { startFront, startUpstream } from '../../support/fronts.ts';
import { handClock } from '../../support/hand-clock.ts';
import { sendRequest } from '../../support/http.ts';
import { naming } from '../../support/naming.ts';
import { bufferOf, readParquet } from '../../support/parquet.ts';
import { vane } from '../../support/run.ts';

const daily = thinOut((time) => time.slice(11, 16) === '12:00');
const SECOND = '2023-12-16';

/** A service whose archives are changed by the first day of their period. */
function changing(change: (archive: Archive, day: string) => Partial<Archive>): StationService {
  return {
    ...fixtureService,
    async archive(id, period) {
      const archive = await daily.archive(id, period);
      return { ...archive, ...change(archive, new Date(period.start).toISOString().slice(0, 10)) };
    },
  };
}

/** A service whose archives have further columns, each with one value. */
const widened = (columns: (day: string) => readonly (readonly [string, string, Json])[]) =>
  changing((archive, day) => {
    const added = columns(day);
    const widen = (row: ArchiveRow) => [...row, ...added.map(([, , value]) => value)];
    return {
      legend: [...archive.legend, ...added.map(([name]) => name)],
      units: [...archive.units, ...added.map(([, unit]) => unit)],
      rows: ArchiveLines.ofRows(rowsOf(archive.rows).map(widen) as unknown as ArchiveRow[]),
    };
  });

/** A service that measures the pressure: 1020.3 hPa. */
const pressured = (unitOf: (day: string) => string = () => 'hPa') =>
  changing((archive, day) => ({
    units: archive.units.with(7, unitOf(day)),
    rows: ArchiveLines.ofRows(
      rowsOf(archive.rows).map((row) => row.with(7, 1020.3) as unknown as ArchiveRow),
    ),
  }));

/** Runs `vane archive` over two chunks. */
async function archive(service: StationService, line: string) {
  const server = await startServer({ service, host: '127.0.0.1', port: 0, now: () => NOW });
  const period = ['--start', '2023-11-15', '--stop', '2024-01-15'];
  const args = ['archive', ...period, ...line.split(' '), '--base-url', server.baseUrl];
  try {
    return await vane(args);
  } finally {
    await server.close(0);
  }
}

const notesOf = (err: string): string[] =>
  err.split('\n').filter((line) => /olumn|unit/.test(line));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-columns-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('vane archive, of a service with a column that vane does not know,', () => {
  it.each(['csv', 'txt', 'json', 'ndjson', 'influx', 'table'])(
    'vane archive of a service with an unknown column writes the same %s as without the column, and names the column once on stderr',
    async (format) => {
      const plain = await archive(daily, `110 -f ${format}`);
      const wide = await archive(
        widened(() => [['rain', 'mm', 'wet']]),
        `110 -f ${format}`,
      );
      expect(wide).toMatchObject({ code: 0, out: plain.out });
      expect(notesOf(wide.err)).toEqual([expect.stringContaining('“rain” (mm)')]);
    },
  );

  it('vane archive names an unknown column of the service that appears in a later chunk', async () => {
    const service = widened((day) => (day < SECOND ? [] : [['rain', 'mm', 1]]));
    const { err } = await archive(service, '110 -f csv');
    expect(notesOf(err)).toEqual([expect.stringContaining('“rain” (mm)')]);
  });

  it('vane archive uses the first of two columns wind_speed_avg of the service, and names the second', async () => {
    const service = widened(() => [['wind_speed_avg', 'km/h', 999]]);
    const { out, err } = await archive(service, '110 -f csv');
    expect(out).toBe((await archive(daily, '110 -f csv')).out);
    expect(notesOf(err)).toEqual([expect.stringContaining('“wind_speed_avg” (km/h)')]);
  });

  it('vane archive names 8 of 300 unknown columns of the service, and counts the others', async () => {
    const service = widened(() => Array.from({ length: 300 }, (_, i) => [`c${i}`, '', i] as const));
    const { err } = await archive(service, '110 -f csv');
    expect(notesOf(err)).toEqual([expect.stringMatching(/“c7” and 292 more\.$/)]);
  });

  it('vane archive writes few lines on stderr where each chunk of the service has other columns', async () => {
    const service = widened((day) => [[day, '', 1]]);
    const period = '--start 2021-01-01 --stop 2024-01-01';
    const { err } = await archive(service, `110 -f csv ${period}`);
    expect(notesOf(err).length).toBeLessThan(10);
  });

  it('vane archive cuts a long name and a long unit of an unknown column between characters, not within an emoji', async () => {
    const [name, unit] = [`${'n'.repeat(39)}🌧️🌧️`, `${'u'.repeat(39)}😀😀`];
    const { err } = await archive(
      widened(() => [[name, unit, 1]]),
      '110 -f csv',
    );
    expect(err).not.toMatch(/\p{Cs}/u);
    expect(err).toContain(`“${'n'.repeat(39)}🌧…” (${'u'.repeat(39)}😀…)`);
  });
});

describe('vane archive, of a service without a column,', () => {
  const without = (column: string) =>
    changing(({ legend, units, rows }) => {
      const place = legend.indexOf(column);
      const drop = (row: ArchiveRow) => row.toSpliced(place, 1) as unknown as ArchiveRow;
      return {
        legend: legend.toSpliced(place, 1),
        units: units.toSpliced(place, 1),
        rows: ArchiveLines.ofRows(rowsOf(rows).map(drop)),
      };
    });

  it('vane archive writes null where the service has no column for the pressure', async () => {
    const { code, out } = await archive(without('pressure'), '110 -f csv');
    expect({ code, out }).toEqual({ code: 0, out: (await archive(daily, '110 -f csv')).out });
  });

  it('vane archive exits with 4 where the service lacks a column other than the pressure', async () => {
    const { code, err } = await archive(without('wind_heading'), '110 -f csv');
    expect(code).toBe(4);
    expect(err).toContain('wind_heading');
  });

  it('vane archive exits with 4 where the speeds of the service have another unit', async () => {
    const knots = changing(({ units }) => ({ units: units.with(4, 'kn') }));
    const { code, err } = await archive(knots, '110 -f csv');
    expect(code).toBe(4);
    expect(err).toMatch(naming('wind_speed_avg', '"kn"', '“km/h”'));
  });
});

describe('a pressure in hPa', () => {
  it.each([
    ['csv', /^(?:.*\n){3}.*"degrees","hPa"\n.*,1020\.3\n/],
    ['txt', /^(?:.*\n){3}.*\tdegrees\thPa\n.*\t1020\.3\n/],
    ['json', /"units":\[[^\]]*"hPa"\],"data":\[\n\[.*,1020\.3\],/],
    ['ndjson', /^\{.*"pressure":1020\.3\}\n/],
    ['influx', /^wind,.*,pressure=1020\.3 \d+\n/],
    ['table', /^.* pressure hPa\n.* 1020\.3 *\n/],
    ['csv --units kn --tz Europe/Paris', /^(?:.*\n){3}.*"degrees","hPa"\n.*,1020\.3\n/],
    ['csv --columns pressure,time', /^(?:.*\n){3}"hPa","utc"\n1020\.3,/],
    ['csv --every 1d', /^(?:.*\n){3}.*"degrees","hPa","count","share"\n.*,1020\.3,1,/],
  ])(
    'a pressure in hPa is written with its unit by vane archive -f %s',
    async (format, expected) => {
      const { code, out, err } = await archive(pressured(), `110 -f ${format}`);
      expect(code).toBe(0);
      expect(out).toMatch(expected);
      expect(notesOf(err)).toEqual([]);
    },
  );

  it('a pressure in hPa is written with its unit by vane archive into Parquet', async () => {
    const file = join(folder, 'wind.parquet');
    await archive(pressured(), `110 -o ${file}`);
    const bytes = await readFile(file);
    const [first] = await readParquet(bytes);
    expect(first).toMatchObject({ pressure: 1020.3 });
    const metadata = parquetMetadata(bufferOf(bytes)).key_value_metadata ?? [];
    const units = metadata.find(({ key }) => key === 'units')?.value ?? '';
    expect(JSON.parse(units)).toMatchObject({ pressure: 'hPa' });
  });

  it('a pressure in hPa stays in hPa in the header where later chunks have another unit, which stderr and --report name once', async () => {
    const service = pressured((day) => (day < SECOND ? 'hPa' : 'mbar'));
    const report = join(folder, 'report.json');
    const { out, err } = await archive(service, `110 603 -f csv --header names --report ${report}`);
    const change = expect.stringMatching(naming('pressure', '“hPa”', '“mbar”', 'station 110'));
    expect(out).toMatch(/,1020\.3\n$/);
    expect(notesOf(err)).toEqual([change]);
    expect(JSON.parse(await readFile(report, 'utf8')).columns).toEqual([change]);
  });

  it('a pressure that changes its unit in a later chunk is no matter where --columns leaves the pressure out', async () => {
    const service = pressured((day) => (day < SECOND ? 'hPa' : 'mbar'));
    const { err } = await archive(service, '110 -f csv --columns time,avg');
    expect(notesOf(err)).toEqual([]);
  });

  it.each(['json', 'csv', 'txt'])(
    'a pressure in hPa passes vane serve --upstream unchanged in %s',
    async (format) => {
      const clock = handClock();
      const upstream = await startUpstream(clock, pressured());
      const front = await startFront(upstream.baseUrl, { clock });
      try {
        const target = `/v1/archive/110?start=2023-12-20&stop=2023-12-28&format=${format}`;
        const [own, passed] = [
          await sendRequest(upstream.baseUrl, target),
          await sendRequest(front.baseUrl, target),
        ];
        expect(passed.body).toBe(own.body);
        expect(passed.body).toMatch(/hPa(?:.|\n)*1020\.3/);
      } finally {
        await front.close();
        await upstream.close();
      }
    },
  );
});
