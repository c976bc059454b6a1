import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import envPaths from 'env-paths';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProgram, run as runCommand } from '../../../src/cli.ts';
import type { ArchiveOptions } from '../../../src/commands/archive/options.ts';
import type { LiveOptions } from '../../../src/commands/live/options.ts';
import type { PlotOptions } from '../../../src/commands/plot/options.ts';
import type { StatsOptions } from '../../../src/commands/stats/options.ts';
import type { WatchOptions } from '../../../src/commands/watch/options.ts';
import { SPEED_UNIT_NAMES } from '../../../src/domain/units.ts';
import { ARCHIVE_FORMATS, formatNames, STATION_FORMATS } from '../../../src/formats/index.ts';
import { userFolder, userFolderPath } from '../../../src/userFolder.ts';
import { fakeIo } from '../../support/fake-io.ts';
import { expectColumns } from '../../support/fits.ts';
import { NOW } from '../../support/fixture-service.ts';
import { startHookServer } from '../../support/hook-server.ts';
import { naming } from '../../support/naming.ts';
import { type Outcome, vane as run } from '../../support/run.ts';
import { virtualClock } from '../../support/virtual-clock.ts';
import { scripted, station, watching } from '../../support/watching.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vane-config-'));
  file = join(folder, 'config.json');
});
afterEach(() => rm(folder, { recursive: true }));

type Env = Record<string, string>;

const words = (line: string): string[] => line.split(' ').filter((word) => word !== '');

const vane = (line: string, env: Env = {}, stdin = ''): Promise<Outcome> =>
  run(words(line), { env: { VANE_CONFIG: file, ...env }, stdin });

const hold = (value: unknown): Promise<void> =>
  writeFile(file, typeof value === 'string' ? value : JSON.stringify(value));

/** The parsed options of a command line, without running it. */
async function parse<R>(line: string, env: Env = {}): Promise<R> {
  let captured: unknown;
  const program = await createProgram(
    fakeIo({ env: { VANE_CONFIG: file, ...env } }),
    async (options) => {
      captured = options;
    },
  );
  await program.parseAsync(words(line), { from: 'user' });
  return captured as R;
}

const refused = (outcome: Outcome) => {
  expect({ code: outcome.code, out: outcome.out }).toEqual({ code: 2, out: '' });
  expect(outcome.err).not.toMatch(/\n\s+at /);
  return outcome.err;
};

const COMMANDS = ['live 110', 'meta 110', 'archive 110 --start 1d -f table', 'watch 110'];

