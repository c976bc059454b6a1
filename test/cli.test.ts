import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../src/cli.ts';
import type { ArchiveOptions } from '../src/commands/archive/options.ts';
import { COMMANDS } from '../src/commands/index.ts';
import type { LiveOptions } from '../src/commands/live/options.ts';
import type { WatchOptions } from '../src/commands/watch/options.ts';
import { isRepeatableOption } from '../src/completions/tree.ts';
import { SPEED_UNIT_NAMES } from '../src/domain/units.ts';
import { ARCHIVE_FORMATS, formatNames, STATION_FORMATS } from '../src/formats/index.ts';
import { fakeIo } from './support/fake-io.ts';
import { expectColumns } from './support/fits.ts';
import { NOW } from './support/fixture-service.ts';
import { naming } from './support/naming.ts';
import { vane } from './support/run.ts';

const words = (line: string): string[] => line.split(' ').filter((word) => word !== '');

/** The parsed options of a command line, without running it. */
async function parse<R>(line: string, env: Record<string, string> = {}): Promise<R> {
  let captured: unknown;
  const program = await createProgram(fakeIo({ env }), async (options) => {
    captured = options;
  });
  await program.parseAsync(words(line), { from: 'user' });
  return captured as R;
}

const parseLive = (line: string) => parse<LiveOptions>(`live ${line}`);
const parseArchive = (line: string) => parse<ArchiveOptions>(`archive 110 ${line}`);

