import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatNames, STATION_FORMATS } from '../../../src/formats/index.ts';
import { type FaultyServer, startFaultyServer } from '../../support/faulty-server.ts';
import { expectColumns } from '../../support/fits.ts';
import { naming } from '../../support/naming.ts';
import { vane } from '../../support/run.ts';

let server: FaultyServer;
beforeAll(async () => {
  server = await startFaultyServer([]);
});
afterAll(() => server.close());

const run = (line: string, options?: Parameters<typeof vane>[1]) =>
  vane([...line.split(' ').filter((word) => word !== ''), '--base-url', server.baseUrl], options);

const CREDIT =
  'Data: (c) contributors of the "Fixture" wind network <https://example.org>. License: https://example.org/data-licensing\n';

describe('the table of vane live', () => {
  it('vane live shows every station untruncated in a pipe', async () => {
    const { code, out, err } = await run('live');
    expect(out).toMatchInlineSnapshot(`
      "  id  name                         avg km/h  gust km/h  lull km/h  direction     age       state  signal
         7  ␛[2J<b>=1+1                      20.1       31.3        0.0  ↓ N     0.0°  1 min     off    –
        19  Fixture 19                        0.0        0.0        0.0  calm          5 y old   on     21.96 dB
        41  Two  spaces                       –          –          –    –             –         –      –
       110  Dune du Pilat                    18.5       27.8        9.3  ↘ WNW 292.5°  0 s       on     22.5 dB
       603  Taveuni                           –          –          –    –             4 min     on     –
      1333  Wetterstation “Schwarzwald”      72.5       99.0       47.0  ↗ SW  225.0°  22 d old  on     –
      "
    `);
    expect({ code, err }).toEqual({ code: 0, err: CREDIT });
  });

  it.each([
    [80, 'live 110 1333'],
    [60, 'live 110 1333'],
    [40, 'live 110 1333'],
  ])('vane live fits its table into a window of %i columns', async (columns, line) => {
    const { out } = await run(`${line} --no-color`, { stdoutTerminal: { columns } });
    expect(out).toMatchSnapshot();
    expectColumns(out, columns);
  });

  it.each(['live', 'live --near 44.6,-1.2', 'meta'])(
    'vane %s keeps the ids of stations in windows of 120, 80, 50, 40 and 30 columns',
    async (line) => {
      for (const columns of [120, 80, 50, 40, 30]) {
        const { out } = await run(`${line} --no-color`, { stdoutTerminal: { columns } });
        const [head, ...rows] = out.trimEnd().split('\n');
        expect(head).toMatch(/^ +id {2}/);
        expect(rows.map((row) => Number(row.slice(0, 4))).sort()).toEqual(
          line.includes('near') ? [110, 1333, 603, 7] : [110, 1333, 19, 41, 603, 7],
        );
      }
    },
  );

  it('vane live in a narrow window drops the degrees of headings before the lull, and the lull before it shortens a name of 27 cells', async () => {
    const heads = async (columns: number) =>
      (await run('live 110 1333 --no-color', { stdoutTerminal: { columns } })).out.split('\n');
    expect((await heads(110))[0]).toContain('lull km/h  direction');
    expect((await heads(95))[0]).toMatch(/lull +from +age +state +signal$/);
    expect((await heads(75))[0]).toMatch(/lull +from +age$/);
    const [head, , wald] = await heads(69);
    expect(head).toMatch(/gust +from +age$/);
    expect(wald).toContain('“Schwarzwald”');
  });

  it('vane live fits its table into as many columns as the variable COLUMNS says where stdout is no terminal', async () => {
    const noColour = { NO_COLOR: '1' };
    const stdoutTerminal = { columns: 40 };
    const terminal = await run('live 110 1333', { stdoutTerminal, env: noColour });
    const pipe = await run('live 110 1333', { env: { COLUMNS: '40' } });
    expect(pipe.out).toBe(terminal.out);
    const both = { stdoutTerminal, env: { ...noColour, COLUMNS: '80' } };
    expect((await run('live 110 1333', both)).out).toBe(terminal.out);
    const whole = await run('live 110 1333');
    for (const COLUMNS of ['', '0', '-3', '4.5', 'wide', 'NaN', 'Infinity']) {
      expect((await run('live 110 1333', { env: { COLUMNS } })).out).toBe(whole.out);
    }
    expect((await run('live --help', { env: { COLUMNS: '60' } })).out).toBe(
      (await run('live --help', { stdoutTerminal: { columns: 60 } })).out,
    );
  });

  it.each(['live 7 603 110 1333', 'meta 110 1333 41', 'meta 110', 'archive 110 --start 1h'])(
    'vane %s writes a table of ASCII alone in a locale without UTF-8',
    async (line) => {
      const { out } = await run(line, { env: { LC_ALL: 'C' } });
      expect(out).toMatch(/^[ -~\n]+$/);
      const [head = '', ...rows] = out.trimEnd().split('\n');
      const place = head.indexOf('direction');
      if (place < 0) return;
      const directions = rows.map((row) => row.slice(place, place + 16).trimEnd());
      for (const direction of directions) {
        expect(direction).toMatch(/^(-|calm|[v<\\/^-][v>/^\\ -] [NESW]{1,3} +[\d.]+ deg)$/);
      }
    },
  );

  it.each([
    [
      80,
      'Data: (c) contributors of the "Fixture" wind network\nLicense: example.org/data-licensing\n',
    ],
    [
      100,
      'Data: (c) contributors of the "Fixture" wind network. License: example.org/data-licensing\n',
    ],
    [200, CREDIT],
  ])(
    'vane live names data and license on a terminal of %i columns, in two lines where one is too long',
    async (columns, line) => {
      const { err } = await run('live 110', { stderrTerminal: { columns } });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the line begins with the escape that clears it
      expect(err.replace(/\r\u001b\[K/g, '')).toBe(line);
    },
  );

  it('vane live --near leaves out the distance before the direction and the gust in a narrow window', async () => {
    const narrow = { stdoutTerminal: { columns: 45 }, env: { LANG: 'C.UTF-8' } };
    const { out } = await run('live 110 --near 44.6,-1.2 --no-color', narrow);
    expect(out.split('\n')[0]).toMatch(/^ id +name +avg km\/h +gust +from +age$/);
  });

  it('vane live colours speeds by Beaufort force and dims old measurements', async () => {
    const { out } = await run('live 7 110 1333 --color');
    const [, hostile, dune, old] = out.split('\n');
    expect(hostile).toContain('\u001b[32m    20.1\u001b[39m');
    expect(dune).toContain('\u001b[36m    18.5\u001b[39m');
    expect(old).toContain('\u001b[2m    72.5\u001b[22m');
    expect(hostile).not.toContain('\u001b[2J');
  });

  it('vane live has no colour in a pipe, with NO_COLOR or --no-color', async () => {
    const stdoutTerminal = { columns: 120 };
    const plain = [
      await run('live 110'),
      await run('live 110', { stdoutTerminal, env: { NO_COLOR: '1' } }),
      await run('live 110 --no-color', { stdoutTerminal, env: { FORCE_COLOR: '1' } }),
    ];
    for (const { out } of plain) expect(out).not.toContain('\u001b');
    expect((await run('live 110', { stdoutTerminal })).out).toContain('\u001b[36m');
    expect((await run('live 110', { env: { FORCE_COLOR: '1' } })).out).toContain('\u001b[36m');
  });

  it('vane live shows two windows of stations on a terminal, and says how to see the others', async () => {
    const stdoutTerminal = { columns: 80, rows: 2 };
    const { out } = await run('live all', { stdoutTerminal });
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(4);
    expect(lines.at(-1)).toMatch(/^… 4 more stations: --limit, --near, --name, or -f table$/);
    for (const flags of ['-f table', '-n 6']) {
      expect((await run(`live all ${flags}`, { stdoutTerminal })).out.split('\n')).toHaveLength(8);
    }
  });

  it('vane live and vane archive write csv with --csv and json with --json, and refuse both together', async () => {
    expect((await run('live 110 --csv')).out).toBe((await run('live 110 -f csv')).out);
    expect((await run('live 110 --json')).out).toBe((await run('live 110 -f json')).out);
    expect((await run('live 110 --json --csv')).code).toBe(2);
    expect((await run('live 110 --json -f csv')).code).toBe(2);
  });

  it('vane live converts speeds to the unit of --knots or -u, and names the unit in the column heads', async () => {
    const { out } = await run('live 110 --knots');
    expect(out).toContain('avg kn  gust kn  lull kn');
    expect(out).toMatch(/^110 {2}Dune du Pilat +10\.0 +15\.0 +5\.0 {2}↘/m);
    expect((await run('live 110 -u bft')).out).toMatch(/avg Bft.*\n.* 3 +4 +2 /);
  });

  it('vane live exits with 0 where no station matches, and says so on stderr', async () => {
    const { code, out, err } = await run('live --name nowhere');
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).toMatch(naming('No station', CREDIT));
  });

  it('vane live -q prints nothing on stderr', async () => {
    expect((await run('live 110 -q')).err).toBe('');
  });

  it('vane live -v prints each request', async () => {
    expect((await run('live 110 -v')).err).toMatch(/^GET http:.*\/v1\/live\/110 200, \d+ bytes/);
  });

  it.each([
    'home',
    '--knots PP603,7',
    '-u kn 603',
    '--retries 0 https://example.org/windbird-1333',
  ])('`vane %s` is short for `vane live` with the same words', async (line) => {
    const folder = await mkdtemp(join(tmpdir(), 'vane-live-'));
    const env = { VANE_CONFIG: join(folder, 'config.json') };
    await writeFile(env.VANE_CONFIG, '{"favourites":{"home":110}}');
    const { code, out } = await run(line, { env });
    expect({ code, out }).toEqual({ code: 0, out: (await run(`live ${line}`, { env })).out });
    await rm(folder, { recursive: true });
  });

  it.each([
    ['du PILAT', [110]],
    ['Schwarz', [1333]],
    ['two spaces', [41]],
    ['e --sort name', [110, 19, 603, 41, 1333]],
    ['e --state off', []],
  ])(
    'vane live %s searches names, since no word is a station, and a note says so',
    async (line, ids) => {
      const { code, out, err } = await run(`live ${line} -f json`);
      expect(JSON.parse(out).data.map(({ id }: { id: number }) => id)).toEqual(ids);
      expect(err).toMatch(/^.*“.*”.*\bnames\b/);
      expect(code).toBe(0);
    },
  );

  it.each(['live no such place', 'meta nowhere -f json'])(
    'vane %s exits with 3 where no name matches, and the error suggests --near',
    async (line) => {
      const { code, out, err } = await run(line);
      expect({ code, out }).toEqual({ code: 3, out: '' });
      expect(err).toMatch(/^vane: .*“no(?: such place|where)”.*vane live --near 45\.9,6\.1\n$/);
    },
  );
});