describe('the config file', () => {
  beforeEach(() => hold({ base_url: 'http://file', units: 'kn', tz: 'Europe/Paris' }));

  it.each(['live 110', 'meta 110', 'archive 110 --start 1d -f table'])(
    'the config file sets base_url, units and tz of `vane %s`',
    async (line) => {
      const { connection, output } = await parse<LiveOptions>(line);
      expect(connection.baseUrl).toBe('http://file');
      expect(output).toMatchObject({ unit: 'kn', zone: 'Europe/Paris' });
      expect(output.writeDate('2024-01-01T00:00:00.000Z')).toBe('2024-01-01T01:00:00.000+01:00');
    },
  );

  it('the config file sets base_url, units and tz of `vane watch 110`', async () => {
    const { connection, unit, writeDate } = await parse<WatchOptions>('watch 110');
    expect({ baseUrl: connection.baseUrl, unit }).toEqual({ baseUrl: 'http://file', unit: 'kn' });
    expect(writeDate('2024-07-01T00:00:00.000Z')).toContain('+02:00');
  });

  it.each([
    ['live', {}, 'http://file'],
    ['live', { VANE_BASE_URL: 'http://env' }, 'http://env'],
    ['live', { VANE_BASE_URL: '' }, 'http://file'],
    ['live --base-url http://flag', { VANE_BASE_URL: 'http://env' }, 'http://flag'],
  ])(
    'the config file with base_url http://file lets `vane %s` with the environment %j send requests to %s',
    async (line, env, baseUrl) => {
      expect((await parse<LiveOptions>(line, env as Env)).connection.baseUrl).toBe(baseUrl);
    },
  );

  it('the config file with base_url http://file lets `vane live --demo` use the simulated network', async () => {
    expect((await parse<LiveOptions>('live --demo')).connection.baseUrl).toBeUndefined();
  });

  it.each([
    ['live', 'kn', 'Europe/Paris'],
    ['live --units ms', 'ms', 'Europe/Paris'],
    ['live --units kmh --tz utc', 'kmh', 'utc'],
    ['live --tz UTC', 'kn', 'utc'],
  ])(
    'the config file with kn and Europe/Paris lets `vane %s` use the unit %s and the zone %s',
    async (line, unit, zone) => {
      expect((await parse<LiveOptions>(line)).output).toMatchObject({ unit, zone });
    },
  );

  it.each([
    ...formatNames(STATION_FORMATS)
      .filter((format) => format !== 'table')
      .map((format) => `live -f ${format}`),
    'live -o wind.csv',
    ...formatNames(ARCHIVE_FORMATS)
      .filter((format) => format !== 'table' && format !== 'parquet')
      .map((format) => `archive 110 --start 1d -f ${format}`),
    'archive 110 --start 1d -o wind.parquet',
  ])(
    'the config file does not set units and tz of `vane %s`, which only VANE_UNITS, VANE_TZ and options set',
    async (line) => {
      const { output } = await parse<LiveOptions>(line);
      expect(output).toMatchObject({ unit: 'kmh', zone: 'utc' });
      const env = { VANE_UNITS: 'Knots', VANE_TZ: 'Asia/Tokyo' };
      const named = await parse<LiveOptions>(line, env);
      expect(named.output).toMatchObject({ unit: 'kn', zone: 'Asia/Tokyo' });
      const flagged = await parse<LiveOptions>(`${line} --units m/s --tz utc`, env);
      expect(flagged.output).toMatchObject({ unit: 'ms', zone: 'utc' });
    },
  );

  it('the config file sets units and tz of the screen of vane watch, but not of its records', async () => {
    const { unit, forPrograms } = await parse<WatchOptions>('watch 110');
    expect({ unit, program: forPrograms.unit }).toEqual({ unit: 'kn', program: 'kmh' });
    const env = { VANE_UNITS: 'mph', VANE_TZ: 'Asia/Tokyo' };
    const named = await parse<WatchOptions>('watch 110', env);
    expect(named).toMatchObject({ unit: 'mph', forPrograms: { unit: 'mph', zone: 'Asia/Tokyo' } });
  });

  it('the config file sets units and tz of --line and --post-text, but not of json', async () => {
    const server = await startHookServer();
    await hold({ units: 'kn', tz: 'Asia/Tokyo', base_url: 'http://file' });
    const watch = (line: string) =>
      watching([...words('110 --no-history --count 1'), ...words(line)], {
        env: { VANE_CONFIG: file },
        service: scripted(() => [station({ timeMs: NOW, avg: 18.52 })]),
        clock: virtualClock(NOW, () => server.isIdle()),
      });
    const post = `--post ${server.baseUrl} --post-each reading`;
    const { out } = await watch(`--line {avg}{unit}|{time} ${post} --post-text {avg}{unit}`);
    const json = await watch(`-f ndjson ${post}`);
    await server.close();
    expect(out).toBe('10kn|21:00:00\n');
    expect(server.posted[0]?.body).toBe('10kn');
    for (const text of [json.out, server.posted[1]?.body]) {
      expect(text).toMatch(/"wind_speed_avg":18\.52/);
      expect(text).not.toContain('+09:00');
    }
  });

  it.each([
    ['VANE_UNITS', 'furlongs', ['VANE_UNITS', ...SPEED_UNIT_NAMES, '“furlongs”']],
    ['VANE_TZ', 'Mars', ['VANE_TZ', 'utc', 'local', '“Mars”']],
  ])(
    'the config file is not named in the error for a wrong value of the variable %s',
    async (name, value, names) => {
      const error = refused(await vane('live 110', { [name]: value }));
      expect(error).toMatch(naming(...names));
      expect(error).not.toContain('config.json');
    },
  );

  it('the config file sets the zone of dates on the command line where it sets the zone of the output', async () => {
    const line = 'archive 110 --start 2023-07-01';
    const { period } = await parse<ArchiveOptions>(`${line} -f table`);
    expect(period.start).toBe(Date.UTC(2023, 5, 30, 22));
    const { source } = await parse<StatsOptions>('stats 110 --start 2023-07-01');
    expect(source).toMatchObject({ history: { period } });
    const plot = await parse<PlotOptions>('plot 110 --start 2023-07-01 -f svg');
    expect(plot.source).toMatchObject({ history: { period } });
    const csv = await parse<ArchiveOptions>(`${line} -f csv`);
    expect(csv.period.start).toBe(Date.UTC(2023, 6));
    const named = await parse<ArchiveOptions>(line, { VANE_TZ: 'Asia/Tokyo' });
    expect(named.period.start).toBe(Date.UTC(2023, 5, 30, 15));
  });

  it('the config file sets units only where the command line has no --knots', async () => {
    await hold({ units: 'bft' });
    expect((await parse<LiveOptions>('live --knots')).output.unit).toBe('kn');
    expect(refused(await vane('live --knots --units ms'))).toMatch(naming('“--knots”', '--units'));
  });

  it.each([
    ['that is empty changes no default', ''],
    ['that has only blanks changes no default', ' \n'],
    ['that is the object {} changes no default', '{}'],
    ['may begin with a byte order mark', '\uFEFF{"units":"ms"}'],
  ])('a config file %s', async (_rule, text) => {
    await hold(text);
    const { output } = await parse<LiveOptions>('live 110');
    expect(output.unit).toBe(text.includes('ms') ? 'ms' : 'kmh');
  });
});

