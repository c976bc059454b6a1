import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEPRECATED_PRESSURE_UNIT } from '../../../src/domain/readings/archiveColumns.ts';
import { Chunk } from '../../../src/domain/readings/chunk.ts';
import { ArchiveLines } from '../../../src/domain/readings/lines.ts';
import type { ArchiveLayout } from '../../../src/formats/format.ts';
import { tableFormat } from '../../../src/formats/tableFormat.ts';
import type { ArchiveRow } from '../../../src/wire/archive.ts';
import { type FaultyServer, startFaultyServer } from '../../support/faulty-server.ts';
import { expectColumns } from '../../support/fits.ts';
import { ARCHIVE_PROVENANCE, networkWith, thinOut } from '../../support/fixture-service.ts';
import { archiveLayout } from '../../support/layout.ts';
import { naming } from '../../support/naming.ts';
import { vane } from '../../support/run.ts';
import { expectSame } from '../../support/same.ts';

let server: FaultyServer;
/** A server whose stations have a row each hour, for long periods. */
let hourly: FaultyServer;
beforeAll(async () => {
  server = await startFaultyServer([]);
  hourly = await startFaultyServer(
    [],
    thinOut((time) => time.slice(14, 16) === '00'),
  );
});
afterAll(async () => {
  await server.close();
  await hourly.close();
});

const run = (line: string, options?: Parameters<typeof vane>[1], { baseUrl } = server) =>
  vane(['archive', ...line.split(' '), '--base-url', baseUrl], options);
const runHourly = (line: string) => run(line, undefined, hourly);

const response = async (query: string) =>
  (await fetch(`${server.baseUrl}/v1/archive/110?${query}`)).text();

const DAY = '110 --start 2024-01-02 --stop 2024-01-03';
const DAY_QUERY = 'start=2024-01-02&stop=2024-01-03';
/** 62 days, whose last chunk ends after the fixture's clock. */
const LONG = '110 --start 2023-11-15 --stop 2024-01-15T12:05';