describe('the command line', () => {
  it.each([
    ['live', 'all'],
    ['live all', 'all'],
    ['live 110 all', 'all'],
    ['live 110,all', 'all'],
    ['live 110,PP603 1500,', [110, 603, 1500]],
    ['live https://example.org/a,b/windbird-7', [7]],
    ['live 110', [110]],
    ['live 110 PP603 wb1234 MW800 a900 110', [110, 603, 1234, 800, 900]],
    ['live https://www.openwindmap.org/windbird-1500', [1500]],
    ['meta https://example.org/stations/41/?tab=1', [41]],
  ])('`vane %s` requests the stations %j', async (line, stations) => {
    expect((await parse<LiveOptions>(line)).stations).toEqual(stations);
  });

  it('`vane live` without options sends requests to https://api.pioupiou.fr, with 3 retries and the cache', async () => {
    const { connection } = await parseLive('110');
    expect(connection).toEqual({
      baseUrl: 'https://api.pioupiou.fr',
      timeoutMs: 30_000,
      retries: 3,
      isQuiet: false,
      isVerbose: false,
      cache: 'use',
    });
  });

  it.each([
    ['--base-url http://localhost:8080/ live', {}, 'http://localhost:8080'],
    ['live --base-url http://localhost:8080/wind//', {}, 'http://localhost:8080/wind'],
    ['live', { VANE_BASE_URL: 'http://cache.local' }, 'http://cache.local'],
    ['live --base-url http://a', { VANE_BASE_URL: 'http://b' }, 'http://a'],
  ])(
    '`vane %s` with the environment %j requests data from the address %s',
    async (line, env, baseUrl) => {
      expect((await parse<LiveOptions>(line, env)).connection.baseUrl).toBe(baseUrl);
    },
  );

  it.each([
    ['live --demo', { VANE_BASE_URL: 'http://b' }],
    ['--demo live', {}],
  ])(
    '`vane %s` with the environment %j requests data from the simulated network',
    async (line, env) => {
      expect((await parse<LiveOptions>(line, env)).connection.baseUrl).toBeUndefined();
    },
  );

  it.each([
    ['--no-cache live', 'none'],
    ['live --refresh', 'refresh'],
    ['live --demo', 'none'],
  ])('`vane %s` uses the cache in the mode “%s”', async (line, cache) => {
    expect((await parse<LiveOptions>(line)).connection.cache).toBe(cache);
  });

  it('`vane watch --line` with --output accepts a file name of any extension', async () => {
    const { stream } = await parse<WatchOptions>('watch 110 --line {avg} -o wind.log');
    expect(stream?.path).toBe('wind.log');
  });

  it('the options --timeout, --retries, -q and -v set the time limit, retries and messages of requests', async () => {
    const { connection } = await parseLive('-q -v --timeout 1m30s --retries 0');
    expect(connection).toMatchObject({
      timeoutMs: 90_000,
      retries: 0,
      isQuiet: true,
      isVerbose: true,
    });
  });

  it('`vane live` without options does not filter the stations', async () => {
    expect(Object.values((await parseLive('')).selection).filter((x) => x !== undefined)).toEqual(
      [],
    );
  });

  it('the options --name, --near, --radius, --bbox, --state, --max-age, --sort and --limit of `vane live` select stations', async () => {
    const { selection } = await parseLive(
      '--name Col --near -45.5,6.25 --radius 25.5 --bbox -5.5,45,7.5,46.5 --state unknown --max-age 45m --sort gust --limit 3',
    );
    expect(selection).toEqual({
      name: 'Col',
      near: { latitude: -45.5, longitude: 6.25 },
      radiusKm: 25.5,
      box: { west: -5.5, south: 45, east: 7.5, north: 46.5 },
      state: 'unknown',
      maxAgeMs: 2_700_000,
      sort: 'gust',
      limit: 3,
    });
  });

  it.each([
    ['live', 'table', 'stdout', undefined, false],
    ['live -f csv', 'csv', 'stdout', undefined, false],
    ['live -o wind.csv', 'csv', 'a file', 'wind.csv', false],
    ['live -o wind.CSV.GZ', 'csv', 'a compressed file', 'wind.CSV.GZ', true],
    ['live -o wind.tsv', 'txt', 'a file', 'wind.tsv', false],
    ['live -o wind.jsonl', 'ndjson', 'a file', 'wind.jsonl', false],
    ['live -o wind.geojson', 'geojson', 'a file', 'wind.geojson', false],
    ['live -o wind.json', 'json', 'a file', 'wind.json', false],
    ['live -f txt -o wind.csv', 'txt', 'a file', 'wind.csv', false],
    ['live -f json -o -', 'json', 'stdout', undefined, false],
  ])('`vane %s` writes the format %s to %s', async (line, format, _, path, isGzip) => {
    const { output } = await parse<LiveOptions>(line);
    expect(output).toMatchObject({ format, target: { path, isGzip } });
  });

  it.each([
    ['live', 'kmh', 'utc'],
    ['live --knots', 'kn', 'utc'],
    ['live -u bft --tz Europe/Paris', 'bft', 'Europe/Paris'],
    ['live --units ms --tz UTC', 'ms', 'utc'],
  ])('`vane %s` writes speeds in %s and times in %s', async (line, unit, zone) => {
    expect((await parse<LiveOptions>(line)).output).toMatchObject({ unit, zone });
  });

  const at = Date.UTC;
  const short = (ms: number): string => new Date(ms).toISOString().replace(':00.000Z', 'Z');
  const periods: [flags: string, start: number, stop: number][] = [
    ['--start 2024 --stop 2025', at(2024, 0), at(2025, 0)],
    ['--start 2024-01-01T00:00+0100 --stop now', at(2023, 11, 31, 23), NOW],
    ['--start last-hour', NOW - 3_600_000, NOW],
    ['--start last-month', at(2023, 11, 15, 12), NOW],
    ['--start 3d', NOW - 3 * 86_400_000, NOW],
    ['--start today', at(2024, 0, 15), NOW],
    ['--start Yesterday --stop today', at(2024, 0, 14), at(2024, 0, 15)],
    ['--start yesterday --tz Asia/Tokyo', at(2024, 0, 13, 15), NOW],
    ['--start 2023-5-1 --stop 2023-5-2T9:30', at(2023, 4, 1), at(2023, 4, 2, 9, 30)],
    ['--start 2023-07 --stop 2024 --tz Asia/Tokyo', at(2023, 5, 30, 15), at(2023, 11, 31, 15)],
    ['--start 2023-07-01T00:00Z --tz Asia/Tokyo', at(2023, 6), NOW],
    ['--start P1M --stop 2023-04 --tz Europe/Paris', at(2023, 1, 28, 23), at(2023, 2, 31, 22)],
    ['--start P1M --stop 2023-03-31', at(2023, 1, 28), at(2023, 2, 31)],
    ['--start 12h --stop 2024-01-02', at(2024, 0, 1, 12), at(2024, 0, 2)],
    ['--start 2024-01-05 --stop 2024-01-05', at(2024, 0, 5), at(2024, 0, 5)],
    ['--last 7d', NOW - 7 * 86_400_000, NOW],
    ['--last 7days', NOW - 7 * 86_400_000, NOW],
    ['--last 1hour', NOW - 3_600_000, NOW],
    ['--last 1mo', at(2023, 11, 15, 12), NOW],
    ['--year 2023', at(2023, 0), at(2024, 0)],
    ['--year 2023 --tz Asia/Tokyo', at(2022, 11, 31, 15), at(2023, 11, 31, 15)],
    ['--start last-year', at(2023, 0, 15, 12), NOW],
    ['--start 2024 --stop 2030', at(2024, 0), at(2030, 0)],
  ];
  const rows = periods.map(([flags, start, stop]) => {
    return [flags, short(start), short(stop), short(NOW), start, stop] as const;
  });
  it.each(rows)(
    '`vane archive 110 %s` covers %s to %s if now is %s',
    async (flags, _start, _stop, _now, start, stop) => {
      expect((await parseArchive(flags)).period).toEqual({ start, stop });
    },
  );

  it('`vane archive` writes all columns under the header of the service, unless --columns or --header say otherwise', async () => {
    expect(await parseArchive('--start 1d')).toMatchObject({
      stations: [110],
      header: 'service',
      columns: undefined,
    });
    const flags = '--start 1d -f csv --header names --columns time,wind_speed_max';
    expect(await parseArchive(flags)).toMatchObject({
      header: 'names',
      columns: ['time', 'wind_speed_max'],
    });
  });
});