describe('with the favourites home = 110, Lake_2 = 603 and pass = 1500 in the config file,', () => {
  beforeEach(() =>
    hold({
      favourites: { home: 110, Lake_2: 'PP603', pass: 'https://example.org/windbird-1500' },
    }),
  );

  it.each([
    ['live home', [110]],
    ['live HOME lake_2 pass 19 pp603', [110, 603, 1500, 19]],
    ['meta home 110', [110]],
    ['archive home lake_2 --start 1d', [110, 603]],
    ['watch pass home', [1500, 110]],
    ['live home all', 'all'],
    ['live favourites', [110, 603, 1500]],
    ['live favorites', [110, 603, 1500]],
    ['watch 19,favourites home', [19, 110, 603, 1500]],
    ['archive favourites --start 1d', [110, 603, 1500]],
  ])(
    '`vane %s` requests the stations %j, with the favourites home = 110, Lake_2 = 603 and pass = 1500',
    async (line, stations) => {
      expect((await parse<ArchiveOptions>(line)).stations).toEqual(stations);
    },
  );

  it('`vane archive -` reads favourites on stdin as stations', async () => {
    const { code, out } = await vane(
      'archive - --start 2023-12-01 --stop 2023-12-02 --dry-run -f csv --header names -o a-{station}.csv',
      {},
      'home\nPP603 19\n',
    );
    expect(code).toBe(0);
    expect(out.match(/archive\/\d+/g)).toEqual(['archive/110', 'archive/603', 'archive/19']);
    expect(refused(await vane('archive - --start 1d', {}, 'nowhere'))).toContain(
      '“nowhere”. Your favourites: home,',
    );
  });

  it('the error for a word that is no station lists the favourites', async () => {
    expect(refused(await vane('watch hom'))).toMatch(
      naming('“hom”', 'home, lake_2, pass', 'vane live hom', 'vane live --near 45.9,6.1'),
    );
    expect(refused(await vane('live 1.5'))).toMatch(naming('PP603', 'MW800', '“1.5”'));
    await rm(file);
    expect(refused(await vane('watch home'))).not.toContain('favourite');
    expect(refused(await vane('live favourites'))).toMatch(
      naming('favourites', 'vane config set favourites.home 110'),
    );
    await hold({ favourites: Object.fromEntries([...'abcdefghij'].map((name) => [name, 1])) });
    expect(refused(await vane('watch home'))).toContain(': a, b, c, d, e, f, g, h and 2 more.');
  });

  it('a favourite called like a printed id, such as pp603, takes precedence over that id', async () => {
    await hold({ favourites: { pp7: 110, home: 'PP7', MW800: 'A900' } });
    const requested = async (line: string) => (await parse<ArchiveOptions>(line)).stations;
    expect(await requested('live pp7 PP8')).toEqual([110, 8]);
    expect(await requested('archive mw800 --start 1d')).toEqual([900]);
    expect(await requested('watch favourites')).toEqual([110, 7, 900]);
    expect((await vane('config set favourites.wb12 MW800')).code).toBe(0);
    expect(await requested('live WB12')).toEqual([800]);
  });

  it('the word constructor is neither a favourite nor a key of vane config', async () => {
    expect(refused(await vane('watch constructor'))).toContain('“constructor”');
    expect(refused(await vane('config get constructor'))).toContain('“constructor”');
  });
});