describe('vane archive', () => {
  it.each(['csv', 'txt'])(
    'vane archive -f %s writes the same bytes as the service',
    async (format) => {
      const { code, out, err } = await run(`${DAY} -f ${format}`);
      expect(out).toBe(await response(`${DAY_QUERY}&format=${format}`));
      expect(code).toBe(0);
      expect(err).toMatch(naming('288 readings', 'station 110', '2024-01-02', '2024-01-03'));
    },
  );

  it('vane archive -f json writes the same values as the service', async () => {
    const { out } = await run(`${DAY} -f json`);
    expect(JSON.parse(out)).toEqual(JSON.parse(await response(DAY_QUERY)));
  });

  it('vane archive requests a long period in adjacent chunks of 31 days', async () => {
    hourly.requests.length = 0;
    await runHourly(`${LONG} -f csv`);
    expect(hourly.requests).toEqual([
      '/v1/archive/110?start=2023-11-15T00:00:00.000Z&stop=2023-12-16T00:00:00.000Z&format=json',
      '/v1/archive/110?start=2023-12-16T00:00:00.000Z&stop=2024-01-15T12:05:00.000Z&format=json',
    ]);
  });

  it('vane archive writes a period of several chunks as one document in csv, json and ndjson, with every row once', async () => {
    const rows = 61 * 24 + 13;
    const csv = (await runHourly(`${LONG} -f csv`)).out.split('\n');
    expect(csv).toHaveLength(4 + rows + 1);
    expect(csv.filter((line) => line.startsWith('"time"'))).toHaveLength(1);
    const { data } = JSON.parse((await runHourly(`${LONG} -f json`)).out);
    expect(data).toHaveLength(rows);
    const times = data.map(([time]: [string]) => time);
    expectSame(times, [...new Set(times)].sort());
    expect((await runHourly(`${LONG} -f ndjson`)).out.trimEnd().split('\n')).toHaveLength(rows);
  });

  it('vane archive does not request a chunk of a period in the future', async () => {
    server.requests.length = 0;
    await run('110 --start 2024-01-14 --stop 2030 -f csv');
    expect(server.requests).toHaveLength(1);
  });

  const short = '110 --start 2024-01-02 --stop 2024-01-02T00:06';

  it('vane archive writes csv where stdout is no terminal, exactly as -f csv does', async () => {
    expect((await run(short)).out).toBe((await run(`${short} -f csv`)).out);
  });

  it('vane archive writes csv with a column station for several stations where stdout is no terminal, and says so', async () => {
    const line = '603 110 --start 2024-01-15T10 --stop 2024-01-15T10:10';
    const { out, err } = await run(line);
    expect(out).toBe((await run(`${line} -f csv --header names`)).out);
    expect(out).toMatch(/^"station",/);
    expect(err).toMatch(/csv with a station column.*--header names/);
    expect((await run(`${line} -f csv`)).code).toBe(2);
  });

  it('vane archive stops on a terminal after two windows of rows, and requests no further chunk', async () => {
    const server = await startFaultyServer([]);
    const line = '110 --start 2023-11-14 --stop 2024-01-03 --concurrency 1 --no-color';
    const terminal = { stdoutTerminal: { columns: 80, rows: 5 } };
    const cut = await run(line, terminal, server);
    expect(cut.out.trimEnd().split('\n')).toHaveLength(10);
    expect(cut.out).toMatch(
      /\n… rows after 2023-11-15 \d\d:\d\d not shown: -f table .* -o FILE .*\n$/,
    );
    expect(cut.err).not.toContain('readings of station');
    const requested = server.requests.length;
    const all = await run(`${line} -f table`, terminal, server).finally(() => server.close());
    expect(all.out.split('\n').length).toBeGreaterThan(50);
    expect(all.out).not.toContain('not shown');
    expect(server.requests.length - requested).toBeGreaterThan(requested);
  });

  it('vane archive writes a table on a terminal', async () => {
    const { out, err } = await run(short, { stdoutTerminal: { columns: 80 } });
    expect(out).toMatchInlineSnapshot(`
      "[1mtime UTC[22m             [1mlull km/h[22m  [1mavg km/h[22m  [1mgust km/h[22m  [1mdirection[22m
      2024-01-02 00:00:00        0.0       2.3        5.5  ↓ N     0.0°
      2024-01-02 00:05:00        1.0       3.3        6.5  ↙ NNE  22.5°
      "
    `);
    expect(err).toMatch(
      /^2 readings .*\n.*\n.*100 % .*\nData: .*https:\/\/example\.org\/data-licensing\n$/,
    );
  });

  it('the table of vane archive leaves readings without an average out of the coverage, and its note counts them', async () => {
    const rows = Array.from({ length: 24 }, (_, i): ArchiveRow => {
      const time = new Date(Date.UTC(2024, 0, 2) + i * 300_000).toISOString();
      return [time, 44.5, -1.2, null, i < 12 ? 8 : null, null, 90, null];
    });
    const silent = await startFaultyServer([], networkWith({ 110: rows }));
    const line = '110 --start 2024-01-02 --stop 2024-01-02T02 -f table';
    const { err } = await run(line, undefined, silent).finally(() => silent.close());
    expect(err).toMatch(naming('50 %', '12 readings'));
  });

  it('the table of vane archive has a note with mean, gust, coverage and position', async () => {
    const { err } = await run(
      '110 --start 2024-01-02 --stop 2024-01-03 --knots --tz Europe/Paris -f table',
    );
    expect(err).toMatch(naming('3.1 kn', '6.75 kn', '2024-01-02 00:15:00 +01:00'));
    expect(err).toMatch(naming('100 %', '44.589, -1.2136'));
    const half = await run('110 --start 2023-11-14 --stop 2023-11-16 -f table');
    expect(half.err).toContain('50 %');
    const two = await run('603 110 --start 2024-01-15T10 --stop 2024-01-15T10:10 -f table');
    expect(two.err).toMatch(/gust \S+ km\/h .*2024-01-15 10:\d\d:00 UTC .*station 110/);
    expect(two.err).not.toContain('Position');
  });

  const tableRow = (minute: number, latitude: number | null, avg: number | null): ArchiveRow =>
    [
      `2024-01-02T00:0${minute}:00.000Z`,
      ...[latitude, -1.25, 0, avg, 5.5, 0, null],
    ] as unknown as ArchiveRow;
  const tableLines = async (rows: readonly ArchiveRow[], layout: ArchiveLayout) => {
    const period = { start: Date.UTC(2024, 0, 2), stop: Date.UTC(2024, 0, 3) };
    const head = { ...ARCHIVE_PROVENANCE, pressureUnit: DEPRECATED_PRESSURE_UNIT };
    async function* chunks() {
      yield { station: 110, chunk: Chunk.ofLines(period, head, ArchiveLines.ofRows(rows)) };
    }
    let text = '';
    const look = { colour: false, width: undefined, isUnicode: true };
    for await (const piece of tableFormat.archive(chunks(), layout, look)) text += piece;
    return text.split('\n').map((line) => line.replace(/^2024.* {2}/, ''));
  };

  it('the table of vane archive writes “calm” for no wind, in any unit, and where a station moved to', async () => {
    const rows = [
      ...[tableRow(1, 44.5, 0.75), tableRow(2, null, 1)],
      ...[tableRow(3, 44.5, null), tableRow(4, 44.6, 0)],
    ];
    for (const unit of ['kmh', 'ms', 'bft'] as const) {
      expect(await tableLines(rows, archiveLayout({ unit }))).toEqual([
        expect.stringMatching(/direction$/),
        ...['calm', expect.stringContaining('0°'), expect.stringContaining('0°')],
        ...['moved to 44.6, -1.25', 'calm', ''],
      ]);
    }
  });

  it('the table of vane archive keeps the direction where --columns leaves the mean out, even where the mean is calm', async () => {
    const layout = archiveLayout({ columns: ['time', 'wind_heading'], isChosen: true });
    const [, line] = await tableLines([tableRow(1, 44.5, 0)], layout);
    expect(line).toContain('0.0°');
  });

  it('the note under the table of vane archive says “1 reading”, not “1 readings”', async () => {
    const { err } = await run('110 --start 2024-01-02 --stop 2024-01-02T00:05 -f csv');
    expect(err).toMatch(/^1 reading .*station 110\b/);
  });

  it.each([80, 40])('the table of vane archive fits %i columns', async (columns) => {
    const { out } = await run(`${short} --no-color --knots`, { stdoutTerminal: { columns } });
    expect(out).toMatchSnapshot();
    expectColumns(out, columns);
  });

  it.each([
    `${short} --every 1h --tz Europe/Paris`,
    `${short} --tz America/Argentina/Buenos_Aires`,
    '603 110 --start 2024-01-15T10 --stop 2024-01-15T10:10',
    '603 110 --start 2024-01-15T10 --stop 2024-01-15T10:10 --every 1h --tz Europe/Paris',
  ])('the table of vane archive %s fits 40 columns', async (line) => {
    const { out } = await run(`${line} --no-color`, { stdoutTerminal: { columns: 40 } });
    expect(out).toMatch(/^.*\d\d:\d\d:\d\d .*\d$/m);
    expectColumns(out, 40);
  });

  it('the table of vane archive cuts the name of a long zone, and keeps its columns', async () => {
    const zone = '--tz America/Argentina/Buenos_Aires';
    const one = await run(`${short} ${zone} --no-color`, { stdoutTerminal: { columns: 80 } });
    expect(one.out).toMatch(
      /^time America\/Argentina\/Buenos_Air… {2}lull km\/h +avg km\/h +gust km\/h +dir/,
    );
    expect(one.out).toContain('\n2024-01-02 00:05:00 -03:00 ');
    const two = await run(`110 603 --start 2024-01-15T10 --stop 2024-01-15T10:10 ${zone}`, {
      stdoutTerminal: { columns: 80 },
    });
    expect(two.out).toMatch(/lull km\/h/);
  });

  it.each([
    [
      '-f csv --knots',
      'names knots in the line of the units',
      /^"utc","degrees","degrees","kn","kn","kn","degrees","\(deprecated\)"$/m,
    ],
    [
      '-f csv --knots',
      'writes speeds in knots with two decimals',
      /^"2024-01-02T00:05:00\.000Z",44\.589,-1\.2136,0\.54,1\.75,3\.51,22\.5,null$/m,
    ],
    [
      '-f csv --header names',
      'writes a line of names, then rows',
      /^"time","latitude",.*\n"2024-01-02T00:00/,
    ],
    [
      '-f csv --header names --knots',
      'ends the names of speed columns in _kn',
      /^"time".*"wind_speed_min_kn","wind_speed_avg_kn"/,
    ],
    ['-f csv --header none', 'writes rows alone', /^"2024-01-02T00:00:00\.000Z",44\.589/],
    [
      '-f txt --header none',
      'writes rows alone with tabs between cells',
      /^2024-01-02T00:00:00\.000Z\t44\.589/,
    ],
    [
      '-f csv --header none --columns wind_heading,time',
      'writes the two columns in the order of --columns',
      /^0,"2024-01-02T00:00:00\.000Z"\n22\.5,/,
    ],
    [
      '-f csv --tz Europe/Paris',
      'writes dates with the offset of the zone, and names the zone',
      /^"Europe\/Paris","degrees".*\n"2024-01-02T00:00:00\.000\+01:00",/m,
    ],
    [
      '-f json -u bft',
      'names Beaufort as the unit',
      /"units":\["utc","degrees","degrees","Bft","Bft","Bft","degrees"/,
    ],
    [
      '-f ndjson',
      'writes a JSON object for each row, with the id of the station',
      /^\{"station":110,"time":"2024-01-02T00:00:00\.000Z","latitude":44\.589,/,
    ],
    ['-f ndjson -u mph', 'names the unit in its keys', /"wind_speed_avg_mph":1\.4,/],
    [
      '--columns gust,time -f csv --header names',
      'writes the long names of the service for short names of columns',
      /^"wind_speed_max","time"\n5\.5,"2024/,
    ],
    [
      '--columns dir,wind_speed_min,lat,lon,avg -f csv --header none',
      'accepts short and long names of columns together',
      /^0,0,44\.589,-1\.2136,2\.25\n/,
    ],
    [
      '--columns time,station,gust -f csv --header names',
      'writes the id of the station where --columns has it',
      /^"time","station","wind_speed_max"\n"2024-[^,]*,110,5\.5\n/,
    ],
    [
      '--columns time,station -f csv',
      'names “id” as the unit of the column of station ids',
      /^"time","station"\n"utc","id"\n"2024-[^,]*,110\n/m,
    ],
    [
      '--columns station,pressure,gust -f txt --header none',
      'leaves a missing pressure empty',
      /^110\t\t5\.5\n/,
    ],
    [
      '--columns gust,station -f json',
      'puts the id of the station into each row',
      /"legend":\["wind_speed_max","station"\].*\n\[5\.5,110\]/,
    ],
    [
      '--columns time,lat -f table',
      'shows the position where --columns has it',
      /^time UTC +latitude\n2024-01-02 00:00:00 +44\.589\n/,
    ],
    [
      '--columns time,wind_speed_max -f table',
      'shows the named columns alone',
      /^time UTC +gust km\/h\n2024-01-02 00:00:00 +5\.5\n/,
    ],
  ])('vane archive %s %s', async (flags, _sentence, text) => {
    expect((await run(`${short} ${flags}`)).out).toMatch(text);
  });

  it('vane archive credits the source of the data on stderr if the header of the file does not', async () => {
    expect((await run(`${short} -f csv`)).err).not.toContain('License');
    expect((await run(`${short} -f csv --header names`)).err).toContain('License');
    expect((await run(`${short} -f ndjson`)).err).toContain('License');
  });

  it('vane archive --header service writes null for missing wind and position', async () => {
    const { out } = await run('603 --start 2024-01-15 -f csv');
    expect(out.split('\n').slice(4).join('\n')).toBe(
      '"2024-01-15T10:00:00.000Z",null,null,null,null,null,null,null\n' +
        '"2024-01-15T10:04:03.000Z",-16.85,179.97,null,3.5,null,292.5,null\n',
    );
  });

  it.each(['names', 'none'])(
    'vane archive --header %s leaves cells without a value empty',
    async (header) => {
      const csv = await run(`603 --start 2024-01-15 -f csv --header ${header}`);
      expect(csv.out).toMatch(
        /"2024-01-15T10:00:00.000Z",,,,,,,\n.*,-16.85,179.97,,3.5,,292.5,\n$/,
      );
      const txt = await run(`603 --start 2024-01-15 -f txt --header ${header}`);
      expect(txt.out.split('\n').at(-2)).toBe(
        '2024-01-15T10:04:03.000Z\t-16.85\t179.97\t\t3.5\t\t292.5\t',
      );
    },
  );

  it('vane archive writes a csv row of one missing value as "", not as a blank line', async () => {
    const { out } = await run('603 --start 2024-01-15 -f csv --header none --columns gust');
    expect(out).toBe('""\n""\n');
  });
});

describe('the table of vane archive for two stations', () => {
  it('the table of vane archive for two stations shows the pressure if --columns names it beside six other columns', async () => {
    const period = '110 603 --start 2024-01-02 --stop 2024-01-02T00:10 -f table';
    const { out } = await run(`${period} --columns time,lat,lon,lull,avg,gust,pressure`);
    expect(out).toMatch(/^station .* pressure \(deprecated\)\n/);
    expect((await run(period)).out).not.toContain('pressure');
  });
});

describe('vane archive without rows', () => {
  const none = '1333 --start 2024-01-02 --stop 2024-01-03';
  it('vane archive without rows exits with 0, and says on stderr that there are no data', async () => {
    const { code, out, err } = await run(`${none} -f csv`);
    expect(code).toBe(0);
    expect(out.split('\n')).toHaveLength(5);
    expect(err).toMatch(naming('No data', 'station 1333', '2024-01-02 '));
  });

  it('vane archive without rows writes empty data in json, and nothing in ndjson', async () => {
    expect(JSON.parse((await run(`${none} -f json`)).out).data).toEqual([]);
    expect((await run(`${none} -f ndjson`)).out).toBe('');
  });

  it('vane archive of an unknown station exits with 3, not with 0', async () => {
    const { code, err } = await run('999 --start 1d');
    expect(code).toBe(3);
    expect(err).toMatch(naming('Station 999', server.baseUrl));
  });
});