const idsOf = async (line: string): Promise<number[]> =>
  JSON.parse((await run(`live ${line} -f json`)).out).data.map(({ id }: { id: number }) => id);

describe('the stations that vane live selects', () => {
  it.each([
    ['', [7, 19, 41, 110, 603, 1333]],
    ['1333 110', [110, 1333]],
    ['--name DUNE', [110]],
    ['--name wetterstation --state on', [1333]],
    // A station without a position is not near 0, 0.
    ['--near 0,0 --radius 100', []],
    ['--near 44.6,-1.2 --radius 50', [110]],
    ['--near 44.6,-1.2', [110, 7, 1333, 603]],
    ['--near 44.6,-1.2 --sort id', [7, 110, 603, 1333]],
    ['--bbox -2,43,1,45', [7, 110]],
    ['--bbox 179,-20,-179,-10', [603]],
    ['--bbox -1,-1,1,1', []],
    ['--state off', [7]],
    ['--state unknown', [41]],
    ['--max-age 3m', [7, 110]],
    ['--sort avg', [1333, 7, 110, 19, 41, 603]],
    ['--sort age', [110, 7, 603, 1333, 19, 41]],
    ['--sort name --limit 2', [7, 110]],
    ['--sort signal --limit 2', [110, 19]],
  ])('vane live with the options “%s” shows the stations %j, in this order', async (flags, ids) => {
    expect(await idsOf(flags)).toEqual(ids);
  });

  it('vane live --near shows the distance in table, ndjson and csv', async () => {
    const near = 'live 110 --near 44.589,-1.2136';
    expect((await run(near)).out).toMatch(/name +km .*\n.*Dune du Pilat +0\.0 /);
    expect(JSON.parse((await run(`${near} -f ndjson`)).out).distance_km).toBe(0);
    expect((await run(`${near} -f csv`)).out).toMatch(/,distance_km\n.*,0\n$/);
  });

  it.each([
    ['live', '/v1/live/all'],
    ['live 110', '/v1/live/110'],
    ['live 110 603 1333', '/v1/live/all'],
    ['live --near 45,6 --state on', '/v1/live/all'],
    ['meta 110', '/v1/live-with-meta/110'],
    ['meta', '/v1/live-with-meta/all'],
  ])('vane %s sends one request, for %s', async (line, path) => {
    server.requests.length = 0;
    await run(line);
    expect(server.requests).toEqual([path]);
  });

  it('vane live exits with 3 and writes no data where the service knows none of the named stations', async () => {
    const one = await run('live 999');
    expect(one.err).toMatch(naming('Station 999', server.baseUrl));
    const two = await run('live 999 998 -f json');
    expect(two.err).toMatch(naming('999, 998', server.baseUrl));
    expect([one.code, two.code, one.out, two.out]).toEqual([3, 3, '', '']);
  });

  it.each(['live', 'meta'])(
    'vane %s shows the known stations, names the unknown ones and exits with 3',
    async (command) => {
      const { code, out, err } = await run(`${command} 110 999 603 998 -f ndjson`);
      expect(out.match(/^\{"id":\d+/gm)).toEqual(['{"id":110', '{"id":603']);
      expect(err).toMatch(/^Data: .*\nvane: .*\b999, 998 .*http.*\n$/);
      expect(code).toBe(3);
    },
  );

  it('vane --demo calls its service “the simulated network” in errors, not by address and port', async () => {
    for (const line of ['live 999999', 'live 110 999999', 'archive 999999 --start 1h']) {
      const { code, err } = await vane([...line.split(' '), '--demo']);
      expect(err).toMatch(/vane: Station 999999 .*simulated network\.\n$/);
      expect(code).toBe(3);
    }
  });
});

describe('vane live --line', () => {
  const live = (...args: string[]) => vane(['live', '--base-url', server.baseUrl, ...args]);

  it('vane live --line writes a line for each selected station by the template, in one request', async () => {
    server.requests.length = 0;
    const template = '{id} {wind} {max}{unit}|{trend}{event}{since}|{attribution}';
    const { code, out } = await live('110', '7', '--sort', 'avg', '--knots', '--line', template);
    const credit = '(c) contributors of the "Fixture" wind network <https://example.org>';
    expect({ code, out }).toEqual({
      code: 0,
      out: `7 11 kn N 16.9kn|–|${credit}\n110 10 kn WNW 14.98kn|–|${credit}\n`,
    });
    expect(server.requests).toEqual(['/v1/live/all']);
  });

  it('vane live --line writes lines into a file of any name, and no line where no station matches', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vane-line-'));
    const file = join(folder, 'wind.status');
    for (const [name, text] of [
      ['Dune', 'Dune du Pilat\n'],
      ['Nowhere', ''],
    ] as const) {
      const { code } = await live('--name', name, '--line', '{name}', '-o', file);
      expect([code, await readFile(file, 'utf8')]).toEqual([0, text]);
    }
    await rm(folder, { recursive: true });
  });

  it.each([
    [['--line', '{nme}'], '--line has no {nme}.'],
    [['--line', ''], '--line is empty'],
    [['--line', '{id}', '-f', 'csv'], '--line'],
  ])(
    'vane live refuses the options %j before any request, with an error that has “%s”',
    async (args, said) => {
      server.requests.length = 0;
      const { code, out, err } = await live('110', ...args);
      expect([code, out, server.requests]).toEqual([2, '', []]);
      expect(err).toContain(said);
    },
  );
});