describe('a wrong config file', () => {
  it.each([
    ['{"units": "kn"', /config\.json .*JSON/],
    ['[]', /config\.json .*\{"units": "kn"\}.*“\[\]”/],
    ['null', /config\.json .*“null”/],
    [{ unit: 'kn' }, /“unit” .*config\.json.*base_url, units, tz and favour/],
    [{ constructor: 'kn' }, /“constructor”/],
    ['{"__proto__": {"units": "kn"}}', /“__proto__”/],
    [{ '\u001b[2J': 1 }, /“␛\[2J”/],
    [{ units: 'furlongs' }, naming('units', 'config.json', ...SPEED_UNIT_NAMES, '“furlongs”')],
    [{ units: 'constructor' }, /units .*“constructor”/],
    [{ units: null }, /units .*“null”/],
    [{ units: ['kn'] }, /units .*“\["kn"\]”/],
    [{ base_url: 'ftp://a' }, /base_url .*config\.json .*“ftp:\/\/a”/],
    [{ base_url: '' }, /base_url .*config\.json .*address/],
    [{ tz: 'Mars/Olympus' }, /tz .*config\.json .*utc.*local.*“Mars\/Olympus”/],
    [{ favourites: [110] }, /favourites .*config\.json .*\{"home": 110\}/],
    [{ favourites: { home: 'nowhere' } }, /favourites\.home .*config\.json .*“nowhere”/],
    [{ favourites: { home: 1.5 } }, /favourites\.home .*“1\.5”/],
    [{ favourites: { home: [110] } }, /favourites\.home .*“\[110\]”/],
    [{ favourites: { home: 1, HOME: 2 } }, /favourites\.home .*twice.*config\.json/],
    [{ favourites: { home: 1 }, favorites: { home: 1 } }, /favourites\.home .*twice/],
    [{ favorites: { favorites: 1 } }, /favourites .*config\.json .*“favorites”/],
    [{ favourites: { home: { when: 'avg > 5kn' } } }, /favourites\.home .*config\.json .*station/],
    [{ favourites: { home: { station: 'x' } } }, /favourites\.home .*config\.json .*“x”/],
    [{ favourites: { home: { station: 1, wen: '' } } }, /“wen” .*favourites\.home .*when/],
    ['{"favourites":{"home":{"station":1,"__proto__":1}}}', /“__proto__”/],
    [{ favourites: { All: 1 } }, /favourites .*config\.json .*“All”/],
    [{ favourites: { Favourites: 1 } }, /\ball\b.*favourites.*“Favourites”/],
    [{ favourites: { '110': 1 } }, /“110”/],
    [{ favourites: { 'a b': 1 } }, /“a b”/],
    [{ favourites: { ['a'.repeat(41)]: 1 } }, /\b40\b/],
  ])('the config file %j is refused with an error that names %s', async (content, names) => {
    await hold(content);
    expect(refused(await vane('live 110'))).toMatch(names);
  });

  it('a config file that is not JSON is refused by each command that reads it, and never overwritten', async () => {
    await hold('{"units": "kn"');
    for (const line of [...COMMANDS, 'config list', 'config get units']) {
      expect(refused(await vane(line))).toContain('JSON');
    }
    for (const line of ['config set units ms', 'config unset units']) {
      expect(refused(await vane(line))).toMatch(/JSON.*Nothing was written/);
    }
    expect(await readFile(file, 'utf8')).toBe('{"units": "kn"');
  });

  it.each(['--help', '--version', 'live --help', 'cache path', 'config path', '--version -v'])(
    'vane %s works although the config file is not JSON',
    async (line) => {
      await hold('{');
      expect((await vane(line, { VANE_CACHE_DIR: folder })).code).toBe(0);
    },
  );

  it.each([
    ['units', /^vane: units in .*config\.json takes .*, not “\[\[\[…”\.\n$/],
    ['favourites', /^vane: favourites in .*config\.json takes an object/],
  ])('a config file whose %s is nested 200,000 deep is refused', async (key, sentence) => {
    await hold(`{"${key}":${'['.repeat(200_000)}${']'.repeat(200_000)}}`);
    expect(refused(await vane('live 110'))).toMatch(sentence);
  });

  it('a pipe in place of the config file is refused, even with a configuration in the pipe', async () => {
    await execa('mkfifo', [file]);
    const writer = execa('sh', ['-c', 'echo {} > "$0"', file], { reject: false });
    expect(refused(await vane('config get units'))).toMatch(naming(file, 'not a plain file'));
    writer.kill();
    await writer;
  });

  it('a config file of over 1 MiB is refused', async () => {
    await hold('{"units": "kn"}'.padEnd(1024 ** 2 + 1));
    expect(refused(await vane('config get units'))).toMatch(naming(file, '1 MiB'));
  });

  it('a link to /dev/null and a config file of 1 MiB are accepted', async () => {
    await symlink('/dev/null', file);
    expect((await vane('config get units')).out).toBe('kmh\n');
    await rm(file);
    await writeFile(`${file}5`, '{"units": "kn"}'.padEnd(1024 ** 2));
    await symlink(`${file}5`, file);
    expect((await vane('config get units')).out).toBe('kn\n');
  });

  it('a folder in place of the config file is refused', async () => {
    await mkdir(file);
    expect(refused(await vane('live 110'))).toMatch(naming(file, 'a folder'));
  });
});

describe('vane config', () => {
  it('vane config list shows every key with its value and the source of the value', async () => {
    const { code, out, err } = await vane('config list');
    expect({ code, out, err }).toEqual({
      code: 0,
      out: `key       value                    from
base_url  https://api.pioupiou.fr  default
units     kmh                      default
tz        utc                      default
`,
      err: expect.stringContaining(file),
    });
  });

  it('vane config list shows VANE_UNITS and VANE_TZ as sources of values, and vane config set warns of VANE_UNITS', async () => {
    const env = { VANE_UNITS: 'KT', VANE_TZ: 'local' };
    const { out } = await vane('config list', env);
    expect(out).toMatch(/units +KT +environment VANE_UNITS\ntz +local +environment VANE_TZ\n/);
    const { err } = await vane('config set units ms', env);
    expect(err).toMatch(/VANE_UNITS .*\bunits\b/);
  });

  it('vane config list names flag, environment or file as the source of each value', async () => {
    await hold({ units: 'ms', tz: 'local', favourites: { home: 110, lake: 'PP603' } });
    const { out, err } = await vane('config list --units kn', { VANE_BASE_URL: 'http://env' });
    expect(out).toBe(`key              value       from
base_url         http://env  environment VANE_BASE_URL
units            kn          flag --units
tz               local       file, for people
favourites.home  110         file
favourites.lake  PP603       file
`);
    expect(err).toContain(file);
    const flags = '--base-url http://flag --units bft --tz utc -q';
    const other = await vane(`config list ${flags}`, { VANE_BASE_URL: 'http://env' });
    expect(other.out).toMatch(
      /base_url +http:\/\/flag +flag --base-url\nunits +bft +flag --units\ntz +utc +flag --tz\n/,
    );
    expect(other.err).toBe('');
    expect((await vane('--demo config list')).out).toMatch(/simulated network +flag --demo\n/);
  });

  it('vane config get prints one value', async () => {
    await hold({ units: 'ms', favourites: { home: 110 } });
    expect((await vane('config get units')).out).toBe('ms\n');
    expect((await vane('config get units --units kn')).out).toBe('kn\n');
    expect((await vane('config get tz')).out).toBe('utc\n');
    expect((await vane('config get base_url', { VANE_BASE_URL: 'http://e' })).out).toBe(
      'http://e\n',
    );
    expect((await vane('config get favourites.HOME')).out).toBe('110\n');
    expect(refused(await vane('config get favourites.lake'))).toContain(
      'There is no favourite lake (home).',
    );
  });

  it('vane config set writes values and unset removes them', async () => {
    const path = join(folder, 'new', 'config.json');
    const set = (line: string) => vane(`config ${line}`, { VANE_CONFIG: path });
    const first = await set('set favourites.Home 110');
    expect(first).toMatchObject({
      code: 0,
      out: '',
      err: `favourites.home is now 110, in ${path}.\n`,
    });
    await set('set favourites.lake PP603');
    await set('set units kn');
    expect(await readFile(path, 'utf8')).toBe(
      '{\n  "units": "kn",\n  "favourites": {\n    "home": 110,\n    "lake": "PP603"\n  }\n}\n',
    );
    expect((await set('unset favourites.HOME')).err).toBe(
      `Removed favourites.home from ${path}.\n`,
    );
    expect((await set('unset tz')).err).toMatch(naming('tz', 'not set', path));
    await set('unset favourites.lake');
    expect(await readFile(path, 'utf8')).toBe('{\n  "units": "kn"\n}\n');
    expect(await readdir(join(folder, 'new'))).toEqual(['config.json']);
    expect((await set('set -q tz local')).err).toBe('');
  });

  const condition = (text: string, key = 'favourites.home.when') =>
    run(['config', 'set', key, text], { env: { VANE_CONFIG: file } });

  it('vane config sets, shows and removes the condition of a favourite', async () => {
    await vane('config set favourites.lake 603');
    await vane('config set favourites.home 110');
    const when = 'avg in 12..25kn and dir in SW..NW';
    const { code, err } = await condition(when, 'favorites.HOME.when');
    expect([code, err]).toEqual([0, `favourites.home.when is now ${when}, in ${file}.\n`]);
    await vane('config set favourites.home.station PP19');
    const written = { lake: 603, home: { station: 'PP19', when } };
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ favourites: written });
    expect((await vane('config get favourites.home')).out).toBe('PP19\n');
    expect((await vane('config get favorites.home.station')).out).toBe('PP19\n');
    expect((await vane('config get favourites.home.when')).out).toBe(`${when}\n`);
    const names = (await vane('config list')).out.match(/^favourites\S+/gm);
    expect(names).toEqual(['favourites.lake', 'favourites.home', 'favourites.home.when']);
    await vane('config unset favourites.home.when');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      favourites: { ...written, home: 'PP19' },
    });
    expect(refused(await vane('config get favourites.home.when'))).toMatch(
      naming('home', 'no condition', 'config set favourites.home.when'),
    );
  });

  it('vane config unset of a favourite removes its condition too, and says so', async () => {
    await hold({ favorites: { home: { station: 110, when: 'avg > 5kn' }, lake: 603 } });
    const { err } = await vane('config unset favorites.home');
    expect(err).toMatch(naming('favourites.home', 'condition'));
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ favourites: { lake: 603 } });
  });

  it('a favourite may be called when or station', async () => {
    for (const name of ['when', 'station']) {
      await vane(`config set favourites.${name} 110`);
      await condition('avg > 5kn', `favourites.${name}.when`);
    }
    const each = { station: 110, when: 'avg > 5kn' };
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      favourites: { when: each, station: each },
    });
    expect((await vane('config get favourites.station.station')).out).toBe('110\n');
  });

  it.each([
    ['avg > 5knn', naming('favourites.home.when', '“knn”', `\n  avg > 5knn\n${' '.repeat(9)}^\n`)],
    ['', naming('favourites.home.when', 'empty')],
    ['distance < 5', naming('favourites.home.when', '“distance”')],
  ])(
    'vane config set refuses the condition “%s” of a favourite, and marks the fault',
    async (text, names) => {
      await hold({ favourites: { home: 110 } });
      expect(refused(await condition(text))).toMatch(names);
      expect(await readFile(file, 'utf8')).toBe('{"favourites":{"home":110}}');
    },
  );

  it('vane config set refuses the condition of a favourite without a station, and says to set that first', async () => {
    await hold({ favourites: { home: 110 } });
    const outcome = await condition('avg > 5kn', 'favourites.lake.when');
    expect(refused(outcome)).toMatch(naming('lake', 'vane config set favourites.lake 110'));
    expect(await readFile(file, 'utf8')).toBe('{"favourites":{"home":110}}');
  });

  it('vane config set says when a variable of the environment takes precedence over the new value', async () => {
    const { err } = await vane('config set base_url http://a', { VANE_BASE_URL: 'http://b' });
    expect(err).toMatch(/VANE_BASE_URL .*\bbase_url\b/);
  });

  it('vane config set writes through a symbolic link, and keeps the mode of the file', async () => {
    const real = join(folder, 'real.json');
    await writeFile(real, '{"tz":"local"}');
    await chmod(real, 0o600);
    await symlink('real.json', file);
    await vane('config set units ms');
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
    expect((await stat(real)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(real, 'utf8'))).toEqual({ units: 'ms', tz: 'local' });
  });

  it.each([
    ['set units furlongs', naming('units', ...SPEED_UNIT_NAMES, '“furlongs”')],
    ['set base_url nowhere', /base_url .* http:\/\/nowhere,/],
    ['set base_url http://me:pw@host', /base_url .*user/],
    ['set tz Mars', /tz .*utc.*local.*“Mars”/],
    ['set favourites.home nowhere', /favourites\.home .*“nowhere”/],
    ['set favourites.all 110', /favourite .*“all”/],
    ['set favourites. 110', /favourite .*favourites\.home/],
    ['set favourites 110', /favourite .*favourites\.home/],
    ['set favourites.-x 110', /“-x”/],
    ['set favourites.favorites 110', /“favorites”/],
    [
      'set favourites.home.constructor 110',
      /“favourites\.home\.constructor”.*favourites\.home\.when/,
    ],
    ['set favourites.home.when.x 110', /“favourites\.home\.when\.x”/],
    ['set unit kn', /“unit”.*base_url, units, tz and favourites\.NAME/],
    ['get nothing', /“nothing”/],
    ['unset nothing', /“nothing”/],
    ['set units', /config set .*<value>.*\bkn\b/],
    ['set', /config set .*<key>.*units, tz, base_url, favourites/],
    ['sett units kn', /“sett”.*\bset\b/s],
  ])('vane config %s is refused with an error that names %s', async (line, names) => {
    expect(refused(await vane(`config ${line}`))).toMatch(names);
    expect(await readdir(folder)).toEqual([]);
  });

  it('vane config help prints help, even if a favourite is called help', async () => {
    await hold({ favourites: { help: 603 } });
    expect((await vane('help')).out).toContain('Usage: vane');
  });

  it('vane config set is refused where VANE_CONFIG is /dev/null, which keeps nothing', async () => {
    const outcome = await vane('config set units kn', { VANE_CONFIG: '/dev/null' });
    expect(refused(outcome)).toMatch(/VANE_CONFIG/);
  });

  it('vane config set and unset keep every change of eight processes that run at once', async () => {
    await hold({ units: 'kn', favourites: { home: 110 } });
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const lines = [...names.map((name) => `set favourites.${name} 603`), 'unset units'];
    const codes = lines.map((line) => {
      const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms / 100));
      const io = { ...fakeIo({ env: { VANE_CONFIG: file } }), random: Math.random, sleep };
      return runCommand(['config', ...words(line)], io);
    });
    expect(await Promise.all(codes)).toEqual(lines.map(() => 0));
    const favourites = Object.fromEntries(names.map((name) => [name, 603]));
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      favourites: { home: 110, ...favourites },
    });
    expect(await readdir(folder)).toEqual(['config.json']);
  });

  it('vane config set says that it has to lock the config file, and leaves the file as it is', async () => {
    await mkdir(join(folder, '.config.json.vane-lock'));
    const { code, err } = await vane('config set units kn');
    expect(err).toMatch(naming('.config.json.vane-lock', 'not a plain file'));
    expect([code, await readdir(folder)]).toEqual([1, ['.config.json.vane-lock']]);
  });

  it('vane config set says why the config file cannot be written', async () => {
    await writeFile(join(folder, 'plain'), '');
    const path = join(folder, 'plain', 'config.json');
    const { code, err } = await vane('config set units kn', { VANE_CONFIG: path });
    expect(err).toMatch(naming(join(folder, 'plain'), 'folder'));
    expect(code).toBe(1);
  });

  it.each(['config', 'config list', 'config get', 'config set', 'config unset', 'config path'])(
    '`vane %s --help` fits 80 columns',
    async (line) => {
      const { out } = await vane(`${line} --help`);
      expect(out).toMatch(/^Usage: vane config/m);
      expectColumns(out, 80);
    },
  );
});