/** An address without a server: a request exits with 5, wrong usage with 2. */
const NOWHERE = { VANE_BASE_URL: 'http://127.0.0.1:9', NO_PROXY: '*' };

describe('options given twice', () => {
  it('a command line with an option of one value twice is refused, and the error names the option', async () => {
    const io = fakeIo();
    const program = await createProgram(io, async () => {});
    const every = (command: Command): Command[] => [command, ...command.commands.flatMap(every)];
    let count = 0;
    for (const command of every(program)) {
      const above = command.parent === program || command === program ? [] : [command.parent];
      const path = [...above, command]
        .map((each) => each?.name() ?? '')
        .filter((n) => n !== 'vane');
      const single = command.options.filter(
        (one) => one.required && !one.variadic && !isRepeatableOption(one),
      );
      for (const option of single) {
        const given = [option.long ?? '', option.argChoices?.[0] ?? 'x'];
        const { code, out, err } = await vane([...path, ...given, ...given]);
        expect(err).toMatch(naming(option.long ?? '', 'twice'));
        expect({ code, out }).toEqual({ code: 2, out: '' });
        count++;
      }
    }
    expect(count).toBeGreaterThan(60);
  });

  it.each([
    ['watch 110 --until age<1h --until avg>1kn', "--until 'age<1h or avg>1kn'."],
    ['archive 110 --columns time --columns pressure', "commas: --columns 'time,pressure'."],
    ['serve --trust-proxy loopback --trust-proxy ::1', "commas: --trust-proxy 'loopback,::1'."],
    ['--timeout 5s live --timeout=6s', '“5s” and “6s”'],
    ['live -u kn -ums', '“kn” and “ms”'],
    ['live --base-url http://me:pw@a --base-url http://b', '“http://…@a” and “http://b”'],
  ])(
    '`vane %s` with an option twice exits with 2, and the error has the words: %s',
    async (line, hint) => {
      const { code, err } = await vane(words(line));
      expect(err).toContain(hint);
      expect(code).toBe(2);
    },
  );
});