it('vane live --refresh notes on stderr that it requests live data again within 60 s', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vane-early-'));
  const env = { VANE_CACHE_DIR: folder };
  const first = await run('live 110 --refresh', { env });
  const second = await run('live 110 --refresh', { env });
  const quiet = await run('live 110 --refresh -q', { env });
  await rm(folder, { recursive: true });
  expect([first.err, quiet.err]).toEqual([CREDIT, '']);
  expect(second.err).toMatch(/\d+ s ago.*--refresh.* 60 s/);
  expect(second.err).toContain(CREDIT);
});

describe('vane live', () => {
  it('vane live -f json writes doc, license, attribution and data as the service does', async () => {
    const response = async (path: string) => (await fetch(server.baseUrl + path)).json();
    expect(JSON.parse((await run('live 1333 -f json')).out)).toEqual(
      await response('/v1/live/1333'),
    );
    expect(JSON.parse((await run('live -f json')).out)).toEqual(await response('/v1/live/all'));
    expect(JSON.parse((await run('meta -f json')).out)).toEqual(
      await response('/v1/live-with-meta/all'),
    );
  });

  it('vane live -f json names the unit of converted speeds', async () => {
    const { units, data } = JSON.parse((await run('live 110 -f json --knots')).out);
    expect(units).toEqual({ wind_speed_avg: 'kn', wind_speed_max: 'kn', wind_speed_min: 'kn' });
    expect(data.measurements).toMatchObject({ wind_speed_avg: 10, wind_speed_max: 14.98 });
  });

  it('vane live -f ndjson writes a station a line, with the unit in the keys of converted speeds', async () => {
    const { out, err } = await run('live 110 1333 -f ndjson -u ms');
    const [dune, wald] = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(dune.measurements).toMatchObject({ wind_speed_avg_ms: 5.14, wind_heading: 292.5 });
    expect(dune.measurements).not.toHaveProperty('wind_speed_avg');
    expect(wald).toMatchObject({ owner: { name: 'unknown' }, location: { hdop: 1 } });
    expect(err).toBe(CREDIT);
  });

  it('vane live -f geojson writes points, and a null geometry for a station without a position', async () => {
    const { type, features, license } = JSON.parse((await run('live -f geojson')).out);
    expect({ type, license }).toEqual({
      type: 'FeatureCollection',
      license: 'https://example.org/data-licensing',
    });
    const geometries = Object.fromEntries(
      features.map((f: { id: number; geometry: unknown }) => [f.id, f.geometry]),
    );
    expect(geometries[110]).toEqual({ type: 'Point', coordinates: [-1.2136, 44.589] });
    expect(geometries[19]).toBeNull();
    expect(geometries[41]).toBeNull();
    expect(features[3].properties.measurements.wind_speed_avg).toBe(18.52);
  });

  it('vane live -f csv writes every field, and no text that a spreadsheet would read as a formula', async () => {
    const { out, err } = await run('meta -f csv');
    const rows = parse(out, { columns: true }) as Record<string, string>[];
    expect(Object.keys(rows[0] ?? {})).toEqual([
      ...['id', 'meta.name', 'meta.description', 'meta.picture', 'meta.date'],
      ...['meta.rating.upvotes', 'meta.rating.downvotes', 'location.latitude'],
      ...['location.longitude', 'location.date', 'location.success', 'location.hdop'],
      ...['measurements.date', 'measurements.pressure', 'measurements.wind_heading'],
      ...['measurements.wind_speed_avg', 'measurements.wind_speed_max'],
      ...['measurements.wind_speed_min', 'status.date', 'status.snr', 'status.state'],
      ...['measurements.gusts', 'owner.name', 'status.battery'],
    ]);
    expect(rows[3]).toMatchObject({
      id: '110',
      'meta.description': 'Décollage nord\n“face à la mer”',
      'location.success': 'true',
      'location.longitude': '-1.2136',
    });
    expect(out).not.toContain('\u001b');
    expect(err).toBe(CREDIT);
  });

  it('vane live -f csv or txt writes the unit into the column names of converted speeds', async () => {
    const csv = (await run('live 110 -f csv --knots')).out;
    expect(csv).toContain('measurements.wind_speed_avg_kn');
    const [head, row, end] = (await run('live 110 -f txt --knots')).out.split('\n');
    expect(head?.split('\t')).toContain('measurements.wind_speed_max_kn');
    expect(row?.split('\t')).toContain('14.98');
    expect(end).toBe('');
  });

  it('vane live writes dates in the zone of --tz', async () => {
    const { out } = await run('live 110 -f ndjson --tz Europe/Paris');
    expect(JSON.parse(out).measurements.date).toBe('2024-01-15T13:00:00.000+01:00');
  });
});