describe('the folder of the config file', () => {
  const at = async (env: Env): Promise<string> => (await run(['config', 'path'], { env })).out;

  it.each([
    [{ VANE_CONFIG: '/etc/vane.json', HOME: '/home/me' }, '/etc/vane.json\n'],
    [{ XDG_CONFIG_HOME: '/x', HOME: '/home/me' }, '/x/vane/config.json\n'],
    [{ XDG_CONFIG_HOME: '', HOME: '/home/me' }, '/home/me/.config/vane/config.json\n'],
  ])('vane config path with the environment %j prints %j', async (env, path) => {
    expect(await at(env as Env)).toBe(path);
  });

  it('vane config set is refused where none of VANE_CONFIG, XDG_CONFIG_HOME and HOME is set', async () => {
    const { code, err } = await run(['config', 'set', 'units', 'kn']);
    expect(err).toContain('VANE_CONFIG, XDG_CONFIG_HOME or HOME');
    expect(code).toBe(2);
    expect((await run(['config', 'list'])).code).toBe(0);
  });

  it('vane reads the config file .config/vane/config.json below HOME', async () => {
    await mkdir(join(folder, '.config', 'vane'), { recursive: true });
    await writeFile(join(folder, '.config', 'vane', 'config.json'), '{"units":"mph"}');
    const { out } = await run(['config', 'get', 'units'], { env: { HOME: folder } });
    expect(out).toBe('mph\n');
  });

  describe('does not read a config file below HOME', () => {
    const write = async (): Promise<string> => {
      const path = join(folder, '.config', 'vane', 'config.json');
      await mkdir(join(folder, '.config', 'vane'), { recursive: true });
      await writeFile(path, '{"units":"mph"}');
      return path;
    };
    const get = (env: Env = {}) =>
      run(['config', 'get', 'units'], { env: { HOME: folder, ...env } });

    it.each([0o664, 0o646])(
      'vane does not read a config file below HOME that others may write, unless VANE_CONFIG names it',
      async (mode) => {
        const path = await write();
        await chmod(path, mode);
        expect(refused(await get())).toMatch(naming('other users', path, 'chmod go-w'));
        expect((await get({ VANE_CONFIG: path })).out).toBe('mph\n');
      },
    );

    it.runIf(process.geteuid?.() === 0)(
      'vane does not read a config file below HOME that is a link to a file of another user',
      async () => {
        const path = await write();
        await rename(path, join(folder, 'real.json'));
        await symlink(join(folder, 'real.json'), path);
        expect((await get()).out).toBe('mph\n');
        await chown(join(folder, 'real.json'), 54_321, 54_321);
        expect(refused(await get())).toMatch(naming(path, 'another user'));
      },
    );
  });

  it('vane config set makes a config file that it can read again, whatever the umask', async () => {
    const before = process.umask(0);
    try {
      await run(['config', 'set', 'units', 'mph'], { env: { HOME: folder } });
    } finally {
      process.umask(before);
    }
    const { out } = await run(['config', 'get', 'units'], { env: { HOME: folder } });
    expect(out).toBe('mph\n');
  });

  const HOME = '/home/me';

  it.each([
    ['linux', 'config', { HOME }, '/home/me/.config/vane'],
    ['linux', 'cache', { HOME }, '/home/me/.cache/vane'],
    ['freebsd', 'cache', { HOME, XDG_CACHE_HOME: '/x' }, '/x/vane'],
  ] as const)(
    'vane on %s has its %s folder, with the environment %j, at %s',
    (platform, kind, env, path) => {
      const folder = userFolder(kind, env, platform);
      expect(folder && userFolderPath(folder)).toBe(path);
    },
  );

  it.each(['linux', 'darwin'] as const)(
    'vane on %s has no config folder in an empty environment',
    (platform) => {
      expect(userFolder('config', {}, platform)).toBeUndefined();
    },
  );

  it('vane has the same config and cache folders as the npm package env-paths proposes', () => {
    const paths = envPaths('vane', { suffix: '' });
    const env = { HOME: homedir(), ...process.env };
    for (const kind of ['config', 'cache'] as const) {
      const folder = userFolder(kind, env, process.platform);
      expect(folder && userFolderPath(folder)).toBe(paths[kind]);
    }
  });
});