describe('the wrong command line', () => {
  it.each([
    ['live 1.5', /“1\.5”/],
    ['live ,', /“,”/],
    ['live 110,nowhere', /called “nowhere”.*vane live nowhere.*--near/],
    ['live --name col du vent', /“du vent” .*--name "/],
    ['archive 110 --start "2024-05-01', /--start .*“"2024-05-01”/],
    ['archive 110 --start 2024-2-30', /--start\b.* 2024-2-30/],
    ['archive 110 --start 0000 --tz Europe/Paris', /--start\b.* 0000/],
    ['archive 110 --start 1d -o a.csv --report reports/', /--report .*\bfile/],
    ['live --base-url http://a/v1', /--base-url .*\/v1.* http:\/\/a\b/],
    ['live 110 --format xls', /--format .*table, csv, .*“xls”/],
    ['live 110 --units furlongs', naming('--units', ...SPEED_UNIT_NAMES, '“furlongs”')],
    ['live 110 --tz Mars/Olympus', /--tz .*utc.*local.*“Mars\/Olympus”/],
    ['live 110 --knot', /“--knot”.*--knots.*vane live --help/s],
    ['liv 110', /“liv”.*\blive\b/s],
    ['live --near 45.9 --radius 5', /--near .*latitude,longitude.*“45\.9”/],
    ['live --near 95,6', /--near .*latitude,longitude.*“95,6”/],
    ['live --near 45.9,6.2 --radius -5', /--radius .*km.*nm.*mi.*“-5”/],
    ['live --radius 5', /--radius .*--near/],
    ['live --sort distance', /--sort distance .*--near/],
    ['live --bbox 5,45,7', /--bbox .*west,south,east,north.*“5,45,7”/],
    ['live --bbox 5,46,7,45', /--bbox .*west,south,east,north.*“5,46,7,45”/],
    ['live --state broken', /--state .*\bon\b.*off.*unknown.*“broken”/],
    ['live --max-age soon', /--max-age .*“soon”/],
    ['live --limit 0', /--limit .*\b1\b.*“0”/],
    ['live --sort wind', /--sort .*id, name, avg.*“wind”/],
    ['live -o wind.xls', /“wind\.xls”.*\.csv.*\.txt.*\.geojson.*--format/],
    ['live -f parquet', /--format .*table, csv, .*“parquet”/],
    ['live -o wind.svg', naming('svg', ...formatNames(STATION_FORMATS))],
    ['live -o wind.parquet', naming('parquet', ...formatNames(STATION_FORMATS))],
    ['meta -o wind.parquet', naming('parquet', ...formatNames(STATION_FORMATS))],
    ['live -o package.json/folder/wind.csv', /package\.json is not a folder/],
    ['live -f csv -o test', /test is a folder/],
    ['live --timeout never', /--timeout .*“never”/],
    ['live --timeout 5', /--timeout .*\b5s\b.*\b5m\b.*“5”/],
    ['archive 110 --start', /--start .*2024-05\b/],
    ['live --units', naming('--units', ...SPEED_UNIT_NAMES)],
    ['archive 110 --start 1d -o wind{.csv', /“\{” .*wind\{\.csv/],
    ['archive 110 --start 1d --columns time,readings', /“readings”.* with --every/],
    ['archive 110 --start 1d --every 1h --columns flag', /“flag”.* without --every/],
    ['serve --demo --rate 0', /--rate .*\bnone\b.*“0”/],
    ['serve --upstream 127.0.0.1:8080', /--upstream .* http:\/\/127\.0\.0\.1:8080,/],
    ['live --base-url [::1]:80/wind', /--base-url .* http:\/\/\[::1\]:80\/wind,/],
    ['completion', /<shell>.*bash.*zsh.*fish.*powershell/],
    ['config list --knots', /“--knots”/],
    ['live --timeout 30d', /--timeout .*\d/],
    ['live --retries 99', /--retries .*\b0\b.*\b20\b.*“99”/],
    ['live --demo --base-url http://a', /--demo.*--base-url/],
    ['archive 110', /period.*--start.*--last.*--year/],
    ['archive --start 1d', /--name, --near, --bbox .*\ball\b/],
    ['archive nowhere --start 1d', /called “nowhere”.*vane live nowhere.*--near/],
    ["watch l'alpe", /called “l'alpe”.*vane live "l'alpe"/],
    ['stats annecy --start 1d', /called “annecy”.*vane live annecy/],
    ['plot annecy --start 1d', /called “annecy”.*vane live annecy/],
    ['check annecy --start 1d', /called “annecy”.*vane live annecy/],
    ['--timeout 5 liev', /“liev”.*\blive\b/s],
    ['--limit 5', /“--limit”/],
    ['archive 110 603 --start 1d -f csv', /\bcsv\b.*station/],
    ['archive all --start 1d -f json', /\bjson\b.*station/],
    ['archive --name Col --start 1d -f txt', /\btxt\b.*station/],
    ['archive 110 --start 1d --concurrency 17', /--concurrency .*\b1\b.*\b16\b.*“17”/],
    ['archive 110 --start 1d --split week', /“week”/],
    ['archive 110 --start 1d --split year -o a.csv', /--split .*\{year\}/],
    ['archive 110 603 --start 1d -o a-{year}.csv', /a-\{year\}\.csv .*--split year/],
    ['archive 110 --start 1d -o {place}.csv', /\{place\}/],
    ['archive 110 --start 1d --report package.json/r.json', /is not a folder/],
    ['cache clear --max-size much', /--max-size .*500MB.*“much”/],
    ['archive 110 --start 2023-02-30', /--start\b.* 2023-02-30/],
    ['archive 110 --start 2024 --stop soon', /--stop .*now.*today.*yesterday.*“soon”/],
    ['archive 110 --start 2024-06 --stop 2024-06', /2024-06\b.*--stop 2024-07\b/],
    ['archive 110 --start 2023-12 --stop 2023-12', /--stop 2024-01\b/],
    ['stats 110 --start 2024 --stop 2024', /2024\b.*--stop 2025\b/],
    ['archive 110 --last week', /--last .*“week”/],
    ['archive 110 --last 7d --stop now', /--last <duration>.*--stop <date>/],
    ['plot 110 --year 2024 --start 3d', /--year <year>.*--start <date>/],
    ['check 110 --last 7d --year 2024', /--last <duration>.*--year <year>/],
    ['archive 110 --year 24', /--year .*“24”/],
    ['archive --bogus', /“--bogus”/],
    ['live --year 2024', /--year .*archive, stats, check and plot\b/],
    ['live --since 2024', /--start .*archive/],
    ['live --from a.csv', /--from .*stats, check and plot\b/],
    ['archive 110 --from a.csv', /--start\b.* --from .*stats, check and plot\b/],
    ['archive 110 --start 2023 --until 2024', / --stop\b/],
    ['stats 110 --group month', / --by\b/],
    ['live --timzone utc', /“--timzone”/],
    ['list', /“vane live”/],
    ['stations', /“vane live”/],
    ['search annecy', /--name/],
    ['info 110', /meta/],
    ['history 110', /archive/],
    ['now', /live/],
    ['forecast', /forecast/],
    ['help archve', /“archve”.*\barchive\b/s],
    ['completion bsah', /bash.*zsh.*fish.*powershell.*“bsah”.*completion --help/s],
    ['archive 110 --start 2024 --stop 2023', /\bstop\b.*\bstart\b.*2024 to 2023/],
    ['archive 110 --start 2030', /before.*\bstart\b.*--stop .*now/],
    ['archive 110 --start 1d -f geojson', /“geojson”/],
    ['archive 110 --start 1d -o a.geojson', naming('geojson', ...formatNames(ARCHIVE_FORMATS))],
    ['archive 110 --start 1d -o a.parquet.gz', /parquet.*\.gz/],
    ['archive 110 --start 1d --header names -f parquet', /--header .*csv.*txt.*parquet/],
    ['archive 110 --start 1d --header some -f csv', /“some”/],
    ['archive 110 --start 1d --header names -f table', /--header .*csv.*txt.*\btable\b/],
    ['archive 110 --start 1d --columns time,wind', /--columns .*“wind”.*time, lat, /],
    ['archive 110 --start 1d --columns time,time', /\btime twice/],
    ['config get unit', /“unit”.*base_url, units, tz/],
    ['config set units furlongs', naming('units', ...SPEED_UNIT_NAMES, '“furlongs”')],
    ['live --knots --units ms', /“--knots”.*“-u/],
    ['serve --port 8080', /--demo.*--upstream/],
    ['serve --demo --port 70000', /--port .*\b0\b.*65535.*“70000”/],
  ])('`vane %s` exits with 2 before any request, and the error names %s', async (line, names) => {
    const { code, out, err } = await vane(words(line), { env: NOWHERE });
    expect(err).toMatch(names);
    expect(err).toMatch(/^(vane|Usage): /m);
    expect(err).not.toMatch(/\n\s+at /);
    expect({ code, out }).toEqual({ code: 2, out: '' });
  });

  it('`vane live` with an escape sequence for a station exits with 2, and the error shows the escape character as ␛', async () => {
    const { code, err } = await vane(['live', '\u001b[2J'], { env: NOWHERE });
    expect([code, err]).toEqual([2, expect.stringMatching(/“␛\[2J”/)]);
  });

  it.each(['ftp://host', 'not an address', 'http://host/?a=1', 'http://me:secret@host'])(
    '`vane live --base-url "%s"` exits with 2, and the error has an example of an address',
    async (address) => {
      const { code, err } = await vane(['live', '--base-url', address]);
      expect(err).toMatch(/--base-url .*https:\/\//);
      expect(code).toBe(2);
    },
  );
});

describe('vane', () => {
  it.each(['--help', 'help', '--demo', ''])(
    '`vane %s` prints help on stdout and exits with 0',
    async (line) => {
      const { code, out, err } = await vane(words(line));
      expect(out).toContain('Usage: vane [options] [command]');
      expect({ code, err }).toEqual({ code: 0, err: '' });
    },
  );

  it('vane archive --help shows three example command lines', async () => {
    const { out } = await vane(['archive', '--help']);
    expect(out.match(/^ {2}\$ vane archive .+$/gm)).toHaveLength(3);
  });

  it.each([
    ['archive', 40],
    ['serve', 60],
  ])(
    'vane %s --help wraps the descriptions of options in a window of %i columns',
    async (command, columns) => {
      const { out } = await vane([command, '--help'], { stdoutTerminal: { columns } });
      const options = out.split('\n').filter((line) => /^ {2}-/.test(line));
      expect(options.length).toBeGreaterThan(4);
      expectColumns(options.join('\n'), columns);
    },
  );

  it('the --help of each command shows an example for each option that needs a value', async () => {
    for (const command of ['live', 'meta', 'archive', 'serve']) {
      const { out } = await vane([command, '--help'], { stdoutTerminal: { columns: 1000 } });
      const options = out.split('\n').filter((line) => /^ {2}-.*[<[]\w+.*[>\]] {2}/.test(line));
      expect(options.length).toBeGreaterThan(4);
      for (const line of options)
        expect(line).toMatch(/e\.g\. |api\.pioupiou\.fr|such as|\(2024-05/);
    }
  });

  it('vane --help names the variables and the keys of vane config that set the defaults of --base-url, --units and --tz', async () => {
    const { out: root } = await vane(['--help'], { stdoutTerminal: { columns: 1000 } });
    expect(root).toMatch(
      /--base-url <url> .*\(default: \$VANE_BASE_URL, else base_url of vane config/,
    );
    const helps = Object.keys(COMMANDS).map((command) =>
      vane([command, '--help'], { stdoutTerminal: { columns: 1000 } }),
    );
    const withUnits = (await Promise.all(helps)).filter(({ out }) => out.includes('--units <'));
    expect(withUnits.length).toBeGreaterThan(5);
    for (const { out } of withUnits) {
      expect(out).toMatch(
        /--units <unit> .*\(default: \$VANE_UNITS, else, in text for people, units of vane config, else kmh\)/,
      );
      expect(out).toMatch(
        /--tz <zone> .*\(default: \$VANE_TZ, else, in text for people, tz of vane config, else utc\)/,
      );
    }
  });

  it('vane prints the same for `help COMMAND`, `COMMAND --help` and `--demo COMMAND --help`, for each command', async () => {
    const { commands } = await createProgram(fakeIo(), async () => {});
    for (const command of commands.map((each) => each.name())) {
      const first = await vane([command, '--help']);
      expect((await vane(['help', command])).out).toBe(first.out);
      expect((await vane(['--demo', command, '--help'])).out).toBe(first.out);
    }
  });

  it('vane prints the same for `help config set`, `config help set` and `config set --help`', async () => {
    const { code, out } = await vane(['help', 'config', 'set']);
    expect([code, out]).toEqual([0, expect.stringContaining('Usage: vane config set ')]);
    for (const line of ['config help set', 'config set --help', '--demo help config set']) {
      expect((await vane(words(line))).out).toBe(out);
    }
  });

  it('vane config list --help offers no --knots', async () => {
    const { out } = await vane(['config', 'list', '--help']);
    expect(out).toContain('--units');
    expect(out).not.toContain('--knots');
  });

  const EXAMPLES = /\n\nExamples:\n(?: {2}\$ .+\n(?: {6}.+\n)?){3}\n/;

  // The manual page is no command with options.
  it.each(Object.keys(COMMANDS).filter((name) => name !== 'man'))(
    'vane %s --help shows a sentence, usage, three examples and the options in groups',
    async (command) => {
      const { code, out, err } = await vane([command, '--help']);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      const [sentence = '', usage] = out.split('\n\n');
      expect(sentence.replaceAll('\n', ' ')).toMatch(/^[A-Z][^.]*(?:\d\.\d[^.]*)?\.$/);
      expect(usage).toContain(`Usage: vane ${command}`);
      expect(out).toMatch(EXAMPLES);
      expect(out).not.toMatch(/^Options:|--base-url <url>/m);
      expect(out).toMatch(/options of every command.*vane --help/);
      expectColumns(out, 80);
    },
  );

  it.each([
    ['live', ['Selection', 'Output']],
    ['archive', ['Selection', 'Period', 'Output', 'Requests']],
    ['watch', ['Selection', 'Output', 'Requests', 'Alerts']],
    ['serve', ['Addresses', 'Requests', 'Page', 'Output']],
  ])('vane %s --help groups its options under %j', async (command, groups) => {
    const { out } = await vane([command, '--help']);
    const heads = Array.from(out.matchAll(/^([A-Z]\w+):$/gm), ([, head]) => head);
    expect(heads).toEqual(['Examples', ...(command === 'serve' ? [] : ['Arguments']), ...groups]);
  });

  it('vane suggests the command live in the error for the mistyped command liev', async () => {
    const { code, err } = await vane(['liev', '110']);
    expect(err).toMatch(/\blive\?/);
    expect(code).toBe(2);
  });

  it('vane --version prints three numbers with dots and nothing else, even with -v', async () => {
    for (const line of ['--version', '--version -v', 'live 110 --version -q']) {
      expect((await vane(line.split(' '))).out).toMatch(/^\d+\.\d+\.\d+\n$/);
    }
  });
});