describe('vane meta', () => {
  it('vane meta shows one station as a card', async () => {
    const { out } = await run('meta 110');
    expect(out).toBe(`Dune du Pilat
Décollage nord
“face à la mer”

station        110
picture        https://example.org/110.jpg
votes          12 up, 1 down
position       44.589, -1.2136
last located   2024-01-15 10:30:25 (1 h ago)
last measured  2024-01-15 12:00:00 (0 s ago)
last contact   2024-01-15 12:00:00 (0 s ago)
power state    on
last edited    2021-01-27 10:02:34 (2 y ago)
`);
  });

  it('vane meta wraps the card of a station in a narrow window', async () => {
    const { out } = await run('meta 603 --no-color', { stdoutTerminal: { columns: 36 } });
    expectColumns(out, 36);
    expect(out).toMatch(/^position {7}\S+ \S+ \(last\n {15}known, no longer\n {15}confirmed\)$/m);
    const { out: narrow } = await run('meta 110 --no-color', { stdoutTerminal: { columns: 12 } });
    expect(narrow).toMatch(/\npicture\n {2}https:\/\/example\.org\/110\.jpg\nvotes/);
    expect(narrow).toMatch(/^Dune du\nPilat\nDécollage\nnord\n“face à la\nmer”\n\nstation/);
  });

  it('vane meta shows unknown values of a station as unknown', async () => {
    const { out } = await run('meta 41');
    expect(out).toContain('position       never located\n');
    expect(out).toContain('power state    unknown\n');
    expect((await run('meta 7')).out).toContain('power state    off, shut down by its switch\n');
    expect(out).toContain('votes          none\n');
    expect(out).not.toContain('picture');
    expect((await run('meta 603')).out).toContain('(last known, no longer confirmed)');
  });

  it('vane meta shows several stations as a table', async () => {
    const { out } = await run('meta 110 19');
    expect(out).toMatchInlineSnapshot(`
      " id  name           description                     votes   latitude  longitude  updated              state
       19  Fixture 19     –                               +0 −0      –         –       –                    on
      110  Dune du Pilat  Décollage nord “face à la mer”  +12 −1    44.589    -1.2136  2021-01-27 10:02:34  on
      "
    `);
  });
});

describe('a station name with control characters', () => {
  it.each(formatNames(STATION_FORMATS))(
    'a station name with control characters is written without them by vane live and vane meta -f %s',
    async (format) => {
      for (const command of ['live 7', 'live 7 110', 'meta 7', 'meta 7 110']) {
        const { out } = await run(`${command} -f ${format} --no-color`);
        expect(out.replace(/[\t\n]/g, '')).not.toMatch(/\p{Cc}/u);
      }
    },
  );
});

describe('vane live with favourites that have conditions', () => {
  let env: { VANE_CONFIG: string };
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vane-live-'));
    env = { VANE_CONFIG: join(folder, 'config.json') };
    const favourites = {
      dune: { station: 110, when: 'avg in 8..12kn and dir in W..NW' },
      north: { station: 110, when: 'dir in N..E' },
      isle: { station: 603, when: 'avg > 8kn' },
      seven: { station: 7, when: 'gust < 5kn' },
      trend: { station: 7, when: 'avg > 5kn and trend > 5kn' },
      odd: { station: 110, when: 'avg > 5knn' },
      plain: 1333,
    };
    await writeFile(env.VANE_CONFIG, JSON.stringify({ favourites }));
  });
  afterAll(() => rm(join(env.VANE_CONFIG, '..'), { recursive: true }));
  /** The column `when` of the table, by station. */
  const column = async (line: string) => {
    const { out } = await run(`live ${line}`, { env });
    const [head = '', ...rows] = out.trimEnd().split('\n');
    const at = head.indexOf(' when ');
    const cells = rows.map((row) =>
      row
        .slice(at + 1)
        .split(/ {2}/)[0]
        ?.trim(),
    );
    return at < 0 ? undefined : rows.map((row, i) => `${row.trim().split(' ')[0]} ${cells[i]}`);
  };

  it.each([
    ['dune isle seven plain', ['7 no', '110 yes', '603 –', '1333 ']],
    ['DUNE,plain', ['110 yes', '1333 ']],
    ['north', ['110 no']],
    // A station of two favourites: one of the conditions is enough.
    ['dune north', ['110 yes']],
    // In live the trend is unknown, and so is the condition, unless another part decides.
    ['trend', ['7 –']],
    ['plain', undefined],
    ['dune all', undefined],
    ['110 603', undefined],
  ])(
    'live %s says in the column “when” where the condition of a favourite holds: %j',
    async (line, cells) => {
      expect(await column(line)).toEqual(cells);
    },
  );

  it('live keeps the column “when” in a window of 40 columns', async () => {
    const { out } = await run('live dune isle --no-color', {
      env,
      stdoutTerminal: { columns: 40 },
    });
    expect(out).toMatch(/ when *\n(?:.* (?:yes|–) *\n){2}/);
    expectColumns(out, 40);
  });

  it.each(['live favorites', 'live odd', 'live dune,odd', 'odd'])(
    '%s exits with 2 before any request, and marks the fault of a condition in the file',
    async (line) => {
      const { code, out, err } = await run(line, { env });
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toMatch(
        naming(env.VANE_CONFIG, 'favourites.odd.when', `\n  avg > 5knn\n${' '.repeat(9)}^\n`),
      );
    },
  );

  it.each([
    'live 110',
    'live dune plain',
    'live odd -f csv',
    'live odd --line {name}',
    'live favourites all',
    'meta favourites',
    'config get units',
  ])('%s works although the file has a faulty condition, which it does not use', async (line) => {
    expect((await run(line, { env })).code).toBe(0);
  });

  it('live -f csv has no column for the conditions of favourites', async () => {
    const { out } = await run('live dune plain -f csv', { env });
    expect(out).toBe((await run('live 110 1333 -f csv')).out);
  });
});
